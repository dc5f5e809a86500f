#!/usr/bin/env bats
# Every plot of the book can be measured again: some take minutes.
load ../lib
cd "$BATS_TEST_DIRNAME/../.." || exit 1
setup_file() { cd "$BATS_TEST_DIRNAME/../.." && make -s programs && lab/up one; }

@test "every plot can be measured again" {
    BIN=build/bin run tests/plots replay < /dev/null
    show
    [ "$status" = 0 ]
    [ "$(grep -c '^replayed' <<< "$output")" = "$(tests/plots list | wc -l)" ]
}
