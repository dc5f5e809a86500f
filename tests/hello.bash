# What both pairs that say hello must do.  Each function is one test; $program
# names the pair.
# shellcheck shell=bash disable=SC2154

hello_sizes() {
    local size
    for size in 1 64 1025 1000000; do
        start_server "$program"
        run_client "$program" --verify --size "$size"
        expect 0 "answered with $size bytes, every byte checked"
        ends "$server" 0
        has_said "$server" "a message of $size bytes answered, every byte checked"
    done
}

hello_over_ipv6() {
    start_server "$program" --bind ::
    host=server6 run_client "$program" --verify
    expect 0 "every byte checked"
    ends "$server" 0
}

hello_to() { # hello_to PROGRAM: our client, its server
    start_server "$1"
    run_client "$program" --verify --size 3000
    expect 0 "^the server has answered with 3000 bytes, every byte checked"
    ends "$server" 0
    has_said "$server" "a message of 3000 bytes answered, every byte checked"
}

hello_wrong_byte() {
    variant "$program/client" 's/= pattern_byte(seed, offset + i);/= pattern_byte(seed, offset + i) ^ (offset + i == 17);/;
        s/uint8_t expected = \(.*\) ^ .*;/uint8_t expected = \1;/'
    start_server "$program"
    run on -t 60 client "$variant" --port "$port" --verify server
    show
    expect 1 "the server has left|Work Request Flushed"
    ends "$server" 1
    has_said "$server" "$program/server: message 0: byte 17 is 0x.., not 0x.."
}

# A side dies at a call: the preloaded library lists the calls (sites), and
# ends the process at one of them (FAULT=die:SITE:1, see lab/trace/hostile.c).
dies_at() { # dies_at CALL ACT: the fault, out of a list of sites
    sed -n "s/^call \([0-9a-f]*\) [0-9]* $1.*/$2:\1:1/p" | head -1
}

sites() { # sites SIDE: of a run of ours
    rm -f "$state/share/sites"
    local trace=(-C build/bin -e LD_PRELOAD="$PWD/build/preload.so" -e TRACE=sites -e TRACE_OUT=/run/lab/sites)
    if [ "$1" = server ]; then
        start "${trace[@]}" server "$program/server" --port 0
    else
        start server "$program/server" --port 0
        trace+=(-t 20)
    fi
    await_ready
    if [ "$1" = server ]; then
        run_client "$program"
    else
        on "${trace[@]}" client "$program/client" --port "$port" server
    fi
    ends "$server" 0 > /dev/null
    cat "$state/share/sites"
}

hello_server_dies() { # hello_server_dies WORDS
    local fault
    fault=$(sites server | dies_at ibv_post_send die)
    [ -n "$fault" ]
    start -C build/bin -e LD_PRELOAD="$PWD/build/preload.so" -e FAULT="$fault" -e TRACE_OUT=/run/lab/sites \
        server "$program/server" --port 0
    await_ready
    run_client "$program" --timeout 2
    expect 1 "$program/client: .*($1)"
}

hello_client_dies() { # hello_client_dies WORDS
    local fault
    fault=$(sites client | dies_at ibv_post_send die)
    [ -n "$fault" ]
    start_server "$program" --timeout 2
    run on -t 20 -C build/bin -e LD_PRELOAD="$PWD/build/preload.so" -e FAULT="$fault" -e TRACE_OUT=/run/lab/sites \
        client "$program/client" --port "$port" server
    ends "$server" 1
    has_said "$server" "$program/server: .*($1|Flushed)"
}

hello_server_stops() {
    start_server "$program"
    lab/job kill -s STOP "$server"
    run_client "$program" --timeout 2
    expect 1 "$program/client: .*no answer in time"
    lab/job kill -s CONT "$server"
}

hello_stranger() {
    start_server "$program"
    run_client ping-poll
    expect 1 "refused: the two programs speak different protocols"
    ends "$server" 1
    has_said "$server" "refused a client: the two programs speak different protocols"
}
