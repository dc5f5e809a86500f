# In:  the recorded table of an exchange (lab/dissect; "#" begins a comment).
#      WHERE asks for it, RECORD is its file; SHOW takes some of "setup messages
#      end" (all: "-"), ROWS is the most arrows ("-": 24).
# Out: one tikzpicture, in the vocabulary of figures/style.tex, and before it
#      "% alt: TEXT", the same in words.  Runs after lab/packet.awk.
# What does not fit is left out where it repeats itself, or else in the middle;
# a row of dots says how much that is.  Exit status 1 if the table is not one.
BEGIN {
    FS = "\t"
    if (ROWS == "-") ROWS = 24
    left = 1.95; right = 10.15                 # the life lines
    drop = .30; step = .43; turn = .56         # an arrow's fall; from one to the next
    kinds = "^(cm|rc|uc|rd|ud|tcp|mpa|rdmap)$"
    number = "^(-|[0-9]+)$"
}
function malformed(text) {
    print "weave: " WHERE ": " RECORD (FNR ? ":" FNR : "") ": " text ": run make record" > "/dev/stderr"
    exit bad = 1
}
/^#/ { next }
{
    if (NF != 8) malformed(NF " columns, not 8")
    if ($1 != "client" && $1 != "server") malformed("\"" $1 "\" is neither client nor server")
    if ($3 !~ kinds) malformed("\"" $3 "\" is no protocol")
    if ($2 !~ number || $5 !~ number || $6 !~ number || $7 !~ number) malformed("no number where one belongs")
    if ($4 == "" || $8 == "") malformed("an empty column: \"-\" says nothing")
    if ($2 > 1) MANY = 1
    if ($3 == "mpa") iwarp = 1
    all[++packets] = $0
    data = $3 ~ /^(rc|uc|ud|rdmap)$/ || $4 == "data"
    if (data && !first_data) first_data = packets
    if (!last && $4 ~ /^(DisconnectRequest|FIN|RST)/) last = packets
}

function escaped(s) { gsub(/[_%&#]/, "\\\\&", s); return s }
function actor_of(i) {
    if ($3 == "cm" || iwarp && (i < first_data || i >= last)) return "connection\\\\manager"
    return $3 == "tcp" && !iwarp ? "kernel" : "adapter"
}
function style_of() {
    if ($8 ~ /^(receiver not ready|error|reason|rejected)/ || $4 == "Terminate" || $4 == "RST") return "refuse"
    if ($3 == "cm" || $3 == "mpa" || $4 ~ /^(SYN|FIN)/) return "manage"
    if ($4 == "ACK" || $4 == "Acknowledge") return "acknowledge"
    return $4 ~ /Request$|^Compare|^Fetch|^Atomic/ ? "control" : "message"
}
# What two rows have in common that show the same step: all but the numbers.
function step_of(i) { $0 = all[rows[i]]; return $1 FS $3 FS $4 FS $6 FS $8 }

# leave_out(A, B, TEXT): rows A to B become one of dots; in TEXT, N is how many
# packets that leaves out.
function leave_out(a, b, text,    i, n) {
    for (i = a; i <= b; i++) n += rows[i] in hidden ? hidden[rows[i]] : 1
    sub(/N/, n, text)
    rows[a] = "... " text
    hidden[rows[a]] = n
    for (i = b + 1; i <= count; i++) rows[a + i - b] = rows[i]
    count -= b - a
}
function fold(    i, p, k, s, best, start, period, again) {
    for (i = 1; i <= count; i++) s[i] = step_of(i)
    for (p = 1; p <= count / 3; p++) {
        k = 0                                  # how long rows have been as p before
        for (i = p + 1; i <= count + 1; i++) {
            if (i <= count && s[i] == s[i - p]) k++
            else {
                if (int(k / p) >= 2 && p * (int(k / p) - 1) > best) {
                    best = p * (int(k / p) - 1); start = i - k - p; period = p; again = int(k / p) - 1
                }
                k = 0
            }
        }
    }
    if (best < 2) return
    leave_out(start + period, start + period + best - 1,
        (period > 1 ? "the same " period " packets, " : "the same, ") (again == 1 ? "once more" : again " times more"))
}

function segment(    a, i, x, side) {          # the life lines of one who acts
    if (!actor) return
    a = actor == "adapter" ? "life adapter" : "life kernel"
    for (side = 0; side < 2; side++) {
        x = side ? right : left
        out[++o] = sprintf("\\draw[%s] (%.2f,%.2f) -- (%.2f,%.2f);", a, x, top, x, bottom)
        out[++o] = sprintf("\\node[note %s] at (%.2f,%.2f) {%s};", side ? "right" : "left", side ? x + .12 : x - .12, (top + bottom) / 2, actor)
    }
    actor = ""
}
END {
    if (bad) exit 1
    if (!packets) { FNR = 0; malformed("no packet") }
    if (!first_data) first_data = packets + 1
    if (!last) last = packets + 1
    for (i = 1; i <= packets; i++) {
        part = i >= last ? "end" : i < first_data ? "setup" : "messages"
        if (SHOW == "-" || index(" " SHOW " ", " " part " ")) rows[++count] = i
    }
    if (!count) { FNR = 0; malformed("nothing to show of \"" SHOW "\"") }
    if (count > ROWS) fold()
    if (count > ROWS) {
        a = int(ROWS / 2)
        leave_out(a + 1, count - (ROWS - a - 1), "N more packets")
    }

    y = 0; before = ""
    for (r = 1; r <= count; r++) {
        if (rows[r] ~ /^\.\.\. /) {
            segment()
            y -= r == 1 ? 0 : drop + .1
            for (side = 0; side < 2; side++)
                out[++o] = sprintf("\\draw[setup] (%.2f,%.2f) -- (%.2f,%.2f);", side ? right : left, y, side ? right : left, y - .4)
            out[++o] = sprintf("\\node[note] at (%.2f,%.2f) {\\ldots{} %s \\ldots};", (left + right) / 2, y - .2, substr(rows[r], 5))
            alt = alt (spoken ? ". " : "") "Then " substr(rows[r], 5)
            spoken = "."; before = "..."; y -= .74
            continue
        }
        $0 = all[rows[r]]
        if (before != "" && before != "...") y -= before == $1 ? step : turn
        acts = actor_of(rows[r])
        if (acts != actor) {
            if (actor && before != "...") y -= .12
            segment()
            actor = acts; top = y + .12
        }
        bottom = y - drop - .12
        words = packet_words()
        what = words
        sub(/,.*/, "", what)
        style = style_of()
        a = $1 == "client" ? left : right; b = $1 == "client" ? right : left
        gap = a < b ? .06 : -.06
        out[++o] = sprintf("\\draw[%s] (%.2f,%.2f) -- node[note, above, sloped] {%s\\textcolor{ink}{%s}%s%s} (%.2f,%.2f);",
            style, a + gap, y, style == "refuse" ? "\\textbf{" : "", escaped(what),
            escaped(substr(words, length(what) + 1)), style == "refuse" ? "}" : "", b - gap, y - drop)
        alt = alt (spoken == $1 ? "; " : (spoken ? ". " : "") ($1 == "client" ? "Client: " : "Server: ")) words
        spoken = before = $1
    }
    segment()
    print "% alt: Ladder diagram of the packets between client and server, from top to bottom. " alt "."
    print "\\begin{tikzpicture}"
    printf "\\path (0,.4) (12.1,.4);\n"
    printf "\\node[title] at (%.2f,.52) {client};\n\\node[title] at (%.2f,.52) {server};\n", left, right
    for (i = 1; i <= o; i++) print out[i]
    print "\\end{tikzpicture}"
}
