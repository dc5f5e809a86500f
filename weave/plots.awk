# In:  chapters.  Out: a line for each plot that has its axes,
#      ![Caption](plot:NAME){x="..." y="..." log=...}, tab-separated:
#      chapter:line, NAME, x, y, log ("-" for none).
# A slide that shows it again says plot:NAME without x.
# Exit status 1, and a line for each, if something is wrong.
function complain(text) { print "weave: " where ": " text > "/dev/stderr"; bad = 1 }
function value(key,    v) {
    if (!match(attributes, "[{ ]" key "=(\"[^\"]*\"|[^ }\"]+)")) return "-"
    v = substr(attributes, RSTART + length(key) + 2, RLENGTH - length(key) - 2)
    gsub(/^"|"$/, "", v)
    gsub(/[ \t]+/, " ", v)
    return v
}
function finish(    name, x, y, log_) {
    name = attributes
    sub(/\).*/, "", name)
    if (!sub(/^[^)]*\)\{/, "{", attributes)) attributes = ""
    x = value("x"); y = value("y"); log_ = value("log")
    if (name !~ /^[a-z0-9-]+$/) complain("\"plot:" name "\": a name has small letters, digits and \"-\"")
    if (log_ !~ /^(-|x|y|xy)$/) complain("plot:" name ": log is \"" log_ "\": it takes x, y or xy")
    if (!(name in first)) first[name] = where
    if (x != "-" || y != "-") {
        if (x == "-" || y == "-") complain("plot:" name ": an axis has no words: x=\"...\" y=\"...\"")
        if (name in drawn) complain("plot:" name " has its axes in " drawn[name] " already")
        drawn[name] = where
        print where "\t" name "\t" x "\t" y "\t" log_
    }
    attributes = ""; open = 0
}
{
    if (FNR == 1) open = 0
    if (!open) {
        if (!match($0, /\]\(plot:/)) next
        attributes = substr($0, RSTART + RLENGTH)
        where = FILENAME ":" FNR
    } else attributes = attributes " " $0
    outside = attributes
    gsub(/"[^"]*"/, "", outside)
    open = outside ~ /^[^)]*\)\{[^}"]*("|$)/
    if (!open) finish()
}
END {
    for (name in first) if (!(name in drawn)) {
        where = first[name]
        complain("plot:" name " has no axes: where the book shows it, write x=\"...\" y=\"...\"")
    }
    exit bad
}
