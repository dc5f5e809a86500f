# What every server of many clients must do, however it is made. Each function
# is one test; $program names the program, options choose one of its designs.
# shellcheck shell=bash disable=SC2154

# start_clients N OPTION...: in the background; sets $clients.
start_clients() {
    local n=$1
    shift
    clients=()
    while ((n-- > 0)); do
        start_client "$program" "$@"
        clients+=("$client")
    done
}
clients_end() { for client in "${clients[@]}"; do ends "$client" "$1"; done; } # clients_end STATUS
served() { said "$server" | grep -cE "$1" || true; } # served PATTERN: how many lines

# serves_many N OPTION...: N clients at once, every byte checked.
serves_many() {
    local n=$1
    start_server "$program" --clients "$n" --timeout 20 "${@:2}"
    start_clients "$n" --count 20 --verify --timeout 20
    for client in "${clients[@]}"; do
        ends "$client" 0
        has_said "$client" "^20 round trips of 64 bytes, every byte checked"
    done
    ends "$server" 0
    [ "$(served '^20 messages of 64 bytes answered, every byte checked')" = "$n" ]
}

# one_is_killed OPTION...: of 16, in the middle of its run; the others finish.
one_is_killed() {
    start_server "$program" --clients 16 --timeout 20 "$@"
    start_client "$program" --count 10000000 --timeout 20
    victim=$client
    wait_for $PATIENCE is_connected
    start_clients 15 --count 50 --verify --timeout 20
    lab/job kill -s KILL "$victim"
    clients_end 0
    ends "$server" 1
    has_said "$server" "$program/server: .*has left"
    [ "$(served '^50 messages of 64 bytes answered, every byte checked')" = 15 ]
}

# connected HOST COMMAND: the connected queue pairs of its processes, a line each.
connected() {
    on "$1" rdma resource show "$(by_transport qp cm_id)" | grep "comm $2" |
        grep -E "$(by_transport 'type RC state RTS' 'lqpn .* state CONNECT ')" || true
}
are_connected() { [ "$(connected server server | wc -l)" -ge "$1" ]; }
# (who is killed while it connects leaves a server that waits for long)
is_connected() { are_connected 1 && [ -n "$(connected client client)" ]; }

# one_freezes OPTION...: it neither dies nor sends; the others finish.
one_freezes() {
    start_server "$program" --clients 4 --timeout 3 "$@"
    start_client "$program" --count 10000000 --timeout 20
    victim=$client
    wait_for $PATIENCE is_connected
    lab/job kill -s STOP "$victim"
    start_clients 3 --count 20 --verify --timeout 20
    clients_end 0
    ends "$server" 1
    has_said "$server" "it does not answer"
    lab/job kill -s KILL "$victim"
}

# one_is_refused OPTION...: it speaks another version; the next is served.
one_is_refused() {
    variant "$program/client" 's/define PROTOCOL_VERSION 1/define PROTOCOL_VERSION 2/'
    start_server "$program" --clients 2 "$@"
    run on -t 60 client "$variant" --port "$port" server
    show
    expect 1 "refused: the two programs speak different versions"
    run_client "$program" --count 5 --verify
    expect 0 "^5 round trips"
    ends "$server" 1
}

# one_too_many OPTION...: who comes after the last one finds nobody.
one_too_many() {
    start_server "$program" --clients 1 --timeout 20 "$@"
    start_client "$program" --count 10000000 --timeout 20
    first=$client
    wait_for $PATIENCE is_connected
    run_client "$program" --count 5
    expect 1 "no server listens on port"
    lab/job kill -s KILL "$first"
    ends "$server" 1
}

interrupted_with_clients() { # OPTION...
    start_server "$program" --clients 3 --timeout 20 "$@"
    start_clients 2 --count 10000000 --timeout 20
    wait_for $PATIENCE are_connected 2
    lab/job kill -s INT "$server"
    ends "$server" 1
    has_said "$server" "interrupted"
    clients_end 1
}

a_plain_ping_is_served() { # OPTION...: the protocol is that of every ping
    start_server "$program" "$@"
    run_client ping-event --count 10 --verify
    expect 0 "^10 round trips of 64 bytes, every byte checked"
    ends "$server" 0
}

# threads: how many the newest server has.
threads() { on server sh -c 'ls /proc/$(pgrep -nx server)/task | wc -l'; }
# pinned: KiB that all servers' regions have pinned.
pinned() {
    on server sh -c 'for p in $(pgrep -x server); do grep VmPin: /proc/$p/status; done' |
        awk '{ n += $2 } END { print n + 0 }'
}
