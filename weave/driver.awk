# In:  build/weave/manifest.tsv.  -v TEX=folder of the chapters' LaTeX
#      -v BUILD=build
#      -v ONLY=name for one chapter alone; -v PAPER=1 for the print edition
# Out: the LaTeX file that inputs them all, in their order.

function tell(id) { print "\\typeout{weave: chapter " id "}\\input{" TEX "/" id ".tex}" }
BEGIN {
    FS = "\t"
    if (PAPER) print "\\def\\wprintedition{}"
    print "\\def\\wbuild{" BUILD "}\\input{book/print.tex}\n\\begin{document}\\wopenindex"
    if (ONLY == "")
        print "\\def\\wmissingis#1{\\typeout{#1}}\\wtitlepages\\wcontents"
}
{ kind[NR] = $1; number[NR] = $2; id[NR] = $3; title[NR] = $5; part[NR] = $6
  if ($1 == "chapter") present[$6] = 1
  if ($1 == "chapter" || $1 == "planned")
      list[$6] = list[$6] "\\wpart" $1 "{" $2 "}{" $3 "}{" $5 "}" }
END {
    for (i = 1; i <= NR; i++) {
        if (ONLY != "") { if (id[i] == ONLY) tell(id[i]); continue }
        if ((kind[i] == "part" || kind[i] == "chapter") && !main++) print "\\cleardoublepage"
        if (kind[i] == "part" && present[part[i]])
            print "\\wpart{" tolower(number[i]) "}{" title[i] "}{" list[part[i]] "}"
        else if (kind[i] == "part")
            print "\\wplannedpart{" tolower(number[i]) "}{" title[i] "}"
        else if (kind[i] == "planned")
            print "\\wplanned{" number[i] "}{" id[i] "}{" title[i] "}"
        else {
            if (kind[i] == "appendix" && !back++) print "\\wbackpart{Back matter}"
            tell(id[i])
        }
    }
    if (ONLY == "") print "\\wbackmatter"
    print "\\wchapter{}{answers}{Answers}"
    for (i = 1; i <= NR; i++)
        if (id[i] == ONLY || ONLY == "" && kind[i] ~ /^(front|chapter|appendix)$/)
            print "\\typeout{weave: answers of " id[i] "}\\input{" TEX "/" id[i] ".answers.tex}"
    print "\\typeout{weave: bibliography}\\wchapter{}{bibliography}{Bibliography}\\input{" TEX "/bibliography.tex}"
    if (ONLY == "") {
        print "\\typeout{weave: index}\\wprintindex{c}{Index of concepts}"
        print "\\wprintindex{i}{Index of identifiers}\n\\wprintindex{k}{Index of chunks}"
    }
    print "\\end{document}"
}
