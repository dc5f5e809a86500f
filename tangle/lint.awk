# In:  noweb sources (book/*.nw chunks/*.nw).
# Out: a line "file:line: what is wrong; what to write instead" for each
#      thing that noweb would silently take for something else, or that the
#      house style forbids.  Exit status 1 if there was any.
# A chunk's length is counted without blank lines and without the names of
# other chunks: 25 lines at most.
# Why: an unescaped "<<" in prose is taken for a chunk, a lone "@" ends one,
#      "[[" in a shell transcript starts a quote, and a chunk used inside a
#      macro breaks once line directives are woven in.

function say(text) {
    printf "%s:%d: %s\n", FILENAME, FNR, text
    bad = 1
}

function end_of_file() {
    if (code)
        printf "%s:%d: chunk <<%s>> has no end; write a line with a lone \"@\"\n",
            last_file, last_line, chunk
    if (fence != "")
        printf "%s:%d: the fence opened in line %d is never closed; write %s\n",
            last_file, last_line, fence_line, fence
    if (code || fence != "") bad = 1
    code = 0; fence = ""
}

FNR == 1 { if (NR > 1) end_of_file(); prose = 0 }
{ last_file = FILENAME; last_line = FNR }

/\r$/         { say("the line ends in CR LF; write LF alone") }
/[ \t]+$/ && !/^@ $/ { say("blanks at the end of the line; delete them") }

# A chunk begins.
/^<<.*>>=/ {
    if (code)
        say("chunk <<" chunk ">> is still open; end it with a line \"@\" first")
    if ($0 !~ /^<<[^<>]+>>=$/)
        say("text after \">>=\", or \"<\" in the name; write the name alone")
    chunk = $0
    sub(/^<</, "", chunk); sub(/>>=.*/, "", chunk)
    if (chunk ~ /^ | $|  /)
        say("stray blanks in the chunk's name; write <<" chunk ">> with single ones")
    if (!prose)
        say("no prose before chunk <<" chunk ">>; say why it is there")
    code = 1; prose = 0; lines = 0
    next
}

# A chunk ends.
code && /^@( |$)/ {
    if (blank)
        say("a blank line at the end of a chunk; delete it")
    if (lines > 25)
        say("chunk <<" chunk ">> has " lines " lines; cut it where the text wants to pause")
    if ($0 !~ /^@ ?$/)
        say("text after the \"@\" that ends a chunk; write it on the next line")
    code = 0
    next
}

code {
    if (/\t/) say("a tab in code; indent by four spaces")
    if (length($0) > 72)
        say("a code line of " length($0) " columns; break it at 72 (66 is better)")
    blank = /^$/
    line = $0
    if (line !~ /^ *(<<.*>>)?$/) lines++
    gsub(/@<</, "", line); gsub(/@>>/, "", line)
    if (line ~ /^ *<<[^<>]+>>$/) {
        if (continued)
            say("a chunk inside a macro, which breaks with line directives; make it a function")
    } else if (line ~ /<<.*>>/)
        say("\"<<\" and \">>\" on one line are taken for a chunk; write \"@<<\" for a shift, or put the chunk on a line of its own")
    continued = (line ~ /\\$/)
    next
}

# Prose.  Quoted code such as [[x]] and [[<<a chunk>>]] is meant for noweb.
/^@ / || /^@$/ { say("a lone \"@\" outside a chunk; delete it, or write \"@@\"") }

fence == "" && /^(~~~|```)/ {
    fence = substr($0, 1, 3); fence_line = FNR
    next
}
fence != "" && index($0, fence) == 1 { fence = ""; next }

!/^$/ && !/^:::/ && !/^#/ { prose = 1 }

{
    line = $0
    gsub(/@<</, "", line)
    if (fence != "") {
        if (line ~ /\[\[/)
            say("\"[[\" in a fence is taken for a quote; write \"@[[\", or \"test\" in shell")
    } else
        gsub(/\[\[[^\]]*\]\]/, "", line)
    if (line ~ /<</)
        say("\"<<\" in prose is taken for a chunk; write \"@<<\"")
}

END { end_of_file(); exit bad }
