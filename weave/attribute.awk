# attribute(TEXT, KEY, NONE): of key="..." or key=... between braces, the value;
# NONE if it is not there.  Put before the scripts that call it.
function attribute(text, key, none,    v) {
    if (!match(text, "[{ ]" key "=(\"[^\"]*\"|[^ }\"]+)")) return none
    v = substr(text, RSTART + length(key) + 2, RLENGTH - length(key) - 2)
    gsub(/^"|"$/, "", v)
    return v
}
