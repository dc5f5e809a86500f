#!/usr/bin/env bats
# The web edition and the EPUB, in a real browser and by their own checkers.
# Every check is also seen to fail, on a copy with a planted fault.
# Needs chromium, epubcheck, xmllint, unzip, and npm's puppeteer-core and
# axe-core in build/node: make check-web sees to that.
load browser
site=build/web
export LC_ALL=C.UTF-8

browser() { node tests/web/browser.js "$@"; }
links() { (cd "$1" && find . -name '*.*html' | sed 's,^\./,,' | sort > "$BATS_TEST_TMPDIR/pages" &&
    xargs awk -f "$OLDPWD/tests/web/links.awk" < <(cat "$BATS_TEST_TMPDIR/pages" "$BATS_TEST_TMPDIR/pages")); }
labels() { awk -f tests/web/labels.awk build/weave/labels.tsv build/weave/chunks.tsv "$1"/*.html; }
# said FOLDER: every figure is described, every page has its title in plain words.
said() {
    local status=0
    find "$1" -name '*.*html' -exec awk '
        /<img / && !/<img [^>]*alt="[^"]/ { print FILENAME ": a figure without words"; bad = 1 }
        /<title>/ { titles++; if (/&lt;|<title> *[<–]|ch[0-9]+\.xhtml/) { print FILENAME ": " $0; bad = 1 } }
        END { if (titles != ARGC - 1) { print titles " titles on " ARGC - 1 " pages"; bad = 1 }; exit bad }' {} + || status=1
    return $status
}
licensed() {
    local page status=0
    for page in "$1"/*.html "$1"/program/*.html; do
        grep -q 'GNU Free Documentation License, Version 1.3' "$page" || { echo "$page: no licence"; status=1; }
    done
    grep -q 'ADDENDUM: How to use this License' "$1/licence.html" || { echo "no text of the licence"; status=1; }
    return $status
}
# complete FOLDER: every program with all of its lines, on its page or in the EPUB.
complete() {
    local f program file page id status=0
    for f in generated-src/*/*.[ch]; do
        program=$(basename "$(dirname "$f")") file=$(basename "$f")
        case $file in support.*) program=support ;; esac
        page=$1/program/$program.html id=$file
        [ -d "$1/program" ] || page=$1/programs.xhtml id=$([ "$program" = support ] || printf '%s-' "$program")$file
        [ "$(grep -c " id=\"$id-[0-9]*\"" "$page")" = "$(wc -l < "$f")" ] || { echo "$page: $f is not complete"; status=1; }
        grep -q 'class="from"' "$page" || { echo "$page: from no chunk"; status=1; }
    done
    return $status
}
# defined FOLDER: each name in code leads to a chunk that defines it, a repeated
# one (struct connection, in three chunks) to that of its own program.
defined() {
    awk -F '\t' '
        FILENAME ~ /chunks.tsv$/ {          # gather has a structure of its own
            if ($1 == "chunk" && $4 ~ /^gather: /) of_gather[$2] = 1
            if ($1 == "def" && $4 == "connection" && $2 in of_gather) its_own = $2
            next
        }
        match($0, /<div class="chunk" id="chunk-[^"]*"/) { n = substr($0, RSTART + 29, RLENGTH - 30) }
        {
            line = $0
            while (match(line, /<b class="d">[^<]*<|<a class="id" href="#chunk-[^<]*</)) {
                s = substr(line, RSTART, RLENGTH - 1); line = substr(line, RSTART + RLENGTH)
                name = s; sub(/.*>/, "", name); sub(/.*#chunk-/, "", s); sub(/".*/, "", s)
                if (name == "") continue       # in the text
                if (s ~ /^<b/) def[n " " name] = 1
                else { use[n " " name] = s; links++ }
            }
        }
        END {
            for (k in use) { name = k; sub(/.* /, "", name); if (!((use[k] " " name) in def)) { print k " leads to " use[k]; bad = 1 } }
            if (use["1.5 connection"] != "1.4") { print "connection leads elsewhere"; bad = 1 }
            for (n in of_gather) if ((n " connection") in use) { seen++
                if (use[n " connection"] != its_own) { print "connection of " n " leads elsewhere"; bad = 1 } }
            exit bad || links < 100 || !seen
        }' build/weave/chunks.tsv "$1/book.html"
}
# for_web FOLDER: what is only for the web, and not what is only for print.
for_web() {
    grep -q 'Rest the pointer' "$1/preface.html" || { echo "not what is for the web"; return 1; }
    [ "$(grep -c 'In print each reference' "$1/preface.html")" = 0 ] || { echo "what is for print"; return 1; }
}
# glyphs FOLDER: the fonts have every sign of the pages.
glyphs() {
    local have
    have=$(ttx -q -o - -t cmap "$1/fonts/LinLibertine_R.woff2" | sed -n 's/.*code="0x\([0-9a-f]*\)".*/\1/p')
    cat "$1"/*.html "$1"/program/*.html | grep -oP '[^\x00-\x7F]' | sort -u | while read -r sign; do
        printf '%x %s\n' "'$sign" "$sign"
    done | awk 'NR == FNR { have[$1] = 1; next } !($1 in have) { print "no glyph for " $2; bad = 1 } END { exit bad }' <(echo "$have") -
}

@test "web: every link leads somewhere" {
    links build/web
    damaged two-ways.html 's/href="#sec-socket-does"/href="#sec-socket-did"/'
    fails 'two-ways.html: no #sec-socket-did' links "$copy"
    damaged index.html 's/href="memory.html"/href="memoirs.html"/'
    fails 'no memoirs.html' links "$copy"
    damaged memory.html 's,src="script.js",src="https://example.org/script.js",'
    fails 'memory.html: loads https://example.org' links "$copy"
    damaged memory.html 's/id="chunk-9.2"/id="chunk-9.1"/'
    fails 'memory.html: "chunk-9.1" is there twice' links "$copy"
}

@test "web: well-formed" {
    xmllint --noout build/web/*.html build/web/program/*.html
    damaged memory.html '0,/<p>/s/<p>/<p><b>/'
    fails "mismatch" xmllint --noout "$copy/memory.html"
}

@test "web: every chapter, section, figure, exercise and chunk, with its number" {
    labels build/web
    damaged memory.html 's/id="sec-register"/id="sec-registered"/'
    fails 'no memory.html sec-register' labels "$copy"
    number=$(awk -F '\t' '$2 == "sec:deregister" { print $3 }' build/weave/labels.tsv)
    damaged memory.html "s,<span class=\"n\">$number</span>,<span class=\"n\">9.99</span>,"
    fails "memory.html sec-deregister is not $number" labels "$copy"
    damaged book.html 's/id="chunk-9.1"/id="chunk-nine"/'
    fails 'no book.html chunk-9.1' labels "$copy"
}

@test "web: every figure has words, every page a title in plain words and the licence" {
    said build/web
    licensed build/web
    damaged two-ways.html 's/ alt="[^"]*"/ alt=""/'
    fails 'two-ways.html: a figure without words' said "$copy"
    damaged program/gather.html 's,<title>,<title>\&lt;code>,'
    fails 'gather.html: .*code' said "$copy"
    damaged stack.html '/<title>/d'
    fails 'titles on' said "$copy"
    damaged program/gather.html 's/GNU Free Documentation License/licence/'
    fails 'gather.html: no licence' licensed "$copy"
    damaged licence.html 's/ADDENDUM//'
    fails 'no text of the licence' licensed "$copy"
}

@test "web: every program complete, each of its lines from a chunk" {
    complete build/web
    damaged program/gather.html 's/ id="client.c-7"//'
    fails 'gather/client.c is not complete' complete "$copy"
    damaged program/gather.html 's/class="from"/class="of"/'
    fails 'gather.html: from no chunk' complete "$copy"
}

@test "web: a name leads to its definition, a repeated one to that of its program" {
    defined build/web
    damaged book.html 's,<b class="d">post_receive</b>,<b>post_receive</b>,'
    fails 'post_receive leads to 10.1[0-9]' defined "$copy"
    damaged book.html 's,href="#chunk-1.4">connection,href="#chunk-10.9">connection,'
    fails 'connection leads elsewhere' defined "$copy"
}

@test "web: what is only for one edition is in no other" {
    for_web build/web
    [ "$(unzip -p build/book.epub EPUB/preface.xhtml | grep -cE 'Rest the pointer|In print each')" = 0 ]
    damaged preface.html 's/Rest the pointer/Rest/'
    fails 'not what is for the web' for_web "$copy"
    damaged preface.html 's/Rest the pointer/Rest the pointer. In print each reference/'
    fails 'what is for print' for_web "$copy"
}

@test "web: the fonts have every sign of the pages" {
    glyphs build/web
    damaged memory.html '0,/<p>/s/<p>/<p>\xe5\xad\x97/'
    fails 'no glyph for' glyphs "$copy"
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
    damaged style.css 's/white-space: pre-wrap/white-space: pre/'
    fails 'memory.html: code .* pixels wider' browser width "$copy" memory.html
}

@test "web: without JavaScript" {
    browser plain build/web
    damaged memory.html 's,<main ,<main hidden="hidden" ,'
    fails 'memory.html: .* without JavaScript' browser plain "$copy" memory.html
}

@test "web: the list of sections marks the last at the end; a linked line is in sight" {
    browser place build/web
    damaged script.js 's/innerHeight - 120/0/'
    fails 'marks' browser place "$copy"
    damaged style.css 's/scroll-margin-top: [^;]*;//'
    fails 'client.c-60 is hidden' browser place "$copy"
}

@test "web: keyboard: definitions, Escape, search, skip" {
    browser keyboard build/web
    damaged script.js "s/'focusin'/'focusout'/; s/=== 'Escape'/=== 'Esc'/; s/=== '\/'/=== '?'/"
    fails 'shows no definition' browser keyboard "$copy"
    fails 'does not go to the search' browser keyboard "$copy"
    damaged script.js "s/=== 'Escape'/=== 'Esc'/"
    fails 'Escape does not hide' browser keyboard "$copy"
    damaged script.js "s/'ArrowDown'/'F9'/"
    fails 'does not go into' browser keyboard "$copy"
    damaged script.js 's/fill(trail.at(-1) || from)/fill(link)/'
    fails 'does not come back' browser keyboard "$copy"
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
    local epub=$BATS_TEST_TMPDIR/epub/EPUB
    links "$epub"
    said "$epub"
    complete "$epub"
    grep -q 'ADDENDUM: How to use this License' "$epub/licence.xhtml"
    while IFS=$'\t' read -r part title; do grep -qF "Part $part: $title" "$epub/nav.xhtml"; done < <(
        awk -F '\t' '$1 == "part" { p[$6] = $2 "\t" $5 } $1 == "chapter" { print p[$6] }' build/weave/manifest.tsv)
    # planted: a link to nowhere, a title of pandoc's, a line that is missing
    sed -i 's/id="chunk-9.1"/id="chunk-9.one"/; s,<title>.*</title>,<title>ch009.xhtml</title>,' "$epub/memory.xhtml"
    fails 'no #chunk-9.1 in' links "$epub"
    fails 'memory.xhtml: .*ch009' said "$epub"
    sed -i 's/ id="gather-client.c-7"//' "$epub/programs.xhtml"
    fails 'gather/client.c is not complete' complete "$epub"
    run java -jar /usr/share/java/epubcheck.jar -mode exp "$BATS_TEST_TMPDIR/epub"
    grep -q 'RSC-012' <<< "$output"
}

@test "epub: the same bytes when it is built again" {
    SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2> /dev/null || echo 1767225600)
    export SOURCE_DATE_EPOCH WEAVE_OUT=build/weave WEAVE_BOOK=book
    again() { weave/epub book build/figures build/weave/cover/cover.png "$BATS_TEST_TMPDIR/work" "$BATS_TEST_TMPDIR/$1.epub"; }
    again a
    sleep 2
    again b
    cmp "$BATS_TEST_TMPDIR/a.epub" "$BATS_TEST_TMPDIR/b.epub"
    SOURCE_DATE_EPOCH=1000000000 again b       # planted: another day
    fails 'differ' cmp "$BATS_TEST_TMPDIR/a.epub" "$BATS_TEST_TMPDIR/b.epub"
}
