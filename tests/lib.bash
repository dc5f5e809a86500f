# What the tests share; loaded by each .bats file.
#
# A test runs the programs in the lab machine: `start_server` and
# `run_client` know the hosts, `stop` and `server_ends` the jobs.
# BIN is the folder of the programs: build/bin, or build/sanitized for those
# with address- and undefined-behaviour sanitizer.
# shellcheck shell=bash disable=SC2154  # bats sets output and status

cd "$BATS_TEST_DIRNAME/.." || exit 1
BIN=${BIN:-build/bin}
PATIENCE=20 # seconds for what should take one

# A test that dies leaves no job behind.
setup() { jobs=(); }
teardown() {
    local job
    for job in "${jobs[@]}"; do
        lab/job kill -s KILL "$job" 2> /dev/null || true
    done
}

on() { lab/on -C "$BIN" "${coverage[@]}" "$@"; }

# Programs compiled for coverage (tests/kinds/coverage) leave their counts in
# the guest's share, which is gone with the lab.
coverage=()
[ "$BIN" != build/coverage ] || coverage=(-e GCOV_PREFIX=/run/lab/gcov)
keep_coverage() {
    local share=${LAB_STATE:-build/lab}/share/gcov
    [ ! -d "$share" ] || { mkdir -p build/tests/gcov && mv "$share" "build/tests/gcov/$EPOCHREALTIME"; }
}

# Closes the lab, and opens another of the same kind.
reopen_lab() {
    local kind
    kind=$(< "${LAB_STATE:-build/lab}/kind")
    keep_coverage
    lab/down
    lab/up "$kind"
}

# start HOST COMMAND...: in the background; sets $job.
start() {
    job=$(on -b "$@")
    jobs+=("$job")
}

# wait_for SECONDS COMMAND...: until the command succeeds.
wait_for() {
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        ((SECONDS < end)) || { echo "waited in vain for: $*"; return 1; }
        sleep 0.05
    done
}

# What a job has printed so far, on either channel.
said() { lab/job out "$1"; lab/job err "$1" 2>&1; }
has_said() { said "$1" | grep -qE -- "$2"; }

# start_server PROGRAM ARG...: on a free port; sets $server and $port.
start_server() {
    start server "$1/server" --port 0 "${@:2}"
    server=$job
    wait_for $PATIENCE has_said "$server" 'ready on port [0-9]+' || { said "$server"; return 1; }
    port=$(lab/job out "$server" | sed -n 's/.*ready on port //p')
}

# run_client PROGRAM ARG...: with bats' run, against $host (server).
run_client() {
    run on -t 60 client "$1/client" --port "$port" "${@:2}" "${host:-server}"
    show
}

# start_client PROGRAM ARG...: in the background; sets $client.
start_client() {
    start client "$1/client" --port "$port" "${@:2}" "${host:-server}"
    client=$job
}

# ends JOB STATUS: the job ends by itself, with that status.
ends() {
    local got=0
    lab/job wait -t $PATIENCE "$1" || got=$?
    said "$1"
    [ "$got" = "$2" ] || { echo "status $got, not $2"; return 1; }
    # a sanitizer's complaint is not an error message
    ! said "$1" | grep -E 'Sanitizer|runtime error'
}

# refute COMMAND...: it must fail.  (A command after "!" fails no test.)
refute() {
    ! "$@" || { echo "should have failed: $*"; return 1; }
}

# For messages of failed assertions; bats prints them only then.
show() {
    echo "status $status: $output"
    ! grep -E 'Sanitizer|runtime error' <<< "$output"
}

expect() { # expect STATUS PATTERN: of the last run
    [ "$status" = "$1" ] || { echo "status $status, not $1"; return 1; }
    grep -qE -- "$2" <<< "$output" || { echo "not said: $2"; return 1; }
}

# variant PROGRAM/FILE SED-SCRIPT: compiles a changed copy of a program, to
# have a peer that misbehaves; sets $variant, its path seen from $BIN.
variant() {
    local folder=build/variants/$BATS_TEST_NUMBER-${1%%/*}-${BATS_TEST_FILENAME##*/}
    mkdir -p "$folder"
    cp "generated-src/${1%%/*}"/*.[ch] "$folder"
    sed -i "$2" "$folder"/*.[ch]
    ! diff -rq "generated-src/${1%%/*}" "$folder" > /dev/null ||
        { echo "the change changed nothing: $2"; return 1; }
    gcc -std=gnu11 -O2 -g "$folder/${1##*/}.c" "$folder/support.c" \
        -o "$folder/${1##*/}" -lrdmacm -libverbs
    variant=../../$folder/${1##*/}
}

# count_packets FILE FILTER: how many packets of a capture match.
count_packets() { tshark -r "$1" -Y "$2" 2> /dev/null | wc -l; }
