# In:  the output of noweb's markup; NAME and CHUNK by -v.
# Out: the same, as if the answer's chunk "answer NAME, FILE: CHUNK" stood in
#      the place of every definition of CHUNK.
/^@begin code/ { begin = $0; held = 1; next }
held {
    held = 0
    gone = $0 == "@defn " CHUNK
    if (index($0, "@defn answer " NAME ", ") == 1) $0 = "@defn " CHUNK
    if (!gone) print begin
}
!gone { print }
/^@end code/ { gone = 0 }
