#!/usr/bin/env bats
# topics: mr pd protection
# keys: see course.md's promise in each test's name.
load lib
load ping
program=keys

@test "keys: no server" { no_server; }
@test "keys: no such host" { no_such_host; }
@test "keys: a port that is taken" { port_is_taken; }
@test "keys: another version is refused, and both say so" { refuses_another_version; }
@test "keys: a wild size is refused" { refuses_a_wild_size; }
@test "keys: the waiting server is interrupted" { server_is_interrupted_while_it_waits; }

# On soft-iWARP one access is not refused, and the client says so.
verdict=$(by_transport 0 1)

@test "keys: what is allowed is done, whatever the size, and every byte is checked" {
    for size in 1 64 1025 100000; do
        start_server keys
        run_client keys --verify --count 3 --size "$size"
        expect "$verdict" "^3 writes and reads of $size bytes, every byte checked"
        ends "$server" 0
    done
}

@test "keys: over IPv6" {
    start_server keys --bind ::
    host=server6 run_client keys --verify --count 2
    expect "$verdict" "every byte checked"
    ends "$server" 0
}

# row N: what became of the N-th access; by_specification N: what should
row() { sed -n "s/^ *$1 .*   *//p" <<< "$output" | head -n 1; }
by_specification() {
    awk -v n="$1" '$1 == n { on = 1; next } on && $1 == "specified:" { sub(/^ *specified: /, ""); print; exit } on { exit }' <<< "$output"
}

@test "keys: every forbidden access gets the status that the book says" {
    start_server keys
    run_client keys --verify --count 1
    expect "$verdict" "every byte checked"
    ends "$server" 0
    remote="$(by_transport 'remote access error' 'receive: Work Request Flushed Error')"
    bad_key="local QP operation error"
    for n in 1 3 4 5 6; do [ "$(row $n)" = "$remote" ]; done
    [ "$(row 2)" = "$(by_transport "$remote" success)" ]
    [ "$(row 7)" = "$bad_key" ]
    [ "$(row 8)" = "$bad_key" ]
    [ "$(row 9)" = "$(by_transport 'local protection error' "$bad_key")" ]
    [ "$(row 10)" = "local protection error" ]
    [ "$(row 11)" = "$(by_transport "receive: $bad_key" 'receive: general error')" ]
    # what the specification says, where that is another
    for n in 7 8 11; do [ "$(by_specification $n)" = "local protection error" ]; done
    [ -z "$(by_specification 10)" ]
    if [ "$TRANSPORT" = rxe ]; then
        for n in 1 2 3 4 5 6 9; do [ -z "$(by_specification $n)" ]; done
    else
        for n in 1 2 3 4 5 6; do [ "$(by_specification $n)" = "remote access error" ]; done
        grep -q '^keys/client: 1 of these were not refused$' <<< "$output"
    fi
}

@test "keys: what the server sees" {
    start_server keys
    run_client keys --count 1
    ends "$server" 0
    output=$(said "$server")
    [ "$TRANSPORT" = rxe ] || return 0
    for n in 0 7 8 9 10; do [ "$(sed -n "s/^ *$n //p" <<< "$output")" = "the end, no event" ]; done
    for n in 1 2 3 4 5 6; do has_said "$server" "^ *$n receive: Work Request Flushed Error, no event$"; done
    has_said "$server" "^11 send: remote operation error, no event$"
}

@test "keys: the refusals are on the wire" {
    [ "$TRANSPORT" = rxe ] || skip "read from RoCE's packets"
    lab/wire capture $state/keys.pcap
    start_server keys
    run_client keys --count 1
    lab/wire stop
    expect 0 "1 writes and reads"
    [ "$(lab/dissect $state/keys.pcap | grep -c 'error: remote access error')" = 6 ]
    # one write and its notice, five refused writes, and the write, the notice of the last
    [ "$(count_sent $state/keys.pcap client 'write only')" = 7 ]
    [ "$(count_sent $state/keys.pcap client 'send only')" = 2 ]
}

@test "keys: a server that lets anybody write is noticed on both sides" {
    variant keys/server 's/= IBV_ACCESS_REMOTE_READ,/= ALL_RIGHTS,/'
    start server "$variant" --port 0 --timeout 3
    await_ready
    run_client keys --verify --count 1 --timeout 2
    expect 1 "keys/client: the (server does not answer|server has left)"
    ends "$server" 1
    has_said "$server" "keys/server: (region 1 was written to|the client does not answer)"
}

@test "keys: a wrong byte is caught on either side" {
    for side in server client; do
        variant keys/$side 's/= pattern_byte(seed, offset + i);/= pattern_byte(seed, offset + i) ^ (sequence == 1 \&\& offset + i == 17);/;
            s/uint8_t expected = \(.*\) ^ .*;/uint8_t expected = \1;/'
        if [ $side = server ]; then
            start server "$variant" --port 0
            await_ready
            run_client keys --verify --count 3
            expect 1 "message 1: byte 17 is"
        else
            start_server keys
            run on -t 60 client "$variant" --port "$port" --verify --count 3 server
            show
            [ "$status" = 1 ]
            has_said "$server" "message 1: byte 17 is"
        fi
        ends "$server" 1
    done
}

@test "keys: the server is killed, the client is killed" {
    for side in server client; do
        start_server keys --timeout 2
        start_client keys --count 10000000 --timeout 2
        wait_for $PATIENCE is_connected
        lab/job kill -s KILL "${!side}"
        case $side in
        server) ends "$client" 1 ;;
        client) ends "$server" 1 ;;
        esac
    done
}

# losing HOST U32-MATCH...: what arrives there and matches is lost; lossless HOST
# ends it. The numbers count from the IP header: BTH at 28, AETH at 40, a
# datagram's MAD at 48.
losing() {
    on "$1" tc qdisc add dev "eth_$1" clsact
    on "$1" tc filter add dev "eth_$1" ingress protocol ip u32 match u16 4791 0xffff at 22 "${@:2}" action drop
}
lossless() {
    on "$1" tc -s filter show dev "eth_$1" ingress | grep -E 'Sent [1-9][0-9]* bytes'
    on "$1" tc qdisc del dev "eth_$1" clsact
}

@test "keys: a refusal that is lost is told from one that arrives, and every access is served" {
    [ "$TRANSPORT" = rxe ] || skip "TCP repeats what is lost"
    # no retries, since each takes two seconds
    variant keys/client 's/retry_count = 6,/retry_count = 0,/'
    losing client match u8 0x11 0xff at 28 match u8 0x62 0xff at 40
    start_server keys
    run on -t 100 client "$variant" --port "$port" --verify --count 1 server
    show
    lossless client
    expect 0 "every byte checked"
    ends "$server" 0
    for n in 1 2 3 4 5 6; do
        [ "$(row $n)" = "transport retry counter exceeded" ]
        [ "$(by_specification $n)" = "remote access error; lost?" ]
        has_said "$server" "^ *$n receive: Work Request Flushed Error, no event$"
    done
    [ "$(row 10)" = "local protection error" ]
}

@test "keys: a client that has left before the server hears of it is served" {
    [ "$TRANSPORT" = rxe ] || skip "iWARP has no third step"
    # the first and the last need the server's program, which is not told in time
    only='s/(number = 0; number <= FORBIDDEN/(number = 1; number < FORBIDDEN/; s/number ? c->patience/number > 1 ? c->patience/'
    variant keys/server "$only"
    start server "$variant" --port 0
    await_ready
    variant keys/client "$only"
    losing server match u8 0x64 0xff at 28 match u16 0x0014 0xffff at 64 # ready to use
    run on -t 60 client "$variant" --port "$port" server
    show
    lossless server
    expect 0 "^10 read into what may not be written"
    ends "$server" 0
}
