#!/usr/bin/env bats
# The web edition and the EPUB, in a real browser and by their own checkers.
# Every check is also seen to fail, on a copy with a planted fault.
# Needs chromium, epubcheck, xmllint, unzip, and npm's puppeteer-core and
# axe-core in build/node: make check-web sees to that.
cd "$BATS_TEST_DIRNAME/.." || exit 1
NODE_PATH=$PWD/build/node/node_modules
CHROMIUM=$(command -v chromium)
export NODE_PATH CHROMIUM

browser() { node tests/web/browser.js "$@"; }
links() { (cd "$1" && find . -name '*.*html' | sed 's,^\./,,' | sort > "$BATS_TEST_TMPDIR/pages" &&
    xargs awk -f "$OLDPWD/tests/web/links.awk" < <(cat "$BATS_TEST_TMPDIR/pages" "$BATS_TEST_TMPDIR/pages")); }

# damaged FILE SED-SCRIPT: a copy of the web edition with a fault, in $copy.
damaged() {
    copy=$BATS_TEST_TMPDIR/web
    rm -rf "$copy"
    cp -r build/web "$copy"
    sed -i "$2" "$copy/$1"
    ! cmp -s "build/web/$1" "$copy/$1" || { echo "the fault changed nothing"; return 1; }
}
# fails PATTERN COMMAND...: the check says so.
fails() {
    local pattern=$1
    run "${@:2}"
    echo "status $status: $output"
    [ "$status" -ne 0 ]
    grep -qE -- "$pattern" <<< "$output"
}

@test "web: every link leads somewhere" {
    links build/web
    damaged two-ways.html 's/href="#sec-socket-does"/href="#sec-socket-did"/'
    fails 'two-ways.html: no #sec-socket-did' links "$copy"
    damaged index.html 's/href="memory.html"/href="memoirs.html"/'
    fails 'no memoirs.html' links "$copy"
    damaged memory.html 's,src="script.js",src="https://example.org/script.js",'
    fails 'memory.html: loads https://example.org' links "$copy"
}

@test "web: well-formed" {
    xmllint --noout build/web/*.html build/web/program/*.html
    damaged memory.html '0,/<p>/s/<p>/<p><b>/'
    fails "mismatch" xmllint --noout "$copy/memory.html"
}

@test "web: every chapter, section, figure, exercise and chunk, with its number" {
    while read -r kind id number chapter; do
        [ "$kind" != slide ] || continue
        id=${id//:/-}
        page=build/web/$chapter.html
        case $kind in fig | tab) # may stand in an answer
            grep -q " id=\"$id\"" "$page" || page=build/web/answers.html ;;
        esac
        grep -q " id=\"$id\"" "$page" || { echo "no $id in $chapter"; false; }
        grep -q " id=\"$id\"" build/web/book.html
        [ "$number" = - ] || grep -A3 " id=\"$id\"" "$page" | grep -qF "$number" ||
            { echo "$id is not $number"; false; }
    done < <(awk -F '\t' '{ print $1, $2, $3 == "" ? "-" : $3, $4 }' build/weave/labels.tsv)
    for n in $(awk -F '\t' '$1 == "chunk" { print $2 }' build/weave/chunks.tsv); do
        grep -q " id=\"chunk-$n\"" build/web/book.html || { echo "no chunk $n"; false; }
    done
}

@test "web: every figure has an alternative text, every page the licence" {
    run ! grep -l '<img[^>]*alt=""' build/web/*.html
    for page in build/web/*.html build/web/program/*.html; do
        grep -q 'GNU Free Documentation License, Version 1.3' "$page" || { echo "$page"; false; }
    done
    grep -q 'ADDENDUM: How to use this License' build/web/licence.html
}

@test "web: every program complete, each of its lines from a chunk" {
    for f in generated-src/*/*.c; do
        program=$(basename "$(dirname "$f")") file=$(basename "$f")
        [ "$file" != support.c ] || program=support
        [ "$(grep -c " id=\"$file-[0-9]*\"" "build/web/program/$program.html")" = "$(wc -l < "$f")" ]
        grep -q 'class="from"' "build/web/program/$program.html"
    done
}

@test "web: pages load without an error, and nothing from elsewhere" {
    browser local build/web
    damaged memory.html 's,src="script.js",src="scrap.js",'
    fails 'scrap.js' browser local "$copy" memory.html
    damaged script.js '1s/^/throw new Error("planted");\n/'
    fails 'planted' browser local "$copy" memory.html
}

@test "web: no horizontal scrolling at 390 pixels" {
    browser width build/web
    damaged memory.html 's,<h2,<p style="width: 500px">wide</p><h2,'
    fails 'memory.html: 5.. pixels' browser width "$copy" memory.html
}

@test "web: without JavaScript" {
    browser plain build/web
    damaged memory.html 's,<main ,<main hidden="hidden" ,'
    fails 'memory.html: .* without JavaScript' browser plain "$copy" memory.html
}

@test "web: keyboard: definitions, Escape, search, skip" {
    browser keyboard build/web
    damaged script.js "s/'focusin'/'focusout'/; s/=== 'Escape'/=== 'Esc'/; s/=== '\/'/=== '?'/"
    fails 'shows no definition' browser keyboard "$copy"
    fails 'does not go to the search' browser keyboard "$copy"
    damaged script.js "s/=== 'Escape'/=== 'Esc'/"
    fails 'Escape does not hide' browser keyboard "$copy"
}

@test "web: search finds \"completion\", served and from the file system" {
    browser search build/web
    damaged data/search.js 's/ompletion/omplexion/g'
    fails 'nothing found' browser search "$copy"
    damaged data/search.js 's/\.html#/.html#no-/g'
    fails 'leads nowhere' browser search "$copy"
}

@test "web: axe has nothing serious to say, light and dark" {
    browser axe build/web
    damaged style.css 's/--ink: #d9d6d0/--ink: #333333/'
    fails 'memory.html, dark: color-contrast' browser axe "$copy" memory.html
    damaged memory.html 's/ alt="[^"]*"//'
    fails 'light: image-alt' browser axe "$copy" memory.html
}

@test "epub: passes epubcheck, and its links lead somewhere" {
    java -jar /usr/share/java/epubcheck.jar --failonwarnings build/book.epub
    unzip -q build/book.epub -d "$BATS_TEST_TMPDIR/epub"
    links "$BATS_TEST_TMPDIR/epub/EPUB"
    grep -q 'urn:uuid:' "$BATS_TEST_TMPDIR/epub/EPUB/content.opf"
    grep -rq 'ADDENDUM: How to use this License' "$BATS_TEST_TMPDIR/epub/EPUB/text"
    run ! grep -rl '<img[^>]*alt=""' "$BATS_TEST_TMPDIR/epub/EPUB/text"
    # planted: a link to nowhere
    cd "$BATS_TEST_TMPDIR/epub"
    chapter=$(grep -l 'id="chunk-9.1"' EPUB/text/*.xhtml)
    sed -i 's/id="chunk-9.1"/id="chunk-9.one"/' "$chapter"
    cd "$BATS_TEST_DIRNAME/.."
    fails 'no #chunk-9.1 in' links "$BATS_TEST_TMPDIR/epub/EPUB"
    run java -jar /usr/share/java/epubcheck.jar -mode exp "$BATS_TEST_TMPDIR/epub"
    grep -q 'RSC-012' <<< "$output"
}

@test "epub: the same bytes when it is built again" {
    SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2> /dev/null || echo 1767225600)
    export SOURCE_DATE_EPOCH
    cp -r build/figures "$BATS_TEST_TMPDIR"
    weave/web epub - book build/weave "$BATS_TEST_TMPDIR/a.epub"
    sleep 2
    weave/web epub - book build/weave "$BATS_TEST_TMPDIR/b.epub"
    cmp "$BATS_TEST_TMPDIR/a.epub" "$BATS_TEST_TMPDIR/b.epub"
}
