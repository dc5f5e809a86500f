# What weave/wires and weave/plots share: drawings of what was recorded.
# Sourced, with $out; its files grow in a scratch folder, $new.
# shellcheck shell=bash disable=SC2154
mkdir -p "$out/wires"
new=$(mktemp -d "$out/recorded.XXXXXX")
trap 'rm -rf "$new"' EXIT

# draw DRAWING WHERE NAME WHY COMMAND...: makes DRAWING.tex with the command.
# If WHY says what is wrong with the recording, that is the end; with DRAFT the
# drawing says so instead.
draw() {
    local drawing=$1 where=$2 name=$3 why=$4
    shift 4
    if [ -z "$why" ]; then
        "$@" > "$new/$drawing.tex"
    elif [ -n "${DRAFT:-}" ]; then
        echo "weave: $where: $why (draft)" >&2
        printf '%% alt: Not recorded.\n\\begin{tikzpicture}\\node[note]{%s: not recorded};\\end{tikzpicture}\n' \
            "$name" > "$new/$drawing.tex"
    else
        echo "weave: $where: $why" >&2
        exit 1
    fi
}
# alt DRAWING: its alternative text
alt() { sed -n '1s/^% alt: //p' "$new/$1.tex"; }

# publish KIND: OUT/wires/KIND-*.tex, OUT/KINDs.tsv and OUT/KINDs.all, which is
# all drawings; only what changes is written, and what nobody asks for goes.
publish() {
    local f
    for f in "$out/wires/$1"-*.tex; do
        [ ! -e "$f" ] || [ -e "$new/${f##*/}" ] || rm "$f"
    done
    for f in "$new"/*.tex; do
        [ ! -e "$f" ] || cpif "$out/wires/${f##*/}" < "$f"
    done
    { cat "$new"/*.tex 2> /dev/null || :; } | cpif "$out/$1s.all"
    cpif "$out/$1s.tsv" < "$new/$1s.tsv"
}
