#!/usr/bin/env bats
# Many messages, all checked, and on a bad wire.
load ../lib
cd "$BATS_TEST_DIRNAME/../.." || exit 1
setup_file() { cd "$BATS_TEST_DIRNAME/../.." && make -s programs && lab/up one; }

@test "long: fifty thousand round trips, every byte checked" {
    for program in ping-poll gather ping-socket; do
        start_server $program
        run on -t 300 client $program/client --port "$port" --verify --count 50000 server
        show
        expect 0 "50000 round trips of 64 bytes, every byte checked"
        ends "$server" 0
    done
}

@test "long: the network loses, repeats, delays and spoils packets" {
    for fault in "loss 5%" "delay 5ms 4ms 30%" "duplicate 10%" "corrupt 3%"; do
        # shellcheck disable=SC2086  # netem's words
        lab/wire netem $fault
        start_server ping-poll --timeout 60
        run on -t 300 client ping-poll/client --port "$port" --timeout 60 \
            --verify --count 20 --size 3000 server
        lab/wire netem off
        show
        expect 0 "every byte checked"
        ends "$server" 0
    done
}

@test "long: the largest message there is" {
    for program in ping-poll gather ping-socket; do
        start_server $program --timeout 60
        run on -t 120 client $program/client --port "$port" --timeout 60 \
            --verify --count 3 --size 8M server
        show
        expect 0 "3 round trips of 8388608 bytes, every byte checked"
        ends "$server" 0
    done
}
