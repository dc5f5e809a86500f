#!/usr/bin/env bats
# topics: posix-poll event-wait
# ping-posix-poll: see course.md's promise in each test's name.
load lib
load ping
load waiting
program=ping-posix-poll

@test "ping-posix-poll: every byte arrives, whatever the size" { exchanges 1 64 1025 65536 1000000; }
@test "ping-posix-poll: over IPv6" { exchanges_over_ipv6; }
@test "ping-posix-poll: binds to the address that it is told" { binds_to_one_address; }
@test "ping-posix-poll: a port that is taken" { port_is_taken; }
@test "ping-posix-poll: no server" { no_server; }
@test "ping-posix-poll: no such host" { no_such_host; }
@test "ping-posix-poll: a wrong byte is caught" { catches_a_wrong_byte; }
@test "ping-posix-poll: a stale message is caught" { catches_a_stale_message; }
@test "ping-posix-poll: another version is refused, and both say so" { refuses_another_version; }
@test "ping-posix-poll: a wild size is refused" { refuses_a_wild_size; }
@test "ping-posix-poll: the server is killed" { server_is_killed; }
@test "ping-posix-poll: the client is killed" { client_is_killed; }
@test "ping-posix-poll: the client is interrupted" { client_is_interrupted; }
@test "ping-posix-poll: the waiting server is interrupted" { server_is_interrupted_while_it_waits; }
@test "ping-posix-poll: the server freezes" { server_freezes; }

@test "ping-posix-poll: a timer is seen while it waits for a message" {
    start_server ping-posix-poll --timeout 3
    start_client ping-posix-poll --count 10000000 --timeout 3 --tick 100
    wait_for $PATIENCE is_connected
    wait_for $PATIENCE has_said "$client" "messages so far"
    lab/job kill -s STOP "$server"
    ends "$client" 1
    # it said the same number again and again before it gave up
    [ "$(lab/job out "$client" | sort | uniq -c | awk '{ print $1 }' | sort -n | tail -n 1)" -ge 10 ]
    has_said "$client" "it does not answer"
    lab/job kill -s CONT "$server"
    ends "$server" 1
}

@test "ping-posix-poll: the peer's death is seen while it waits, long before its time limit" {
    start_server ping-posix-poll --timeout 600
    start_client ping-posix-poll --count 10000000 --timeout 600 --tick 3600000
    wait_for $PATIENCE is_connected
    lab/job kill -s KILL "$server"
    ends "$client" 1
    has_said "$client" "it has left|the server has left"
}

@test "ping-posix-poll: a connected server that waits takes next to no CPU time" {
    ticks=$(idle_ticks ping-posix-poll)
    ((ticks <= 10)) || { echo "$ticks ticks"; false; }
}

@test "ping-posix-poll: talks to ping-event" {
    pair ping-event "" ping-posix-poll --verify --count 20
    expect 0 "20 round trips of 64 bytes, every byte checked"
}
