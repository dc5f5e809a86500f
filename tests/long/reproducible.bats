#!/usr/bin/env bats
# Two builds of the same source give the same bytes, wherever they are made.
load ../lib
cd "$BATS_TEST_DIRNAME/../.." || exit 1

@test "long: the book, the slides and the kit are built twice, byte by byte the same" {
    export SOURCE_DATE_EPOCH=1767225600
    for i in one "another folder"; do
        t=$(mktemp -d)
        mkdir "$t/$i"
        git ls-files -z | xargs -0 cp --parents -t "$t/$i"
        (cd "$t/$i" && make -s all dist > /dev/null && sha256sum build/book.pdf build/slides/*.pdf build/rdma-course.tar.gz) > "$BATS_TEST_TMPDIR/$i"
        rm -rf "$t"
    done
    cat "$BATS_TEST_TMPDIR/one"
    [ "$(wc -l < "$BATS_TEST_TMPDIR/one")" -ge 4 ]
    cmp "$BATS_TEST_TMPDIR/one" "$BATS_TEST_TMPDIR/another folder"
}
