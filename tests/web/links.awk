# Every link leads somewhere.
# In:  all pages of the web edition, or of an unpacked EPUB, twice (the first
#      time for their identifiers).  Works in their folder.
# Out: one line, and status 1, for each link to a page, file or identifier that
#      is not there, for each identifier that a page has twice, and for
#      whatever is loaded from another host.

function bad(text) { print FILENAME ": " text; status = 1 }
function exists(path,    line, r) {
    if (!(path in there)) { r = (getline line < path); close(path); there[path] = r >= 0 }
    return there[path]
}

BEGIN { RS = "<" }
FNR == 1 {
    second = (FILENAME in pages); pages[FILENAME] = 1
    folder = FILENAME; if (!sub(/[^\/]*$/, "", folder)) folder = ""
}
!second {
    if (match($0, /[ \n]id="[^"]*"/)) {
        id = substr($0, RSTART + 5, RLENGTH - 6)
        if ((FILENAME, id) in ids) bad("\"" id "\" is there twice")
        ids[FILENAME, id] = 1
    }
    next
}
match($0, /[ \n](href|src)="[^"]*"/) {
    to = substr($0, RSTART, RLENGTH); sub(/^[^"]*"/, "", to); sub(/"$/, "", to)
    if (to ~ /^(https?:|mailto:)/) { if ($0 !~ /^a[ \n]/) bad("loads " to); next }
    if (to ~ /^data:/) next
    links++
    hash = to; if (!sub(/^[^#]*#/, "", hash)) hash = ""
    sub(/[#?].*$/, "", to)
    path = to == "" ? FILENAME : folder to
    while (sub(/[^\/]+\/\.\.\//, "", path)) ;
    if (!exists(path)) bad("no " path)
    else if (hash != "" && path in pages && !((path, hash) in ids)) bad("no #" hash " in " path)
}
END { print links " links"; if (links < 10) status = 1; exit status }
