#!/usr/bin/env bats
# The fault tests find what they are for: planted bugs in a changed copy of a
# program.  (tests/kinds/faults runs them for every program.)
load lib

# planted SED-SCRIPT RUNS: faults in a changed copy of ping-poll, those RUNS
# only; with bats' run.
planted() {
    local folder=build/variants/planted-$BATS_TEST_NUMBER side
    rm -rf "$folder"
    mkdir -p "$folder"
    cp generated-src/ping-poll/*.[ch] "$folder"
    sed -i "$1" "$folder"/*.c
    ! diff -rq generated-src/ping-poll "$folder" > /dev/null ||
        { echo "the change changed nothing"; return 1; }
    for side in client server; do
        gcc -std=gnu11 -O2 -g -fsanitize=leak -fno-optimize-sibling-calls \
            "$folder/$side.c" "$folder/support.c" -o "$folder/$side" \
            -lrdmacm -libverbs
    done
    run tests/faults -b "$folder" -f "$2" ping-poll
    echo "$output"
    [ "$status" = 1 ]
}

reports() {
    grep -qE "$1" <<< "$output" || { echo "not reported: $1"; return 1; }
}

@test "faults: a call whose failure is ignored is found" {
    planted 's/error = ibv_dealloc_pd(c->pd);/error = ibv_dealloc_pd(c->pd) * 0;/' \
        'client ibv_dealloc_pd'
    reports '^ping-poll/client: ibv_dealloc_pd, first time at client.c:[0-9]+: exits 0, not 1'
    reports 'does not say "ibv_dealloc_pd: Input/output error"'
}

@test "faults: a leak on a failing path is found" {
    planted '/^free_buffers:/,/^}/s/free(c->recv_buffer);//
        /IBV_ACCESS_LOCAL_WRITE/,/^}/s/release(c->send_mr);//' \
        'server ibv_reg_mr'
    reports 'server: ibv_reg_mr, first time at server.c:[0-9]+: .*leaks: memory at support.c:[0-9]+'
    reports 'ibv_reg_mr, first time .*SUMMARY: LeakSanitizer'
    reports 'server: (ibv_reg_mr, first time) at server.c:[0-9]+: .*leaks: .*mr at server.c:[0-9]+'
}

@test "faults: a program that never ends is found" {
    planted '/ibv_post_recv(c->id/,/^}/s/report(error, "ibv_post_recv");/for (;;) ;/' \
        'client ibv_post_recv, first'
    reports '^ping-poll/client: ibv_post_recv, first time at client.c:[0-9]+: does not end'
}

@test "faults: a message that does not name the call, or not the reason, is found" {
    planted 's/report(errno, "rdma_create_qp");/report(errno, "no queues");/
        s/report(error, "ibv_post_send");/report(0, "ibv_post_send");/' \
        'client (rdma_create_qp|ibv_post_send, first)'
    reports 'does not say "rdma_create_qp: Cannot allocate memory", but: ping-poll/client: no queues'
    reports 'does not say "[^"]*ibv_post_send[^"]*: Input/output error", but: ping-poll/client: ibv_post_send$'
}

@test "faults: a peer that never ends is found" {
    planted '/ping-poll\/server/!s/else if (now > w->give_up)/else if (now == 1)/' \
        'client first completion, status 21'
    reports '^ping-poll/client: first completion, status 21: the server does not end'
}
