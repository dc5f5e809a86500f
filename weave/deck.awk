# In:  build/weave/manifest.tsv and decks.tsv, then a deck: lines of
#      KEY<tab>VALUE, the keys being title, subtitle, chapter (repeatable; all
#      its slides).
#      -v BUILD=build -v TEX=folder -v PREAMBLE=file, and for the notes -v DECK=name
# Out: the LaTeX file of the deck, or of its presenter's edition.

BEGIN { FS = "\t" }
FNR == 1 { read++ }
read == 1 { number[$3] = $2; name[$3] = $5; kind[$3] = $1; next }
read == 2 { minutes[$1] = $2; core[$1] = $3; next }
/^#/ || /^$/ { next }
$1 == "chapter" {
    if (!($2 in name)) fail("no chapter is called \"" $2 "\"")
    else if (kind[$2] == "planned") fail("chapter " $2 " is only planned")
    else chapter[++n] = $2
    next
}
$1 ~ /^(title|subtitle)$/ { value[$1] = $2; next }
{ fail("what is \"" $1 "\"?") }
function fail(text) { print "weave: " FILENAME ":" FNR ": " text > "/dev/stderr"; status = 1 }
function deck(    f) { f = FILENAME; gsub(/.*\/|\.deck$/, "", f); return f }
END {
    if (status) exit status
    print "\\def\\wbuild{" BUILD "}\\def\\wdeckname{" DECK "}\\input{" PREAMBLE "}"
    print "\\hypersetup{pdftitle={" value["title"] "}}"
    print "\\begin{document}\\raggedright"
    print "\\wtitle{" value["title"] "}{" value["subtitle"] "}{" minutes[deck()] " minutes, " core[deck()] " without what is optional}"
    for (i = 1; i <= n; i++)
        list = list "\\wagendaitem{" number[chapter[i]] "}{" name[chapter[i]] "}"
    if (n > 1) print "\\wagenda{" list "}"
    for (i = 1; i <= n; i++) {
        print "\\wdeckchapter{" number[chapter[i]] "}{" name[chapter[i]] "}{" n "}"
        print "\\input{" TEX "/" chapter[i] (DECK ? ".notes" : "") ".tex}"
    }
    print "\\wlicence\n\\end{document}"
}
