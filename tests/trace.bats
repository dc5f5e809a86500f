#!/usr/bin/env bats
# The trace of a program: what it prints, and that it changes nothing.
load lib

# the line of the book that a trace's line ends with
named_line() {
    local place=${1##* }
    sed -n "${place#*:}p" "$(ls book/"${place%:*}" chunks/"${place%:*}" 2> /dev/null)"
}

@test "trace: calls, events and completions, each with its line of the book" {
    start_traced_server ping-poll
    run on -t 60 client trace ping-poll/client --port "$port" --count 3 --verify server
    show
    expect 0 "^3 round trips of 64 bytes, every byte checked"
    expect 0 '^ +[0-9]+ rdma_create_id\(NULL, NULL, TCP\) = 0, id1.*  connections.nw:[0-9]+$'
    expect 0 'rdma_connect\(id1, .*\) = 0, RDMA_CM_EVENT_ESTABLISHED, status 0'
    [ "$(grep -c 'ibv_post_send(qp1, {wr_id 2, SEND, 64 bytes lkey 0x' <<< "$output")" = 3 ]
    [ "$(grep -c 'completion {wr_id 2, success, SEND, qp_num' <<< "$output")" = 3 ]
    [ "$(grep -c 'completion {wr_id 1, success, RECV, byte_len 64, ' <<< "$output")" = 3 ]
    for call in rdma_create_id ibv_reg_mr ibv_create_cq ibv_post_send ibv_poll_cq ibv_dealloc_pd; do
        line=$(grep -m1 " $call(" <<< "$output")
        [[ $(named_line "$line") == *$call* ]] || { echo "$call: not at ${line##* }"; false; }
    done
    ends "$server" 0
    has_said "$server" 'rdma_get_request\(id1\) = 0, RDMA_CM_EVENT_CONNECT_REQUEST, status 0, id2'
}

@test "trace: a call that fails, and the program's own status" {
    run on client trace ping-poll/client --port 7999 server
    show
    # iWARP refuses at once, without an event
    expect 1 "rdma_connect\(id1, .*\) = -1 \(Connection refused\)$(by_transport ', RDMA_CM_EVENT_REJECTED' ', after')"
    run on client trace ping-poll/client --nonsense
    expect 2 'not an option'
    run on client trace no/such/program
    expect 1 'trace: no/such/program: no such program'
}

@test "trace: -c says how often and how long, and nothing else" {
    start_server ping-poll
    run on -t 60 client trace -c ping-poll/client --port "$port" --count 5 server
    show
    expect 0 '^ +5 ibv_post_send +[0-9.]+ us each$'
    expect 0 '^ +5 ibv_post_recv +[0-9.]+ us each$'
    refute grep -q '(qp' <<< "$output"
    ends "$server" 0
}

@test "trace: every function of the table is one of the libraries" {
    for name in $(awk '$3 == "library" && match($0, /[a-z_0-9]+\(/) { print substr($0, RSTART, RLENGTH - 1) }' lab/trace/calls); do
        nm -D --defined-only build/preload.so | grep -q " T $name$" || { echo "$name is not wrapped"; false; }
        cat <(nm -D --defined-only /lib/*/libibverbs.so.1) <(nm -D --defined-only /lib/*/librdmacm.so.1) \
            <(nm -D --defined-only /lib/*/libc.so.6) | grep -q "[TW] $name@@" || { echo "no library has $name"; false; }
    done
}
