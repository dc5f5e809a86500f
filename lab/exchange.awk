# In:  the table of lab/dissect.  Out: one readable line for each packet.
# Runs after packet.awk.
BEGIN { FS = "\t" }
{ print $1 " -> " ($1 == "server" ? "client" : "server") "  " packet_words() }
