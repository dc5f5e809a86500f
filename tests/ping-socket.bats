#!/usr/bin/env bats
# topics: sockets-setup sockets-transfer sockets-summary why-rdma
# ping-socket: see course.md's promise in each test's name.
load lib
load ping
program=ping-socket

@test "ping-socket: every byte arrives, whatever the size" { exchanges 1 64 1025 65536 1000000; }
@test "ping-socket: over IPv6" { exchanges_over_ipv6; }
@test "ping-socket: binds to the address that it is told" { binds_to_one_address; }
@test "ping-socket: a port that is taken" { port_is_taken; }
@test "ping-socket: no server" { no_server; }
@test "ping-socket: no such host" { no_such_host; }
@test "ping-socket: a wrong byte is caught" { catches_a_wrong_byte; }
@test "ping-socket: a stale message is caught" { catches_a_stale_message; }
@test "ping-socket: another version is refused, and both say so" { refuses_another_version; }
@test "ping-socket: a wild size is refused" { refuses_a_wild_size; }
@test "ping-socket: the server is killed" { server_is_killed; }
@test "ping-socket: the client is killed" { client_is_killed; }
@test "ping-socket: the client is interrupted" { client_is_interrupted; }
@test "ping-socket: the waiting server is interrupted" { server_is_interrupted_while_it_waits; }
@test "ping-socket: the server freezes" { server_freezes; }

@test "ping-socket: a peer that speaks something else" {
    start_server ping-socket
    on client sh -c "head -c 100 /dev/urandom | socat -u - TCP:server:$port" || true
    ends "$server" 1
    has_said "$server" "refused a client: the two programs speak different protocols"

    start server socat TCP-LISTEN:7777,reuseaddr EXEC:'head -c 100 /dev/urandom'
    wait_for $PATIENCE on server sh -c "ss -Hltn 'sport = :7777' | grep -q ."
    port=7777 run_client ping-socket
    expect 1 "refused: the two programs speak different protocols"
}

@test "ping-socket: a peer that says nothing" {
    start_server ping-socket --timeout 1
    start client socat -u TCP:server:"$port" OPEN:/dev/null
    ends "$server" 1
    has_said "$server" "read from the client: no answer in time"
}

@test "ping-socket: prints what ping-poll prints" {
    lines() { sed -E 's/[0-9]+(\.[0-9]+)?/N/g' <<< "$1"; }
    start_server ping-socket
    run_client ping-socket --verify --count 5
    expect 0 "5 round trips"
    socket=$output
    start_server ping-poll
    run_client ping-poll --verify --count 5
    expect 0 "5 round trips"
    diff <(lines "$socket") <(lines "$output")
}
