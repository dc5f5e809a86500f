# In:  tshark's fields of a captured packet a line, tab-separated; FIELDS names
#      them.  Out: the table of lab/dissect.  Exit status 1 if it is empty.
# Opcodes are those of the InfiniBand specification, table 38, the attributes
# those of its connection manager, chapter 12, RDMAP's those of RFC 5040.
BEGIN {
    FS = OFS = "\t"
    n = split(FIELDS, field, " ")
    for (i = 1; i <= n; i++) column[field[i]] = i
    split("First Middle Last Last+imm Only Only+imm", part, " ")
    for (i = 1; i <= 6; i++) {
        name[i - 1] = "Send " part[i]
        name[i + 5] = "RDMA Write " part[i]
    }
    name[12] = "RDMA Read Request"
    name[13] = "RDMA Read Response First";  name[14] = "RDMA Read Response Middle"
    name[15] = "RDMA Read Response Last";   name[16] = "RDMA Read Response Only"
    name[17] = "Acknowledge";               name[18] = "Atomic Acknowledge"
    name[19] = "Compare and Swap";          name[20] = "Fetch and Add"
    name[22] = "Send Last+inv";             name[23] = "Send Only+inv"
    # what stands between the transport's header and the message, in bytes
    header[3] = header[5] = header[9] = header[22] = header[23] = 4
    header[13] = header[15] = header[16] = 4
    header[6] = header[10] = 16;            header[11] = 20
    split("rc uc rd ud", transport, " ")
    cm["10"] = "ConnectRequest (REQ)";      cm["11"] = "MsgRcptAck (MRA)"
    cm["12"] = "ConnectReject (REJ)";       cm["13"] = "ConnectReply (REP)"
    cm["14"] = "ReadyToUse (RTU)";          cm["15"] = "DisconnectRequest (DREQ)"
    cm["16"] = "DisconnectReply (DREP)";    cm["17"] = "ServiceIDResolution (SIDR_REQ)"
    cm["18"] = "ServiceIDReply (SIDR_REP)"
    nak[0] = "sequence error";              nak[1] = "invalid request"
    nak[2] = "remote access error";         nak[3] = "remote operational error"
    split("Write,Read Request,Read Response,Send,Send+inv,Send+se,Send+se+inv,Terminate", rdmap, ",")
}
function of(f) { return $column[f] }
function number(hex,    i, v) {                # "0x1f" -> 31
    if (hex !~ /^0x/) return hex + 0
    for (i = 3; i <= length(hex); i++) v = 16 * v + index("0123456789abcdef", tolower(substr(hex, i, 1))) - 1
    return v
}
function row(connection, protocol, what, packet, bytes, acknowledged, status) {
    print from, connection, protocol, what, packet, bytes, acknowledged, status == "" ? "-" : status
    seen = 1
}
# The connection of a queue pair: the manager's messages name both; else the
# first that is written to on one side belongs to the first on the other.
function connection_of(qp, side) {
    if (!(qp in connection)) connection[qp] = ++known[side]
    return connection[qp]
}

{
    from = of("ip.src") ~ /\.1$/ || of("ipv6.src") ~ /::1$/ ? "server" : "client"
    to = from == "server" ? "client" : "server"
}
of("infiniband.mad.attributeid") != "" {
    what = of("infiniband.mad.attributeid")
    sub(/^0x0*/, "", what)
    if (!(what in cm)) next
    id = of("infiniband.mad.transactionid")
    if (what == "10") asked[id] = from SUBSEP number(of("infiniband.cm.req.localqpn"))
    if (what == "13" && id in asked) {
        split(asked[id], a, SUBSEP)
        if (!((to, a[2]) in connection)) {
            known["client"]++; known["server"]++
            connection[to, a[2]] = connection[from, number(of("infiniband.cm.rep.localqpn"))] = known["client"]
        }
    }
    reason = of("infiniband.cm.rej.reason")
    row("-", "cm", cm[what], "-", "-", "-", reason == "" ? "" : "reason " number(reason))
    next
}
of("infiniband.bth.opcode") != "" {
    op = of("infiniband.bth.opcode") % 32
    kind = int(of("infiniband.bth.opcode") / 32)
    protocol = kind in transport || kind < 4 ? transport[kind + 1] : "opcode"
    what = protocol != "opcode" && op in name ? name[op] : "opcode " of("infiniband.bth.opcode")
    answer = op >= 13 && op <= 18
    if (protocol == "ud") {
        which = "-"; flow = "ud" from of("infiniband.deth.srcqp")
    } else {
        which = connection_of(to SUBSEP number(of("infiniband.bth.destqp")), to)
        flow = which SUBSEP (answer ? to : from)
    }
    psn = of("infiniband.bth.psn")
    if (!(flow in first)) { first[flow] = psn; last[flow] = -1 }
    packet = (psn - first[flow] + 16777216) % 16777216
    status = ""
    if (!answer && packet <= last[flow]) status = "again"
    else if (!answer) last[flow] = packet
    # The headers of a packet with a message: UDP 8, BTH 12, ICRC 4.
    bytes = of("udp.length") - 24 - of("infiniband.bth.padcnt") - header[op] - (protocol == "ud" ? 8 : 0)
    if (op == 12) bytes = number(of("infiniband.reth.dmalen"))
    if (op >= 17 && op <= 20) bytes = "-"
    if (op == 17) {
        syndrome = number(of("infiniband.aeth.syndrome"))
        if (int(syndrome / 32) == 1) status = "receiver not ready"
        if (int(syndrome / 32) == 3) status = "error: " (syndrome % 32 in nak ? nak[syndrome % 32] : syndrome % 32)
    }
    row(which, protocol, what, op == 17 ? "-" : packet, bytes, answer ? packet : "-", status)
    next
}
of("tcp.len") != "" {
    which = of("tcp.stream") + 1
    flags = number(of("tcp.flags"))
    fin = flags % 2; syn = int(flags / 2) % 2; rst = int(flags / 4) % 2; ack = int(flags / 16) % 2
    # a stream's bytes are counted without SYN and FIN, which count as one each
    bytes = of("tcp.len") + 0
    sent = of("tcp.seq") - (syn ? 0 : 1)
    status = bytes && sent + bytes <= end[which, from] ? "again" : ""
    if (sent + bytes > end[which, from]) end[which, from] = sent + bytes
    so_far = of("tcp.ack") - 1
    if (so_far > end[which, to] + 0) so_far = end[which, to]
    if (of("iwarp_mpa.req") != "" || of("iwarp_mpa.rep") != "") {
        row(which, "mpa", of("iwarp_mpa.req") != "" ? "Request" : "Reply", "-", of("iwarp_mpa.pdlength") + 0, "-",
            of("iwarp_mpa.rej_flag") ~ /^(1|True)$/ ? "rejected" : "")
        next
    }
    if (of("iwarp_rdma.opcode") != "") {       # one segment may hold several
        n = split(of("iwarp_rdma.opcode"), ops, ",")
        split(of("iwarp_mpa.ulpdulength"), lengths, ",")
        split(of("iwarp_rdma.rdmardsz"), reads, ",")
        split(of("iwarp_ddp.last_flag"), whole, ",")
        r = 0
        for (i = 1; i <= n; i++) {
            op = number(ops[i])
            bytes = lengths[i] - (op == 0 || op == 2 ? 14 : 18)
            if (op == 1) bytes = number(reads[++r])
            row(which, "rdmap", op in rdmap || op < 8 ? rdmap[op + 1] : "opcode " op, "-", op == 7 ? "-" : bytes, "-", whole[i] ~ /^(0|False)$/ ? "more follows" : "")
        }
        next
    }
    so_far = ack && !syn && so_far >= 0 ? so_far + 0 : "-"
    if (bytes) row(which, "tcp", "data", "-", bytes, so_far, status)
    what = rst ? "RST" : syn ? (ack ? "SYN+ACK" : "SYN") : fin ? "FIN" : "ACK"
    if (!bytes || what != "ACK") row(which, "tcp", what, "-", "-", so_far, (syn || fin) && turn[which, from, what]++ ? "again" : "")
}
END { exit !seen }
