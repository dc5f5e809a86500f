# The course's topics: where each is taught, shown and run.
# In:  book/topics.tsv (id, topic, evidence), the chapters, the tests.  A
#      section and a slide name the topics that they teach, topics="a b"; a
#      test names those that it runs, "# topics: a b".
# Out: with -v CHAPTER=1 the appendix, as a chapter's source; else a line for
#      each fault, and exit status 1: a name that is no topic, a topic that is
#      claimed but not taught in a section, shown on a slide and, by its
#      evidence, run.  With -v COMPLETE=1 a topic that nobody claims is a fault.
function fault(text) { print text > "/dev/stderr"; bad = 1 }

# note(LIST, WHERE): WHERE teaches, shows or runs the topics of LIST.
function note(list, table, where,    i, n, id) {
    n = split(list, id, " ")
    for (i = 1; i <= n; i++) {
        if (!(id[i] in topic)) fault(FILENAME ":" FNR ": \"" id[i] "\" is no topic of book/topics.tsv")
        claimed[id[i]] = 1
        table[id[i]] = table[id[i]] (table[id[i]] == "" ? "" : ", ") where
        if (!(id[i] in at)) at[id[i]] = FILENAME ":" FNR
    }
}
function attribute(line, name) {
    if (!match(line, name "=\"[^\"]*\"")) return ""
    return substr(line, RSTART + length(name) + 2, RLENGTH - length(name) - 3)
}
function label(line, kind) {
    return match(line, "#" kind ":[a-z-]+") ? substr(line, RSTART + 1, RLENGTH - 1) : ""
}

FILENAME ~ /\.tsv$/ {
    if ($0 !~ /^#/ && split($0, f, "\t") == 3) {
        order[++count] = f[1]; topic[f[1]] = f[2]; evidence[f[1]] = f[3]
    }
    next
}
/^#+ .*\{#sec:/    { note(attribute($0, "topics"), taught, "@" label($0, "sec")) }
/^::: \{\.slide/   { note(attribute($0, "topics"), shown, label($0, "slide")) }
FILENAME ~ /\.bats$/ && sub(/^# topics: /, "") {
    name = FILENAME; gsub(/.*\/|\.bats$/, "", name)
    note($0, run, "`" name "`")
}

END {
    for (i = 1; i <= count; i++) {
        id = order[i]
        if (!(id in claimed)) { left[++lefts] = id; continue }
        if (!(id in taught)) fault(at[id] ": topic " id " is taught in no section")
        if (!(id in shown)) fault(at[id] ": topic " id " is on no slide")
        if (evidence[id] == "program" && !(id in run)) fault(at[id] ": topic " id " is run by no test (# topics: " id ")")
    }
    if (COMPLETE) for (i = 1; i <= lefts; i++) fault("topic " left[i] " is taught nowhere")
    if (!CHAPTER) { print count - lefts " of " count " topics are taught"; exit bad }

    print "# Where each topic is taught {#topics}\n"
    print "The course has " count " topics. @tab:topics lists those that this edition teaches, with"
    print "the sections that teach them and the tests that run them.\n"
    print "::: {#tab:topics}\n| topic | taught in | run by |\n|:--------------------------------|:----------------|:------------|"
    for (i = 1; i <= count; i++)
        if ((id = order[i]) in claimed)
            print "| " topic[id] " | " taught[id] " | " run[id] " |"
    print "\n: The topics that are taught.\n:::\n"
    if (lefts) {
        print "## Still to be taught\n"
        for (i = 1; i <= lefts; i++) print "- " topic[left[i]]
    }
}
