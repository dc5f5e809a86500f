# In:  chapters, through images.awk.  Out: a line for each plot that has its axes,
#      ![Caption](plot:NAME){x="..." y="..." log=...}, tab-separated:
#      chapter:line, NAME, x, y, log ("-" for none).
# A slide that shows it again says plot:NAME without x.
BEGIN { SCHEME = "plot" }
function found(name,    x, y, log_) {
    x = value("x"); y = value("y"); log_ = value("log")
    if (log_ !~ /^(-|x|y|xy)$/) complain("plot:" name ": log is \"" log_ "\": it takes x, y or xy")
    if (!(name in first)) first[name] = where
    if (x != "-" || y != "-") {
        if (x == "-" || y == "-") complain("plot:" name ": an axis has no words: x=\"...\" y=\"...\"")
        if (name in drawn) complain("plot:" name " has its axes in " drawn[name] " already")
        drawn[name] = where
        print where "\t" name "\t" x "\t" y "\t" log_
    }
}
END {
    for (name in first) if (!(name in drawn)) {
        where = first[name]
        complain("plot:" name " has no axes: where the book shows it, write x=\"...\" y=\"...\"")
    }
    exit bad
}
