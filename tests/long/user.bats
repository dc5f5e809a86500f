#!/usr/bin/env bats
# Once the packages are there, nothing needs root: an ordinary user builds the
# programs and the book, and runs them in a lab of their own.
load ../lib
cd "$BATS_TEST_DIRNAME/../.." || exit 1

@test "long: an ordinary user, a path with blanks" {
    [ "$(id -u)" = 0 ] || skip "this is an ordinary user already"
    home=$(mktemp -d)
    tree="$home/a b/course"
    mkdir -p "$tree"
    git ls-files -z | xargs -0 cp --parents -t "$tree"
    chown -R 65534:65534 "$home"
    as_user() {
        (cd "$tree" && setpriv --reuid=65534 --regid=65534 --clear-groups \
            env -i HOME="$home" PATH="$PATH" SOURCE_DATE_EPOCH=1767225600 "$@")
    }
    as_user make -s programs
    as_user lab/up one
    job=$(as_user lab/on -b server ping-poll/server)
    until as_user lab/job out "$job" | grep -q ready; do sleep 0.1; done
    run as_user lab/on -t 30 client ping-poll/client --verify --count 10 server
    as_user lab/down
    show
    expect 0 "every byte checked"
    as_user make -s book
    [ -s "$tree/build/book.pdf" ]
    rm -rf "$home"
}
