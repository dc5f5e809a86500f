# What a line of lab/dissect's table says, in words: for lab/exchange and for
# the book's diagrams.  packet_words() uses the current line's fields; with
# MANY set, the connection is named, too.
function packet_words(    s) {
    s = $4
    if ($3 == "tcp") {
        s = $4 == "data" ? "TCP" : "TCP " $4
        if ($4 == "ACK" && $7 > 0) s = s ", " $7 " bytes so far"
    } else if ($4 == "Acknowledge" && $8 == "receiver not ready") s = "RNR NAK"
    else if ($4 == "Acknowledge" && $8 ~ /^error/) s = "NAK"
    else if ($3 == "mpa" || $3 == "rdmap") s = toupper($3) " " $4
    else if ($3 == "uc" || $3 == "ud") s = toupper($3) " " $4
    if ($5 != "-") s = s ", packet " $5
    else if ($7 != "-" && $3 != "tcp") s = s ", packet " $7
    if ($6 != "-") s = s ($4 ~ /Read Request/ ? ", asks for " : ", ") $6 ($6 == 1 ? " byte" : " bytes")
    if ($8 ~ /^error: /) s = s ", " substr($8, 8)
    else if ($8 != "-" && $8 != "receiver not ready") s = s ", " $8
    if (MANY && $2 != "-") s = s ", connection " $2
    return s
}
