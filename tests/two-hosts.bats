#!/usr/bin/env bats
# What needs two guests: a host that loses its power, and the book's
# transcripts, which a reader makes in two guests as well.
load lib

setup_file() {
    cd "$BATS_TEST_DIRNAME/.." || return 1
    lab/up two
}

power_is_lost() { # power_is_lost PROGRAM DEAD SURVIVOR
    lab/up two
    start_server "$1" --timeout 3
    start_client "$1" --count 10000000 --timeout 3
    wait_for $PATIENCE on server sh -c \
        "ss -Htn state established | grep -q . || rdma resource show qp | grep -q 'type RC state RTS'"
    lab/power off "$2"
    if [ "$3" = client ]; then ends "$client" 1; else ends "$server" 1; fi
    said "$([ "$3" = client ] && echo "$client" || echo "$server")" |
        grep -qE "$1/$3: .*(no answer in time|does not answer|is it gone)"
}

for_each_ping() {
    local program
    for program in ping-socket ping-poll gather; do
        power_is_lost "$program" "$@"
    done
}

@test "two hosts: the server's host loses its power" { for_each_ping server client; }
@test "two hosts: the client's host loses its power" { for_each_ping client server; }

@test "two hosts: the wire is cut" {
    lab/up two
    for program in ping-socket ping-poll gather; do
        start_server $program --timeout 3
        start_client $program --count 10000000 --timeout 3
        wait_for $PATIENCE on server sh -c \
            "ss -Htn state established | grep -q . || rdma resource show qp | grep -q 'type RC state RTS'"
        lab/wire cut
        ends "$client" 1
        ends "$server" 1
        lab/wire mend
    done
}

@test "two hosts: a program that is rebuilt while the lab is open" {
    lab/up two
    mkdir -p build/variants/rebuilt
    printf '#include <stdio.h>\nint main(void) { puts("one"); return 0; }\n' > build/variants/rebuilt/p.c
    gcc build/variants/rebuilt/p.c -o build/variants/rebuilt/p
    [ "$(on client ../variants/rebuilt/p)" = one ]
    sed -i s/one/two/ build/variants/rebuilt/p.c
    gcc build/variants/rebuilt/p.c -o build/variants/rebuilt/p
    [ "$(on client ../variants/rebuilt/p)" = two ]
}

@test "two hosts: every transcript of the book, replayed" {
    run tests/transcript replay
    echo "$output"
    [ "$status" = 0 ]
    [ "$(grep -c ^replayed <<< "$output")" = "$(tests/transcript list | wc -l)" ]
}
