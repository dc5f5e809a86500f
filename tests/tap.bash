# For the kinds of test that take every program: each test is a function, and
# runs in the background beside others; results are TAP, in order.  Sourced.
#
#   test_that "PROGRAM: what it shows" FUNCTION ARG...   returns at once
#   skip_that "PROGRAM: what it shows" WHY
#   finish                                               waits, prints; exits
#
# AT_ONCE (6) is how many run at the same time.  A function fails by a command
# that fails; what it prints is shown only then.  `finish` exits with 1 if one
# has failed, or if there was none.
# shellcheck shell=bash
cd "${BASH_SOURCE[0]%/*}/.." || exit 1
BATS_TEST_DIRNAME=$PWD/tests BATS_TEST_FILENAME=
# shellcheck source=tests/lib.bash
. tests/lib.bash
AT_ONCE=${AT_ONCE:-6}
tap=$(mktemp -d)
trap 'rm -rf "$tap"' EXIT
tests=0 names=()

# bats' run, for functions that are shared with .bats files.
run() { status=0; output=$("$@" 2>&1) || status=$?; }

test_that() {
    names[++tests]=$1
    shift
    while (($(jobs -rp | wc -l) >= AT_ONCE)); do sleep 0.05; done
    (
        setup
        trap teardown EXIT
        set -eE
        trap 'echo "failed: $BASH_COMMAND (${BASH_SOURCE[0]##*/}:$LINENO)"' ERR
        "$@"
        echo ok > "$tap/$tests.ok"
    ) > "$tap/$tests" 2>&1 &
}
skip_that() {
    names[++tests]="$1 # skip $2"
    echo ok > "$tap/$tests.ok"
    : > "$tap/$tests"
}
settle() { wait; }

# slice N: prints which runs of many to make, K/N: SLICE, or the slice of N
# that the commit chooses.
slice() {
    case ${SLICE:-} in
    all) echo 0/1 ;;
    '') echo $((16#$(git rev-parse --short=7 HEAD 2> /dev/null || echo 0) % $1))/$1 ;;
    *) echo "$SLICE" ;;
    esac
}

finish() {
    local i bad=0
    wait
    echo "1..$tests"
    for ((i = 1; i <= tests; i++)); do
        if [ -e "$tap/$i.ok" ]; then
            echo "ok $i ${names[i]}"
        else
            echo "not ok $i ${names[i]}"
            sed 's/^/# /' "$tap/$i"
            bad=1
        fi
    done
    ((tests)) || { echo "not ok 1 nothing was tested"; bad=1; }
    exit $bad
}

# A verified run of a program, whatever it is; leaves status and output.
# verified_run PROGRAM SHAPE COMMAND-BEFORE CLIENT-OPTION...: such as count=5
verified_run() {
    local program=$1 shape=$2 before options
    read -ra before <<< "$3"
    shift 3
    if [ "$shape" = single ]; then
        run on -t $((PATIENCE * 4)) server "${before[@]}" "$program/$program"
        show
        expect 0 .
        return
    fi
    start server "${before[@]}" "$program/server" --port 0 --timeout 60
    PATIENCE=$((PATIENCE * 3)) await_ready
    mapfile -t options < <(options_of "$program/client" port="$port" timeout=60 verify "$@")
    run on -t $((PATIENCE * 10)) client "${before[@]}" "$program/client" "${options[@]}" server
    show
    expect 0 "every byte checked"
    PATIENCE=$((PATIENCE * 3)) ends "$server" 0
}
