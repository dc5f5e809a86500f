# What the regions of a server pin, in KiB, while so many clients are connected.
while_connected() { # while_connected CLIENTS PROGRAM SERVER-OPTION...
    local client
    start server "$2/server" --port 0 --clients "$1" --timeout 120 "${@:3}"
    PATIENCE=60 await_ready >&2
    start client sh -c "for i in \$(seq $1); do $2/client --port $port \
        --count 10000000 --size 4096 --timeout 120 server & done; wait"
    client=$job
    wait_for 120 are_connected "$1" >&2
    pinned
    lab/job kill -s INT "$server" >&2
    lab/job wait -t 60 "$server" >&2 || true
    lab/job wait -t 60 "$client" >&2 || true
}
# A wire with a delay, or busy clients keep the others from connecting.
lab/wire netem delay 100ms >&2
echo "clients threads processes workers srq"
for n in 1 4 16 64; do
    echo "$n $(while_connected $n agents) $(while_connected $n agents --processes) $(while_connected $n workers) $(while_connected $n srq --size 4096)"
done
lab/wire netem off >&2
