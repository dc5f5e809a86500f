#!/usr/bin/env bats
# topics: blocking-wait polling
# ping-spin-block: see course.md's promise in each test's name.
load lib
load ping
load waiting
program=ping-spin-block

@test "ping-spin-block: every byte arrives, whatever the size" { exchanges 1 64 1025 65536 1000000; }
@test "ping-spin-block: over IPv6" { exchanges_over_ipv6; }
@test "ping-spin-block: binds to the address that it is told" { binds_to_one_address; }
@test "ping-spin-block: a port that is taken" { port_is_taken; }
@test "ping-spin-block: no server" { no_server; }
@test "ping-spin-block: no such host" { no_such_host; }
@test "ping-spin-block: a wrong byte is caught" { catches_a_wrong_byte; }
@test "ping-spin-block: a stale message is caught" { catches_a_stale_message; }
@test "ping-spin-block: another version is refused, and both say so" { refuses_another_version; }
@test "ping-spin-block: a wild size is refused" { refuses_a_wild_size; }
@test "ping-spin-block: the server is killed" { server_is_killed; }
@test "ping-spin-block: the client is killed" { client_is_killed; }
@test "ping-spin-block: the client is interrupted" { client_is_interrupted; }
@test "ping-spin-block: the waiting server is interrupted" { server_is_interrupted_while_it_waits; }
@test "ping-spin-block: the server freezes" { server_freezes; }

# With a wire that takes its time, what becomes of a wait is known. (Not of
# each one: on a busy machine a spin may last as long as the answer takes.)
with_delay() {
    lab/wire netem delay 25ms
    "$@" || { lab/wire netem off; false; }
    lab/wire netem off
}

@test "ping-spin-block: it spins no longer than told: a wait for a slow answer ends in a sleep" {
    with_delay pair ping-spin-block "--spin 500" ping-spin-block --spin 500 --verify --count 20
    expect 0 "20 round trips of 64 bytes, every byte checked"
    (($(woken "$output") >= 15))
}

@test "ping-spin-block: as long as it may spin, it does not sleep" {
    start_server ping-spin-block --spin 1000000
    run on -t 60 client trace -c ping-spin-block/client --port "$port" --spin 1000000 --count 50 server
    show
    expect 0 "50 round trips"
    [ "$(woken "$output")" = 0 ]
    [ "$(calls "$output" ibv_req_notify_cq)" = 0 ]
    ends "$server" 0
}

@test "ping-spin-block: its CPU time lies between that of events and that of polling" {
    with_delay pair ping-poll "" ping-poll --count 30
    polling=$(cpu_of "$output")
    with_delay pair ping-spin-block "--spin 15000" ping-spin-block --spin 15000 --count 30
    both=$(cpu_of "$output")
    (($(woken "$output") >= 20))
    with_delay pair ping-event "" ping-event --count 30
    events=$(cpu_of "$output")
    awk -v e="$events" -v b="$both" -v p="$polling" 'BEGIN { exit !(e < b && b < p) }' ||
        { echo "events $events, both $both, polling $polling"; false; }
}

@test "ping-spin-block: with a spin of 0 it is ping-event" {
    start_server ping-spin-block
    run on -t 60 client trace -c ping-spin-block/client --port "$port" --count 100 server
    show
    expect 0 "100 round trips"
    # at most: both queues, before and after arming, and after waking; twice
    (($(calls "$output" ibv_poll_cq) <= 16 * 100))
    ends "$server" 0
}
