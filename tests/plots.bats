#!/usr/bin/env bats
# The plots: what was measured can be measured again, with the same series at
# the same places; faults in a recording are found; the drawing says what it says.
load lib

setup_file() {
    cd "$BATS_TEST_DIRNAME/.." || return 1
    [ -e "$state/kind" ] || lab/up one
}
# The programs that readers run; sanitizers change what is measured.
replay() { BIN=build/bin run tests/plots replay "$@" < /dev/null; show; }

@test "plots: the quickest can be measured again" { # tests/long/plots.bats measures all
    replay registration
    [ "$status" = 0 ]
    [ "$output" = "replayed plot registration" ]
}

@test "plots: nothing is recorded that no chapter asks for" {
    for kind in txt sh; do
        diff <(tests/plots list) <(cd book/plots && ls ./*.$kind | sed "s,^\./,,; s,\.$kind\$,," | sort)
    done
}

@test "plots: another series, another place, one too few and what is no number are found" {
    planted() { # SED-SCRIPT MESSAGE
        rm -rf "$BATS_TEST_TMPDIR/plots"
        cp -r book/plots "$BATS_TEST_TMPDIR/plots"
        sed -i "$1" "$BATS_TEST_TMPDIR/plots/registration.txt"
        refute cmp -s book/plots/registration.txt "$BATS_TEST_TMPDIR/plots/registration.txt"
        PLOTS=$BATS_TEST_TMPDIR/plots replay registration
        expect 1 "$2"
        grep -q 'plots: registration: another shape' <<< "$output"
    }
    planted 's/register/deregister/' '^-bytes.deregister'
    planted 's/^4096\t/4097\t/' '^-4097$'
    planted '/^8192\t/d' '^\+8192$'
    planted 's/^4096\t[0-9.]*/4096\tfast/' 'no line of numbers above 0: 4096.fast'
    # the numbers themselves may differ
    rm -rf "$BATS_TEST_TMPDIR/plots"
    cp -r book/plots "$BATS_TEST_TMPDIR/plots"
    sed -i 's/^4096\t[0-9.]*/4096\t3/' "$BATS_TEST_TMPDIR/plots/registration.txt"
    PLOTS=$BATS_TEST_TMPDIR/plots replay registration
    [ "$status" = 0 ]
}

@test "plots: a script that fails is no measurement" {
    cp -r book/plots "$BATS_TEST_TMPDIR/plots"
    echo 'echo "x y"; false' > "$BATS_TEST_TMPDIR/plots/registration.sh"
    PLOTS=$BATS_TEST_TMPDIR/plots replay registration
    expect 1 "plots: registration: its run has failed"
}
