#!/usr/bin/env bats
# What every program of the course must do; a new one falls under it without
# being listed.
load lib

all_programs() { (cd build/src && ls -d */*.c | grep -v support.c | sed 's/\.c$//'); }

@test "every program: --help and --version" {
    [ "$(all_programs | wc -l)" -gt 0 ]
    for p in $(all_programs); do
        run "$BIN/$p" --help
        show
        expect 0 "^usage: (${p%/*}/)?${p#*/} "
        run "$BIN/$p" --version
        expect 0 "protocol version [0-9]+"
    done
}

@test "every program: wrong usage is named, and ends with 2" {
    for p in $(all_programs); do
        run "$BIN/$p" --nonsense
        show
        expect 2 "--nonsense is not an option \(try --help\)"
        run "$BIN/$p" -@
        expect 2 "-@ is not an option"
        run "$BIN/$p" one two three
        expect 2 "unexpected \"(one|two)\""
        case $p in */client)
            run "$BIN/$p"
            expect 2 "HOST is missing"
        esac
        # each option that takes a number: none, too large, not one, negative
        for option in $("$BIN/$p" --help | sed -n 's/^  -., --\([a-z]*\) \(PORT\|N\|BYTES\|SECONDS\) .*/\1/p'); do
            host=(); case $p in */client) host=(somewhere) ;; esac
            run "$BIN/$p" "--$option"
            expect 2 "--$option needs a value"
            for value in 99999999999999999999 -1 1x "" 1kk 18446744073709551615G; do
                run "$BIN/$p" "--$option=$value" "${host[@]}"
                expect 2 "--$option takes a number from [0-9]+ to [0-9]+, not \"$value\""
            done
        done
    done
}

@test "every program: on a machine without RDMA it says what is missing" {
    if [ -e /dev/infiniband/rdma_cm ]; then skip "this machine has RDMA"; fi
    for p in $(all_programs); do
        case $p in
        ping-socket/*) continue ;; # needs none
        */client) run timeout 10 "$BIN/$p" 127.0.0.1 ;;
        *) run timeout 10 "$BIN/$p" ;;
        esac
        show
        expect 1 "no RDMA in this kernel|there is no RDMA device"
    done
}

@test "every program: what it needs and the device lacks, it says at start" {
    for p in $(all_programs); do
        lacks=$(lacks "${p%/*}")
        [ -n "$lacks" ] || continue
        case $p in
        */client) run on -t 20 client "$p" server ;;
        *) run on -t 20 server "$p" ;;
        esac
        show
        # a program of one file goes by its folder's name
        name=$p
        [ "${p%/*}" != "${p#*/}" ] || name=${p%/*}
        expect 1 "^$name: .*needs $lacks"
    done
}

@test "every program: at most 650 lines a file, and no verb in the support" {
    for p in $(all_programs); do
        [ "$(wc -l < "generated-src/$p.c")" -le 650 ] || { wc -l "generated-src/$p.c"; false; }
        refute grep -nE '\b(ibv|rdma)_[a-z_]+\(' "generated-src/${p%/*}/support.c"
    done
}

@test "every program: stands alone in its folder" {
    for d in generated-src/*/; do
        t=$(mktemp -d)
        cp "$d"/* "$t"
        (cd "$t" && for f in *.c; do
            [ "$f" = support.c ] || cc "$f" support.c -o "${f%.c}" -lrdmacm -libverbs
        done)
        rm -rf "$t"
    done
}
