#!/usr/bin/env bats
# Tangling: each fault that noweb would pass over is found, named with file
# and line, and leaves nothing half written.
load lib

setup() {
    t=$(mktemp -d)
    good='# T {#t}

Prose.

<<p/a.c>>=
int main(void)
{
    <<use me>>
}
@

More prose.

<<use me>>=
return 0;
@'
}
teardown() { rm -rf "$t"; }

tangle() { # tangle TEXT...: each text is a file
    local i=0
    for text; do printf '%s\n' "$text" > "$t/$((++i)).nw"; done
    run tangle/tangle "$t/clean" "$t/debug" "$t/answers" "$t"/*.nw
    echo "$output"
}
refused() { # refused PATTERN: and nothing written
    [ "$status" = 1 ]
    grep -qE -- "$1" <<< "$output"
    [ ! -e "$t/clean" ]
}

@test "tangle: a good source, with and without line directives" {
    tangle "$good"
    [ "$status" = 0 ]
    [ "$(cat "$t/clean/p/a.c")" = "$(printf 'int main(void)\n{\n    return 0;\n}')" ]
    grep -q '^#line 15 ".*/1.nw"$' "$t/debug/p/a.c"
    refute grep -q '#line' "$t/clean/p/a.c"
}

@test "tangle: a misspelt use" {
    tangle "${good/    <<use me>>/    <<use mee>>}"
    refused '1.nw:8: chunk <<use mee>> is not defined; misspelt\?'
}

@test "tangle: a misspelt definition" {
    tangle "${good/<<use me>>=/<<usee me>>=}"
    refused '1.nw:14: chunk <<usee me>> is never used'
}

@test "tangle: the same name in two files" {
    tangle "$good" $'# U {#u}\n\nProse.\n\n<<use me>>=\nreturn 1;\n@'
    refused 'chunk <<use me>> is defined in .*, too'
}

@test "tangle: what noweb would take for a chunk" {
    tangle "$good"$'\n\nA << B in prose.'
    refused '1.nw:18: "<<" in prose is taken for a chunk; write "@<<"'
    tangle "${good/return 0;/return (1 << 2) | (8 >> 1);}"
    refused '1.nw:15: .*are taken for a chunk; write "@<<"'
    tangle "${good/return 0;/return (1 @<< 2) | (8 >> 1);}"
    [ "$status" = 0 ]
    grep -qF 'return (1 << 2) | (8 >> 1);' "$t/clean/p/a.c"
}

@test "tangle: a transcript with test brackets, a lone @, a macro, tabs, CR LF, long lines" {
    tangle "$good"$'\n\n~~~\n$ if [[ x ]]; then\n~~~'
    refused '"\[\[" in a fence'
    tangle "$good"$'\n\n@\n'
    refused 'a lone "@" outside a chunk'
    tangle "${good/    <<use me>>/'#define X \'$'\n    <<use me>>'}"
    refused 'a chunk inside a macro'
    tangle "${good/return 0;/$'\treturn 0;'}"
    refused 'a tab in code'
    tangle "${good/Prose./$'Prose.\r'}"
    refused 'CR LF'
    tangle "${good/return 0;/return 0; /* $(printf 'x%.0s' {1..70}) */}"
    refused 'a code line of [0-9]+ columns'
    tangle "${good/return 0;/return 0; }"
    refused 'blanks at the end'
}

@test "tangle: a chunk without prose, a chunk without end" {
    tangle "${good/More prose./}"
    refused '1.nw:14: no prose before chunk <<use me>>'
    tangle "${good%@}"
    refused 'chunk <<use me>> has no end'
}

@test "tangle: an answer replaces a chunk, and must find it" {
    answer=$'\n\nThe answer.\n\n<<answer one, p/a.c: use me>>=\nreturn 1;\n@'
    tangle "$good$answer"
    [ "$status" = 0 ]
    grep -q 'return 1;' "$t/answers/one/a.c"
    grep -q 'return 0;' "$t/clean/p/a.c"
    tangle "$good${answer/use me/use it}"
    [ "$status" = 1 ]
    grep -q 'there is no chunk <<use it>>' <<< "$output"
}

@test "tangle: what did not change keeps its date, what is gone is removed" {
    tangle "$good"
    touch -d 2001-01-01 "$t/clean/p/a.c"
    mkdir "$t/clean/gone"; touch "$t/clean/gone/b.c"
    tangle "$good"
    [ "$(date -r "$t/clean/p/a.c" +%Y)" = 2001 ]
    [ ! -e "$t/clean/gone" ]
}

@test "tangle: a chunk of more than 25 lines" {
    tangle "${good/return 0;/$(printf 'f();\n%.0s' {1..25})
return 0;}"
    refused '1.nw:[0-9]+: chunk <<use me>> has 26 lines; cut it'
}
