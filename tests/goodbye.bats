#!/usr/bin/env bats
# topics: cm-teardown liveness
# goodbye: leaving in order, draining, dying.
load lib
load ping
load hello
program=goodbye

# A wire that a failed test has cut is whole again for the next one.
eval "kill_jobs() $(declare -f teardown | tail -n +2)"
teardown() {
    kill_jobs
    [ ! -e $state/capture ] || lab/wire stop
    lab/wire mend 2> /dev/null || true
}

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

# Only an event can end these waits so soon.
begin_endless_goodbye() {
    start_server goodbye --timeout 60
    start_client goodbye --count 10000000 --timeout 60 "$@"
    wait_for $PATIENCE is_connected
    wait_for $PATIENCE has_sent 1000
}
has_sent() { (($(device_counter client sent) > $1 + sent_before)); }
setup_counter() { sent_before=$(device_counter client sent); }

@test "goodbye: the server is killed: the client is told, and gets every request back" {
    setup_counter
    begin_endless_goodbye
    lab/job kill -s KILL "$server"
    ends "$client" 1
    has_said "$client" "^goodbye/client: .*the server has left"
    adds_up "$(said "$client")"
    [ "$(account "$(said "$client")" receives completed)" -gt 0 ]
}

@test "goodbye: the client is killed: the server is told, and gets every request back" {
    setup_counter
    begin_endless_goodbye
    lab/job kill -s KILL "$client"
    ends "$server" 1
    has_said "$server" "^goodbye/server: .*the client has left"
    adds_up "$(said "$server")"
}

@test "goodbye: it has left only when the other side has disconnected, too" {
    [ "$TRANSPORT" = rxe ] || skip "TCP closes each direction by itself"
    variant goodbye/server 's/^    if (rdma_disconnect(c->id)) {/    raise(SIGSTOP);\n&/'
    lab/wire capture $state/goodbye.pcap
    start server "$variant" --port 0 --timeout 30
    await_ready
    start_client goodbye --count 5 --timeout 30
    wait_for $PATIENCE on server sh -c 'grep -q "^State:.T" /proc/[0-9]*/status'
    # the server has the event, and says nothing
    refute lab/job ended "$client"
    refute has_said "$client" "messages each way"
    lab/job kill -s CONT "$server"
    ends "$client" 0
    ends "$server" 0
    lab/wire stop
    [ "$(lab/dissect $state/goodbye.pcap | grep -o 'Disconnect[A-Za-z]*' | uniq | tr '\n' ' ')" = "DisconnectRequest DisconnectReply " ]
}

@test "goodbye: the marker comes back last, flushed" {
    [ "$TRANSPORT" = rxe ] || skip "soft-iWARP does not flush what is posted after the end"
    variant goodbye/client 's/(!marked \&\& left(&c->sends))/!marked/'
    start_server goodbye
    run on -t 30 client trace "$variant" --port "$port" --count 5 --timeout 5 server
    show
    expect 0 "completion \{wr_id 4, Work Request Flushed|completion \{wr_id 4, .*[Ff]lush"
    ends "$server" 0
}

@test "goodbye: a completion that is lost is missed in the account" {
    variant goodbye/client 's/        a->completed++;/    { static int n; if (wc->wr_id != SEND || n++ != 3) a->completed++; }/;
        s/c->sends.completed < c->run.count/0/; s/uint64_t done = c->sends.completed/uint64_t done = c->receives.completed/'
    start_server goodbye
    run on -t 30 client "$variant" --port "$port" --count 20 --timeout 2 server
    show
    expect 1 "$(by_transport "[1-9] sends are lost" "do not drain")"
    ends "$server" 0
}

# -- silence -------------------------------------------------------------------

# still: nothing has been sent for a moment
still() {
    local before
    before=$(device_counter client sent)
    sleep 0.3
    [ "$(device_counter client sent)" = "$before" ]
}

# silent_pair SECONDS OPTION...: connected, with nothing to say for so long;
# sets $server, $client
silent_pair() {
    start_server goodbye --timeout 90 "${@:2}"
    start_client goodbye --count 3 --timeout 90 --idle "$@"
    wait_for $PATIENCE is_connected
    wait_for $PATIENCE still
}

@test "goodbye: the wire is cut: only who asks for a sign of life notices" {
    silent_pair 25
    deaf_server=$server deaf_client=$client
    silent_pair 60 --keepalive 3
    lab/wire cut
    ends "$client" 1
    has_said "$client" "goodbye/client: (no sign of life from the server|sign of life: transport retry)"
    adds_up "$(said "$client")"
    ends "$server" 1
    has_said "$server" "goodbye/server: (no sign of life from the client|sign of life: transport retry)"
    adds_up "$(said "$server")"
    refute lab/job ended "$deaf_client"
    refute lab/job ended "$deaf_server"
    lab/wire mend
    # they have missed nothing, and end well
    PATIENCE=60 ends "$deaf_client" 0
    ends "$deaf_server" 0
}

@test "goodbye: a sign of life comes from the adapter, not from the program" {
    lab/wire capture $state/alive.pcap
    silent_pair 60 --keepalive 1
    lab/job kill -s STOP "$server"
    responses_before=$(responses)
    wait_for $PATIENCE has_responses $((responses_before + 3))
    refute lab/job ended "$client"
    lab/job kill -s CONT "$server"
    lab/job kill -s INT "$client"
    ends "$client" 1
    ends "$server" 0 # to it this is a goodbye
    lab/wire stop
    [ "$(count_sent $state/alive.pcap server 'read response only')" -ge 3 ]
    [ "$(count_sent $state/alive.pcap client 'read request')" -ge 3 ]
}
responses() { device_counter server sent; }
has_responses() { (($(responses) >= $1)); }

@test "goodbye: a cut wire under load: who has a request under way gives up; with seven retries never" {
    [ "$TRANSPORT" = rxe ] || skip "TCP has timers of its own"
    variant goodbye/client 's/retry_count = 6/retry_count = 7/'
    start_server goodbye --timeout 60
    start_client goodbye --count 10000000 --ack-timeout 10 --timeout 60
    mortal=("$server" "$client")
    start_server goodbye --timeout 8
    start client "$variant" --port "$port" --count 10000000 --ack-timeout 10 --timeout 8 server
    immortal=("$server" "$job")
    wait_for $PATIENCE two_connected
    lab/wire cut
    # which side it is, is a matter of chance
    wait_for $PATIENCE one_of_both
    ends "$loser" 1
    adds_up "$(said "$loser")"
    for job in "${immortal[@]}"; do
        ends "$job" 1
        has_said "$job" "^goodbye/(client|server): the (client|server) does not answer"
        adds_up "$(said "$job")"
    done
    lab/wire mend
}
one_of_both() {
    for loser in "${mortal[@]}"; do
        ! has_said "$loser" "^goodbye/(client|server): send: transport retry counter exceeded" || return 0
    done
    return 1
}
two_connected() { [ "$(on server rdma resource show qp link "$(device_of server)" | grep -c "type RC state RTS")" = 2 ]; }
