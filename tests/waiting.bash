# What the programs that sleep between messages must show: who was woken, how
# often, and what it cost.
# shellcheck shell=bash disable=SC2034,SC2154

# On a busy machine a wake-up can take its time: more patience than a poller.
endless=5

# pair PROGRAM-OF-SERVER "OPTIONS" PROGRAM-OF-CLIENT OPTION...: both on one
# virtual CPU, where a wake-up needs no other CPU; leaves the client's status
# and output, and the server's in $served.
pair() {
    local server_options=$2
    # shellcheck disable=SC2086  # options
    start server taskset 1 "$1/server" --port 0 $server_options
    await_ready
    run on -t 300 client taskset 1 "$3/client" --port "$port" "${@:4}" server
    show
    ends "$server" "$status"
    served=$(said "$server")
}
woken() { sed -n 's/^  wake-ups: *//p' <<< "$1"; }        # woken OUTPUT
cpu_of() { sed -n 's/^  cpu time: *\([0-9.]*\) s.*/\1/p' <<< "$1"; }
calls() { awk -v f="$2" '$2 == f { print $1 }' <<< "$1" | grep . || echo 0; } # calls OUTPUT FUNCTION

# What a connected server consumes while its client sends nothing for two
# seconds, in ticks of 10 ms.
idle_ticks() { # idle_ticks PROGRAM
    local pid before after
    start_server "$1" --timeout 20
    start_client "$1" --count 10000000 --timeout 20
    wait_for $PATIENCE is_connected
    lab/job kill -s STOP "$client"
    sleep 0.5
    pid=$(on server pgrep -nx server)
    before=$(on server cut -d' ' -f14,15 "/proc/$pid/stat")
    on server sleep 2
    after=$(on server cut -d' ' -f14,15 "/proc/$pid/stat")
    lab/job kill -s KILL "$client"
    ends "$server" 1 > /dev/null
    echo $((${after/ /+} - (${before/ /+})))
}
