# In:  chapters, through images.awk.  Out: a line for each image of a recorded exchange,
#      ![Caption](wire:NAME){run="..." transport=iwarp show="..." rows=N},
#      tab-separated: chapter:line, NAME, run, show, rows ("-" for what is not
#      there), and the lab's transport: rxe, or siw for iWARP.
# A slide that shows it again says wire:NAME without run.
BEGIN { SCHEME = "wire" }
function found(name,    run, show, rows, over, i, n, word) {
    run = value("run"); show = value("show"); rows = value("rows"); over = value("transport")
    n = split(show, word, " ")
    for (i = 1; i <= n; i++) if (word[i] !~ /^(-|setup|messages|end)$/)
        complain("wire:" name ": show is \"" word[i] "\": it takes setup, messages and end")
    if (rows != "-" && (rows !~ /^[0-9]+$/ || rows + 0 < 5 || rows + 0 > 30))
        complain("wire:" name ": rows is " rows ": 5 to 30 fit on a page")
    if (run != "-" && name in runs && runs[name] != run)
        complain("wire:" name " is another run in " asked[name] ": give it another name")
    if (over !~ /^(-|roce|iwarp)$/) complain("wire:" name ": transport is \"" over "\": it is roce or iwarp")
    if (over != "-" && run == "-") complain("wire:" name ": transport belongs where run is")
    if (run != "-") { runs[name] = run; asked[name] = where; device[name] = over == "iwarp" ? "siw" : "rxe" }
    line[++count] = where "\t" name "\t%s\t" show "\t" rows
    named[count] = name; at[count] = where
}
END {
    for (i = 1; i <= count; i++) {
        where = at[i]
        if (named[i] in runs) printf line[i] "\t%s\n", runs[named[i]], device[named[i]]
        else if (!said[named[i]]++) complain("wire:" named[i] " has no run: where the book shows it, write run=\"PROGRAM OPTION...\"")
    }
    exit bad
}
