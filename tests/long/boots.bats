#!/usr/bin/env bats
# The lab machine boots again and again without a hang.
load ../lib
cd "$BATS_TEST_DIRNAME/../.." || exit 1

@test "long: twenty boots of one guest, five of two" {
    lab/down
    for i in {1..20}; do
        lab/up one
        lab/on -t 10 client ping -c 1 server
        lab/down
    done
    for i in {1..5}; do
        lab/up two
        lab/on -t 10 client ping -c 1 server
        lab/down
    done
    [ -z "$(pgrep -f "file=.*$PWD/build/lab/" || true)" ]
}
