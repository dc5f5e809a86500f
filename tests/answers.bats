#!/usr/bin/env bats
# topics: post-recv wc
# The answers that are programs do what the book says of them.
load lib

@test "answer too-long: both sides fail, and say so" {
    start_server ping-poll
    run lab/on -t 60 client ../answers/too-long/client --port "$port" server
    show
    # iWARP's sender is done when TCP has taken the message
    expect 1 "$(by_transport "send 0: remote (operation|invalid request) error" "receive 0: the server has left")"
    ends "$server" 1
    has_said "$server" "receive 0: local (QP operation|length) error"
}

@test "answer late-receive: on RoCE nothing fails, and the counter moves; iWARP ends the connection" {
    before=$(device_counter client late)
    start server ../answers/late-receive/server --port 0
    await_ready
    run_client ping-poll --count 3 --verify
    expect "$(by_transport 0 1)" "$(by_transport "3 round trips" "the server has left")"
    ends "$server" "$(by_transport 0 1)"
    [ "$(($(device_counter client late) > before))" = "$(by_transport 1 0)" ]
}

@test "answer byte-by-byte: the server does not notice" {
    start_server ping-socket
    run lab/on -t 60 client ../answers/byte-by-byte/client --port "$port" --count 5 --verify server
    show
    expect 0 "5 round trips of 64 bytes, every byte checked"
    ends "$server" 0
}

@test "answer never-acked: the exchange works, and the client never ends" {
    start_server hello-cm
    run lab/on -t 6 client ../answers/never-acked/client --port "$port" --verify server
    show
    expect 124 "every byte checked"
    ends "$server" 0
}

@test "answer late-flush: a receive that is posted after the error never comes back" {
    start_server goodbye
    run on -t 30 client ../answers/late-flush/client --port "$port" --count 5 --timeout 2 server
    show
    expect 1 "the queues do not drain"
    expect 1 "receives: 10 posted, 5 completed, 4 flushed"
    ends "$server" 0
}

@test "answer last-word: on RoCE the server hears why, on iWARP it is too late" {
    start_server handshake
    run on -t 60 client ../answers/last-word/client --port "$port" --size 100 --count 2 --verify server
    show
    expect 0 "2 round trips of 100 bytes, every byte checked"
    ends "$server" 0
    start_server handshake --size 50
    run on -t 60 client ../answers/last-word/client --port "$port" --size 100 server
    show
    expect 1 "declined: 50 bytes are too few, $(by_transport "rejected" "too late to reject")"
    ends "$server" 1
    has_said "$server" "$(by_transport "refused: the message size is out of range \(ours is 50 to 50, the client's 100 to 100\)" "the client has left")"
}

@test "answer host-order: a small size is refused, a round one is agreed wrongly" {
    start_server handshake
    run on -t 60 client ../answers/host-order/client --port "$port" server
    show
    expect 1 "refused: the message size is out of range"
    ends "$server" 1
    has_said "$server" "the client's 1 to 1073741824\)"
    start_server handshake
    run on -t 60 client ../answers/host-order/client --port "$port" --size 64k --count 1 --verify server
    show
    expect 0 "1 round trips of 256 bytes, every byte checked"
    ends "$server" 0
}

@test "answer vain-polls: prints how often it has polled" {
    start_server ping-poll
    run lab/on -t 60 client ../answers/vain-polls/client --port "$port" --count 50 server
    show
    expect 0 "^[0-9]+ polls a message"
    ends "$server" 0
}

@test "every answer that is a program has a test here" {
    for a in build/answers/*/; do
        a=${a%/}
        grep -q "answer ${a##*/}:" tests/answers.bats || { echo "no test for ${a##*/}"; false; }
    done
}

@test "answer vendor: the same as ibv_devinfo" {
    run on server ../answers/vendor/devices
    show
    [ "$status" = 0 ]
    made=$(on server ibv_devinfo -d "$(device_of server)" | awk '$1 == "vendor_id:" { print $2 }')
    part=$(on server ibv_devinfo -d "$(device_of server)" | awk '$1 == "vendor_part_id:" { print $2 }')
    grep -qE "^  vendor +0x0*${made#0x}, part $part$" <<< "$output"
}

@test "answer untouched: each size is registered, at a higher price" {
    run on server ../answers/untouched/memreg --size 64k --count 3
    show
    expect 0 "^ +64 KiB +16 "
    run on server trace -c ../answers/untouched/memreg --size 4k --count 3
    show
    expect 0 "ibv_dereg_mr"
}

@test "answer on-demand: a device that cannot refuses it" {
    run on server ../answers/on-demand/memreg
    show
    expect 1 "ibv_reg_mr, to be paged on demand: Invalid argument"
}

@test "answer copying: prints both times of each size" {
    run on server ../answers/copying/memreg --size 64k --count 3
    show
    expect 0 "^ +64 KiB +16 +[0-9.]+ us +[0-9.]+ us"
}

@test "answer open-door: nobody refuses, and the client says so" {
    start server ../answers/open-door/server --port 0 --timeout 3
    await_ready
    run_client keys --verify --count 1 --timeout 2
    expect 1 "the server (does not answer|has left)"
    ends "$server" 1
}

@test "answer post-in-states: a receive from INIT on, a send from RTS on" {
    run on -t 60 server ../answers/post-in-states/qp-states
    show
    for state in RESET INIT RTR RTS SQD ERR; do
        receive=Success send=Success
        case $state in RESET) receive="Invalid argument" ;; esac
        case $state in RESET | INIT | RTR) send="Invalid argument" ;; esac
        expect 0 "^  $state +receive: $receive; send: $send$"
        [ "$(grep -c "^  $state .*receive: $receive; send: $send$" <<< "$output")" = 2 ] # RC and UC
    done
}

@test "answer skip-rtr: the move is refused, and both sides say so" {
    start_server hello-verbs
    run on -t 60 client ../answers/skip-rtr/client --port "$port" server
    show
    expect 1 "ibv_modify_qp to RTS: Invalid argument"
    ends "$server" 1
}

@test "answer early-card: over RC it is only late, over UC the message is lost" {
    for service in rc uc; do
        start server ../answers/early-card/server --port 0 --timeout 2
        await_ready
        run_client hello-verbs --service $service --count 1 --timeout 2
        if [ $service = rc ]; then
            expect 0 "1 round trips"
            ends "$server" 0
        else
            expect 1 "no message 0 from the server: (it does not answer|it has left)"
            ends "$server" 1
        fi
    done
}

@test "answer patience: it tries for longer than the program of the book" {
    on client ip address add 198.51.100.2/32 dev eth_client
    on server ip neighbour replace 198.51.100.2 lladdr 02:00:00:00:00:99 dev eth_server
    index=$(on client devices/devices 198.51.100.2 | sed -n 's/.* GID \([0-9]*\) .*/\1/p')
    for program in hello-verbs/client ../answers/patience/client; do
        start_server hello-verbs --timeout 20
        run on -t 60 client "$program" --port "$port" --gid "$index" --count 1 --timeout 5 server
        echo "$output" > "$BATS_TEST_TMPDIR/${program//\//-}"
        ends "$server" 0
    done
    on server ip neighbour del 198.51.100.2 dev eth_server
    on client ip address del 198.51.100.2/32 dev eth_client
    # 1.9 s and 7.5 s at least, and a limit of 5 s between
    grep "transport retry counter exceeded" "$BATS_TEST_TMPDIR/hello-verbs-client"
    grep "no message 0 from the server: it does not answer" "$BATS_TEST_TMPDIR/..-answers-patience-client"
}

@test "answer lost-wakeup: it sleeps through the answer, which is in its queue" {
    start_server ping-event --timeout 20
    run on -t 60 client trace ../answers/lost-wakeup/client --port "$port" --timeout 5 --count 1000 server
    show
    expect 1 "no message [0-9]+ from the server: it does not answer"
    # as many receives are posted as messages asked for: the answer is there
    [ "$(grep -c 'ibv_req_notify_cq' <<< "$output")" -gt 0 ]
    refute grep -q "completion .*error" <<< "$output"
    ends "$server" 1
}

@test "answer unacknowledged: the exchange works, and the client never ends" {
    start_server ping-event
    run on -t 6 client ../answers/unacknowledged/client --port "$port" --verify --count 20 server
    show
    expect 124 "every byte checked"
    ends "$server" 0
}

is_broken() { on client rdma resource show qp | grep -q 'state ERR .*comm client'; }
@test "answer overflow: soft-RoCE breaks the queue pair without a word, and the client waits in vain" {
    start_server ping-solicited --timeout 10
    start client ../answers/overflow/client --port "$port" --timeout 4 --size 8k server
    client=$job
    [ "$TRANSPORT" = siw ] || wait_for $PATIENCE is_broken
    ends "$client" 1
    has_said "$client" "ping-solicited/client: "
    ends "$server" 1
}

@test "answer backwards: the message lies in another slot" {
    start server ../answers/backwards/server --port 0 --receives 3
    await_ready
    run_client rnr --verify --count 5
    expect 1 "$(by_transport "it has left" "the server has left")"
    ends "$server" 1
    has_said "$server" "message 0: byte 0 is"
}

@test "answer flood: every byte arrives, and the counter moves" {
    asks_again
    before=$(device_counter client late)
    start_server blast-send --receives 2
    run lab/on -t 60 client ../answers/flood/client --port "$port" --count 20 --verify server
    show
    expect 0 "^20 messages of 64 bytes, every byte checked"
    ends "$server" 0
    [ "$(device_counter client late)" -gt "$before" ]
}

@test "answer late-word: one word for all receives, so their number is certain" {
    start server ../answers/late-word/server --port 0
    await_ready
    run_client blast-send --count 320 --verify
    expect 0 "^320 messages of 64 bytes, every byte checked"
    expect 0 "told 11 times"
    ends "$server" 0
}

@test "answer no-reserve: both sides wait, though nothing was lost" {
    start server ../answers/no-reserve-server/server --port 0 --timeout 2
    await_ready
    run lab/on -t 60 client ../answers/no-reserve/client --port "$port" --timeout 2 server
    show
    expect 1 "no message 8 from the server: (it does not answer|it has left)"
    ends "$server" 1
    has_said "$server" "no message 8 from the client: (it does not answer|it has left)"
}

@test "answer no-reserve-server: one right side is enough, whichever it is" {
    start_server credits
    run lab/on -t 60 client ../answers/no-reserve/client --port "$port" --verify server
    show
    expect 0 "every byte checked"
    ends "$server" 0
    start server ../answers/no-reserve-server/server --port 0
    await_ready
    run_client credits --verify
    expect 0 "every byte checked"
    ends "$server" 0
}

@test "answer armed-empty: one client is enough to empty the queue for ever" {
    asks_again
    start server ../answers/armed-empty/server --port 0 --receives 1 --limit 1 --timeout 3
    await_ready
    run_client srq --count 10 --verify --timeout 4
    expect 1 "no message|left|RNR|does not answer"
    ends "$server" 1
    start_server srq --receives 1 --limit 1 --timeout 10
    run_client srq --count 3 --verify --timeout 10
    expect 0 "^3 round trips"
    ends "$server" 0
}

@test "answer at-once: no limit event comes" {
    start server ../answers/at-once/server --port 0
    await_ready
    run_client srq --count 200 --verify
    expect 0 "^200 round trips"
    ends "$server" 0
    has_said "$server" " 0 limit events"
}
