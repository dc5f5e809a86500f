# In:  a chapter as Markdown (split.awk), with tables that are asked for:
#        ::: {#tab:x table=NAME columns="KEY:WIDTH KEY:WIDTH" where="KEY=VALUE" line="N"}
#        : Caption
#        :::
#      (attribute.awk reads what they ask), and -v TABLES=book/tables, whose NAME.tsv has a line of keys, one of heads,
#      and then the rows.  CHAPTER is for messages.
# Out: the same, with each table written out as a pipe table.  WIDTHs are those
#      of the columns, in parts of the whole; WHERE takes rows of which all its
#      KEY=VALUE are true, without it all.  Without #tab:x only the rows come.
function complain(text) { print "weave: " CHAPTER (line ? ":" line : "") ": " text > "/dev/stderr"; bad = 1 }
function quoted(text) {                        # as split.awk writes [[x]]
    if (text == "-") return ""
    gsub(/\[\[/, "`", text); gsub(/\]\]/, "`{.q}", text)
    return text
}
function row(cells,    c, text) {
    for (c = 1; c <= columns; c++) text = text "| " quoted(cells[at[key[c]]]) " "
    return text "|"
}
function chosen(cells,    w, part) {
    for (w = 1; w <= wanted; w++) {
        split(want[w], part, "=")
        if (cells[at[part[1]]] != part[2]) return 0
    }
    return 1
}
function expand(name,    path, text, n, c, cells, part, rows, rule) {
    path = TABLES "/" name ".tsv"
    columns = split(attribute($0, "columns", ""), key, " ")
    wanted = split(attribute($0, "where", ""), want, " ")
    rule = "|"
    for (c = 1; c <= columns; c++) {
        if (key[c] !~ /^[a-z]+:[0-9]+$/) { complain("table=" name ": columns are KEY:WIDTH, not \"" key[c] "\""); return }
        split(key[c], part, ":")
        key[c] = part[1]
        rule = rule ":" substr("------------------------------------------------------------------------", 1, part[2]) "|"
    }
    split("", at); n = 0
    while ((getline text < path) > 0) {
        if (text ~ /^#/) continue
        if (split(text, cells, "\t") != (n ? fields : fields = split(text, cells, "\t"))) {
            complain(path ": " text ": not as many columns as the first row"); break
        }
        if (!n++) {
            for (c = 1; c <= fields; c++) at[cells[c]] = c
            for (c = 1; c <= columns; c++) if (!(key[c] in at)) { complain(path " has no column \"" key[c] "\""); return }
            for (c = 1; c <= wanted; c++) { split(want[c], part, "="); if (!(part[1] in at)) { complain(path " has no column \"" part[1] "\""); return } }
        } else if (n == 2) print row(cells) "\n" rule
        else if (chosen(cells)) { print row(cells); rows++ }
    }
    close(path)
    if (!n) complain("there is no " path)
    else if (!rows) complain("table=" name ": no row has " attribute($0, "where", ""))
}
/^:::+ *{(.* )?table=/ {
    line = attribute($0, "line", "")
    name = attribute($0, "table", "")
    bare = !match($0, /#tab:[a-z0-9-]+/)
    if (!bare) print "::: {" substr($0, RSTART, RLENGTH) " line=\"" line "\"}"
    expand(name)
    print ""
    inside = bare
    next
}
inside { if (/^:::+ *$/) inside = 0; else if (!/^ *$/) complain("a table without #tab: has no caption"); next }
{ print }
END { exit bad }
