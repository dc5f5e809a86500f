#!/usr/bin/env bats
# The book's own promises, as far as the build itself does not keep them:
# missing references, overfull boxes, missing glyphs and overflowing slides
# already stop `make book slides`.
load lib

@test "book: every font is embedded" {
    for pdf in build/book.pdf build/slides/*.pdf; do
        run pdffonts "$pdf"
        [ "$(wc -l <<< "$output")" -gt 2 ]
        # columns from the right: object, id, uni, sub, emb
        not=$(tail -n +3 <<< "$output" | awk '$(NF - 4) != "yes"')
        [ -z "$not" ] || { echo "$pdf: $not"; false; }
    done
}

@test "book: title, author and bookmarks" {
    run pdfinfo build/book.pdf
    grep -q '^Title: *Programming with RDMA' <<< "$output"
    grep -q '^Author: *The authors of the course' <<< "$output"
    for word in Preface 'Two ways to move a message' Answers 'Index of chunks'; do
        pdftotext -f 1 -l 8 build/book.pdf - | grep -qi "$word"
    done
}

@test "book: every program's name and every chunk is in it" {
    pdftotext build/book.pdf build/book.txt
    for p in build/src/*/; do
        grep -q "$(basename "$p")" build/book.txt
    done
}

@test "slides: at least forty, each with notes, in decks with minutes" {
    [ "$(cat book/*.nw | grep -c '^::: {\.slide')" -ge 40 ]
    [ "$(cat book/*.nw | grep -c '^::: {\.slide')" = "$(cat book/*.nw | grep -c '^::: notes')" ]
    for deck in slides/*.deck; do
        name=$(basename "$deck" .deck)
        [ -s "build/slides/$name.pdf" ] && [ -s "build/slides/$name-notes.pdf" ]
    done
    # no chapter's slides are in no deck
    for c in $(grep -l '^::: {\.slide' book/*.nw); do
        grep -qxP "chapter\t$(basename "$c" .nw)" slides/*.deck
    done
}

@test "weave: a missing reference, a stale transcript, a slide without minutes and a wide line stop the build" {
    t=$(mktemp -d)
    cp -r Makefile book chunks deps figures lab slides tangle weave tests "$t"
    cd "$t"
    rm -rf book/transcripts
    run make book
    echo "$output"
    [ "$status" != 0 ]
    grep -qE 'book/[a-z-]+\.nw:[0-9]+: transcript run:[a-z-]+ .*make record' <<< "$output"
    cp -r "$OLDPWD/book/transcripts" book
    sed -i 's/@sec:hello/@sec:helo/' book/two-ways.nw
    run make book
    [ "$status" != 0 ]
    grep -qE 'book/two-ways\.nw:[0-9]+: nothing is called "sec:helo"' <<< "$output"
    cp "$OLDPWD/book/two-ways.nw" book
    sed -i '/#slide:register /s/ minutes=[0-9]*//' book/memory.nw
    run make build/weave/slides/memory.tex
    echo "$output"
    [ "$status" != 0 ]
    grep -qE 'book/memory\.nw:[0-9]+: a slide needs minutes' <<< "$output"
    cp "$OLDPWD/book/memory.nw" book
    sed -i 's/^Count what this costs\./& \\rule{150mm}{1pt}/' book/two-ways.nw
    run make book
    [ "$status" != 0 ]
    grep -qi 'overfull' <<< "$output"
    rm -rf "$t"
}

topics() { awk "$@" -f weave/topics.awk book/topics.tsv book/*.nw tests/*.bats; }

@test "topics: what is claimed is taught, shown and run" {
    run topics -v COMPLETE="${COMPLETE:-}"
    echo "$output"
    [ "$status" = 0 ]
    grep -qE '[1-9][0-9]* of 92 topics are taught' <<< "$output"
}

@test "topics: each kind of fault is found" {
    t=$(mktemp -d)
    cp -r book weave "$t"
    mkdir "$t/tests"
    cp tests/*.bats "$t/tests"
    cd "$t"
    fault() { # fault SED-SCRIPT FILE MESSAGE
        cp "$2" saved
        sed -i "$1" "$2"
        run topics
        echo "$output"
        cp saved "$2"
        [ "$status" = 1 ]
        grep -q -- "$3" <<< "$output"
    }
    fault 's/topics="sge"/topics="sgee"/' book/work-requests.nw '"sgee" is no topic'
    fault '/^::: /s/topics="device-info"//' book/stack.nw 'topic device-info is on no slide'
    fault '/^## /s/topics="device-info"//' book/stack.nw 'topic device-info is taught in no section'
    fault 's/^# topics: device-info//' tests/devices.bats 'topic device-info is run by no test'
    run topics -v COMPLETE=1
    [ "$status" = 1 ]
    grep -q 'topic fencing is taught nowhere' <<< "$output"
    rm -rf "$t"
}

@test "prose: spelled right, by the project's own list of words; no doubled word" {
    wrong() { awk -f tests/prose.awk "$@" | aspell list --lang=en_GB --mode=none --personal="$PWD/book/words.txt" | sort -u; }
    run wrong book/*.nw chunks/*.nw <(for f in book/tables/*.tsv; do grep -v '^#' "$f" | tail -n +2 | sed 's/^ibv_[a-z_]*//'; done)
    [ -z "$output" ] || { echo "$output"; false; }
    doubled() { awk -f tests/prose.awk "$@" |
        perl -0777 -ne 'while (/\b([a-z]+)[ \t]*\n?[ \t]+\1\b/gi) { print "$1\n" }
                        while (/\b([a-z]+)\n\1\b/gi) { print "$1\n" }'; }
    run doubled book/*.nw chunks/*.nw
    [ -z "$output" ] || { echo "doubled: $output"; false; }
    # planted: both are found
    t=$(mktemp)
    printf '# T {#t}\n\nA mesage that is is wrong.\n' > "$t"
    [ "$(wrong "$t")" = mesage ]
    [ "$(doubled "$t")" = is ]
    rm -f "$t"
}

@test "licence: its notice is in the book and in every deck" {
    for pdf in build/book.pdf build/slides/*.pdf; do
        pdftotext "$pdf" - | tr '\n' ' ' | grep -q 'GNU Free Documentation License' || { echo "$pdf"; false; }
    done
}

@test "figures: each has an alternative text, and is used" {
    for f in figures/*.tex; do
        name=$(basename "$f" .tex)
        [ "$name" = style ] || grep -q "(figures/$name)" book/*.nw || { echo "$name is not used"; false; }
    done
    # the weave refuses one without
    t=$(mktemp -d)
    cp -r Makefile book chunks deps dist figures lab slides tangle tests weave "$t"
    cd "$t"
    perl -0pi -e 's/(figures\/two-paths\)\{#fig:two-paths)\s+alt="[^"]*"/$1/' book/two-ways.nw
    run make book
    [ "$status" != 0 ]
    grep -q 'two-ways.nw:[0-9]*: .*alt' <<< "$output" || { echo "$output"; false; }
    rm -rf "$t"
}

@test "wires: a recording that is missing, stale or malformed stops the build, with the chapter's line" {
    t=$(mktemp -d)
    cp -r Makefile book chunks deps figures lab slides tangle tests weave "$t"
    cd "$t"
    line=$(grep -n '](wire:two-ways)' book/two-ways.nw | head -n 1 | cut -d : -f 1)
    fault() { # fault SED-SCRIPT FILE MESSAGE
        cp "$2" saved
        sed -i "$1" "$2"
        ! cmp -s "$2" saved || { echo "the fault changed nothing"; false; }
        run make figures
        echo "$output"
        cp saved "$2"
        [ "$status" != 0 ]
        grep -qE -- "^weave: book/two-ways\.nw:$line: $3" <<< "$output"
        [ "$(grep -c '^weave:' <<< "$output")" = 1 ]
    }
    record=book/wires/two-ways.txt
    fault '6s/\t-$//' $record "$record:6: 7 columns, not 8: run make record"
    fault '7s/^client/host/' $record "$record:7: \"host\" is neither client nor server: run make record"
    fault '9s/1024/many/' $record "$record:9: no number where one belongs: run make record"
    fault '10s/rc/rm/' $record "$record:10: \"rm\" is no protocol: run make record"
    fault '2,$d' $record "$record: no packet: run make record"
    fault '1s/3000/30/' $record 'wire:two-ways is stale: run make record'
    fault "${line}s/ --size 3000\"/\"/" book/two-ways.nw 'wire:two-ways is stale: run make record'
    fault "${line}s/ run=/ rum=/" book/two-ways.nw 'wire:two-ways has no run: where the book shows it, write run='
    fault "${line}s/ run=/ show=\"nothing\" run=/" book/two-ways.nw 'wire:two-ways: show is "nothing": it takes setup, messages and end'
    fault "${line}s/ run=/ transport=ether run=/" book/two-ways.nw 'wire:two-ways: transport is "ether": it is roce or iwarp'
    fault "${line}s/ run=/ transport=iwarp run=/" book/two-ways.nw 'wire:two-ways is stale: run make record'
    fault "${line}s/ run=/ rows=99 run=/" book/two-ways.nw 'wire:two-ways: rows is 99: 5 to 30'
    rm $record
    run make figures
    echo "$output"
    [ "$status" != 0 ]
    grep -q "^weave: book/two-ways.nw:$line: wire:two-ways is missing: run make record" <<< "$output"
    rm -rf "$t"
}

@test "wires: drawn from the recording alone; what is left out is counted" {
    t=$(mktemp -d)
    mkdir -p "$t/book/wires"
    row() { printf '%s\t1\trc\t%s\t%s\t%s\t%s\t-\n' "$@"; }
    { echo "# lab/exchange -t long"
      for ((i = 0; i < 40; i++)); do row client "Send Only" $i 64 -; row server Acknowledge - - $i; done
    } > "$t/book/wires/long.txt"
    { echo "# lab/exchange -t odd"
      for ((i = 0; i < 40; i++)); do row client "Send Only" $i $i -; done
    } > "$t/book/wires/odd.txt"
    printf '![L.](wire:long){#fig:l run="long"}\n\n![O.](wire:odd){#fig:o\nalt="two {curly\nlines}"\nrun="odd" rows=10}\n\n![](wire:odd){rows=10}\n' > "$t/book/c.nw"
    run weave/wires "$t/book" "$t"
    echo "$output"
    [ "$status" = 0 ]
    [ "$(ls "$t/wires" | tr '\n' ' ')" = "wire-long.tex wire-odd-10.tex " ]
    grep -q 'Then the same 2 packets, 38 times more. Client: Send Only, packet 39, 64 bytes. Server: Acknowledge, packet 39\.$' "$t/wires.tsv"
    grep -q 'Client: Send Only, packet 0, 0 bytes; .* packet 4, 4 bytes. Then 31 more packets. Client: Send Only, packet 36, 36 bytes' "$t/wires.tsv"
    [ "$(grep -c 'draw\[message\]' "$t/wires/wire-odd-10.tex")" = 9 ]
    rm -rf "$t"
}

@test "wires: each drawing is in the book, the web and the EPUB with words for those who cannot see it" {
    while IFS=$'\t' read -r _ _ _ drawing alt; do
        [ -s "build/figures/$drawing.pdf" ] && [ -s "build/figures/$drawing.svg" ]
        [ -n "$alt" ]
    done < build/weave/wires.tsv
    # every packet of a small one
    alt=$(awk -F '\t' '$4 == "wire-refused" { print $5 }' build/weave/wires.tsv)
    [[ $alt == *"Client: ConnectRequest (REQ). Server: ConnectReject (REJ), reason 28." ]]
}

@test "print edition: no colour at all, and the same pages" {
    coloured() { # prints how many dots of a PDF are not grey
        pdftoppm -r 12 "$1" | perl -0777 -ne 'while (/P6\s+(\d+)\s+(\d+)\s+255\s/g) {
            my $bytes = substr($_, pos, 3 * $1 * $2); pos() += 3 * $1 * $2;
            while ($bytes =~ /(.)(.)(.)/gs) { $n++ if $1 ne $2 || $2 ne $3 } } print $n + 0, "\n"'
    }
    [ "$(coloured build/book-print.pdf)" = 0 ]
    [ "$(coloured build/book.pdf)" -gt 100 ]
    pages() { pdfinfo "$1" | awk '/^Pages:/ { print $2 }'; }
    [ "$(pages build/book.pdf)" = "$(pages build/book-print.pdf)" ]
}

agendas() { # agendas [SLIDES BOOK]: the appendix, or what is wrong with it
    awk -v DECKS="$(mktemp -u)" -f weave/attribute.awk -f weave/agendas.awk "${1:-slides}"/*.deck "${2:-book}"/*.nw "${2:-book}/agendas.tsv"
}

@test "teaching: the agendas are computed from the slides, and each fault in them is found" {
    run agendas
    echo "$output"
    [ "$status" = 0 ]
    # each day ends in time, and its rows are whole
    awk -F' *\\| *' '/^::: {#tab:agenda-class/ { last = "17:00" } /^::: {#tab:agenda-webinar/ { last = "17:15" }
        $4 == "end" { ends++; split($2, t, ":"); split(last, l, ":"); if (t[1] * 60 + t[2] > l[1] * 60 + l[2]) exit 1 }
        function at(time,    c) { split(time, c, ":"); return c[1] * 60 + c[2] }
        /^::: {#tab:agenda/ { next_at = 0 }
        $2 ~ /^[0-9]+:[0-9]+$/ { if (next_at && at($2) != next_at) exit 1; next_at = at($2) + $3 }
        END { if (ends < 4) exit 1 }' <<< "$output"
    t=$(mktemp -d)
    cp -r slides book "$t"
    fault() { # fault SED-SCRIPT FILE MESSAGE
        cp "$t/$2" "$t/saved"
        sed -i "$1" "$t/$2"
        run agendas "$t/slides" "$t/book"
        echo "$output"
        cp "$t/saved" "$t/$2"
        [ "$status" = 1 ]
        grep -q -- "$3" <<< "$output"
    }
    fault '/#slide:register /s/minutes=[0-9]*/minutes=300/' book/memory.nw 'the agenda "class" is [0-9]* minutes too long'
    fault '/#slide:register /s/ minutes=[0-9]*//' book/memory.nw 'a slide needs minutes'
    fault '/#slide:lab-open /s/ done="[^"]*"//' book/preface.nw 'a lab needs needs'
    fault '0,/^deck.02-stack$/{/^deck.02-stack$/d}' book/agendas.tsv 'deck "02-stack" is not in the agenda "class"'
    fault 's/^deck.02-stack$/deck\t02-stick/' book/agendas.tsv 'no deck is called "02-stick"'
    fault '/^agenda.webinar/,$s/^planned.[0-9]*.Memory/lab\t180\tMemory/' book/agendas.tsv 'labs take [0-9]* of the webinar.s [0-9]* minutes, not about half'
    fault '/^agenda.webinar/,$d' book/agendas.tsv 'there are not both agendas'
    fault 's/^chapter.stack$//' slides/02-stack.deck 'the slides of stack are in no deck'
    # a deck left for reading alone is said
    sed -i '0,/^deck.02-stack$/s//alone\t02-stack/' "$t/book/agendas.tsv"
    run agendas "$t/slides" "$t/book"
    grep -q '^Left for reading alone: The software stack' <<< "$output"
    rm -rf "$t"
}

@test "where: a sanitizer's report, a trace and a compiler lead to section, chunk and page" {
    # a bug, planted into the program as it is compiled
    t=$BATS_TEST_TMPDIR
    cp build/src/ping-poll/*.[ch] "$t"
    sed -i 's/program_name = "ping-poll\/client";/& ((volatile char *)malloc(1))[1] = 0;/' "$t/client.c"
    gcc -g -fsanitize=address "$t/client.c" "$t/support.c" -o "$t/client" -lrdmacm -libverbs
    run sh -c "'$t/client' --help 2>&1 | weave/where"
    echo "$output"
    grep -A1 'in main .*book/work-requests.nw:[0-9]*' <<< "$output" |
        grep -qE 'work-requests:[0-9]+: §10\.[0-9]+ .*, chunk 10\.[0-9]+ <ping-poll/client: main>, page [0-9]+'
    line=$(grep -n '^int error = ibv_post_send\|    int error = ibv_post_send' book/work-requests.nw | head -1 | cut -d: -f1)
    run make -s where AT="work-requests:$line"
    grep -qE '^work-requests:[0-9]+: §10.5 Posting a send, chunk 10\.[0-9]+ <post a send>, page [0-9]+$' <<< "$output"
    run make where AT=work-requests:99999
    [ "$status" != 0 ]
    grep -q 'is no line of a chapter' <<< "$output"
}

# column TABLE KEY [WHERE-KEY VALUE]: the cells of a shared table, without [[ ]].
column() {
    awk -F '\t' -v key="$2" -v by="${3:-}" -v value="${4:-}" '
        /^#/ { next }
        ++n == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        n > 2 && (by == "" || $at[by] == value) { print $at[key] }' "${TABLES:-book/tables}/$1.tsv" | tr -d '[]'
}
complete() { # complete TABLE: as infiniband/verbs.h has it, no member too few or too many
    local name
    names() { awk -v NAME="$1" -f tests/members.awk /usr/include/infiniband/verbs.h | sort; }
    case $1 in
    fields)
        for name in ibv_send_wr ibv_recv_wr ibv_sge ibv_wc; do
            diff <(names "struct $name") <(column fields field struct $name | sort) || return
        done ;;
    statuses) diff <(names "enum ibv_wc_status") <(column statuses name | sort) &&
        diff <(column statuses name) <(column statuses short | sed 's/^/IBV_WC_/') ;;
    opcodes) diff <(names "enum ibv_wr_opcode") <(column opcodes opcode | sort) &&
        diff <(zcat /usr/share/man/man3/ibv_post_send.3.gz | sed -n 's/^ *\(IBV_WR_[A-Z_]*\) *| *\(X*\) *| *\(X*\) *| *\(X*\) *|.*/\1 \2,\3,\4/p' | sort) \
            <(for key in opcode ud uc rc; do column opcodes "$key" > "$BATS_TEST_TMPDIR/$key"; done
              (cd "$BATS_TEST_TMPDIR" && paste -d ' ,,' opcode ud uc rc) | sed 's/•/X/g; /DRIVER1\|ATOMIC_WRITE/d' | sort) ;;
    send-flags) diff <(names "enum ibv_send_flags") <(column send-flags flag | sort) ;;
    wc-flags) diff <(names "enum ibv_wc_flags") <(column wc-flags flag | sort) ;;
    esac
}

@test "tables: every member and every value of the header, and no other" {
    for t in fields statuses opcodes send-flags wc-flags; do complete $t; done
    # every completion's opcode that a request has is one
    diff <(column opcodes wc | sort -u) <(awk -v NAME="enum ibv_wc_opcode" -f tests/members.awk /usr/include/infiniband/verbs.h |
        grep -vE 'RECV|_TM_|DRIVER[23]' | sort)
    # planted
    TABLES=$BATS_TEST_TMPDIR/tables
    planted() { # TABLE SED-SCRIPT
        rm -rf "$TABLES"
        cp -r book/tables "$TABLES"
        sed -i "$2" "$TABLES/$1.tsv"
        refute cmp -s "book/tables/$1.tsv" "$TABLES/$1.tsv"
        refute complete "$1"
    }
    planted fields '/wr.atomic.swap/d'
    planted fields 's/\[vendor_err\]/[vendor_error]/'
    planted fields 's/^ibv_sge\(.*\)addr/ibv_wc\1addr/'
    planted statuses '/RNR_RETRY/d'
    planted statuses 's/\[REM_OP_ERR\]/[REMOTE_OP_ERR]/'
    planted opcodes '/RDMA_READ/s/\t\t\t•/\t\t•\t•/'
    planted opcodes 's/IBV_WR_TSO/IBV_WR_LSO/'
    planted send-flags '/FENCE/d'
    planted wc-flags '/TM_MATCH/p'
}

@test "tables: a chapter that asks for what a table has not stops the build, with its line" {
    t=$BATS_TEST_TMPDIR/t
    mkdir -p "$t"
    printf 'a\tb\nA\tB\n[[x]]\ty\nz\t-\n' > "$t/good.tsv"
    printf 'a\tb\nA\tB\nx\n' > "$t/short.tsv"
    shown() { awk -v TABLES="$t" -v CHAPTER=book/c.nw -f weave/attribute.awk -f weave/tables.awk; }
    run shown <<< $'::: {#tab:g table=good columns="b:3 a:2" where="a=z" line="7"}\n: C.\n:::'
    [ "$output" = $'::: {#tab:g line="7"}\n| B | A |\n|:---|:--|\n|  | z |\n\n: C.\n:::' ]
    run shown <<< $'::: {table=good columns="a:2" line="7"}\n:::'
    [ "$output" = $'| A |\n|:--|\n| `x`{.q} |\n| z |' ]
    refused() { # FENCE MESSAGE
        run shown <<< "$1"
        [ "$status" = 1 ] && grep -qF "weave: book/c.nw:7: $2" <<< "$output" || { echo "$output"; false; }
    }
    refused '::: {#tab:g table=bad columns="a:2" line="7"}' "there is no $t/bad.tsv"
    refused '::: {#tab:g table=good columns="c:2" line="7"}' "$t/good.tsv has no column \"c\""
    refused '::: {#tab:g table=good columns="a" line="7"}' 'table=good: columns are KEY:WIDTH, not "a"'
    refused '::: {#tab:g table=good columns="a:2" where="b=n" line="7"}' 'table=good: no row has b=n'
    refused '::: {#tab:g table=short columns="a:2" line="7"}' "$t/short.tsv: x: not as many columns as the first row"
}

@test "plots: several series, straight or logarithmic; what is missing, stale or malformed stops the build" {
    t=$BATS_TEST_TMPDIR
    mkdir -p "$t/book/plots"
    echo 'x' > "$t/book/plots/p.sh"
    record() { { echo "# p.sh $(cksum < "$t/book/plots/p.sh" | cut -d ' ' -f 1)"; tr ' ' '\t'; } > "$t/book/plots/p.txt"; }
    drawn() { printf '![P.](plot:p){#fig:p\nx="bytes sent" y="MB/s" %s}\n\n![](plot:p)\n' "$1" > "$t/book/c.nw"; run weave/plots "$t/book" "$t"; show; }
    record <<< $'bytes reads writes sends\n1024 10 20 30\n2048 15 40 31\n1048576 100 800 32.5'
    for axes in log=xy log=x log=y ''; do
        drawn "$axes"
        [ "$status" = 0 ]
        [ "$(grep -c '^\\draw\[line width=1pt' "$t/wires/plot-p.tex")" = 3 ]
        for name in reads writes sends; do grep -q "{$name};" "$t/wires/plot-p.tex"; done
        grep -qF 'Reads: 10 at 1k, 15 at 2k, 100 at 1M. Writes: 20 at 1k,' "$t/plots.tsv"
    done
    # log10(800) of the way from 10 to 1000, at the right end
    drawn log=xy
    grep -q -- '-- (8.600,4.948)' "$t/wires/plot-p.tex"
    refused() { drawn "$2"; [ "$status" = 1 ] && grep -qF "weave: $t/book/c.nw:$1" <<< "$output"; }
    refused '1: plot:p: log is "z": it takes x, y or xy' log=z
    record <<< $'bytes reads\n1 10 20\n2 30 40'
    refused "1: $t/book/plots/p.txt: a line of 3 columns, not 2: run make record" ''
    record <<< $'bytes reads\n1 ten\n2 30'
    refused "1: $t/book/plots/p.txt: \"1" ''
    record <<< $'bytes reads\n0 10\n2 30'
    refused "1: $t/book/plots/p.txt: nothing below 0 fits" log=x
    echo y > "$t/book/plots/p.sh"
    refused '1: plot:p is stale: run make record' ''
    rm "$t/book/plots/p.txt"
    refused '1: plot:p is missing: run make record' ''
    printf '![](plot:p)\n' > "$t/book/c.nw"
    run weave/plots "$t/book" "$t"
    [ "$status" = 1 ] && grep -qF 'plot:p has no axes' <<< "$output"
}

@test "plots: each drawing is in the book, the web and the EPUB, with its numbers in words" {
    [ -s build/weave/plots.tsv ]
    while IFS=$'\t' read -r _ drawing alt; do
        [ -s "build/figures/$drawing.svg" ] && [ -s "build/figures-grey/$drawing.pdf" ] && [ "${#alt}" -gt 100 ]
    done < build/weave/plots.tsv
}
