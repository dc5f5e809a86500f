# In:  build/weave/manifest.tsv, then the lines of noweb's markup with
#      "@index defn" added (defs.awk).
# Out: in the folder OUT, one pandoc Markdown file a chapter, NAME.md, where a
#      code chunk is a fenced block of raw pipeline lines and a quoted name is
#      `name`{.q} or `chunk name`{.q .use}, to
#      which attributes in braces right after it are added;
#      chunks.tsv, what refers to what:   chunk  NUMBER  CHAPTER  NAME
#                                         use    NUMBER  NAME  (NUMBER uses NAME)
#                                         def    NUMBER  KIND  IDENTIFIER
#      bodies.txt, "@chunk NUMBER" and the lines of each chunk, for the slides.
#      Every fence and div is told its line, as line="N", for error messages.

function flush_line() { print doc > md; doc = "" }

FNR == NR && NF { split($0, f, "\t"); number[f[4]] = f[2]; id[f[4]] = f[3]; next }

/^@file / {
    file = substr($0, 7); lineno = 1; fence = ""; doc = ""; count = 0
    if (md) close(md)
    md = OUT "/md/" id[file] ".md"
    printf "" > md
    next
}
/^@fatal/ { print "weave: " file ": " substr($0, 8) > "/dev/stderr"; exit status = 1 }
/^@begin docs/ { in_docs = 1; next }
/^@end docs/   { if (open_brace) { doc = doc "}"; open_brace = 0 }
                 if (doc != "") flush_line(); in_docs = 0; next }

in_docs && open_brace {
    if (!sub(/^@text {/, "@text  ")) doc = doc "}"
    open_brace = 0
}
in_docs && /^@text / {
    text = substr($0, 7)
    if (quoted) { quote = quote text; next }
    if (doc == "" && match(text, /^(~~~+|```+)/)) {
        mark = substr(text, 1, RLENGTH)
        if (fence == "") fence = mark
        else if (text ~ /^[~`]+[ \t]*$/ && substr(mark, 1, length(fence)) == fence) fence = ""
    }
    if (doc == "" && text ~ /^(:::+|~~~+|```+) *{.*}[ \t]*$/)
        sub(/}[ \t]*$/, " line=\"" lineno "\"}", text)
    doc = doc text
    next
}
in_docs && /^@quote/ { quoted = 1; quote = ""; use = ""; next }
in_docs && /^@use /  { if (quoted) { quote = quote substr($0, 6); use = " .use" }
                       else doc = doc "<<" substr($0, 6) ">>"
                       next }
in_docs && /^@endquote/ {
    quoted = 0
    if (fence != "") doc = doc "[[" (use ? "<<" quote ">>" : quote) "]]"
    else {
        doc = doc (quote ~ /`/ ? "`` " quote " ``" : "`" quote "`") "{.q" use
        open_brace = 1                        # [[<<x>>]]{lines=1-9} adds to it
    }
    next
}
in_docs && /^@nl/ { if (quoted) quote = quote " "; else flush_line(); lineno++; next }

/^@begin code/ {
    in_code = 1
    num = (number[file] == "" ? id[file] : number[file]) "." ++count
    print "" > md
    print "~~~~~~~~~~~~~~~~ {.chunk num=\"" num "\" line=\"" lineno "\"}" > md
    print "@chunk " num > (OUT "/bodies.txt")
    next
}
/^@end code/ { in_code = 0; print "~~~~~~~~~~~~~~~~\n" > md; next }
in_code {
    if (/^@nl/) lineno++
    if (/^@defn /) print "chunk\t" num "\t" id[file] "\t" substr($0, 7) > (OUT "/chunks.tsv")
    if (/^@use /)  print "use\t" num "\t" substr($0, 6) > (OUT "/chunks.tsv")
    if (/^@index defn /) {
        name = substr($0, 13)
        kind = sub(/^struct /, "", name) ? "tag" : "name"
        print "def\t" num "\t" kind "\t" name > (OUT "/chunks.tsv")
    }
    print > md
    print > (OUT "/bodies.txt")
}
END { exit status }
