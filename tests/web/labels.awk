# Every chapter, section, figure, table, exercise and chunk is there.
# In:  labels.tsv, chunks.tsv, then all pages of the web edition.
# Out: one line, and status 1, for each that is not on its chapter's page and
#      in book.html, with its number in the same line or the three after it.  A
#      figure or table may stand in an answer instead.

function want(page, id, n) { gsub(/:/, "-", id); number[page ".html " id] = n }
BEGIN { FS = "\t" }
FILENAME ~ /labels.tsv$/ { if ($1 != "slide") { want($4, $2, $3); want("book", $2, $3) }
    if ($1 == "fig" || $1 == "tab") { want("answers", $2, $3); gsub(/:/, "-", $2); other[$4 ".html " $2] = "answers.html " $2; other["answers.html " $2] = $4 ".html " $2 }
    next }
FILENAME ~ /chunks.tsv$/ { if ($1 == "chunk") want("book", "chunk-" $2, $2); next }
FNR == 1 { page = FILENAME; sub(/.*\//, "", page); split("", near) }
{
    line = $0
    while (match(line, / id="[^"]*"/)) {
        key = page " " substr(line, RSTART + 5, RLENGTH - 6)
        line = substr(line, RSTART + RLENGTH)
        if (key in number) { there[key] = 1; near[key] = 4 }
    }
    for (key in near) {
        if (index($0, number[key])) numbered[key] = 1
        if (--near[key] == 0) delete near[key]
    }
}
END {
    for (key in number) {
        if (!(key in there) && (key in other) && (other[key] in there)) continue
        if (!(key in there)) { print "no " key; status = 1 }
        else if (number[key] != "" && !(key in numbered)) { print key " is not " number[key]; status = 1 }
    }
    exit status
}
