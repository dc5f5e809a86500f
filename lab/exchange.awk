# In:  tab-separated fields of captured packets, from lab/exchange: source,
#      opcode, packet number, attribute of a management datagram, UDP length,
#      TCP length, syndrome of an acknowledgement, bytes of padding; then for
#      iWARP: MPA request, MPA reply, its refusal flag, and for each segment in
#      the packet: opcode, whether it is the last of its message, whether it is
#      tagged, and its length.
# Out: one readable line for each.  Exit status 1 if there was none.
# The opcodes are those of the InfiniBand specification, table 38; the
# attributes those of its connection manager, chapter 12.  Those of iWARP are
# of RFC 5040, section 4.
BEGIN {
    FS = "\t"
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
    cm["0x0010"] = "ConnectRequest (REQ)";  cm["0x0013"] = "ConnectReply (REP)"
    cm["0x0014"] = "ReadyToUse (RTU)";      cm["0x0012"] = "ConnectReject (REJ)"
    cm["0x0015"] = "DisconnectRequest (DREQ)"
    cm["0x0016"] = "DisconnectReply (DREP)"
    split("RDMA Write,RDMA Read Request,RDMA Read Response,Send," \
          "Send with Invalidate,Send with Solicited Event," \
          "Send with Solicited Event and Invalidate,Terminate", iwarp, ",")
}

function from(address) {
    return address ~ /\.1$/ ? "server -> client" : "client -> server"
}

# iWARP: a line for each segment.  Its headers: DDP and RDMAP 18, tagged 14.
$9 != "" { printf "%s  MPA Request\n", from($1); seen = 1; next }
$10 != "" { printf "%s  MPA Reply%s\n", from($1), ($11 ? " (refused)" : ""); seen = 1; next }
$12 != "" {
    n = split($12, opcode, ","); split($13, last, ","); split($14, tagged, ","); split($15, size, ",")
    for (i = 1; i <= n; i++) {
        o = substr(opcode[i], length(opcode[i])) + 1
        printf "%s  %s", from($1), iwarp[o]
        if (o != 2 && o != 8)
            printf ", %d bytes%s", size[i] - (tagged[i] ? 14 : 18), (last[i] ? "" : ", more to come")
        print ""
    }
    seen = 1; next
}
# The headers of a packet with a message: UDP 8, BTH 12, ICRC 4.
$6 != "" { printf "%s  TCP, %d bytes\n", from($1), $6; seen = 1; next }
$2 == 100 && ($4 in cm) { printf "%s  %s\n", from($1), cm[$4]; seen = 1; next }
$2 == "" { next }
{
    seen = 1
    answer = $2 >= 13 && $2 <= 18
    flow = answer ? (from($1) ~ /^server/ ? "client" : "server") : substr(from($1), 1, 6)
    if (!(flow in first)) first[flow] = $3
    printf "%s  %s, packet %d", from($1), ($2 in name ? name[$2] : "opcode " $2), $3 - first[flow]
    if ($2 == 17 && int($7 / 32) == 1) printf " (receiver not ready)"
    if ($2 == 17 && int($7 / 32) == 3) printf " (error %d)", $7 % 32
    if ($2 <= 11) printf ", %d bytes", $5 - 24 - $8
    print ""
}
END { exit !seen }
