# In:  the chapter with the chunks "what a move must say" and "legal moves of a
#      queue pair".  Out: TikZ that draws an arrow for each row of the second,
#      with the attributes that it needs over RC; the nodes RESET, INIT ... are
#      those of figures/qp-states.tex.  Exit status 1 if there are no rows.
/^<<.*>>=$/ { chunk = $0; next }
/^@ ?$/     { chunk = "" }
chunk ~ /<<what a move must say>>/ {
    n = split($0, word, /[^A-Z0-9_]+/)
    for (i = 1; i <= n; i++) {
        if (word[i] == "") continue
        if (word[i] !~ /^IBV_QP_/ && $0 ~ word[i] " =") set = word[i]
        else if (word[i] ~ /^IBV_QP_/) add(set, tolower(substr(word[i], 8)))
        else if (word[i] in said) said[set] = said[word[i]]
    }
}
chunk ~ /<<legal moves of a queue pair>>/ && /^\{/ {
    gsub(/[{},]+/, " ")
    gsub(/IBV_QPS_/, "")
    from[++rows] = $1; to[rows] = $2; need[rows] = $3
    pair[$1, $2]
}
function add(s, name) { gsub(/_/, "\\_", name); said[s] = said[s] (said[s] == "" ? "" : ", ") name }
END {
    for (i = 1; i <= rows; i++) {
        a = from[i]; b = to[i]
        if (a == "ANY_STATE")
            printf "\\draw[control] ($(%s.west)+(-.75,0)$) node[note left] {any} -- (%s);\n", b, b
        else if (a == b)
            printf "\\draw[control] (%s) to[out=%s, looseness=4] (%s);\n", a, a == "INIT" ? "155, in=205" : "-60, in=-120", a
        else
            printf "\\draw[control] (%s) to%s%s (%s);\n", a, (b, a) in pair ? "[bend left=28]" : "", said[need[i]] == "" ? "" : " node[needs] {" said[need[i]] "}", b
    }
    exit !rows
}
