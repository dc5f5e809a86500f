# wrap.awk: makes C wrappers of the prototypes in the table `calls`.
#
#   awk -f lab/trace/wrap.awk lab/trace/preload.c lab/trace/hostile.c \
#       lab/trace/calls > wrappers.c
#
# preload.c comes first because its functions show_TYPE (an argument) and
# tell_TYPE (what the call has left in one) decide how an argument is
# printed; a function hostile_NAME of hostile.c stands before the call NAME.
# TYPE is the type's last word, and _2 for a pointer to a pointer.
# A line that is no prototype ends with status 1 and its number.

BEGIN {
    n = split("ibv_pd pd ibv_mr mr ibv_mw mw ibv_cq cq ibv_qp qp ibv_srq " \
        "srq ibv_ah ah ibv_context context ibv_comp_channel comp_channel " \
        "rdma_cm_id id rdma_cm_event event addrinfo addrinfo rdma_addrinfo rdma_addrinfo rdma_event_channel event_channel", words, " ")
    for (i = 1; i < n; i += 2)
        kinds[words[i]] = words[i + 1]
}

FILENAME ~ /\.c$/ {
    if (match($0, /^static void (show|tell)_[a-z_0-9]+\(/))
        known[substr($0, 13, RLENGTH - 13)] = 1
    if (match($0, /^static int hostile_[a-z_]+\(/))
        known[substr($0, 12, RLENGTH - 12)] = 1
    next
}
/^#/ || /^$/ { next }

{
    fails = $1; object = $2; where = $3
    prototype = $0
    sub(/^[^ ]+ +[^ ]+ +[^ ]+ +/, "", prototype)
    if (!match(prototype, /[a-z_0-9]+\(/)) {
        print "wrap.awk: line " FNR " is no prototype" > "/dev/stderr"
        exit 1
    }
    type = substr(prototype, 1, RSTART - 1)
    sub(/ $/, "", type)
    name = substr(prototype, RSTART, RLENGTH - 1)
    rest = substr(prototype, RSTART + RLENGTH)
    sub(/\)$/, "", rest)
    spoken = name       # the name in the manuals
    sub(/^_/, "", spoken)
    sub(/_iova2$/, "", spoken)
    wrapper()
}

# Splits the arguments into T (type) and A (name); returns their number.
function arguments(    n, i, words) {
    n = rest == "void" ? 0 : split(rest, words, /, /)
    for (i = 1; i <= n; i++) {
        match(words[i], /[a-z_]+$/)
        A[i] = substr(words[i], RSTART)
        T[i] = substr(words[i], 1, RSTART - 1)
    }
    return n
}

function word_of(t,    stars) {
    stars = gsub(/\*/, "", t)
    sub(/ +$/, "", t)
    sub(/.* /, "", t)
    return t (stars > 1 ? "_2" : "")
}

function show(i) {
    if ("show_arg_" A[i] in known)
        return "show_arg_" A[i] "(&c, " A[i] ");"
    if ("show_" word_of(T[i]) in known)
        return "show_" word_of(T[i]) "(&c, " A[i] ");"
    if (word_of(T[i]) in kinds)
        return "show_object(&c, \"" kinds[word_of(T[i])] "\", " A[i] ");"
    if ("tell_" word_of(T[i]) in known || T[i] ~ /\*.*\*/)
        return ""
    if (T[i] ~ /\*/)
        return "show_pointer(&c, " A[i] ");"
    return "show_number(&c, (long long)" A[i] ");"
}

function wrapper(    n, i, list, call, says, op, kind, which, first) {
    n = arguments()
    list = ""
    for (i = 1; i <= n; i++)
        list = list (i > 1 ? ", " : "") A[i]
    op = where
    says = type == "void" ? "" : "result = "
    print "#undef " name
    if (where == "library") {
        print prototype "\n{"
        print "    static __typeof__(" name ") *real;"
    } else {
        sub(/.*:/, "", op)
        first = A[1] (A[1] == "context" ? "" : "->context")
        sub(/[a-z_0-9]+\(.*/, "", prototype)
        print "static " prototype "op_" name "(" rest ")\n{"
        print "    __typeof__(op_" name ") *real = known_as(" first ")->" \
            (where ~ /^vop/ ? "verbs." : "ops.") op ";"
        patch[name] = op
        extended[name] = where ~ /^vop/
    }
    print "    struct call c;"
    if (says)
        print "    " type (type ~ /\*$/ ? "" : " ") "result;"
    if (where == "library")
        print "\n    if (!real)\n        real = find(\"" name "\");"
    print "    if (!begin(&c, \"" spoken "\", CALLER, " \
        (fails == "never" ? "false" : "true") ", " \
        (object ~ /^-/ ? "true" : "false") ")) {"
    print "        " (says ? "return " : "") "real(" list ");"
    if (!says)
        print "        return;"
    print "    }"
    for (i = 1; i <= n; i++) {
        if (word_of(T[i]) == "ibv_context" && A[i] == "context")
            print "    know(context);"
        if (word_of(T[i]) == "ibv_pd")
            print "    know(" A[i] " ? " A[i] "->context : NULL);"
        if (word_of(T[i]) == "rdma_cm_id")
            print "    know(" A[i] "->verbs);"
        if (show(i) != "")
            print "    " show(i)
    }
    if (object ~ /^-/)
        print "    c.object = " substr(object, 2) ";"
    failed = "real(" list ")"
    call = "real(" list ")"
    if ("hostile_" name in known)
        call = "hostile_" name "(real, " list ")"
    if (fails != "never")
        print "    if (must_fail(&c)) {"
    if (fails == "NULL")
        print "        errno = c.error;\n        result = NULL;"
    else if (fails == "-1")
        print "        errno = c.error;\n        result = -1;"
    else if (fails == "done")
        print "        real(" list ");\n        errno = c.error;\n" \
            "        result = -1;"
    else if (fails == "errno")
        print "        result = c.error;"
    else if (fails == "-errno")
        print "        result = -c.error;"
    else if (fails == "eai")
        print "        result = EAI_AGAIN;"
    if (fails != "never")
        print "    } else {"
    print "        " says call ";"
    if (fails != "never")
        print "    }"
    if (rest ~ /rdma_cm_id \*id/ && name ~ /_(addr|route|connect|accept|disconnect|multicast)$/)
        print "    result = waited(&c, id, result);"
    else if (rest ~ /rdma_cm_id \*\*id/ && name ~ /get_request/)
        print "    result = waited(&c, result ? NULL : *id, result);"
    if (name == "rdma_get_cm_event")
        print "    if (!result)\n        take_event(&c, *event, \"\");\n" \
            "    if (!result && (*event)->event ==" \
            " RDMA_CM_EVENT_CONNECT_REQUEST)\n" \
            "        made(&c, IN_ARGUMENT, \"id\", (*event)->id);"
    if (name == "accept")
        print "    if (result >= 0)\n        note_peer();"
    if (object ~ /^\+/) {
        split(substr(object, 2), kind, ":")
        which = "(void *)(" kind[2] ")"
        print "    if (" (type ~ /\*$/ ? "result" : "!result") ")"
        print "        made(&c, " (type ~ /\*$/ ? "AS_RESULT" : "IN_ARGUMENT") ", \"" kind[1] "\", " which ");"
    } else if (object ~ /^-/) {
        print "    released(&c, " (says ? "result == 0" : "true") ");"
    }
    if (type ~ /ibv_context \*$/)
        print "    know(result);"
    for (i = 1; i <= n; i++)
        if (says && object !~ /^-/ && "tell_" word_of(T[i]) in known)
            print "    if (" (type ~ /\*$/ ? "result" : "!result") ")\n" \
                "        tell_" word_of(T[i]) "(&c, " A[i] ");"
    if (!says)
        print "    end(&c);"
    else if (type ~ /\*$/)
        print "    end_pointer(&c, result);\n    return result;"
    else
        print "    end_number(&c, (long long)result, " \
            (fails == "errno" ? "true" : "false") ");\n    return result;"
    print "}\n"
}

END {
    print "static void patch(struct known *k, struct ibv_context *context)"
    print "{"
    for (name in patch) {
        op = patch[name]
        if (!extended[name]) {
            print "    if (k->ops." op ")\n        context->ops." op \
                " = op_" name ";"
            continue
        }
        print "    if (verbs_get_ctx_op(context, " op ")) {"
        print "        k->verbs." op " = verbs_get_ctx(context)->" op ";"
        print "        verbs_get_ctx(context)->" op " = op_" name ";"
        print "    }"
    }
    print "}"
}
