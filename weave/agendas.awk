# The appendix "Two agendas", and how long each deck takes.
# In:  slides/*.deck, the chapters (their slides), book/agendas.tsv, in this
#      order; -v DECKS=file
# Out: the appendix as a chapter's source; and DECKS, a line for each deck:
#      its name, the minutes of its slides, those of the slides that are not
#      optional, and those of its labs, separated by tabs.
# A deck in no agenda, a day that is too short, a lab that does not say what it
# needs and a webinar that is not half labs are errors: a line each, status 1.
function fail(text) { print "weave: " FILENAME ":" FNR ": " text > "/dev/stderr"; bad = 1 }
function clock(minute) { return sprintf("%d:%02d", minute / 60, minute % 60) }
function minute(time,    t) { split(time, t, ":"); return t[1] * 60 + t[2] }

FNR == 1 { name = FILENAME; gsub(/.*\/|\.[a-z]*$/, "", name) }
FILENAME ~ /\.deck$/ {
    split($0, f, "\t")
    if (FNR == 1) file[++decks] = name
    if (f[1] == "title") title[name] = f[2]
    if (f[1] == "chapter") { chapters_of[name] = chapters_of[name] " " f[2]; deck_of[f[2]] = name }
    next
}
/^::: \{\.slide / && FILENAME ~ /\.nw$/ {
    if (!(name in deck_of)) { fail("the slides of " name " are in no deck"); next }
    if (!match($0, / minutes=[1-9][0-9]*/)) { fail("a slide needs minutes=..."); next }
    slides[name]++
    s = name SUBSEP slides[name]
    takes[s] = substr($0, RSTART + 9) + 0
    optional[s] = /^::: \{\.slide [^}]*\.optional /
    deck = deck_of[name]
    slides_in[deck]++
    whole[deck] += takes[s]
    if (!optional[s]) core[deck] += takes[s]
    if (/^::: \{\.slide [^}]*\.lab /) {
        lab[s] = attribute($0, "title", ""); sub(/^Lab: /, "", lab[s])
        needs[s] = attribute($0, "needs", ""); done[s] = attribute($0, "done", "")
        if (needs[s] == "" || done[s] == "") fail("a lab needs needs=\"...\" and done=\"...\"")
        labs[deck] += takes[s]
    }
    next
}
FILENAME !~ /agendas\.tsv$/ || /^(#|$)/ { next }

{ split($0, f, "\t") }
f[1] == "agenda" {
    close_agenda()
    agenda = f[2]; times = f[3]; caption = f[4]; heading = f[5]; agendas++
    split("", begins); split("", ends); split("", breaks)
    days = day = now = sum = sum_of_labs = rows = over = 0; alone = ""
    next
}
f[1] == "day" {
    begins[++days] = minute(f[2]); ends[days] = minute(f[3])
    for (i = 4; i in f; i++) breaks[days] = breaks[days] " " f[i]
    next
}
f[1] == "planned" { spend("planned", "*" f[3] "*", f[2], 1); next }
f[1] == "lab"     { spend("planned lab", "*" f[3] "*", f[2], 0); next }
f[1] == "deck" || f[1] == "alone" {
    if (!(f[2] in title)) { fail("no deck is called \"" f[2] "\""); next }
    if (held[agenda, f[2]]++) fail("deck \"" f[2] "\" a second time")
    if (f[1] == "alone") {
        alone = alone (alone == "" ? "" : "; ") title[f[2]] " (" whole[f[2]] " minutes)"
        next
    }
    m = split(chapters_of[f[2]], chapter, " ")
    for (i = 1; i <= m; i++) for (k = 1; k <= slides[chapter[i]]; k++) {
        s = chapter[i] SUBSEP k
        if (optional[s]) continue
        if (s in lab) spend("lab", lab[s], times * takes[s], 0)
        else spend("deck", title[f[2]], takes[s], 1)
    }
    next
}
{ fail("what is \"" f[1] "\"?") }

# Rows of the same text are one; TEXT may be divided by a break if CUT.
function spend(kind, text, took, cut,    next_break, part) {
    while (took > 0) {
        if (!day) open_day()
        part = took
        # the next break, or the day's end, as near to its time as may be
        if (split(breaks[day], b, " ")) {
            split(b[1], next_break, "+")
            if (now + part / 2 > minute(next_break[1])) {
                row("break", "", next_break[2]); sub(/^ *[^ ]+/, "", breaks[day])
                continue
            }
        }
        if (cut && now + part > ends[day] && now < ends[day] && kind ~ /^planned/) part = ends[day] - now
        if (now + part > ends[day]) {
            if (day == days) { over += took; return }
            close_day(); open_day()
            continue
        }
        row(kind, text, part)
        took -= part
    }
}
function row(kind, text, took) {
    if (rows && kinds[rows] == kind && texts[rows] == text) minutes[rows] += took
    else { kinds[++rows] = kind; texts[rows] = text; minutes[rows] = took; at[rows] = now }
    now += took
    if (kind == "break") return
    sum += took; in_day += took
    if (kind ~ /lab$/) { sum_of_labs += took; labs_in_day += took }
}
function open_day() { now = begins[++day]; rows = in_day = labs_in_day = 0 }
function close_day(    i) {
    out = out "\n::: {#tab:agenda-" agenda "-" day "}\n| time  | minutes | kind | what |\n|:------|--------:|:-----|:-------------------------------------------|\n"
    for (i = 1; i <= rows; i++) out = out "| " clock(at[i]) " | " minutes[i] " | " kinds[i] " | " texts[i] " |\n"
    out = out "| " clock(now) " | | end | |\n\n: " caption ", day " day ": " in_day " minutes, " labs_in_day " of them labs.\n:::\n"
}
function close_agenda() {
    if (!agenda) return
    if (day) close_day()
    if (over) fail("the agenda \"" agenda "\" is " over " minutes too long for its days")
    for (i = 1; i <= decks; i++) if (!held[agenda, file[i]]) fail("deck \"" file[i] "\" is not in the agenda \"" agenda "\"")
    if (agenda == "webinar" && (sum_of_labs < .45 * sum || sum_of_labs > .55 * sum))
        fail("labs take " sum_of_labs " of the webinar\47s " sum " minutes, not about half")
    printed = printed "\n## " heading " {#sec:agenda-" agenda "}\n\n" intro[agenda] "\n" out
    if (alone != "") printed = printed "\nLeft for reading alone: " alone ".\n"
    out = ""
}
BEGIN {
    intro["class"] = "A lab takes the minutes of its slide,\n" \
        "with an instructor at hand. What is in italics is not written yet: fill it with labs, or go home early."
    intro["webinar"] = "A webinar tires sooner than a classroom, so a day has four hours, and half of them are labs,\n" \
        "each with twice the minutes of its slide. During a lab keep the call open, share your own lab, and\n" \
        "let people type their questions. Ask each of them at the end of a lab for one line of output, such\n" \
        "as the median that their client has printed. Who has it has done the lab."
}
END {
    close_agenda()
    if (agendas < 2) fail("there are not both agendas")
    if (bad) exit 1
    print "# Two agendas {#agendas}\n"
    print "The times of this appendix are computed from the minutes that each slide says it takes. A class and a"
    print "webinar show the core of each deck, without the slides that are marked *optional*; @tab:decks has"
    print "what there is beyond it."
    printf "%s", printed
    print "\n## What each lab needs {#sec:lab-needs}\n"
    print "Each lab slide has the exact commands. The minutes of @tab:labs are those on the slide, which"
    print "are enough for a class that has an instructor at hand. Plan twice as many for people on their own.\n"
    print "::: {#tab:labs}\n| lab | minutes | needs | done when |\n|:-------------------------------|-------:|:------------------------------|:------------------------------|"
    for (d = 1; d <= decks; d++) {
        m = split(chapters_of[file[d]], chapter, " ")
        for (i = 1; i <= m; i++) for (k = 1; k <= slides[chapter[i]]; k++) {
            s = chapter[i] SUBSEP k
            if (s in lab) print "| " lab[s] " | " takes[s] " | " needs[s] " | " done[s] " |"
        }
    }
    print "\n: The labs.\n:::\n\n## The decks {#sec:decks}\n"
    print "::: {#tab:decks}\n| deck | slides | minutes | core | labs |\n|:------------------------------|-----:|-----:|-----:|-----:|"
    for (d = 1; d <= decks; d++) {
        all_slides += slides_in[file[d]]; all_minutes += whole[file[d]]
        print "| " title[file[d]] " | " slides_in[file[d]] " | " whole[file[d]] " | " core[file[d]] " | " labs[file[d]] + 0 " |"
        print file[d] "\t" whole[file[d]] "\t" core[file[d]] "\t" labs[file[d]] + 0 > DECKS
    }
    print "| together | " all_slides " | " all_minutes " | | |"
    print "\n: The decks: their slides, their minutes with everything, without what is optional, and of the labs.\n:::"
}
