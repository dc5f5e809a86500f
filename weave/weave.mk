# Weaving: from book/*.nw and chunks/*.nw to build/book.pdf, the slides and
# single chapters.  Included by the Makefile; runs at the root.
#   make book              build/book.pdf
#   make chapter C=name    build/chapter/name.pdf, one chapter, fast
#   make slides            build/slides/*.pdf and *-notes.pdf
#   make figures           build/figures/*.pdf and *.svg
# What depends on what:
#   chapters -> md/*.md, chunks.tsv, bodies.txt    (prepare)
#   md/x.md -> labels/x.tsv -> labels.tsv          (pandoc, labels.lua)
#   md/x.md, labels.tsv, chunks.tsv -> tex/x.tex   (pandoc, print.lua)
#   chapters, wires/*.txt -> wires.tsv, wires/*.tex  (weave/wires)
#   chapters, plots/*.txt -> plots.tsv, wires/plot-*.tex  (weave/plots)
#   tex/*.tex, figures -> book.pdf, pages.tsv      (LuaLaTeX)
#   md/x.md, bodies.txt, pages.tsv -> slides       (pandoc, slides.lua; LuaLaTeX)
# Files that many others depend on are only written when they change; a stamp
# beside them says that they are up to date.

# DRAFT=1 goes on where a reference, a figure or a transcript is missing, or a
# box is overfull, and says so; its results are in build/draft.
B := $(if $(DRAFT),build/draft,build)
W := $(B)/weave
export DRAFT
SOURCE_DATE_EPOCH ?= $(or $(shell git log -1 --format=%ct 2>/dev/null),1767225600)
export SOURCE_DATE_EPOCH

weave_nw   := $(wildcard book/*.nw chunks/*.nw)
weave_ids  := $(shell awk -F'\t' '$$1 ~ /^(front|chapter|appendix)$$/ { print $$2 }' book/manifest)
weave_deck := $(patsubst slides/%.deck,%,$(wildcard slides/*.deck))
weave_fig  := $(filter-out style,$(patsubst figures/%.tex,%,$(wildcard figures/*.tex)))
weave_runs := $(wildcard book/transcripts/*.txt) $(W)/wires.tsv $(W)/plots.tsv
weave_recorded := weave/recorded.bash weave/attribute.awk weave/images.awk
weave_lua  := weave/lib.lua weave/code.lua weave/latex.lua weave/refs.lua

.PHONY: book chapter slides figures
book: $(B)/book.pdf $(B)/book-print.pdf ## the book, for the screen and for paper
slides: $(foreach d,$(weave_deck),$(B)/slides/$d.pdf $(B)/slides/$d-notes.pdf) ## the slides, and their presenter's editions
figures: $(W)/figures.stamp ## build/figures/*.pdf and *.svg
chapter: $(if $(C),$(B)/chapter/$(C).pdf) ## one chapter, fast: make chapter C=name
	@test -n "$(C)" || { echo "which one? make chapter C=name, of: $(weave_ids)" >&2; exit 1; }

# --- noweb's part
$(W)/prepare.stamp: book/manifest book/topics.tsv $(weave_nw) $(wildcard tests/*.bats) tests/kinds.tsv book/agendas.tsv $(wildcard book/tables/*.tsv) $(wildcard slides/*.deck) build/tangle.stamp $(wildcard weave/*.awk) weave/prepare
	@mkdir -p $(W)
	@weave/prepare book chunks $(W)
	@touch $@
weave_md := $(weave_ids:%=$(W)/md/%.md)
$(weave_md) $(W)/chunks.tsv $(W)/bodies.txt $(W)/manifest.tsv $(W)/decks.tsv: $(W)/prepare.stamp ;

# --- labels
$(W)/labels/%.stamp: $(W)/md/%.md $(W)/manifest.tsv weave/labels.lua weave/lib.lua weave/pandoc
	@mkdir -p $(@D)
	@weave/pandoc labels $* book $(W) > $(@:.stamp=.new)
	@cpif $(@:.stamp=.tsv) < $(@:.stamp=.new)
	@touch $@
weave_labels := $(weave_ids:%=$(W)/labels/%.tsv)
$(weave_labels): $(W)/labels/%.tsv: $(W)/labels/%.stamp ;
$(W)/labels.tsv: $(weave_labels)
	@awk -F'\t' 'NF { if ($$2 in s) { print "weave: \"" $$2 "\" is in " s[$$2] " and in " $$4 > "/dev/stderr"; bad = 1 } \
	    s[$$2] = $$4; print } END { exit bad }' $(weave_labels) > $@.new && mv $@.new $@

# --- the book
$(W)/tex/programs.tex $(W)/web/programs.html: build/tangle.stamp weave/programs.lua $(W)/bodies.txt
$(W)/tex/%.tex: $(W)/md/%.md $(W)/labels.tsv $(W)/chunks.tsv $(W)/manifest.tsv weave/print.lua weave/sort.lua \
    $(weave_lua) weave/pandoc book/bibliography.yaml book/labels.csl \
    $(weave_runs) $(W)/figures.names
	@echo "weave $*"
	@weave/pandoc print $* book $(W)
$(W)/tex/bibliography.tex: book/bibliography.yaml book/labels.csl weave/pandoc
	@weave/pandoc bibliography - book $(W)
$(W)/book.tex: $(W)/manifest.tsv weave/driver.awk
	@awk -v BUILD=$(B) -v TEX=$(W)/tex -f weave/driver.awk $< > $@
weave_tex := book/macros.tex book/print.tex weave/indexes.lua weave/latex weave/logcheck.awk
$(B)/book.pdf: $(W)/book.tex $(weave_ids:%=$(W)/tex/%.tex) $(W)/tex/bibliography.tex $(W)/figures.stamp $(weave_tex)
	@echo "typeset $@"
	@weave/latex $< $@
	@sed -n 's/^\\wnewpage{\([^}]*\)}{\([0-9]*\)}.*/\1\t\2/p' $(W)/book.aux | grep -v '^ref-' | cpif $(W)/pages.tsv
	@awk -F'\t' '/^chunk-/ { print "\\wnewpage{" $$1 "}{" $$2 "}" }' $(W)/pages.tsv > $(W)/pages.sty
$(W)/pages.tsv: $(B)/book.pdf ;
$(W)/book-print.tex: $(W)/manifest.tsv weave/driver.awk
	@awk -v PAPER=1 -v BUILD=$(B) -v TEX=$(W)/tex -f weave/driver.awk $< > $@
$(B)/book-print.pdf: $(W)/book-print.tex $(B)/book.pdf $(W)/figures-grey.stamp
	@echo "typeset $@"
	@cp $(W)/book.aux $(W)/book-print.aux
	@weave/latex $< $@

# --- one chapter
$(B)/chapter/%.pdf: $(W)/tex/%.tex $(W)/tex/bibliography.tex $(W)/manifest.tsv $(W)/figures.stamp weave/driver.awk $(weave_tex)
	@mkdir -p $(B)/chapter $(W)/chapter
	@awk -v BUILD=$(B) -v TEX=$(W)/tex -v ONLY=$* -f weave/driver.awk $(W)/manifest.tsv > $(W)/chapter/$*.tex
	@weave/latex $(W)/chapter/$*.tex $@ 1

# --- figures
$(W)/figures.names: FORCE
	@mkdir -p $(W)
	@printf '%s\n' $(weave_fig) | cpif $@
$(W)/wires.stamp: $(weave_nw) $(wildcard book/wires/*.txt) weave/wires $(weave_recorded) weave/wires.awk weave/ladder.awk lab/packet.awk
	@mkdir -p $(W)
	@weave/wires book $(W)
	@touch $@
$(W)/wires.tsv $(W)/wires.all: $(W)/wires.stamp ;
$(W)/plots.stamp: $(weave_nw) $(wildcard book/plots/*) weave/plots $(weave_recorded) weave/plots.awk weave/plot.awk
	@mkdir -p $(W)
	@weave/plots book $(W)
	@touch $@
$(W)/plots.tsv $(W)/plots.all: $(W)/plots.stamp ;
# the queue pair's states: the arrows are rows of the chapter's table
$(W)/moves.tex: book/twelve-steps.nw weave/moves.awk
	@mkdir -p $(W)
	@awk -f weave/moves.awk $< > $@.new && { cpif $@ < $@.new; rm $@.new; }
$(W)/figures.stamp: $(weave_fig:%=figures/%.tex) figures/style.tex weave/figures $(W)/wires.all $(W)/plots.all $(W)/moves.tex
	@weave/figures figures $(B)/figures $(W) $(W)/wires
	@touch $@

$(W)/figures-grey.stamp: $(W)/figures.stamp
	@GREY=1 weave/figures figures $(B)/figures-grey $(W)/grey $(W)/wires
	@touch $@

# --- slides
$(W)/slides/%.tex: $(W)/md/%.md $(W)/labels.tsv $(W)/chunks.tsv $(W)/bodies.txt $(W)/manifest.tsv \
    weave/slides.lua $(weave_lua) weave/pandoc book/bibliography.yaml book/labels.csl \
    $(weave_runs) $(W)/figures.names
	@weave/pandoc slides $* book $(W)
weave_slides := slides/slides.tex book/macros.tex weave/latex weave/logcheck.awk
$(B)/slides/%.pdf: slides/%.deck weave/deck.awk $(W)/manifest.tsv $(W)/decks.tsv $(W)/pages.tsv $(W)/figures.stamp $(weave_slides)
	@echo "typeset $@"
	@mkdir -p $(W)/decks
	@awk -v BUILD=$(B) -v TEX=$(W)/slides -v PREAMBLE=slides/slides.tex -f weave/deck.awk $(W)/manifest.tsv $(W)/decks.tsv $< > $(W)/decks/$*.tex
	@weave/latex $(W)/decks/$*.tex $@ 3
$(B)/slides/%-notes.pdf: $(B)/slides/%.pdf slides/notes.tex
	@echo "typeset $@"
	@awk -v BUILD=$(B) -v TEX=$(W)/slides -v PREAMBLE=slides/notes.tex -v DECK=$* -f weave/deck.awk $(W)/manifest.tsv $(W)/decks.tsv slides/$*.deck > $(W)/decks/$*-notes.tex
	@weave/latex $(W)/decks/$*-notes.tex $@ 2
# a deck depends on its own chapters only
define weave_deck_rule
$(B)/slides/$1.pdf: $(foreach c,$(filter $(weave_ids),$(shell awk -F'\t' '$$1 == "chapter" { print $$2 }' slides/$1.deck)),$(W)/slides/$c.tex)
endef
$(foreach d,$(weave_deck),$(eval $(call weave_deck_rule,$d)))

FORCE:
.PHONY: FORCE
.SECONDARY:
.DELETE_ON_ERROR:
