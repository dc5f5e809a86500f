# Do the agendas of the appendix "Teaching from this book" add up?
# In:  slides/*.deck, the chapters (their slides), book/teaching.nw.
# Out: a line for each fault, and exit status 1.  A deck's minutes are those
#      of its slides, its core those of the slides that are not optional;
#      breaks are in neither.  In an agenda, each row
#      begins when the one before it ends; the minutes without breaks are those
#      of the day's caption; the class gives each deck the minutes of its core, the
#      webinar all of them, and half of its time to labs; each lab occurs
#      once, with at least the minutes of its slide.
function fault(text) { print FILENAME ":" FNR ": " text > "/dev/stderr"; bad = 1 }
function clock(minute) { return sprintf("%d:%02d", minute / 60, minute % 60) }

FILENAME ~ /\.deck$/ {
    split($0, f, "\t")
    if (f[1] == "title") { deck = f[2]; decks[deck] = 1 }
    else if (f[1] == "chapter") in_deck[f[2]] = deck
    else value[deck, f[1]] = f[2]
    next
}
/^::: \{\.slide / {
    match($0, /#slide:[a-z-]+/)
    id = substr($0, RSTART + 1, RLENGTH - 1)
    if (!match($0, / minutes=[1-9][0-9]*/)) { fault(id " has no minutes"); next }
    took = substr($0, RSTART + 9, RLENGTH - 9)
    name = FILENAME; gsub(/.*\/|\.nw$/, "", name)
    slides_of[in_deck[name]] += took
    if ($0 !~ / \.optional /) core_of[in_deck[name]] += took
}
/^::: \{\.slide \.lab / {
    match($0, /title="Lab: [^"]*"/)
    lab = substr($0, RSTART + 12, RLENGTH - 13)
    length_of[lab] = took
    labs_of[in_deck[name]] += took
}
FILENAME !~ /teaching\.nw$/ { next }

/^::: \{#tab:agenda-/ {
    agenda = /webinar/ ? "webinar" : "class"; agendas[agenda] = 1
    minutes = 0; now = -1
}
/^::: \{#tab:labs\}/ { in_labs = 1 }
/^:::$/ && in_labs { in_labs = 0; for (lab in length_of) if (!(lab in listed)) fault("lab \"" lab "\" is not in the table of labs") }
/^\|/ && in_labs {
    n = split($0, cell, / *\| */)
    if (cell[2] in length_of) {
        listed[cell[2]] = 1
        if (cell[3] != length_of[cell[2]]) fault("lab \"" cell[2] "\" takes " length_of[cell[2]] " minutes on its slide")
    } else if (cell[2] !~ /^(lab|:?-+:?)$/) fault("no slide is the lab \"" cell[2] "\"")
}
/^\|/ && agenda && $2 != "time" && !/^\|[:-]/ {
    split($0, cell, / *\| */)
    time = cell[2]; took = cell[3]; kind = cell[4]; what = cell[5]
    split(time, t, ":")
    if (now >= 0 && t[1] * 60 + t[2] != now) fault(time " should be " clock(now))
    if (kind == "end") { now = -1; next }
    now = t[1] * 60 + t[2] + took
    if (kind == "break") next
    minutes += took; all[agenda] += took
    if (kind ~ /lab$/) all_labs[agenda] += took
    if (kind == "deck") {
        if (!(what in decks)) fault("no deck is called \"" what "\"")
        spent[agenda, what] += took
    } else if (kind == "lab") {
        if (!(what in length_of)) fault("no slide is the lab \"" what "\"")
        if (held[agenda, what]++) fault("lab \"" what "\" a second time")
        if (took < length_of[what]) fault("lab \"" what "\" takes " length_of[what] " minutes")
    } else if (kind !~ /^planned( lab)?$/) fault("what is \"" kind "\"?")
}
/^: / && agenda {
    if (now >= 0) fault("the day has no end")
    if (!match($0, /[0-9]+ minutes/) || substr($0, RSTART) + 0 != minutes)
        fault("these rows make " minutes " minutes without the breaks")
    agenda = ""
}
END {
    for (deck in decks) {
        if (value[deck, "minutes"] != slides_of[deck]) fault("deck \"" deck "\" says " value[deck, "minutes"] " minutes, its slides " slides_of[deck])
        if (value[deck, "core"] != core_of[deck]) fault("deck \"" deck "\" says " value[deck, "core"] " minutes for its core, its slides " core_of[deck])
    }
    for (agenda in agendas) {
        for (lab in length_of) if (!((agenda, lab) in held)) fault("lab \"" lab "\" is not in the " agenda "\47s agenda")
        for (deck in decks) {
            whole = value[deck, agenda == "class" ? "core" : "minutes"] - labs_of[deck]
            if (spent[agenda, deck] + 0 != whole)
                fault("deck \"" deck "\" has " spent[agenda, deck] + 0 " minutes in the " agenda "\47s agenda and " whole " without its labs")
        }
    }
    if (!("class" in agendas) || !("webinar" in agendas)) fault("there are not both agendas")
    if (2 * all_labs["webinar"] != all["webinar"])
        fault("the webinar\47s labs take " all_labs["webinar"] + 0 " of " all["webinar"] + 0 " minutes, not half")
    exit bad
}
