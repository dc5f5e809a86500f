#!/usr/bin/env bats
# topics: pattern-sendrecv
# credits: see course.md's promise in each test's name.
load lib
load ping
program=credits

late() { device_counter client late; }
late_server() { device_counter server late; }

@test "credits: every byte arrives, both ways, whatever the size and the numbers" {
    for how in "1 9 9" "64 100 100" "1025 50 7" "4096 7 50" "65536 20 0" "100 1 1" "100 1 60" "100 8 0"; do
        read -r size count answers <<< "$how"
        start_server credits --answers "$answers"
        run_client credits --verify --count "$count" --size "$size"
        expect 0 "^$count messages of $size bytes sent, $answers taken, every byte checked"
        ends "$server" 0
        has_said "$server" "^$answers messages of $size bytes sent, $count taken, every byte checked"
    done
    start_server credits
    run_client credits --verify --count 33
    expect 0 "^33 messages of 64 bytes sent, 33 taken, every byte checked"
    ends "$server" 0
}

@test "credits: a thousand messages of 64 KiB, and none found no receive" {
    # (tests/long has ten thousand)
    before="$(late) $(late_server)"
    start_server credits --answers 200
    run_client credits --verify --count 1000 --size 64k
    expect 0 "^1000 messages of 65536 bytes sent, 200 taken, every byte checked"
    ends "$server" 0
    [ "$(late) $(late_server)" = "$before" ]
}

@test "credits: credit messages spend credits, and get them back" {
    before="$(late) $(late_server)"
    lab/wire capture $state/credits.pcap
    start_server credits --answers 0
    run_client credits --verify --count 1000
    lab/wire stop
    expect 0 "0 credit messages sent, [0-9]+ taken"
    taken=$(sed -n 's/.*credit messages sent, \([0-9]*\) taken.*/\1/p' <<< "$output")
    ends "$server" 0
    # the server has eight credits: it has sent many more messages than that,
    # each of which needed a receive at the client
    [ "$taken" -gt 50 ] && [ "$taken" -le 250 ]
    [ "$(count_sends $state/credits.pcap server)" = $((taken + 1)) ] # and its END
    [ "$(count_sends $state/credits.pcap client)" = 1001 ]
    [ "$(late) $(late_server)" = "$before" ]
}

@test "credits: over IPv6" {
    start_server credits --bind ::
    host=server6 run_client credits --verify --count 50
    expect 0 "every byte checked"
    ends "$server" 0
}
@test "credits: a port that is taken" { port_is_taken; }
@test "credits: no server" { no_server; }
@test "credits: another version is refused, and both say so" { refuses_another_version; }
@test "credits: a wild size is refused" { refuses_a_wild_size; }
@test "credits: the server is killed" { server_is_killed; }
@test "credits: the client is killed" { client_is_killed; }
@test "credits: the client is interrupted" { client_is_interrupted; }
@test "credits: the server freezes" { server_freezes; }
@test "credits: a server that nobody calls is interrupted" { server_is_interrupted_while_it_waits; }

# against SED-SCRIPT OPTION...: a changed server, waiting for the client
against() {
    variant credits/server "$1"
    start server "$variant" --port 0 "${@:2}"
    await_ready
}

@test "credits: a credit message that is not given back stops the stream" {
    # the receives that credit messages take are not counted
    variant credits/client 's/c->owed++;/c->owed += be16toh(h.kind) != CREDIT;/'
    start_server credits --answers 0 --timeout 3
    run on -t 60 client "$variant" --port "$port" --verify --count 1000 --timeout 3 server
    show
    expect 1 "(does not answer|it has left|has left)"
    ends "$server" 1
}

@test "credits: a threshold that can never be owed stops the stream" {
    against 's,c->owed >= CREDITS / 2,c->owed >= CREDITS,' --answers 0 --timeout 3
    run_client credits --verify --count 100 --timeout 3
    expect 1 "(does not answer|it has left|has left)"
    ends "$server" 1
}

@test "credits: credits that nobody has are refused" {
    against 's,\.credits = htobe32(.*,.credits = htobe32((uint32_t)c->owed + 9)\,,'
    run_client credits --verify --count 100
    expect 1 "credits/client: message 0 is malformed"
    ends "$server" 1
}

@test "credits: a message out of turn, or of another kind, is refused" {
    for lie in 's/\.number = .*/.number = htobe32(7),/' '/struct \(progress p\|header h\) = {/,/};/s/\.version = .*/.version = htobe16(9),/' \
        's/\.length = htobe32(\(.*\)),/.length = htobe32(1 + \1),/'; do
        against "$lie"
        run_client credits --verify --count 100
        expect 1 "credits/client: message 0 is malformed"
        ends "$server" 1
    done
    against 's/\.kind = .*/.kind = htobe16(7),/'
    run_client credits --verify --count 100
    expect 1 "credits/client: message 0 is of no kind: 7"
    ends "$server" 1
}

@test "credits: a wrong byte is caught" {
    against 's/= pattern_byte(seed, offset + i);/= pattern_byte(seed, offset + i) ^ (sequence == 19 \&\& offset + i == 17);/;
        s/uint8_t expected = \(.*\) ^ .*;/uint8_t expected = \1;/'
    run_client credits --verify --count 100
    expect 1 "credits/client: message 19: byte 17 is 0x.., not 0x.."
    ends "$server" 1
}
