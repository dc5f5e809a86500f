# In:  the lines of noweb's markup.
# Out: the same lines; before each "@end code", one "@index defn NAME" for
#      every C function, typedef, enumeration constant and macro that the chunk
#      defines, and "@index defn struct NAME" for every struct, union or enum
#      tag.  Only what starts in column 0 counts, so locals never do.

function def(name) {
    if (name ~ /^__/ || name == "main") return   # the compiler's, such as __attribute__; every program's
    if (!(name in seen)) { seen[name] = 1; order[++ndefs] = name }
}

function enumerators(s,    n, part, i) {      # A, B = 2, C
    sub(/\/\*.*$/, "", s); sub(/\/\/.*$/, "", s)
    n = split(s, part, ",")
    for (i = 1; i <= n; i++)
        if (match(part[i], /^[ \t]*[A-Za-z_][A-Za-z0-9_]*[ \t]*(=|$)/)) {
            sub(/^[ \t]*/, "", part[i]); sub(/[^A-Za-z0-9_].*$/, "", part[i])
            def(part[i])
        }
}

function c_line(s,    name, word) {
    if (in_enum) {
        if (s ~ /}/) { in_enum = 0; sub(/}.*/, "", s) }
        enumerators(s)
    }
    if (pending != "") {                      # a function's head goes on
        if (s ~ /^{/ || s ~ /\)[ \t]*{/) { def(pending); pending = "" }
        else if (s ~ /;/ || s ~ /^$/) pending = ""
    }
    if (in_typedef && s ~ /^}[ \t]*[A-Za-z_]/) {
        name = s; sub(/^}[ \t]*/, "", name); sub(/[^A-Za-z0-9_].*/, "", name)
        def(name)
    }
    if (s ~ /^}/) in_typedef = 0
    if (type_alone && s ~ /^[A-Za-z_][A-Za-z0-9_]*\(/)
        s = "int " s                          # the type stands on its own line
    type_alone = s ~ /^[A-Za-z_][A-Za-z0-9_ *]*$/ && s !~ /^(else|do|return)$/
    if (s !~ /^[A-Za-z_#]/) return
    if (match(s, /^#[ \t]*define[ \t]+[A-Za-z_][A-Za-z0-9_]*/)) {
        name = substr(s, RSTART, RLENGTH); sub(/^.*[ \t]/, "", name)
        if (name !~ /_H_?$/) def(name)
        return
    }
    word = s; sub(/[^A-Za-z0-9_].*/, "", word)
    if (word ~ /^(if|else|for|while|do|switch|return|goto|case|sizeof)$/) return
    if (match(s, /^(typedef +|static +|const +)*(struct|union|enum) +[A-Za-z_][A-Za-z0-9_]*[ \t]*({|$)/)) {
        name = substr(s, RSTART, RLENGTH)
        sub(/[ \t]*{?$/, "", name); sub(/^.*[ \t]/, "", name)
        def("struct " name)
    }
    if (s ~ /^typedef/) {
        if (s !~ /{[^}]*$/ && s ~ /;/) {
            name = s
            if (!sub(/^.*\(\*[ \t]*/, "", name)) {
                sub(/[ \t]*;.*/, "", name); sub(/^.*[^A-Za-z0-9_]/, "", name)
            }
            sub(/[^A-Za-z0-9_].*/, "", name); def(name)
        } else in_typedef = 1
    }
    if (s ~ /^(typedef +|static +)*enum([ \t]|{)/ && s ~ /{/) {
        name = s; sub(/^[^{]*{/, "", name)
        if (name ~ /}/) sub(/}.*/, "", name); else in_enum = 1
        enumerators(name)
        return
    }
    if (s !~ /=/ && match(s, /^[A-Za-z_][A-Za-z0-9_ \t*]*[ \t*][A-Za-z_][A-Za-z0-9_]*\(/)) {
        name = substr(s, RSTART, RLENGTH - 1); sub(/^.*[^A-Za-z0-9_]/, "", name)
        if (s ~ /\)[ \t]*{/) def(name)
        else if (s !~ /;/) pending = name
    }
}

/^@begin code/ { in_code = 1; line = ""; ndefs = 0; split("", seen)
                 in_enum = in_typedef = 0; pending = "" }
/^@end code/   { for (i = 1; i <= ndefs; i++) print "@index defn " order[i]
                 in_code = 0 }
in_code && /^@text / { line = line substr($0, 7) }
in_code && /^@use /  { line = line "<<" substr($0, 6) ">>" }
in_code && /^@nl/    { c_line(line); line = "" }
{ print }
