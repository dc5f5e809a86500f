#!/usr/bin/env bats
# topics: liveness
# What needs two guests: a host that loses its power, and the book's
# transcripts, which a reader makes in two guests as well.
load lib
load steps

setup_file() {
    cd "$BATS_TEST_DIRNAME/.." || return 1
    lab/up two
}

@test "two hosts: the server's host loses its power, at each step" {
    power_is_lost server
}

@test "two hosts: the client's host loses its power, at each step" {
    power_is_lost client
}

@test "two hosts: the wire is cut, in the middle of the messages" {
    wire_is_cut
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
    sed -n 's/^replayed \(.*\), at the second try$/# first try: the transcript \1/p' <<< "$output" >&3
    echo "$output"
    [ "$status" = 0 ]
    [ "$(grep -c ^replayed <<< "$output")" = "$(tests/transcript list | wc -l)" ]
}

@test "two hosts: a transcript with one wrong word is reported" {
    cp -r book/transcripts "$BATS_TEST_TMPDIR"
    sed -i 's/every byte checked/every word checked/' "$BATS_TEST_TMPDIR/transcripts/ping-poll.txt"
    TRANSCRIPTS=$BATS_TEST_TMPDIR/transcripts run tests/transcript replay ping-poll
    echo "$output"
    [ "$status" = 1 ]
    grep -q '^-.*every word checked' <<< "$output"
    grep -q '^+.*every byte checked' <<< "$output"
}

@test "two hosts: a newcomer's terminal: run, change, make, run again, Ctrl-C, leave" {
    export LAB_TMUX=rdma-course-test
    tm() { tmux -L "$LAB_TMUX" "$@"; }
    pane() { tm list-panes -a -F '#{pane_id} #{pane_title}' | awk -v t="$1" '$2 == t { print $1 }'; }
    type_in() { tm send-keys -t "$(pane "$1")" "$2" Enter; }
    shows() { tm capture-pane -p -t "$(pane "$1")" | grep -qE -- "$2"; }
    rm -rf build/try
    lab/down
    lab/consoles --detached
    wait_for 10 shows server '^server\$'
    wait_for 10 shows client '^client\$'

    type_in server 'ping-poll/server'
    wait_for 10 shows server 'ping-poll/server: ready on port 7471'
    type_in client 'ping-poll/client --count 100 --size 64 --verify server'
    wait_for 20 shows client '100 round trips of 64 bytes, every byte checked'
    wait_for 10 shows server '100 messages of 64 bytes answered'

    # a copy of one's own, changed while the lab is open
    tangle/try devices build/try # where `make try` leaves work/ alone
    make -s -C build/try/devices
    type_in server 'cd try'
    type_in server 'devices/devices | head -1'
    wait_for 10 shows server '^rxe_server: InfiniBand channel adapter'
    sed -i 's/"%s: %s, %s\\n", name/"DEVICE %s: %s, %s\\n", name/' build/try/devices/devices.c
    make -s -C build/try/devices
    type_in server 'devices/devices | head -1'
    wait_for 10 shows server '^DEVICE rxe_server'

    type_in client 'ping-poll/server'
    wait_for 10 shows client 'ready on port'
    tm send-keys -t "$(pane client)" C-c
    wait_for 10 shows client 'interrupted'

    type_in machine exit
    wait_for 15 sh -c '! lab/on server true 2> /dev/null'
}
