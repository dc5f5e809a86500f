#!/usr/bin/env bats
# topics: many-clients srq
# srq: see course.md's promise in each test's name.
load lib
load ping
load waiting
load many
program=srq

@test "srq: every byte arrives, whatever the size" { exchanges 1 64 1025 65536; }
@test "srq: over IPv6" { exchanges_over_ipv6; }
@test "srq: binds to the address that it is told" { binds_to_one_address; }
@test "srq: a port that is taken" { port_is_taken; }
@test "srq: no server" { no_server; }
@test "srq: no such host" { no_such_host; }
@test "srq: a wrong byte is caught" { catches_a_wrong_byte; }
@test "srq: another version is refused, and both say so" { refuses_another_version; }
@test "srq: a wild size is refused" { refuses_a_wild_size; }
@test "srq: the server is killed" { server_is_killed; }
@test "srq: the client is killed" { client_is_killed; }
@test "srq: the client is interrupted" { client_is_interrupted; }
@test "srq: the waiting server is interrupted" { server_is_interrupted_while_it_waits; }
@test "srq: the server freezes" { server_freezes; }
@test "srq: sixteen clients at once" { serves_many 16; }
@test "srq: sixteen clients, one is killed, the others finish" { one_is_killed; }
@test "srq: one client freezes, the others finish" { one_freezes; }
@test "srq: one client is refused, the next is served" { one_is_refused; }
@test "srq: a client too many finds nobody" { one_too_many; }
@test "srq: interrupted with clients, it ends with them" { interrupted_with_clients; }
@test "srq: a client of ping-event is served" { a_plain_ping_is_served; }

@test "srq: the limit event comes, the queue is refilled, and nobody finds it empty" {
    before=$(device_counter client late)
    start_server srq --clients 16 --receives 64 --limit 32 --timeout 20
    start_clients 16 --count 100 --verify --timeout 20
    clients_end 0
    ends "$server" 0
    # 1600 messages took 1600 receives; the queue holds 64
    events=$(said "$server" | sed -n 's/.* \([0-9]*\) limit events$/\1/p')
    [ "$events" -ge $(((1600 - 64) / 64)) ]
    [ "$(($(device_counter client late) - before))" = 0 ]
}

@test "srq: without refilling, clients find the queue empty" {
    variant srq/server 's/^    return s->posted < s->limit ? refill(s) : 0;/    return 0;/;
        s/^        return refill(s);/        return 0;/'
    before=$(device_counter client late)
    start server "$variant" --port 0 --receives 8 --limit 4 --timeout 3
    await_ready
    run_client srq --count 100 --timeout 4
    expect 1 "(has left|does not answer|receiver not ready|RNR|no answer)"
    ends "$server" 1
    [ "$TRANSPORT" != rxe ] || [ "$(device_counter client late)" -gt "$before" ]
}

@test "srq: receive memory does not grow with clients" {
    lab/wire netem delay 50ms # or busy clients keep the others from connecting
    for n in 1 4 16; do
        start_server srq --clients "$((n + 1))" --receives 32 --size 4096 --timeout 20
        start_clients "$n" --count 10000000 --timeout 20
        wait_for $PATIENCE are_connected "$n"
        now=$(pinned)
        [ "$now" -gt 0 ]
        [ "${first:=$now}" = "$now" ]
        lab/job kill -s INT "$server"
        ends "$server" 1
    done
    lab/wire netem off
}

@test "srq: a burst that takes all receives does not stop it" {
    asks_again
    start_server srq --clients 16 --receives 4 --limit 2 --timeout 30
    start_clients 16 --count 10 --verify --timeout 30
    PATIENCE=60 clients_end 0
    ends "$server" 0
}

@test "srq: a message larger than the receives is refused before it is sent" {
    start_server srq --size 1000
    run_client srq --size 1001
    expect 1 "refused: the message size is out of range"
    ends "$server" 1
}

@test "srq: one queue for all, and no pair has receives of its own" {
    start_traced_server srq --clients 4
    start_clients 4 --count 3
    ends "$server" 0
    [ "$(served 'ibv_create_srq\(')" = 1 ]
    [ "$(served 'ibv_post_recv\(')" = 0 ]
}
