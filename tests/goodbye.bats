#!/usr/bin/env bats
# topics: cm-teardown liveness
# goodbye: leaving in order, draining, dying.
load lib
load ping
load hello
program=goodbye

# account WHERE QUEUE WORD: a number of an account that was printed.
account() { sed -n "s/^  $2: *\([0-9]*\) posted, \([0-9]*\) completed, \([0-9]*\) flushed.*/posted \1\ncompleted \2\nflushed \3/p" <<< "$1" |
    awk -v word="$3" '$1 == word { print $2 }'; }

# adds_up TEXT: in both accounts, what was posted has completed or was flushed.
adds_up() {
    local queue
    for queue in sends receives; do
        [ -n "$(account "$1" $queue posted)" ] || { echo "no account of $queue"; return 1; }
        (($(account "$1" $queue posted) == $(account "$1" $queue completed) + $(account "$1" $queue flushed))) ||
            { echo "$queue: $1"; return 1; }
    done
}

@test "goodbye: every byte arrives, whatever the size, and every request is accounted for" {
    for size in 1 64 1025 1000000; do
        start_server goodbye
        run_client goodbye --verify --count 23 --size $size
        expect 0 "^23 messages each way of $size bytes, every byte checked"
        adds_up "$output"
        [ "$(account "$output" sends completed)" = 23 ]
        [ "$(account "$output" receives completed)" = 23 ]
        [ "$(account "$output" receives flushed)" = 4 ]
        ends "$server" 0
        adds_up "$(said "$server")"
        [ "$(account "$(said "$server")" receives flushed)" = 4 ]
        [ "$(account "$(said "$server")" sends posted)" = 23 ]
    done
}

@test "goodbye: over IPv6" { exchanges_over_ipv6_each_way; }
exchanges_over_ipv6_each_way() {
    start_server goodbye --bind ::
    host=server6 run_client goodbye --verify --count 5
    expect 0 "every byte checked"
    ends "$server" 0
}
@test "goodbye: a port that is taken" { port_is_taken; }
@test "goodbye: no server" { no_server; }
@test "goodbye: no such host" { no_such_host; }
@test "goodbye: a wrong byte is caught" { catches_a_wrong_byte; }
@test "goodbye: another version is refused, and both say so" { refuses_another_version; }
@test "goodbye: a wild size is refused" { refuses_a_wild_size; }
@test "goodbye: the client is interrupted" { client_is_interrupted; }
@test "goodbye: the waiting server is interrupted" { server_is_interrupted_while_it_waits; }
@test "goodbye: the server freezes" { server_freezes; }
