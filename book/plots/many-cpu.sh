# What a message costs the server, in microseconds of CPU time, when 3200 come
# from so many clients.
cost() { # cost CLIENTS PROGRAM SERVER-OPTION...
    local server
    # shellcheck disable=SC2016  # the guest's shell expands it
    start server bash -c 'TIMEFORMAT="cpu %U %S"; time "$@"' - "$2/server" --port 0 --clients "$1" --timeout 120 "${@:3}"
    server=$job
    wait_for 60 has_said "$server" 'ready on port [0-9]+' >&2
    on -t 300 client sh -c "for i in \$(seq $1); do $2/client --port $(lab/job out "$server" | sed -n 's/.*ready on port //p') \
        --count $((3200 / $1)) --timeout 120 server & done; wait" > /dev/null
    lab/job wait -t 60 "$server" >&2
    said "$server" | awk '$1 == "cpu" { printf "%.0f\n", ($2 + $3) / 3200 * 1e6 }'
}
echo "clients threads processes workers srq"
for n in 1 4 16 64; do
    echo "$n $(cost $n agents) $(cost $n agents --processes) $(cost $n workers) $(cost $n srq --receives 128 --limit 64)"
done
