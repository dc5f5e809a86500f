# In:  book/manifest (see its head).  -v BOOK=book -v CHUNKS=chunks -v OUT=build/weave (generated chapters)
# Out: one line an entry, tab-separated: kind, number, id, file, title, part.
#      Chapters are numbered whether they exist or not, appendices lettered.
# A file that is listed and missing, or is there and not listed, is an error.

function fail(message) {
    print "weave: " FILENAME ":" FNR ": " message > "/dev/stderr"; status = 1
}
function exists(path,    line, r) { r = (getline line < path); close(path); return r >= 0 }
function title(path,    line) {
    line = ""
    getline line < path; close(path)
    if (line !~ /^# .*{#.*}[ \t]*$/)
        fail(path ":1: the first line must be \"# Title {#name}\"")
    else if (index(line, "{#" $2) == 0)
        fail(path ":1: the chapter's identifier must be its file's name: {#" $2 "}")
    sub(/^# */, "", line); sub(/ *{#.*$/, "", line)
    return line
}
BEGIN { FS = OFS = "\t"; split("I II III IV V VI VII VIII IX X XI XII", roman, " ") }
/^#/ || /^$/ { next }
$1 == "part" { print "part", roman[++part], "part-" part, "", $2, part; next }
$1 == "planned" { print $1, ++chapter, $2, "", $3, part; next }
$1 == "front" || $1 == "chapter" || $1 == "appendix" {
    path = BOOK "/" $2 ".nw"
    if ($1 == "appendix" && exists(CHUNKS "/" $2 ".nw")) path = CHUNKS "/" $2 ".nw"
    if ($1 == "appendix" && exists(OUT "/" $2 ".nw")) path = OUT "/" $2 ".nw"
    number = $1 == "chapter" ? ++chapter : $1 == "appendix" ? substr("ABCDEFGHIJ", ++appendix, 1) : ""
    if (!exists(path)) { fail($1 " " $2 ": there is no " path " (write it, or list it as planned)"); next }
    listed[path] = 1
    print $1, number, $2, path, title(path), part
    next
}
{ fail("what is \"" $1 "\"? front, part, chapter, planned and appendix are known") }
END {
    cmd = "ls " BOOK "/*.nw " CHUNKS "/*.nw 2>/dev/null"
    while ((cmd | getline path) > 0)
        if (!(path in listed)) fail(path " is not listed")
    exit status
}
