# In:  chapters (noweb over Markdown).
# Out: their prose alone, line for line: no code, fences, quoted code, links,
#      attributes or citations; so that line numbers still fit.  Quoted code
#      becomes a zero, so that its neighbours do not become each other's.
/^<<.*>>=/                 { code = 1 }
code                       { if (/^@ ?$/) code = 0; print ""; next }
/^(~~~|```)/               { fence = !fence; print ""; next }
fence || /^:::/            { print ""; next }
{
    gsub(/\[\[[^]]*\]\]+/, "0")
    gsub(/`[^`]*`/, "0")
    gsub(/!?\]\([^)]*\)/, " ")
    gsub(/\{[^}]*\}?/, " ")
    gsub(/^[^{]*"\}$/, " ")
    gsub(/\[?-?@[^] ,;]*/, " ")
    gsub(/[A-Za-z_]+\([0-9]\)/, " ")
    print
}
