# In:  a table of lab/dissect.  Out: its shape, in words: what is the same in
#      every run of the same programs.  Runs after lab/packet.awk.
# Guaranteed is an order within one direction only, and that of requests and
# responses apart from that of acknowledgements.  An acknowledgement speaks for
# all packets before it, so only the last of a connection belongs to the shape;
# which requests find no receive, and how often, depends on time; that some do
# does not.
# TCP may cut its stream as it likes, and send again what was only slow: its
# bytes are counted once.  Who ends a connection first is a race, and both may.
BEGIN { FS = "\t" }
function say(class, text) {
    order[$1, class] = order[$1, class] $1 ", " class ": " text "\n"
}
function once(class, text) { if (!seen[$1, class, text]++) say(class, text) }
/^#/ { next }
{ words = packet_words() }
$4 ~ /^Disconnect/                 { $1 = "either"; once("end", $4); next }
$3 == "cm" || $3 == "mpa"          { say("connection", words); next }
$3 == "tcp" && $8 == "again"       { next }
$3 == "tcp" && $4 == "data"        { bytes[$1, $2] += $6; streams[$2]; next }
$3 == "tcp" && $4 == "ACK"         { next }
$3 == "tcp"                        { streams[$2]; say("connection", $4); next }
$8 == "again"                      { once("again", $4); next }
$8 == "receiver not ready"         { once("refusal", "RNR NAK"); next }
$4 == "Acknowledge" && $8 != "-"   { once("refusal", words); next }
$4 == "Acknowledge"                { last[$1, $2] = words; known[$2]; next }
{ say("messages", words) }
END {
    for (c in known) for (i = 1; i <= 2; i++) {
        $1 = i == 1 ? "client" : "server"
        if (($1, c) in last) say("last acknowledgement", last[$1, c])
    }
    for (c in streams) for (i = 1; i <= 2; i++) {
        $1 = i == 1 ? "client" : "server"
        say("messages", bytes[$1, c] + 0 " bytes of TCP")
    }
    n = split("connection,messages,again,refusal,last acknowledgement", class, ",")
    for (i = 1; i <= 2; i++) for (k = 1; k <= n; k++)
        printf "%s", order[i == 1 ? "client" : "server", class[k]]
    printf "%s", order["either", "end"]
}
