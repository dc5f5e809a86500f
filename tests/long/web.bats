#!/usr/bin/env bats
# The web edition in a real browser, and the EPUB: tests/web.bats.
cd "$BATS_TEST_DIRNAME/../.." || exit 1

@test "long: make check-web" {
    run make check-web
    echo "$output"
    [ "$status" = 0 ]
    [ "$(grep -c '^ok ' <<< "$output")" -ge 13 ]
    ! grep -q '# skip' <<< "$output"
}
