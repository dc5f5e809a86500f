#!/usr/bin/env bats
# Many messages, and the largest, all checked.
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

@test "long: a hundred thousand round trips by events, and no wake-up is lost" {
    start server taskset 1 ping-event/server --port 0
    server=$job
    wait_for $PATIENCE has_said "$server" 'ready on port'
    port=$(lab/job out "$server" | sed -n 's/.*ready on port //p')
    run on -t 900 client taskset 1 ping-event/client --port "$port" --verify --count 100000 server
    show
    expect 0 "100000 round trips of 64 bytes, every byte checked"
    ends "$server" 0
}

@test "long: ten thousand messages of 64 KiB, one way and both, and none found no receive" {
    for program in "blast-send " "credits --answers 2000"; do
        before="$(device_counter client late) $(device_counter server late)"
        # shellcheck disable=SC2086
        start_server ${program% } --timeout 60
        run on -t 600 client "${program%% *}/client" --port "$port" --verify --count 10000 --size 64k server
        show
        expect 0 "10000 messages of 65536 bytes.*, every byte checked"
        ends "$server" 0
        [ "$(device_counter client late) $(device_counter server late)" = "$before" ]
    done
}
