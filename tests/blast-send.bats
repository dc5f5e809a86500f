#!/usr/bin/env bats
# topics: pattern-sendrecv cq
# blast-send: see course.md's promise in each test's name.
load lib
load ping
program=blast-send

late() { device_counter client late; }

@test "blast-send: every byte arrives, whatever the size, the depth and the receives" {
    for how in "1 1 1" "64 16 32" "1025 3 2" "65536 16 3" "65536 64 1" "1000000 4 5"; do
        read -r size depth receives <<< "$how"
        start_server blast-send --receives "$receives"
        run_client blast-send --verify --count 37 --size "$size" --depth "$depth"
        expect 0 "^37 messages of $size bytes, every byte checked"
        ends "$server" 0
        has_said "$server" "^37 messages of $size bytes taken, every byte checked"
    done
}

@test "blast-send: a thousand messages of 64 KiB, and none found no receive" {
    # (tests/long has ten thousand)
    for receives in 32 2; do
        before=$(late)
        start_server blast-send --receives $receives
        run_client blast-send --verify --count 1000 --size 64k --depth 64
        expect 0 "^1000 messages of 65536 bytes, every byte checked"
        ends "$server" 0
        [ "$(late)" = "$before" ]
    done
}

@test "blast-send: one at a time each waits for an acknowledgement, four at a time not" {
    [ "$TRANSPORT" = rxe ] || skip "TCP's acknowledgements are not seen as packets of the stream"
    for depth in 1 8; do
        lab/wire netem delay 5ms # or soft-RoCE's acknowledgement is back before the next post
        lab/wire capture "$state/blast-$depth.pcap"
        start_server blast-send
        run_client blast-send --verify --count 32 --depth $depth
        lab/wire stop
        lab/wire netem off
        expect 0 "^32 messages"
        ends "$server" 0
        [ "$(count_sends "$state/blast-$depth.pcap" client)" = 32 ]
        # the most sends of the client without an acknowledgement between
        most=$(tshark -r "$state/blast-$depth.pcap" -Y 'infiniband.bth' -T fields \
            -e ip.src -e infiniband.bth.opcode 2> /dev/null |
            awk '$1 == "192.0.2.2" && $2 == 4 { if (++n > most) most = n }
                 $1 == "192.0.2.1" && $2 == 17 { n-- } END { print most + 0 }')
        echo "depth $depth: $most"
        if [ $depth = 1 ]; then [ "$most" = 1 ]; else [ "$most" -gt 1 ] && [ "$most" -le 8 ]; fi
    done
}

@test "blast-send: the server says after each half of its receives how far it has come" {
    for receives in 1 32; do
        lab/wire capture "$state/blast-words.pcap"
        start_server blast-send --receives $receives
        run_client blast-send --verify --count 320 --depth 16
        lab/wire stop
        expect 0 "^320 messages"
        ends "$server" 0
        words=$(count_sends $state/blast-words.pcap server)
        expect 0 "told $words times"
        # the first at once; then one for 16 at least, and for one more batch at most
        if [ $receives = 1 ]; then [ "$words" = 320 ]; else [ "$words" -ge 11 ] && [ "$words" -le 21 ]; fi
    done
}

@test "blast-send: asleep or polling, in any combination" {
    lab/wire netem delay 5ms # or a busy machine has the next word before it can sleep
    for how in "--events --events" "--events " " --events"; do
        # shellcheck disable=SC2086
        start_server blast-send ${how% *}
        # shellcheck disable=SC2086
        run_client blast-send --verify --count 200 --size 4k ${how#* }
        expect 0 "^200 messages of 4096 bytes, every byte checked"
        [[ $how != *" --events" ]] || expect 0 "wake-ups: +[1-9]"
        ends "$server" 0
    done
    lab/wire netem off
}

@test "blast-send: over IPv6" {
    start_server blast-send --bind ::
    host=server6 run_client blast-send --verify --count 50
    expect 0 "every byte checked"
    ends "$server" 0
}
@test "blast-send: a port that is taken" { port_is_taken; }
@test "blast-send: no server" { no_server; }
@test "blast-send: another version is refused, and both say so" { refuses_another_version; }
@test "blast-send: a wild size is refused" { refuses_a_wild_size; }
@test "blast-send: the server is killed" { server_is_killed; }
@test "blast-send: the client is killed" { client_is_killed; }
@test "blast-send: the client is interrupted" { client_is_interrupted; }
@test "blast-send: the server freezes" { server_freezes; }
@test "blast-send: a server that nobody calls is interrupted" { server_is_interrupted_while_it_waits; }

# with_server_variant SED-SCRIPT OPTION...: starts it
with_server_variant() {
    variant blast-send/server "$1"
    start server "$variant" --port 0 "${@:2}"
    await_ready
}

@test "blast-send: a wrong byte in one of many is caught" {
    variant blast-send/client 's/= pattern_byte(seed, offset + i);/= pattern_byte(seed, offset + i) ^ (sequence == 29 \&\& offset + i == 17);/;
        s/uint8_t expected = \(.*\) ^ .*;/uint8_t expected = \1;/'
    start_server blast-send
    run on -t 60 client "$variant" --port "$port" --verify --size 100 --count 100 server
    show
    expect 1 "(the server has left|server: it has left)"
    ends "$server" 1
    has_said "$server" "blast-send/server: message 29: byte 17 is 0x.., not 0x.."
}

@test "blast-send: a slot that is filled before its send has completed is noticed" {
    variant blast-send/client 's/sequence % s->count \* s->size/sequence % 2 * s->size/'
    start_server blast-send
    lab/wire netem delay 20ms
    run on -t 60 client "$variant" --port "$port" --verify --size 64k --count 100 server
    show
    expect 1 "(the server has left|server: it has left)"
    ends "$server" 1
    lab/wire netem off
    has_said "$server" "message [0-9]+: byte [0-9]+ is"
}

@test "blast-send: a server that has taken what was never sent is refused" {
    for lie in 's/\.taken = htobe64(c->received)/.taken = htobe64(c->received + 1000)/' \
        's/\.taken = htobe64(c->received)/.taken = htobe64(0)/' \
        's/\.room = .*/.room = htobe32(0),/' 's/\.room = .*/.room = htobe32(70000),/'; do
        with_server_variant "$lie"
        run_client blast-send --verify --count 100
        expect 1 "blast-send/client: impossible: [0-9]+ taken, room for [0-9]+"
        ends "$server" 1
    done
    with_server_variant '/struct \(progress p\|header h\) = {/,/};/s/\.version = .*/.version = htobe16(9),/'
    run_client blast-send --verify --count 100
    expect 1 "blast-send/client: the server's word is malformed"
    ends "$server" 1
}

@test "blast-send: a server that promises more receives than it has makes the counter move" {
    [ "$TRANSPORT" = rxe ] || skip "iWARP has no receiver-not-ready"
    before=$(late)
    with_server_variant 's/\.room = .*/.room = htobe32(64),/' --receives 2 --timeout 20
    run_client blast-send --verify --count 30 --depth 16 --timeout 20
    expect 0 "^30 messages of 64 bytes, every byte checked"
    ends "$server" 0
    [ "$(late)" -gt "$before" ]
}
