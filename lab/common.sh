# shellcheck shell=bash
# What the lab's scripts share; sourced, never run.
#
# Takes LAB_STATE (default build/lab), the folder of one open lab:
#   kind           one, two or host; absent while no lab is open
#   transport      rxe (RoCE) or siw (iWARP)
#   GUEST.pid      QEMU's process, GUEST.log its serial log,
#   GUEST.ctl.in   the FIFO to its agent, GUEST.console its console's socket
#   share/         seen by the guests as /run/lab: jobs/, cores/
# A failure is one line on standard error and status 1, or the status that
# the caller has put into $status.

# shellcheck disable=SC2034  # these names are for those who source it
set -euo pipefail
umask 022
PATH=$PATH:/usr/sbin:/sbin
command=lab/${0##*/}

die() { printf '%s: %s\n' "$command" "$*" >&2; exit "${status:-1}"; }
usage() { status=2; die "usage: $command $*"; }

project=$(cd "${BASH_SOURCE[0]%/*}/.." && pwd -P)
images=$project/build/lab-image
state=${LAB_STATE:-$project/build/lab}
mkdir -p "$state" || die "cannot make the folder $state"
state=$(cd "$state" && pwd -P)
share=$state/share
jobs=$share/jobs

# -- Which machine is which host ------------------------------------------

# Sets $kind; fails when no lab is open.
need_lab() {
    { read -r kind <"$state/kind"; } 2>/dev/null ||
        die "no lab is open: run lab/up"
}

# guest_of HOST: sets $guest to the guest that plays HOST.
guest_of() {
    need_lab
    [[ $1 == server || $1 == client ]] ||
        usage_host "$1"
    case $kind in
        two) guest=$1 ;;
        *) guest=$kind ;;
    esac
}
usage_host() { status=2; die "no host '$1': it is server or client"; }

# device_of HOST: prints the name of its RDMA device.
device_of() {
    if [[ $kind == host ]]; then
        cat "$state/device"
    else
        echo "$(<"$state/transport")_$1"
    fi
}

# need_wire: status 77 (skipped) when there is no wire to listen to or cut.
need_wire() {
    need_lab
    status=77
    [[ $kind != host ]] || die "this machine's own network is left alone"
    status=1
}

# alive GUEST: true while its QEMU runs (a zombie has no command line).
alive() {
    local pid program
    [[ $1 == host ]] || {
        read -r pid <"$state/$1.pid" &&
            read -rd '' program <"/proc/$pid/cmdline" &&
            [[ $program == *qemu* ]]
    } 2>/dev/null
}

# Prints why GUEST is gone: what its serial log or QEMU says.
obituary() {
    {
        grep -aom1 -E '(Kernel panic|lab:) .*' "$state/$1.log" ||
            grep -v warning "$state/$1.qemu" ||
            echo 'its QEMU ended without a word (killed, or the disk is full)'
    } 2>/dev/null | head -n 1 | tr -d '\r'
}

# -- Jobs ------------------------------------------------------------------

# submit HOST: starts the bash text on standard input as a job; sets $job.
submit() {
    guest_of "$1"
    status=125
    alive "$guest" || die "$1 is gone: $(obituary "$guest")"
    job=$(mktemp -d "$jobs/$1-XXXXXX") ||
        die "cannot write to $jobs"
    { cat >"$job/script" && : >"$job/out" && : >"$job/err"; } ||
        die "cannot write to $job"
    job=${job##*/}
    status=1
    if [[ $kind == host ]]; then
        (
            close_descriptors
            # shellcheck source=lab/guest/run.sh
            . "$project/lab/guest/run.sh"
            set -m
            run "$jobs/$job" </dev/null >/dev/null 2>&1 &
        )
    else
        # Opened for both ways: never blocks, even when no one reads.
        echo "$job" 1<>"$state/$guest.ctl.in"
    fi
}

# await JOB [SECONDS]: waits for its end and sets $rc. A job over its limit
# is killed: 124. If the guest dies: 125 and a line that says why.
await() {
    local limit=${2:-0} start=${EPOCHREALTIME/[.,]/} turn=0 nap
    guest_of "${1%%-*}"
    exec {nap}<> <(:)
    until { read -r rc <"$jobs/$1/rc"; } 2>/dev/null; do
        if ! alive "$guest"; then
            rc=125
            echo "$command: ${1%%-*} died: $(obituary "$guest")" >&2
            break
        elif ((limit && ${EPOCHREALTIME/[.,]/} - start > limit * 1000000))
        then
            rc=124
            echo "$command: stopped after $limit s" >&2
            signal KILL "$1"
            break
        fi
        ((++turn % 10)) || tick
        read -rt 0.01 -u "$nap" || :    # sleeps without a process
    done
    exec {nap}<&-
}
tick() { :; }                           # what to do while waiting

# inside HOST: runs the bash text on standard input there; gives its output
# and status.
inside() {
    local job rc
    submit "$1"
    await "$job" 60
    cat "$jobs/$job/out"
    cat "$jobs/$job/err" >&2
    rm -rf "${jobs:?}/$job"
    return "$rc"
}

# signal SIGNAL JOB: KILL goes to the whole process group, or what is left of
# it, and waits for the job's end; any other signal goes to its program alone.
signal() {
    local pid
    wait_for "$jobs/$2/pid" || die "job $2 has not started"
    read -r pid <"$jobs/$2/pid"
    if [[ $1 == KILL ]]; then
        inside "${2%%-*}" <<<"kill -s KILL -- -$pid 2>/dev/null || :"
        wait_for "$jobs/$2/rc" || die "job $2 does not end"
    else
        inside "${2%%-*}" <<<"kill -s $1 -- $pid"
    fi
}
wait_for() {  # wait_for FILE: until it has a line, 5 s at most
    local tries
    for tries in {1..250}; do
        ! read -r _ <"$1" || return 0
        sleep 0.02
    done 2>/dev/null
    return 1
}

# -- Processes that outlive the script which starts them -------------------

# A caller that waits for the end of a pipe of its own must not wait for us.
close_descriptors() {
    local fd
    for fd in "/proc/$BASHPID/fd"/*; do
        fd=${fd##*/}
        ((fd < 3)) || eval "exec $fd>&-"
    done
}

# One at a time opens or closes a lab.
lock() { exec {locked}>"$state/lock" && flock "$locked"; }

# Ends everything that belongs to this state folder, known or left over.
close_lab() {
    local file pid group guest
    if [[ -e $state/kind && $(<"$state/kind") == host ]]; then
        for file in "$jobs"/*/pid; do
            [[ -e ${file%pid}rc ]] || ! read -r group <"$file" ||
                kill -KILL -- "-$group" || :
        done 2>/dev/null
    fi
    for guest in one server client; do stop_guest "$guest"; done
    rm -rf "$share" "$state"/{kind,transport,device,capture,netem,*.pid,*.ctl.*,*.console,*.wire}
}

# stop_guest GUEST: pulls its plug. QEMU's -name tells whose it is, so that
# one without a pid file is found, too.
qemu_name() { echo "lab:${state//,/,,}/$1"; }
stop_guest() {
    local file pid
    # shellcheck disable=SC2062
    while read -r file; do
        pid=${file//[!0-9]/}
        kill -KILL "$pid" 2>/dev/null || continue
        while read -rd '' _ <"/proc/$pid/cmdline"; do sleep 0.01; done \
            2>/dev/null
    done < <(grep -lzFxs --regexp="$(qemu_name "$1")" /proc/[0-9]*/cmdline)
}
