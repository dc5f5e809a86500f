#!/usr/bin/env bats
# No program loses memory, nor reads what was never written.
load ../lib
cd "$BATS_TEST_DIRNAME/../.." || exit 1
setup_file() { cd "$BATS_TEST_DIRNAME/../.." && make -s programs && lab/up one; }

# libibverbs itself keeps memory that valgrind calls possibly lost.
valgrind=(valgrind -q --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite --error-exitcode=9)

@test "long: valgrind finds no leak and no error in a run" {
    for program in ping-socket ping-poll gather; do
        start server "${valgrind[@]}" "$program/server" --port 0 --timeout 60
        server=$job
        wait_for 60 has_said "$server" 'ready on port'
        port=$(lab/job out "$server" | sed -n 's/.*ready on port //p')
        run on -t 120 client "${valgrind[@]}" "$program/client" --port "$port" \
            --timeout 60 --verify --count 5 server
        show
        expect 0 "every byte checked"
        PATIENCE=60 ends "$server" 0
    done
    run on -t 120 server "${valgrind[@]}" devices/devices
    expect 0 "port 1"
}
