#!/usr/bin/env bats
# topics: connections cm-abstraction
# handshake: what two sides tell each other before the first message.
load lib
load ping
program=handshake

# The bytes of private data that fit, and what the other side is told: on
# RoCE the size of the field, on iWARP what was sent. Soft-iWARP takes up to 251.
fit() { by_transport "$1" 251; }

# On soft-iWARP the sender's call does not refuse one byte more; the receiver's
# kernel does, and its program is not told.
room() { by_transport "$1" "${2:-28}"; }

@test "handshake: every byte arrives, whatever the size" {
    for size in 1 64 1025 65536 1000000; do
        start_server handshake
        run_client handshake --verify --count 3 --size $size
        expect 0 "^3 round trips of $size bytes, every byte checked"
        ends "$server" 0
        has_said "$server" "^3 messages of $size bytes answered, every byte checked"
    done
}
@test "handshake: over IPv6" { exchanges_over_ipv6; }
@test "handshake: a port that is taken" { port_is_taken; }
@test "handshake: no server" { no_server; }
@test "handshake: a wrong byte is caught" { catches_a_wrong_byte; }
@test "handshake: a stale message is caught" { catches_a_stale_message; }
@test "handshake: the server is killed" { server_is_killed; }
@test "handshake: the waiting server is interrupted" { server_is_interrupted_while_it_waits; }

# agreed SIZE COUNT: both sides did that.
agreed() {
    expect 0 "^$2 round trips of $1 bytes, every byte checked"
    ends "$server" 0
    has_said "$server" "^$2 messages of $1 bytes answered, every byte checked"
}

@test "handshake: the smaller size and the smaller count are agreed, whoever has them" {
    start_server handshake --size 100 --count 5
    run_client handshake --verify --size 1000 --count 7
    agreed 100 5
    start_server handshake --size 1000 --count 7
    run_client handshake --verify --size 100 --count 5
    agreed 100 5
    start_server handshake --size 100 --least 100 --count 7
    run_client handshake --verify --size 1000 --least 100 --count 5
    agreed 100 5
}

@test "handshake: no size suits both: refused, with the limits of each" {
    start_server handshake --size 100
    run_client handshake --size 1000 --least 101
    expect 1 "handshake/client: refused: the message size is out of range \(ours is 101 to 1000, the server's 1 to 100\)"
    ends "$server" 1
    has_said "$server" "refused a client: the message size is out of range \(ours is 1 to 100, the client's 101 to 1000\)"
    start_server handshake --least 101
    run_client handshake --size 100
    expect 1 "refused: the message size is out of range \(ours is 1 to 100, the server's 101 to 1048576\)"
    ends "$server" 1
}

@test "handshake: wrong limits of its own are wrong usage" {
    run "$BIN/handshake/client" --least 2 --size 1 server
    expect 2 "handshake/client: --least is more than --size"
    run "$BIN/handshake/server" --least 2 --size 1
    expect 2 "handshake/server: --least is more than --size"
}

@test "handshake: the receiver is told the size of the field, the terms have their own length" {
    start_server handshake
    run_client handshake --count 1
    expect 0 "^the server's terms, 28 bytes in $(room 196): 64 to 64 bytes, 1 messages"
    ends "$server" 0
    has_said "$server" "^the client's terms, 28 bytes in $(room 56): 1 to 64 bytes, 1 messages"
}

@test "handshake: 56 bytes fit in a request, 57 are refused by the call" {
    start_server handshake
    run_client handshake --count 1 --private "$(fit 56)"
    expect 0 "1 round trips"
    ends "$server" 0
    has_said "$server" "^the client's terms, 28 bytes in $(fit 56)"
    start_server handshake
    before=$(device_counter client sent)
    run_client handshake --count 1 --private "$(($(fit 56) + 1))"
    if [ "$TRANSPORT" = rxe ]; then
        expect 1 "handshake/client: rdma_connect with 57 bytes of private data: Invalid argument .*56 in a REQ"
        [ "$(device_counter client sent)" = "$before" ] # nothing has left
    else
        expect 1 "handshake/client: refused: the server gave up before it could answer"
    fi
    run_client handshake --count 1 # the server is still there
    expect 0 "1 round trips"
    ends "$server" 0
}

@test "handshake: 196 bytes fit in a reply, 197 are refused by the call" {
    start_server handshake --private "$(fit 196)"
    run_client handshake --count 1
    expect 0 "^the server's terms, 28 bytes in $(fit 196)"
    ends "$server" 0
    [ "$TRANSPORT" = rxe ] || return 0
    start_server handshake --private 197
    run_client handshake --count 1
    expect 1 "handshake/client: refused: the server gave up before it could answer"
    ends "$server" 1
    has_said "$server" "rdma_accept with 197 bytes of private data: Invalid argument"
}

@test "handshake: 148 bytes fit in a refusal, 149 are refused by the call" {
    start_server handshake --size 10 --private "$(fit 148)"
    run_client handshake --least 20
    expect 1 "refused: the message size is out of range \(ours is 20 to 64, the server's 1 to 10\)"
    ends "$server" 1
    [ "$TRANSPORT" = rxe ] || return 0
    start_server handshake --size 10 --private 149
    run_client handshake --least 20
    expect 1 "refused: the server gave up before it could answer"
    ends "$server" 1
    has_said "$server" "rdma_reject with 149 bytes of private data: Invalid argument"
}

# introduces SED WHY: a client that was changed so is refused, on both sides.
introduces() {
    variant handshake/client "$1"
    start_server handshake
    run on -t 60 client "$variant" --port "$port" --count 1 server
    show
    expect 1 "handshake/client: refused: $2"
    ends "$server" 1
    has_said "$server" "refused a client: ${3:-$2}"
}

@test "handshake: another version is refused, and both sides say which" {
    introduces 's/define PROTOCOL_VERSION 1/define PROTOCOL_VERSION 2/' \
        "the two programs speak different versions \(ours is 2, the server's 1\)" \
        "the two programs speak different versions \(ours is 1, the client's 2\)"
}

@test "handshake: a reply in another version is refused" {
    variant handshake/server 's/\.version = htobe16(PROTOCOL_VERSION)/.version = htobe16(3)/'
    start server "$variant" --port 0
    await_ready
    run_client handshake
    expect 1 "refused: the two programs speak different versions \(ours is 1, the server's 3\)"
    ends "$server" 1
}

@test "handshake: a reply that agrees to something else" {
    variant handshake/server 's/c->run.size = most;/c->run.size = most + 1;/'
    start server "$variant" --port 0
    await_ready
    run_client handshake
    expect 1 "the server has agreed to something else"
    ends "$server" 1
}

@test "handshake: a short or garbled introduction is refused" {
    introduces 's/param.private_data_len = .*;/param.private_data_len = 0;/' "the first message is too short or malformed"
    introduces 's/\.length = htobe16(sizeof(t))/.length = htobe16(8)/' "the first message is too short or malformed"
    introduces 's/\.length = htobe16(sizeof(t))/.length = htobe16(999)/' "the first message is too short or malformed"
    introduces 's/PROTOCOL = 0x68616e64/PROTOCOL = 0x64616e68/' "the two programs speak different protocols"
    introduces 's/\.count = htobe32(.*)/.count = 0/' "the number of messages is out of range"
    introduces 's/\.most = htobe32(.*)/.most = htobe32(UINT32_MAX)/' "the message size is out of range .*the server's 1 to 1048576\)" \
        "the message size is out of range .*the client's 1 to 4294967295\)"
}

@test "handshake: a client of the same version with more to say is understood" {
    variant handshake/client 's/\.length = htobe16(sizeof(t))/.length = htobe16(sizeof(t) + 4)/; s/c.room = sizeof(struct terms)/c.room = sizeof(struct terms) + 4/'
    start_server handshake
    run on -t 60 client "$variant" --port "$port" --verify --count 1 server
    show
    expect 0 "1 round trips"
    ends "$server" 0
    has_said "$server" "^the client's terms, 32 bytes in $(room 56 32)"
}

# What a capture holds, as hexadecimal digits.
digits() { od -An -v -tx1 "$1" | tr -d ' \n'; }

@test "handshake: the terms on the wire are big-endian, and padded with zeros" {
    lab/wire capture $state/handshake.pcap
    start_server handshake --size 4k
    run_client handshake --verify --count 258 --size 65537 --least 513
    expect 0 "258 round trips of 4096 bytes"
    ends "$server" 0
    lab/wire stop
    head=68616e64'0001'001c'0000'0001
    key='[0-9a-f]{8}'
    # (what follows the field of 56, 196 is not ours)
    padding() { by_transport "(00){$(($1 - 28))}" ""; }
    digits $state/handshake.pcap | grep -qE "$head$key"'00000201'00010001'00000102'"$(padding 56)"
    digits $state/handshake.pcap | grep -qE "$head$key"'00001000'00001000'00000102'"$(padding 196)"
    # the fault: a field in the host's order
    variant handshake/client 's/\.most = htobe32(\(.*\)),/.most = \1,/'
    lab/wire capture $state/handshake.pcap
    start_server handshake
    run on -t 60 client "$variant" --port "$port" --count 1 --size 4096 server
    lab/wire stop
    refute grep -qE "$head$key"'00000001'00001000 <<< "$(digits $state/handshake.pcap)"
}

@test "handshake: no message before the agreement, none after a refusal" {
    lab/wire capture $state/handshake.pcap
    start_server handshake --size 10
    run_client handshake --least 20
    ends "$server" 1
    lab/wire stop
    for from in client server; do
        [ -z "$(operations $state/handshake.pcap $from)" ]
    done
}
