#!/usr/bin/env bats
# topics: threads comp-channel cq
# ping-threads: see course.md's promise in each test's name.
load lib
load ping
load waiting
program=ping-threads

@test "ping-threads: every byte arrives, whatever the size" { exchanges 1 64 1025 65536 1000000; }
@test "ping-threads: over IPv6" { exchanges_over_ipv6; }
@test "ping-threads: binds to the address that it is told" { binds_to_one_address; }
@test "ping-threads: a port that is taken" { port_is_taken; }
@test "ping-threads: no server" { no_server; }
@test "ping-threads: no such host" { no_such_host; }
@test "ping-threads: a wrong byte is caught" { catches_a_wrong_byte; }
@test "ping-threads: a stale message is caught" { catches_a_stale_message; }
@test "ping-threads: another version is refused, and both say so" { refuses_another_version; }
@test "ping-threads: a wild size is refused" { refuses_a_wild_size; }
@test "ping-threads: the server is killed" { server_is_killed; }
@test "ping-threads: the client is killed" { client_is_killed; }
@test "ping-threads: the client is interrupted" { client_is_interrupted; }
@test "ping-threads: the waiting server is interrupted" { server_is_interrupted_while_it_waits; }
@test "ping-threads: the server freezes" { server_freezes; }

@test "ping-threads: one thread for completions, one for the connection, one that works" {
    begin_endless_run
    for side in server client; do
        pid=$(on server pgrep -nx $side)
        wait_for $PATIENCE on server test -e "/proc/$pid/task"
        [ "$(on server ls "/proc/$pid/task" | wc -l)" = 3 ]
    done
    lab/job kill -s INT "$client"
    ends "$client" 1
    ends "$server" 1
}

@test "ping-threads: the peer's death is seen, long before the time limit" {
    start_server ping-threads --timeout 600
    start_client ping-threads --count 10000000 --timeout 600
    wait_for $PATIENCE is_connected
    lab/job kill -s KILL "$server"
    ends "$client" 1
    has_said "$client" "it has left|the server has left"
}

@test "ping-threads: two thousand round trips, and no wake-up is lost" {
    pair ping-threads "" ping-threads --verify --count 2000
    expect 0 "2000 round trips of 64 bytes, every byte checked"
}

@test "ping-threads: every event that was taken is acknowledged before its queue goes" {
    start_server ping-threads
    run on -t 60 client trace ping-threads/client --port "$port" --count 300 server
    show
    taken=$(grep -c 'ibv_get_cq_event(.*= 0' <<< "$output")
    given=$(sed -n 's/.*ibv_ack_cq_events(cq[0-9]*, \([0-9]*\)).*/\1/p' <<< "$output" | awk '{ n += $1 } END { print n }')
    [ "$taken" = "$given" ] || { echo "$taken taken, $given given back"; false; }
    ends "$server" 0
}
