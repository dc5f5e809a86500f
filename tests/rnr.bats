#!/usr/bin/env bats
# topics: post-recv
# rnr: see course.md's promise in each test's name.
load lib
load ping
program=rnr

# start_late OPTION...: a server, and a capture beside it
late() { device_counter client late; }
# taken: how often and with which code of the timer the server refused
refusals() { # refusals FILE
    tshark -r "$1" -Y 'ip.src == 192.0.2.1 && infiniband.aeth.syndrome.opcode == 1' \
        -T fields -e infiniband.aeth.syndrome.timer 2> /dev/null
}

@test "rnr: every byte arrives, whatever the size and the number of receives" {
    asks_again
    for how in "1 1" "64 4" "1025 3" "65536 2" "1000000 4"; do
        start_server rnr --receives "${how#* }"
        run_client rnr --verify --count 9 --size "${how% *}"
        expect 0 "^9 messages of ${how% *} bytes, every byte checked"
        ends "$server" 0
        has_said "$server" "^9 messages of ${how% *} bytes taken, every byte checked"
    done
}

@test "rnr: over IPv6" {
    asks_again
    start_server rnr --bind ::
    host=server6 run_client rnr --verify --count 5
    expect 0 "every byte checked"
    ends "$server" 0
}
@test "rnr: a port that is taken" { port_is_taken; }
@test "rnr: no server" { no_server; }
@test "rnr: another version is refused, and both say so" { refuses_another_version; }
@test "rnr: a wild size is refused" { refuses_a_wild_size; }
@test "rnr: the server is killed" { asks_again; server_is_killed; }
@test "rnr: the client is killed" { asks_again; client_is_killed; }
@test "rnr: the client is interrupted" { asks_again; client_is_interrupted; }
@test "rnr: the server freezes" { asks_again; server_freezes; }

@test "rnr: a late server makes the NAK counter move, once for each round of receives" {
    asks_again
    before=$(late)
    lab/wire capture $state/rnr-late.pcap
    start_server rnr --receives 2 --late 10
    run_client rnr --verify --count 8
    lab/wire stop
    expect 0 "^8 messages of 64 bytes, every byte checked"
    ends "$server" 0
    [ $(($(late) - before)) = 3 ]
    # with the code that rdma_cm leaves: 0, which is 655 ms
    [ "$(refusals $state/rnr-late.pcap | tr '\n' ' ')" = "0 0 0 " ]
    # and the client sends again what was refused
    [ "$(count_sent $state/rnr-late.pcap client "send only")" = 11 ]
}

@test "rnr: the timer that is set stands in the refusal" {
    asks_again
    for code in 20 26; do
        lab/wire capture "$state/rnr-$code.pcap"
        start_server rnr --receives 2 --late 10 --rnr-timer $code --rnr-retry 7
        run_client rnr --verify --count 4
        lab/wire stop
        expect 0 "every byte checked"
        ends "$server" 0
        [ "$(refusals "$state/rnr-$code.pcap" | sort -u)" = $code ]
    done
}

@test "rnr: after so many retries the send fails, and says why" {
    asks_again
    for retries in 0 3; do
        lab/wire capture "$state/rnr-retry-$retries.pcap"
        start_server rnr --late 3000 --rnr-timer 14 --rnr-retry $retries
        run_client rnr --count 8
        lab/wire stop
        expect 1 "rnr/client: send 1: RNR retry counter exceeded \(the peer has posted no receive\)"
        ends "$server" 1
        has_said "$server" "rnr/server: .*(has left|it has left|Flushed)"
        [ "$(refusals "$state/rnr-retry-$retries.pcap" | wc -l)" = $((retries + 1)) ]
    done
}

@test "rnr: seven retries are endless, and the program's own limit ends them" {
    asks_again
    before=$(late)
    start_server rnr --late 1000 --rnr-timer 14 --rnr-retry 7
    run_client rnr --verify --count 3
    expect 0 "every byte checked"
    ends "$server" 0
    [ $(($(late) - before)) -gt 14 ]
    start_server rnr --late 60000 --rnr-timer 14 --rnr-retry 7 --timeout 20
    run_client rnr --count 8 --timeout 3
    expect 1 "rnr/client: no message 1 from the server: it does not answer"
    ends "$server" 1
}

@test "rnr: on iWARP a late server ends the connection" {
    [ "$TRANSPORT" = siw ] || skip "RoCE asks again"
    start_server rnr --late 1000
    run_client rnr --count 8
    expect 1 "rnr/client: .*(has left|Flushed|answer)"
    ends "$server" 1
}

@test "rnr: a slot that is used out of turn is noticed" {
    variant rnr/server 's/slot(&c->recv, c->posted)/slot(\&c->recv, c->posted + 1)/'
    start server "$variant" --port 0 --receives 3
    await_ready
    run_client rnr --verify --count 5
    expect 1 "the server (has left|does not answer)|it has left"
    ends "$server" 1
    has_said "$server" "message 0: byte 0 is"
}
