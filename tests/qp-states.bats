#!/usr/bin/env bats
# topics: qp
# qp-states: every legal move works, every illegal one is refused with the
# call's error.
load lib

states="RESET INIT RTR RTS SQD SQE ERR"

# legal FROM TO: by the InfiniBand specification, 10.3.1; written here again,
# so that a wrong row of the chapter's table does not go unnoticed.
legal() {
    case $1-$2 in
    *-RESET | *-ERR | RESET-INIT | INIT-INIT | INIT-RTR | RTR-RTS | RTS-RTS | RTS-SQD | SQD-SQD | SQD-RTS) ;;
    *) return 1 ;;
    esac
}

# cell SERVICE FROM TO: what the program has printed there
cell() {
    awk -v s="$1" -v from="$2" -v to="$3" '
        /^[^ ]/ { on = $1 == s; for (i = 2; i <= NF; i++) column[i] = $i; next }
        on && $1 == from { for (i = 2; i <= NF; i++) if (column[i] == to) print $i }' <<< "$output"
}

@test "qp-states: every legal move works, every illegal one is refused with the call's error" {
    run on -t 60 server qp-states/qp-states
    show
    expect 0 "^57 moved, 69 refused; 26 attributes left out, each of them missed"
    for service in RC UC UD; do
        for from in $states; do
            [ "$from" != SQE ] || continue
            for to in $states; do
                want=EINVAL
                ! legal "$from" "$to" || want=moves
                [ "$from-$to" != RESET-ERR ] || want=EINVAL\*
                [ "$(cell $service "$from" "$to")" = "$want" ] || { echo "$service $from $to: not $want"; false; }
            done
        done
    done
}

@test "qp-states: the kernel is really asked" {
    # 42 pairs and 26 attributes: a queue pair for each, and one state asked for
    run on -t 60 -e LD_PRELOAD="$PWD/build/preload.so" -e TRACE=sites -e TRACE_OUT=/run/lab/qp-states \
        server ../bin/qp-states/qp-states
    calls() { awk -v name="$1" '$1 == "call" && $4 == name { n += $3 } END { print n + 0 }' "$state/share/qp-states"; }
    [ "$(calls ibv_create_qp)" = $((3 * 42 + 26)) ]
    # each time the state that it is in; and until it is drained, the seven times that it starts in SQD
    [ "$(calls ibv_query_qp)" -ge $((3 * 42 + 26 + 3 * 7)) ]
    [ "$(calls ibv_destroy_qp)" = $((3 * 42 + 26)) ]
}

# wrong SED-SCRIPT STATUS PATTERN: with a table that is wrong
wrong() {
    variant qp-states/qp-states "$1"
    run on -t 60 server "$variant"
    show
    expect 1 "$2"
}

@test "qp-states: a table that is wrong is found" {
    wrong '/{IBV_QPS_RTS, IBV_QPS_SQD,/d' 'qp-states: ibv_modify_qp RC from RTS to SQD: is now SQD'
    wrong 's/{IBV_QPS_RTS, IBV_QPS_SQD, {0, 0, 0}},/&{IBV_QPS_RTR, IBV_QPS_SQD, {0, 0, 0}},/' \
        'ibv_modify_qp UD from RTR to SQD: is now RTR: Invalid argument'
    wrong 's/IBV_QP_RQ_PSN,/& RTR_MORE = RTR_UC | IBV_QP_ACCESS_FLAGS,/; s/{RTR_RC, RTR_UC, 0}/{RTR_RC, RTR_MORE, 0}/' \
        'ibv_modify_qp UC to RTR without 0x8: now RTR'
}

@test "qp-states: one device of several, or none of that name" {
    device=$(device_of client)
    run on -t 60 client qp-states/qp-states "$device"
    expect 0 "57 moved"
    run on -t 60 client qp-states/qp-states nothing
    show
    expect 1 'qp-states: there is no device "nothing"'
}
