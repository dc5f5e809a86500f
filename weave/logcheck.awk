# In:  LuaLaTeX's log, in which "weave: chapter NAME" and "weave: slide NAME"
#      say what comes next.
# Out: one line, and status 1, for each missing character, overfull box,
#      undefined reference and key that is defined twice.

/^weave: /             { where = $0; sub(/^weave: /, "", where) }
/^Missing character/   { bad($0) }
/^Overfull /           { if ($0 !~ /\((0\.0[0-9]*)pt too/) { bad($0); context = /paragraph|alignment/ ? 2 : 0; next } }
/[Rr]eference .* undefined|multiply.defined|destination .* duplicate|unreferenced destination/ { bad($0) }
context-- > 0 && NF    { print "        " $0 > "/dev/stderr" }
function bad(text) { print "weave: " NAME ", " where ": " text > "/dev/stderr"; status = 1 }
END { exit status }
