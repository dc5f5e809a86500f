# shellcheck shell=bash
# run JOB: runs the script in the folder JOB as a job; sourced by the guest's
# agent, and by lab/on where there is no guest.
#
# Leaves there: pid, the process and process group of the job's program; out
# and err; and at the end rc, its exit status, or 128 + N after signal N. The
# status is one line written by one call, so whoever reads a line has it all.
run() {
    cd "$1" || return
    set -m                  # a process group of its own; Ctrl-C not ignored
    (
        exec </dev/null >out 2>err
        # shellcheck disable=SC1091
        . ./script
    ) &
    echo $! >pid || lost
    local rc=0
    wait $! || rc=$?
    echo "$rc" >rc || lost
}
lost() { :; }               # what to do when the results cannot be written
