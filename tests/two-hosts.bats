#!/usr/bin/env bats
# What needs two guests: a host that loses its power, and the book's
# transcripts, which a reader makes in two guests as well.
load lib

setup_file() {
    cd "$BATS_TEST_DIRNAME/.." || return 1
    lab/up two
}

# The pairs of programs run at the same time, and all must notice.
begin_all() { # sets ${servers[@]} and ${clients[@]}
    lab/up two
    programs=(ping-socket ping-poll gather) servers=() clients=()
    for program in "${programs[@]}"; do
        start_server "$program" --timeout 3
        start_client "$program" --count 10000000 --timeout 3
        servers+=("$server") clients+=("$client")
    done
    wait_for $PATIENCE on server sh -c "ss -Htn state established | grep -q . &&
        [ \$(rdma resource show qp | grep -c 'type RC state RTS') = 2 ]"
}

all_notice() { # all_notice server|client: each says so, and fails
    local i jobs_of=("${servers[@]}")
    [ "$1" = server ] || jobs_of=("${clients[@]}")
    for i in "${!programs[@]}"; do
        ends "${jobs_of[i]}" 1
        has_said "${jobs_of[i]}" "${programs[i]}/$1: .*(no answer in time|does not answer|is it gone)"
    done
}

@test "two hosts: the server's host loses its power" {
    begin_all
    lab/power off server
    all_notice client
}

@test "two hosts: the client's host loses its power" {
    begin_all
    lab/power off client
    all_notice server
}

@test "two hosts: the wire is cut" {
    begin_all
    lab/wire cut
    all_notice client
    all_notice server
    lab/wire mend
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
