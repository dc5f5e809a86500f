#!/usr/bin/env bats
# topics: why-rdma cm-client cm-server cm-teardown pd wr wc post-send post-recv polling liveness
# ping-poll: see course.md's promise in each test's name.
load lib
load ping
program=ping-poll

@test "ping-poll: every byte arrives, whatever the size" { exchanges 1 64 1025 65536 1000000; }
@test "ping-poll: over IPv6" { exchanges_over_ipv6; }
@test "ping-poll: binds to the address that it is told" { binds_to_one_address; }
@test "ping-poll: a port that is taken" { port_is_taken; }
@test "ping-poll: no server" { no_server; }
@test "ping-poll: no such host" { no_such_host; }
@test "ping-poll: a wrong byte is caught" { catches_a_wrong_byte; }
@test "ping-poll: a stale message is caught" { catches_a_stale_message; }
@test "ping-poll: another version is refused, and both say so" { refuses_another_version; }
@test "ping-poll: a wild size is refused" { refuses_a_wild_size; }
@test "ping-poll: the server is killed" { server_is_killed; }
@test "ping-poll: the client is killed" { client_is_killed; }
@test "ping-poll: the client is interrupted" { client_is_interrupted; }
@test "ping-poll: the waiting server is interrupted" { server_is_interrupted_while_it_waits; }
@test "ping-poll: the server freezes" { server_freezes; }

@test "ping-poll: one send a message in each direction, each acknowledged" {
    lab/wire capture $state/ping-poll.pcap
    start_server ping-poll
    run_client ping-poll --count 20
    lab/wire stop
    ends "$server" 0
    expect 0 "20 round trips"
    for from in client server; do
        sends=$(count_sent $state/ping-poll.pcap $from "send only")
        [ "$sends" = 20 ] || { echo "$from: $sends sends"; false; }
        acks=$(count_sent $state/ping-poll.pcap $from ack)
        [ "$acks" = "$(acknowledgements 20)" ] || { echo "$from: $acks acknowledgements"; false; }
    done
    # a message of three packets
    lab/wire capture $state/ping-poll.pcap
    start_server ping-poll
    run_client ping-poll --count 1 --size 3000
    lab/wire stop
    for from in client server; do
        [ "$(operations $state/ping-poll.pcap $from | grep -v ack)" = $'send first\nsend middle\nsend last' ]
    done
}

@test "ping-poll: what it sends and receives is what the device counts" {
    late() { echo "$(device_counter server late) $(device_counter client late)"; }
    late_before=$(late)
    before=$(device_counter client sent)
    start_server ping-poll
    run_client ping-poll --count 100
    expect 0 "100 round trips"
    ends "$server" 0
    after=$(device_counter client sent)
    # a hundred messages, acknowledgements, and the connection's own few
    ((after - before >= 100 + $(acknowledgements 100) && after - before < 230)) || { echo "$before $after"; false; }
    # nobody was late with a receive
    [ "$(late)" = "$late_before" ]
}

@test "ping-poll: a client of another protocol is refused, and both say so" {
    start_server ping-poll
    run_client gather
    expect 1 "gather/client: refused: the two programs speak different protocols"
    ends "$server" 1
    has_said "$server" "refused a client: the two programs speak different protocols"
}
