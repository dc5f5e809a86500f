# The appendix that lists the programs.
# In:  the chapters.  The roots "NAME/FILE.c" and "NAME/FILE.h" are the programs' files.
# Out: the appendix as a chapter's source: a section a program, with a fence
#      for each of its files, which print.lua fills and web.lua links.
match($0, /^<<[a-z][a-z0-9-]*\/[a-z0-9-]*\.[ch]>>=$/) {
    path = substr($0, 3, length($0) - 5)
    if (seen[path]++) next
    name = path; sub(/\/.*/, "", name)
    if (!(name in files)) order[++n] = name
    files[name] = files[name] path "\n"
}
function listing(path) {
    print "~~~ {.program file=\"" path "\"}\n~~~\n"
}
END {
    print "# The programs, complete {#programs}\n"
    print "What the chapters explain piece by piece stands here whole, as it is compiled. Each run of"
    print "lines carries the number of the chunk that it comes from.\n"
    print "::: {.only for=web}\nEach program has a page of its own.\n:::\n"
    for (i = 1; i <= n; i++) {
        print "## `" order[i] "` {#sec:program-" order[i] "}\n"
        count = split(files[order[i]], each, "\n") - 1
        for (k = 1; k <= count; k++) listing(each[k])
    }
    print "## `support` {#sec:program-support}\n"
    print "All programs share these two files; they are in each one's folder.\n"
    listing("support.h")
    listing("support.c")
}
