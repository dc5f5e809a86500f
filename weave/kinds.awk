# The appendix "How the course is tested".
# In:  tests/kinds.tsv, and -v PROGRAMS=the output of tests/programs.
# Out: the appendix as a chapter's source: what each kind of test shows, and
#      the matrix of programs and kinds.
BEGIN { FS = "\t" }
/^#/ { next }
{ kind[++kinds] = $1; of[kinds] = $2; column[kinds] = $3; shows[kinds] = $4 }
END {
    print "# How the course is tested {#tests}\n"
    print "Every program of this book is run by tests, on real kernels and real packets. @tab:kinds"
    print "has the kinds of test there are. `make check` runs those that every change must pass,"
    print "`make check-all` runs them all, and `make check-network` and the like one kind. Each"
    print "kind brings a fault of its own along, a leak, a race, a wrong byte, and fails"
    print "when it does not find it.\n"
    print "::: {#tab:kinds}\n| kind | what it shows |\n|:-------------|:------------------------------------------------------------|"
    for (k = 1; k <= kinds; k++) print "| `" kind[k] "` | " shows[k] " |"
    print "\n: The kinds of test.\n:::\n"
    print "@tab:matrix says which kinds a program has to pass. A dot is at least one test, mostly"
    print "many. Where there is none, the kind is not about that program: a program that has no peer"
    print "cannot be disturbed by the wire, one without threads has no races.\n"
    # (a line of more than 72 columns would make pandoc stretch the table)
    head = "|program|"; rule = "|:-|"
    for (k = 1; k <= kinds; k++) if (of[k] != "-") { head = head column[k] "|"; rule = rule ":-:|" }
    print "::: {#tab:matrix}\n" head "\n" rule
    n = split(PROGRAMS, line, "\n")
    for (i = 1; i <= n; i++) {
        words = split(line[i], word, " ")
        split("", is)
        for (w = 2; w <= words; w++) is[word[w]] = 1
        row = "|`" word[1] "`|"
        for (k = 1; k <= kinds; k++) if (of[k] != "-") row = row (of[k] == "all" || of[k] in is ? "•|" : "|")
        print row
    }
    print "\n: The programs and the kinds of test.\n:::"
}
