#!/usr/bin/env bats
# topics: cm-id sync-async cm-client cm-server cm-teardown cm-exchange
# hello-cm: the smallest pair that is driven by events.
load lib
load ping
load hello
program=hello-cm

@test "hello-cm: every byte arrives, whatever the size" { hello_sizes; }
@test "hello-cm: over IPv6" { hello_over_ipv6; }
@test "hello-cm: its client talks to hello-ep's server" { hello_to hello-ep; }
@test "hello-cm: a port that is taken" { port_is_taken; }
@test "hello-cm: no server" { no_server; }
@test "hello-cm: no such host" { no_such_host; }
@test "hello-cm: a wrong byte is caught" { hello_wrong_byte; }
@test "hello-cm: another version is refused, and both say so" { refuses_another_version; }
@test "hello-cm: a wild size is refused" { refuses_a_wild_size; }
@test "hello-cm: the waiting server is interrupted" { server_is_interrupted_while_it_waits; }
@test "hello-cm: the server dies before its answer" { hello_server_dies "has left|Work Request Flushed"; }
@test "hello-cm: the client dies before its message" { hello_client_dies "has left"; }
@test "hello-cm: a server that stops" { hello_server_stops; }
@test "hello-cm: a client of another protocol is refused" { hello_stranger; }

@test "hello-cm: its events, in order, are those of the book's figure" {
    start_server hello-cm
    run on client trace hello-cm/client --port "$port" server
    show
    events=$(sed -n 's/.*RDMA_CM_EVENT_\([A-Z_]*\), status 0.*/\1/p' <<< "$output" | tr '\n' ' ')
    [ "$events" = "ADDR_RESOLVED ROUTE_RESOLVED ESTABLISHED DISCONNECTED " ] || { echo "$events"; false; }
    ends "$server" 0
}

@test "hello-cm: its connection on the wire" {
    lab/wire capture $state/hello.pcap
    start_server hello-cm
    run_client hello-cm
    expect 0 "has answered"
    ends "$server" 0
    lab/wire stop
    if [ "$TRANSPORT" = rxe ]; then
        for message in ConnectRequest ConnectReply ReadyToUse DisconnectRequest DisconnectReply; do
            [ "$(lab/dissect $state/hello.pcap | grep -c "$message")" = 1 ] || { echo "$message"; false; }
        done
    else
        # one MPA request and one reply
        [ "$(count_packets $state/hello.pcap iwarp_mpa.req)" = 1 ]
        [ "$(count_packets $state/hello.pcap iwarp_mpa.rep)" = 1 ]
    fi
}
