#!/usr/bin/env bats
# The student's kit, from the tarball alone, without the tools of the book.
load lib

setup_file() { cd "$BATS_TEST_DIRNAME/.." && make -s dist; }

@test "dist: builds and runs in a bare folder, without noweb, pandoc or TeX" {
    t=$(mktemp -d)
    tar xzf build/rdma-course.tar.gz -C "$t"
    mkdir "$t/poison" "$t/log"
    for tool in notangle noweave markup cpif pandoc lualatex pdflatex latexmk git; do
        printf '#!/bin/sh\necho "$0" >> %s/log/used\nexit 99\n' "$t" > "$t/poison/$tool"
        chmod +x "$t/poison/$tool"
    done
    cd "$t/rdma-course"
    PATH=$t/poison:$PATH make -s CFLAGS="-O2 -Wall -Wextra -Werror"
    [ "$(find build/bin -type f | wc -l)" = "$(find programs -name '*.c' ! -name support.c | wc -l)" ]
    export LAB_STATE=$t/lab
    PATH=$t/poison:$PATH lab/up one
    job=$(lab/on -b server ping-poll/server)
    wait_for 20 sh -c "lab/job out $job | grep -q ready"
    run lab/on -t 30 client ping-poll/client --verify --count 5 server
    lab/down
    show
    expect 0 "5 round trips of 64 bytes, every byte checked"
    [ ! -e "$t/log/used" ] || { cat "$t/log/used"; false; }
    rm -rf "$t"
}

@test "dist: has the book, the slides and the licences, and nothing of this machine" {
    list=$(tar tzf build/rdma-course.tar.gz)
    for f in book.pdf slides/01-why.pdf slides/01-why-notes.pdf LICENSE-FDL LICENSE-CODE README.md lab/up deps/install; do
        grep -qx "rdma-course/$f" <<< "$list"
    done
    [ "$(tar xzOf build/rdma-course.tar.gz | grep -acF "$PWD")" = 0 ]
}

@test "dist: two of the same source are equal" {
    export SOURCE_DATE_EPOCH=1767225600
    dist/pack build/dist-a.tar.gz
    dist/pack build/dist-b.tar.gz
    cmp build/dist-a.tar.gz build/dist-b.tar.gz
}

@test "dist: its list of packages is a part of ours" {
    list=$(tar xzOf build/rdma-course.tar.gz rdma-course/deps/packages.tsv)
    for p in make gcc libibverbs-dev librdmacm-dev qemu-system-x86 linux-image-amd64 tmux; do
        grep -q "^$p	" <<< "$list"
    done
    refute grep -qE '^(noweb|pandoc|texlive|clang)' <<< "$list"
}
