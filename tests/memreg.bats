#!/usr/bin/env bats
# topics: mr alignment fork
# memreg: see course.md's promise in each test's name.
load lib

memreg() { run on server memreg/memreg "$@"; show; }
# as an ordinary user who may lock so many KiB
as_user() { run on -u 65534 server bash -c "ulimit -l $1; exec memreg/memreg ${*:2}"; show; }
sizes() { awk '$2 == "KiB" { print $1 }' <<< "$output" | xargs; }

@test "memreg: remote write without local write is refused" {
    memreg --count 1
    expect 0 "^remote write without local write: refused$"
    # planted: a program that asks for both is told that it is not refused
    variant memreg/memreg 's/m->page,$/& IBV_ACCESS_LOCAL_WRITE |/'
    run on server "$variant"
    show
    expect 1 "memreg: remote write without local write is not refused"
}

@test "memreg: a line for each power of two, and no more" {
    memreg --count 3
    expect 0 "^ +size +pages +register +deregister +a page$"
    [ "$(sizes)" = "4 8 16 32 64 128 256 512 1024 2048 4096" ]
    memreg --size 1 --count 1
    [ "$status" = 0 ] && [ "$(sizes)" = 4 ]
    memreg --size 8191 --count 1
    [ "$status" = 0 ] && [ "$(sizes)" = 4 ]
    memreg --size 256M --count 1 --offset 1
    [ "$(sizes | wc -w)" = "$(by_transport 17 11)" ]  # iWARP's limit binds root, too
}

@test "memreg: the pages are those that the buffer touches" {
    for offset in 0 1 64 4095; do
        memreg --count 1 --size 64k --offset $offset
        [ "$status" = 0 ]
        awk -v o=$offset '$2 == "KiB" { if ($3 != int((o + $1 * 1024 + 4095) / 4096)) { print; bad = 1 } }
            END { exit bad }' <<< "$output"
    done
}

@test "memreg: registers and deregisters as often as it is told, each once" {
    run on server trace -c memreg/memreg --size 16k --count 7
    show
    [ "$status" = 0 ]
    # three sizes; and once what is refused
    calls() { awk -v f="$1" '$0 ~ f { for (i = 1; i <= NF; i++) if ($i ~ /^[0-9]+$/) { print $i; exit } }' <<< "$output"; }
    [ "$(calls ibv_reg_mr)" = 22 ]
    [ "$(calls ibv_dereg_mr)" = 21 ]
}

@test "memreg: an ordinary user with a small limit gets advice" {
    as_user 64 --count 3
    expect 1 "ibv_reg_mr of 131072 bytes: Cannot allocate memory \(may this user lock memory\? see \"ulimit -l\"\)"
    grep -q 'the limit on locked memory is 64 KiB$' <<< "$output"
    grep -q 'limit on locked memory is 64 KiB; raise it in /etc/security/limits.d, or .*LimitMEMLOCK=' <<< "$output"
    [ "$(sizes)" = "4 8 16 32 64" ]
    # pages count, not bytes
    as_user 64 --count 3 --offset 64
    expect 1 "ibv_reg_mr of 65536 bytes: Cannot allocate memory"
    [ "$(sizes)" = "4 8 16 32" ]
    # with room enough, nothing is said
    as_user 8192 --count 1 --size 1M
    expect 0 "1024 KiB"
    refute grep -q "raise it" <<< "$output"
}

@test "memreg: root and the limit" {
    run on server bash -c 'ulimit -l 64; memreg/memreg --count 1 --size 1M'
    show
    expect "$(by_transport 0 1)" "$(by_transport '1024 KiB' 'ibv_reg_mr of 131072 bytes: Cannot allocate')"
}

@test "memreg: no other failure is taken for the limit" {
    variant memreg/memreg 's/IBV_ACCESS_LOCAL_WRITE);/1 << 19);/'
    run on server "$variant"
    show
    expect 1 "ibv_reg_mr of 4096 bytes: "
    refute grep -q "raise it" <<< "$output"
}

@test "memreg: a registered page stays with the parent, another one moves" {
    memreg --fork
    expect 0 "^ibv_fork_init is not needed with this kernel$"
    grep -q '^registered: the parent keeps its page$' <<< "$output"
    grep -q '^not registered: the parent gets another page$' <<< "$output"
    [ -z "$(on server pgrep -x memreg)" ]
    # who may not look is told so
    run on -u 65534 server memreg/memreg --fork
    show
    expect 1 "/proc/self/pagemap: it shows physical pages to root alone"
}
