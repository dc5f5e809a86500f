# In:  the recorded table of a plot (tests/plots): a line of names, x's and each
#      series', then a line for each x.  X and Y are the axes' words, LOG has the
#      letters of the axes that are logarithmic; WHERE asks for it, RECORD is its file.
# Out: one tikzpicture, and before it "% alt: TEXT", the same in words.
# Series differ by line and mark, not by colour, and have their names at the end.
# An x that counts bytes ("bytes" in the table) is written with k and M.
BEGIN {
    FS = "\t"
    wide = 8.6; high = 5.2
    logx = LOG ~ /x/; logy = LOG ~ /y/
    split("line width=1pt, draw=adapterfill|line width=1pt, draw=accent, dash pattern=on 4pt off 1.6pt|line width=1pt, draw=ink, dash pattern=on 1.2pt off 1.4pt|line width=1pt, draw=quiet, dash pattern=on 5pt off 1.4pt on 1.2pt off 1.4pt", line, "|")
    split("\\fill[adapterfill] (%x,%y) circle[radius=1.7pt];|\\filldraw[draw=accent,fill=white,line width=.7pt] (%x,%y) +(-1.7pt,-1.7pt) rectangle +(1.7pt,1.7pt);|\\fill[ink] (%x,%y) +(0,2.2pt) -- +(2pt,-1.5pt) -- +(-2pt,-1.5pt) -- cycle;|\\draw[quiet,line width=.8pt] (%x,%y) +(-1.6pt,-1.6pt) -- +(1.6pt,1.6pt) (%x,%y) +(-1.6pt,1.6pt) -- +(1.6pt,-1.6pt);", mark, "|")
}
function malformed(text) {
    print "weave: " WHERE ": " RECORD ": " text ": run make record" > "/dev/stderr"
    exit bad = 1
}
/^#/ { next }
!series { for (i = 1; i <= NF; i++) name[i - 1] = $i; series = NF - 1; next }
{
    if (NF != series + 1) malformed("a line of " NF " columns, not " series + 1)
    if ($0 ~ /[^0-9.\t]/) malformed("\"" $0 "\" are no numbers")
    x[++n] = $1
    for (s = 1; s <= series; s++) y[s, n] = $(s + 1)
}
function log10(v) { return log(v) / log(10) }
function number(v) { return v == int(v) ? sprintf("%d", v) : sprintf("%.3g", v) }
function short(v) {                            # of bytes, as the options write them
    if (name[0] != "bytes") return number(v)
    return v >= 1048576 ? number(v / 1048576) "M" : v >= 1024 ? number(v / 1024) "k" : number(v)
}
function at_x(v) { return logx ? wide * (log(v) - log(x0)) / (log(x1) - log(x0)) : wide * (v - x0) / (x1 - x0) }
function at_y(v) { return logy ? high * (log10(v) - y0) / (y1 - y0) : high * (v - y0) / (y1 - y0) }
function tick_x(v,    p) {
    p = at_x(v)
    printf "\\draw[quiet] (%.3f,0) -- +(0,-.08) node[note, below] {%s};\n", p, short(v)
}
function tick_y(v, text) {
    printf "\\draw[kernelfill, line width=.3pt] (0,%.3f) -- +(%.2f,0);\n", at_y(v), wide
    printf "\\node[note, left] at (-.02,%.3f) {%s};\n", at_y(v), text
}
END {
    if (bad) exit 1
    if (series < 1 || n < 2) malformed("not enough to draw")
    if (series > 4) malformed(series " series: four can be told apart")
    x0 = x1 = x[1]; low = high_value = y[1, 1]
    for (i = 1; i <= n; i++) {
        if (x[i] < x0) x0 = x[i]
        if (x[i] > x1) x1 = x[i]
        for (s = 1; s <= series; s++) {
            if (y[s, i] < low) low = y[s, i]
            if (y[s, i] > high_value) high_value = y[s, i]
        }
    }
    if (logx && x0 <= 0 || logy && low <= 0) malformed("nothing below 0 fits on a logarithmic axis")
    alt = "Plot of " Y " over " X (LOG == "xy" ? ", both logarithmic" : logx ? ", which is logarithmic" : "") "."
    for (s = 1; s <= series; s++) {
        alt = alt " " toupper(substr(name[s], 1, 1)) substr(name[s], 2) ":"
        for (i = 1; i <= n; i++) alt = alt (i > 1 ? "," : "") " " number(y[s, i]) " at " short(x[i])
        alt = alt "."
    }
    print "% alt: " alt
    print "\\begin{tikzpicture}"
    if (logy) {
        y0 = log10(low); y0 = int(y0) - (y0 < int(y0))
        y1 = log10(high_value); y1 = int(y1) + (y1 > int(y1))
        if (y1 == y0) y1++
        for (t = y0; t <= y1; t++) tick_y(10 ^ t, number(10 ^ t))
    } else {
        step = 10 ^ int(log10(high_value / 5))
        while (high_value / step > 6) step *= (step / 10 ^ int(log10(step) + .001) < 1.5 ? 2 : 2.5)
        y0 = 0
        for (y1 = 0; y1 < high_value; ) y1 += step
        for (t = 0; t <= y1 + step / 2; t += step) tick_y(t, number(t))
    }
    every = int((n - 1) / 8) + 1               # at most nine ticks, from the first on
    for (i = 1; i <= n; i += every) tick_x(x[i])
    printf "\\draw[life] (0,%.2f) -- (0,0) -- (%.2f,0);\n", high, wide
    printf "\\node[note] at (%.2f,-.78) {%s};\n", wide / 2, X
    printf "\\node[note, anchor=south west] at (-.75,%.2f) {%s};\n", high + .08, Y
    for (s = series; s >= 1; s--) {
        printf "\\draw[%s]", line[s]
        for (i = 1; i <= n; i++) printf "%s (%.3f,%.3f)", (i > 1 ? " --" : ""), at_x(x[i]), at_y(y[s, i])
        print ";"
        for (i = 1; i <= n; i++) {
            m = mark[s]
            gsub(/%x/, sprintf("%.3f", at_x(x[i])), m); gsub(/%y/, sprintf("%.3f", at_y(y[s, i])), m)
            print m
        }
    }
    # the names: at their ends, but no two closer than a line
    for (s = 1; s <= series; s++) { end[s] = at_y(y[s, n]); order[s] = s }
    for (i = 1; i < series; i++) for (j = i + 1; j <= series; j++)
        if (end[order[j]] < end[order[i]]) { t = order[i]; order[i] = order[j]; order[j] = t }
    for (i = 1; i <= series; i++) {
        p = end[order[i]]
        if (i > 1 && p < before + .36) p = before + .36
        before = p
        printf "\\node[note right, text=ink] at (%.2f,%.3f) {%s};\n", wide + .12, p, name[order[i]]
    }
    print "\\end{tikzpicture}"
}
