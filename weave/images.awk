# In:  chapters.  For each image ![Caption](SCHEME:NAME){...}, which may go over
#      lines, calls found(NAME), with `where`, its chapter:line; value(KEY) is an
#      attribute, or "-".  The script that follows sets SCHEME and defines found.
#      Exit status 1, and a line for each, if something is wrong.
function complain(text) { print "weave: " where ": " text > "/dev/stderr"; bad = 1 }
function value(key,    v) {
    v = attribute(attributes, key, "-")
    gsub(/[ \t]+/, " ", v)
    return v
}
function finish(    name) {
    name = attributes
    sub(/\).*/, "", name)
    if (!sub(/^[^)]*\)\{/, "{", attributes)) attributes = ""
    if (name !~ /^[a-z0-9-]+$/) complain("\"" SCHEME ":" name "\": a name has small letters, digits and \"-\"")
    found(name)
    attributes = ""; open = 0
}
{
    if (FNR == 1) open = 0
    if (!open) {
        if (!match($0, "\\]\\(" SCHEME ":")) next
        attributes = substr($0, RSTART + RLENGTH)
        where = FILENAME ":" FNR
    } else attributes = attributes " " $0
    # to the end of the braces, if there are any, outside of quotes
    outside = attributes
    gsub(/"[^"]*"/, "", outside)
    open = outside ~ /^[^)]*\)\{[^}"]*("|$)/
    if (!open) finish()
}
