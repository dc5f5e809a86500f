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
state=${LAB_STATE:-build/lab} # the lab's folder; captures go there, too

# The transport of the lab that is open, or to be opened: rxe (RoCE) or siw
# (iWARP). What differs between them stands below, "The transport's own".
TRANSPORT=${LAB_TRANSPORT:-$(cat "$state/transport" 2> /dev/null || echo rxe)}
export LAB_TRANSPORT=$TRANSPORT

# Two programs, a guest and its clock share a machine with others: a test that
# fails is run once more. What it printed the first time is shown ("# first
# try"), and tests/matrix names it; only the second failure counts.
BATS_TEST_RETRIES=1
first_failure() { # in teardown: what a first try that failed has printed
    [ -z "${BATS_TEST_COMPLETED:-}" ] && [ -z "${BATS_TEST_SKIPPED:-}" ] && [ "${BATS_TEST_TRY_NUMBER:-2}" = 1 ] || return 0
    {
        echo "# first try: $BATS_TEST_DESCRIPTION"
        sed 's/^/#   /' "$BATS_OUT"
        [ -z "${output:-}" ] || sed 's/^/#   last output: /' <<< "$output"
    } >&3
}

# A test that dies leaves no job behind. A program that needs what the
# transport lacks is tested for saying so, in every-program.bats; the tests of
# its own, in a file of its name, are left out, and those of answers made of it.
setup() {
    local program=${BATS_TEST_FILENAME##*/} lacks
    jobs=()
    program=${program%.bats}
    [[ ${BATS_TEST_DESCRIPTION:-} != "answer "* ]] || program=$(answer_to "$BATS_TEST_DESCRIPTION")
    lacks=$(lacks "$program")
    [ -z "$lacks" ] || skip "$TRANSPORT lacks $lacks"
}
# answer_to "answer NAME: ...": the program that this answer changes.
answer_to() {
    local name=${1#answer }
    sed -n "s,^<<answer ${name%%:*}\, \([^/]*\)/.*>>=\$,\1,p" book/*.nw | head -n 1
}
teardown() {
    local job
    first_failure
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
    local share=$state/share/gcov
    [ ! -d "$share" ] || { mkdir -p build/tests/gcov && mv "$share" "build/tests/gcov/$EPOCHREALTIME"; }
}

# Closes the lab, and opens another of the same kind.
reopen_lab() {
    local kind
    kind=$(< "$state/kind")
    keep_coverage
    lab/down
    lab/up "$kind"
}

# options_of PROGRAM/SIDE OPTION...: those that it has, "count=3" as --count=3.
options_of() {
    local help option
    help=$("$BIN/$1" --help)
    for option in "${@:2}"; do
        [[ $help != *"--${option%%=*} "* ]] || echo "--$option"
    done
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

# await_ready: the job just started is a server on a free port; sets $server
# and $port when it says so.
await_ready() {
    server=$job
    wait_for "$PATIENCE" has_said "$server" 'ready on port [0-9]+' || { said "$server"; return 1; }
    port=$(lab/job out "$server" | sed -n 's/.*ready on port //p')
}

# start_server PROGRAM ARG...: on a free port; sets $server and $port.
start_server() {
    start server "$1/server" --port 0 "${@:2}"
    await_ready
}

# start_traced_server PROGRAM ARG...: the same, and says its calls.
start_traced_server() {
    start server trace "$1/server" --port 0 "${@:2}"
    await_ready
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

# -- The transport's own ------------------------------------------------------

# A message that comes too early is asked for again; over iWARP it ends the connection.
asks_again() { [ "$TRANSPORT" = rxe ] || skip "iWARP has no receiver-not-ready"; }

by_transport() { if [ "$TRANSPORT" = rxe ]; then echo "$1"; else echo "$2"; fi; } # ROCE IWARP

# needs PROGRAM: what it declares to need beyond connected queue pairs, sends,
# writes and reads: a line "Needs: atomics, UD." in the comment at its root.
needs() {
    cat "generated-src/$1"/*.c 2> /dev/null |
        sed -n 's/^ \* Needs: \(.*\)\.$/\1/p' | sed 's/, */\n/g' | sort -u
}

# lacks PROGRAM: the first of its needs that the transport cannot meet.
lacks() {
    local lacking=()
    [ "$TRANSPORT" != siw ] ||
        lacking=(UD multicast atomics "immediate data" "memory windows" "a queue pair without rdma_cm")
    needs "$1" | grep -m 1 -xF -f <(printf '%s\n' "${lacking[@]:-nothing}") || true
}

device_of() { # device_of HOST
    cat "$state/device" 2> /dev/null || echo "${TRANSPORT}_$1"
}

# device_limit HOST FIELD: of the device's attributes, such as max_sge.
device_limit() {
    on "$1" ibv_devinfo -v -d "$(device_of "$1")" | awk -v f="$2:" '$1 == f { print $2; exit }'
}

# device_counter HOST NAME: sent and received are packets; late are the
# messages that found no receive and were asked for again, which iWARP cannot.
device_counter() {
    local name
    case $TRANSPORT-$2 in
    rxe-sent) name=sent_pkts ;;
    rxe-received) name=rcvd_pkts ;;
    rxe-late) name=rcvd_rnr_err ;;
    siw-sent) name=tx_packets ;;
    siw-received) name=rx_packets ;;
    siw-late) echo 0; return ;;
    *) return 1 ;;
    esac
    lab/counters "$1" | awk -v n="$name" '$1 == n { print $2; found = 1 } END { exit !found }'
}

# connected HOST: how many queue pairs are. Soft-iWARP calls each RESET.
connected() {
    on "$1" rdma resource show "$(by_transport qp cm_id)" |
        grep -cE "$(by_transport 'type RC state RTS' 'lqpn .* state CONNECT ')" || true
}

# acknowledgements N: how many packets of their own acknowledge N messages at
# least. TCP's ride on the answers.
acknowledgements() { by_transport "$1" 0; }

# operations FILE HOST: a line for each packet (RoCE) or DDP segment (iWARP)
# that the host sent: "send only", "send first", "send middle", "send last",
# the same with write, "read request", "read response only", ..., "ack",
# "atomic", "atomic ack", "terminate".
operations() {
    local address=192.0.2.1
    [ "$2" = server ] || address=192.0.2.2
    tshark -r "$1" -Y "ip.src == $address && (infiniband.bth || iwarp_rdma)" -T fields \
        -e infiniband.bth.opcode -e tcp.stream -e iwarp_rdma.opcode -e iwarp_ddp.last_flag 2> /dev/null |
        awk -F '\t' '
        BEGIN { split("first middle last last only only", part, " ")
                split("write,read request,read response,send,send,send,send,terminate", iwarp, ",") }
        $1 != "" && $1 <= 5 { print "send " part[$1 + 1] }
        $1 >= 6 && $1 <= 11 { print "write " part[$1 - 5] }
        $1 == 12 { print "read request" }
        $1 >= 13 && $1 <= 16 { print "read response " part[$1 == 16 ? 5 : $1 - 12] }
        $1 == 17 { print "ack" }
        $1 == 18 { print "atomic ack" }
        $1 == 19 || $1 == 20 { print "atomic" }
        $3 != "" { n = split($3, opcode, ","); split($4, last, ",")
                   for (i = 1; i <= n; i++) {
                       name = iwarp[substr(opcode[i], length(opcode[i])) + 1]
                       if (last[i]) place = within[$2] ? " last" : " only"
                       else place = within[$2] ? " middle" : " first"
                       within[$2] = !last[i]
                       print name (name ~ /request|terminate/ ? "" : place) } }'
}

# count_sent FILE HOST OPERATION: how many of these the host sent.
count_sent() { operations "$1" "$2" | grep -cx -- "$3" || true; }
# count_sends FILE HOST: how many messages it sent.
count_sends() { count_sent "$1" "$2" 'send \(only\|last\)'; }
