#!/usr/bin/env bats
# topics: cm-events
# cm-events: each event is provoked, and named.
load lib

events() { sed -n "s/^$1 *\([A-Z_]*\)  *status \(-*[0-9]*\).*/\1 \2/p" <<< "$output" | tr '\n' ';'; }

@test "cm-events: resolved, connected, disconnected, refused by the program and by nobody" {
    run on -t 40 server cm-events/cm-events server
    show
    [ "$status" = 0 ]
    refused=$(by_transport 28 -104)
    unheard=$(by_transport 8 -111)
    echo "$(events client)"
    begun="ADDR_RESOLVED 0;ROUTE_RESOLVED 0;"
    client=$(events client | sed 's/TIMEWAIT_EXIT 0;//')
    if [ "$TRANSPORT" = rxe ]; then
        [ "$client" = "${begun}ESTABLISHED 0;DISCONNECTED 0;${begun}REJECTED $refused;${begun}REJECTED $unheard;" ]
        [ "$(events server | sed 's/TIMEWAIT_EXIT 0;//')" = "ESTABLISHED 0;DISCONNECTED 0;" ]
        grep -q 'TIMEWAIT_EXIT' <<< "$output"
    else
        grep -q "ESTABLISHED 0;.*DISCONNECTED 0;" <<< "$client"
        grep -q "REJECTED $refused;" <<< "$client"
    fi
    [ "$(events listener)" = "CONNECT_REQUEST 0;CONNECT_REQUEST 0;" ]
}

@test "cm-events: without a host it finds its own address" {
    run on -t 40 server cm-events/cm-events
    show
    [ "$status" = 0 ]
    grep -q 'client *ESTABLISHED' <<< "$output"
}

@test "cm-events: an address that nobody has" {
    run on -t 40 server cm-events/cm-events 192.0.2.77
    show
    [ "$status" = 0 ]
    [ "$(events client)" = "ADDR_ERROR -110;" ]
}

@test "cm-events: a neighbour that is silent is unreachable, after a long time" {
    [ "$TRANSPORT" = rxe ] || skip "TCP's own patience is longer"
    on server ip neigh replace 192.0.2.78 lladdr 02:00:00:00:00:78 dev eth_server
    run on -t 180 server cm-events/cm-events --timeout 170 192.0.2.78
    show
    [ "$status" = 0 ]
    [ "$(events client)" = "ADDR_RESOLVED 0;ROUTE_RESOLVED 0;UNREACHABLE -110;" ]
}

@test "cm-events: an adapter is removed, and each identifier is told" {
    on server sh -c "ip link add scratch type dummy; ip addr add 198.51.100.1/24 dev scratch
        ip link set scratch up; rdma link add ${TRANSPORT}_scratch type $TRANSPORT netdev scratch"
    start server cm-events/cm-events --stay --timeout 30 198.51.100.1
    wait_for $PATIENCE has_said "$job" '^server +ESTABLISHED'
    on server rdma link delete "${TRANSPORT}_scratch"
    ends "$job" 0
    for side in listener client server; do
        has_said "$job" "^$side +DEVICE_REMOVAL +status 0" || { echo "$side"; false; }
    done
    on server ip link delete scratch
}

@test "cm-events: interrupted while it waits" {
    start server cm-events/cm-events --stay --timeout 30 server
    wait_for $PATIENCE has_said "$job" '^server +ESTABLISHED'
    lab/job kill -s INT "$job"
    ends "$job" 1
    has_said "$job" "cm-events: no event: interrupted"
}
