# In:  infiniband/verbs.h.  -v NAME="struct ibv_send_wr" or "enum ibv_wc_status"
# Out: its members, a line each: of a structure inside it as OUTER.member, of an
#      anonymous one as member.  Of an enumeration its names, but no counters.
{ gsub(/\/\*[^*]*\*\//, "") }                  # comments, of one line and of many
/\/\*/ { comment = 1 }
comment { if (/\*\//) comment = 0; next }
$0 ~ "^" NAME " \\{" { open = 1; depth = 1; next }
!open { next }
NAME ~ /^enum/ {
    if (/^}/) exit
    sub(/[ \t]*[=,].*/, ""); gsub(/[ \t]/, "")
    if ($0 ~ /^IBV_/) print
    next
}
/\{[ \t]*$/ { depth++; first[depth] = n + 1; next }
/^[ \t]*\}/ {
    if (!--depth) exit
    gsub(/[ \t};]/, "")
    if ($0 != "") for (i = first[depth + 1]; i <= n; i++) member[i] = $0 "." member[i]
    next
}
/;/ { sub(/;.*/, ""); sub(/.*[ \t*]/, ""); member[++n] = $0 }
END { for (i = 1; i <= n; i++) print member[i] }
