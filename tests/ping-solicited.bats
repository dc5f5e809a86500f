#!/usr/bin/env bats
# topics: event-wait comp-channel
# ping-solicited: see course.md's promise in each test's name.
load lib
load ping
load waiting
program=ping-solicited

# Soft-iWARP takes the bit and wakes nobody for it.
is_woken() { [ "$TRANSPORT" = rxe ] || skip "soft-iWARP has no solicited events"; }

@test "ping-solicited: every byte arrives, whatever the size" { is_woken; exchanges 1 64 1025 65536 1000000; }
@test "ping-solicited: over IPv6" { is_woken; exchanges_over_ipv6; }
@test "ping-solicited: binds to the address that it is told" { is_woken; binds_to_one_address; }
@test "ping-solicited: a port that is taken" { port_is_taken; }
@test "ping-solicited: no server" { no_server; }
@test "ping-solicited: no such host" { no_such_host; }
@test "ping-solicited: a wrong byte is caught" { is_woken; catches_a_wrong_byte; }
@test "ping-solicited: a stale message is caught" { is_woken; catches_a_stale_message; }
@test "ping-solicited: another version is refused, and both say so" { refuses_another_version; }
@test "ping-solicited: a wild size is refused" { refuses_a_wild_size; }
@test "ping-solicited: the server is killed" { server_is_killed; }
@test "ping-solicited: the client is killed" { client_is_killed; }
@test "ping-solicited: the client is interrupted" { client_is_interrupted; }
@test "ping-solicited: the waiting server is interrupted" { server_is_interrupted_while_it_waits; }
@test "ping-solicited: the server freezes" { server_freezes; }

# A wire so slow that the parts of a message come one by one, even to a receiver
# that is busy for some milliseconds: 8 KiB take 3 ms.
slowly() {
    lab/wire netem rate 20mbit
    "$@" || { lab/wire netem off; false; }
    lab/wire netem off
}

@test "ping-solicited: a burst of eight wakes the receiver once" {
    is_woken
    slowly pair ping-solicited "" ping-solicited --verify --count 20 --size 64k
    expect 0 "20 round trips of 65536 bytes, every byte checked"
    # (at most once more for a send whose acknowledgement was late)
    (($(woken "$output") > 0 && $(woken "$output") <= 2 * 20))
    (($(woken "$served") > 0 && $(woken "$served") <= 2 * 20))
    solicited=$(woken "$served")
    slowly pair ping-solicited --every ping-solicited --every --verify --count 20 --size 64k
    (($(woken "$served") > 4 * 20 && $(woken "$served") > 2 * solicited)) || { echo "$served"; false; }
}

@test "ping-solicited: of eight messages on the wire the last has the bit" {
    is_woken
    lab/wire capture $state/solicited.pcap
    start_server ping-solicited
    run_client ping-solicited --count 5 --size 800
    lab/wire stop
    expect 0 "5 round trips"
    ends "$server" 0
    for from in 192.0.2.1 192.0.2.2; do
        sends=$(count_packets $state/solicited.pcap "ip.src == $from && infiniband.bth.opcode == 4")
        bits=$(tshark -r $state/solicited.pcap -Y "ip.src == $from && infiniband.bth.opcode == 4" \
            -T fields -e infiniband.bth.se 2> /dev/null | tr '\n' ' ')
        [ "$sends" = 40 ]
        [[ $bits =~ ^((0|False)\ ){7}(1|True)\ ((0|False)\ ){7}(1|True) ]] || { echo "$bits"; false; }
        [ "$(grep -oE '1|True' <<< "$bits" | wc -l)" = 5 ]
    done
}

@test "ping-solicited: on soft-iWARP nobody is woken, unless by every part" {
    [ "$TRANSPORT" = siw ] || skip "RoCE has solicited events"
    start_server ping-solicited --timeout 5
    run_client ping-solicited --count 2 --timeout 2
    expect 1 "no message 0 from the server"
    ends "$server" 1
    start_server ping-solicited --every
    run_client ping-solicited --every --count 2 --verify
    expect 0 "2 round trips of 64 bytes, every byte checked"
    ends "$server" 0
}

@test "ping-solicited: a client of another protocol is refused" {
    start_server ping-solicited
    run_client ping-event
    expect 1 "ping-event/client: refused: the two programs speak different protocols"
    ends "$server" 1
}
