#!/usr/bin/env bats
# The slides for the browser, in a real browser.  Every check is also seen to
# fail, on a copy with a planted fault.
# Needs chromium, and npm's puppeteer-core in build/node: make check-slides-web
# sees to that.
load browser
site=build/slides-web
browser() { node slides/web/check.js "$@"; }

# in_sources DECK: its slides, and the title's, the agenda's, the chapters' and the licence's.
in_sources() {
    local chapters slides=0 c
    chapters=$(awk -F '\t' '$1 == "chapter" { print $2 }' "slides/$1.deck")
    for c in $chapters; do
        slides=$((slides + $(grep -cE '^:::+ *\{[^}]*\.slide' "book/$c.nw" || :)))
    done
    c=$(wc -w <<< "$chapters")
    [ "$c" -eq 1 ] && c=0 || c=$((c + 1))
    echo $((slides + 2 + c))
}

@test "slides-web: every slide of the sources shows, has notes, and fits" {
    run browser slides build/slides-web
    echo "$output"
    [ "$status" -eq 0 ]
    for deck in slides/*.deck; do
        deck=$(basename "$deck" .deck)
        grep -qx "$deck $(in_sources "$deck")" <<< "$output" || { echo "$deck: $(in_sources "$deck") in the sources"; false; }
    done
}

@test "slides-web: what overflows, lacks notes or a figure, is found" {
    damaged 01-why.html '0,/<ul>/s,<ul>,<p style="height: 500px">high</p><ul>,'
    fails '01-why: slide-[a-z-]* overflows by 0 x ' browser slides "$copy" 01-why
    damaged 01-why.html '0,/<ul>/s,<ul>,<p style="width: 1400px">wide</p><ul>,'
    fails '01-why: slide-[a-z-]* overflows' browser slides "$copy" 01-why
    damaged 01-why.html '0,/<aside class="notes">/s,,<aside class="naughts">,'
    fails 'has no notes' browser slides "$copy" 01-why
    damaged 01-why.html 's,src="figures/,src="figs/,'
    fails 'slide-[a-z-]* lacks figs/' browser slides "$copy" 01-why
    damaged slides.css 's/--largest: 43px/--largest: 32px/'
    fails 'has code of 25.0 pixels' browser slides "$copy" 06-requests
    damaged slides.css 's/--lines/--line/g'
    fails 'overflows' browser slides "$copy" 06-requests
}

@test "slides-web: pages load without an error, and nothing from elsewhere" {
    browser local build/slides-web
    damaged 02-stack.html 's,reveal/dist/reset.css,https://example.org/reset.css,'
    fails '02-stack: asks for https://example.org' browser local "$copy" 02-stack
    damaged index.html '/02-stack.html/d'
    fails 'index: no 02-stack' browser local "$copy" 02-stack
    run ! grep -nE '(src|href)="(https?:)?//' build/slides-web/*.html
}

@test "slides-web: the speaker's view shows the notes and counts the minutes" {
    browser speaker build/slides-web
    damaged 02-stack.html 's/plugins: \[RevealNotes\]/plugins: []/'
    fails "02-stack: no speaker's view" browser speaker "$copy" 02-stack
    damaged 02-stack.html 's/ defaultTiming: 0,//'
    fails "02-stack: .* does not count a slide's minutes" browser speaker "$copy" 02-stack
}

@test "slides-web: every link into the book leads somewhere" {
    while IFS='#' read -r page id; do
        [ -f "build/web/$page" ] || { echo "no $page"; false; }
        [ -z "$id" ] || grep -q " id=\"$id\"" "build/web/$page" || { echo "no #$id in $page"; false; }
    done < <(grep -ohE 'href="\.\./web/[^"]*"' build/slides-web/*.html | sed 's,href="../web/,,; s/"$//' | sort -u)
}

@test "slides-web: a title, a licence, every lab and every optional slide marked" {
    for deck in slides/*.deck; do
        page=build/slides-web/$(basename "$deck" .deck).html
        grep -q '<section id="title"' "$page"
        grep -q 'Documentation License, Version 1.3' "$page"
        for kind in lab optional; do
            wanted=0
            for c in $(awk -F '\t' '$1 == "chapter" { print $2 }' "$deck"); do
                # (a lab that a short lecture may skip is marked as a lab)
                wanted=$((wanted + $(grep -E "^:::+ *\{[^}]*\.slide[^}]*\.$kind" "book/$c.nw" |
                    grep -cv "$([ $kind = lab ] && echo '^$' || echo '\.lab')" || :)))
            done
            [ "$(grep -c "<small>$kind</small>" "$page")" -eq "$wanted" ] || { echo "$page: not $wanted slides are $kind"; false; }
        done
        grep -q "href=\"$(basename "$page")\"" build/slides-web/index.html
    done
}
