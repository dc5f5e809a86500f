# What a message costs the server, in microseconds of CPU time, when 3200 come
# from so many clients.
cost_once() { # cost_once CLIENTS PROGRAM SERVER-OPTION...
    # shellcheck disable=SC2016  # the guest's shell expands it
    start server bash -c 'TIMEFORMAT="cpu %U %S"; time "$@"' - "$2/server" --port 0 --clients "$1" --timeout 120 "${@:3}"
    PATIENCE=60 await_ready >&2
    on -t 300 client sh -c "for i in \$(seq $1); do $2/client --port $port \
        --count $((3200 / $1)) --timeout 120 server & done; wait" > /dev/null
    lab/job wait -t 60 "$server" >&2
    said "$server" | awk '$1 == "cpu" { printf "%.0f\n", ($2 + $3) / 3200 * 1e6 }'
}
cost() { for _ in 1 2 3; do cost_once "$@"; done | sort -n | head -n 1; } # the best of three
echo "clients threads processes workers srq"
for n in 1 4 16 64; do
    echo "$n $(cost $n agents) $(cost $n agents --processes) $(cost $n workers) $(cost $n srq --receives 128 --limit 64)"
done
