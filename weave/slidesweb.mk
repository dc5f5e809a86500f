# The slides for the browser.  Included by the Makefile, after web.mk.
#   make slides-web         build/slides-web/index.html, and a page a deck
#   make check-slides-web   every slide in a real browser
# What depends on what:
#   md/x.md, labels.tsv, bodies.txt -> slidesweb/x.html   (pandoc, slidesweb.lua)
#   slidesweb/*.html, figures, reveal.js -> slides-web/    (weave/slidesweb)
# Numbers of chunks lead to ../web, so that is made too.  npm's one package is
# for these pages alone, and lies in build/node-slides.
S := $(B)/slides-web
weave_reveal := build/node-slides/node_modules/reveal.js
weave_slidesweb := WEAVE_OUT=$(W) weave/slidesweb
weave_taken := $(filter $(weave_ids),$(shell awk -F'\t' '$$1 == "chapter" { print $$2 }' $(weave_deck:%=slides/%.deck)))

.PHONY: slides-web check-slides-web
slides-web: $(S)/index.html web ## the slides for the browser: build/slides-web/index.html

$(weave_reveal)/dist/reveal.js: slides/web/package.json
	@deps/missing npm
	@mkdir -p build/node-slides && cp $< build/node-slides/package.json
	@npm --prefix build/node-slides install --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

$(W)/slidesweb/%.html: $(W)/md/%.md $(W)/labels.tsv $(W)/chunks.tsv $(W)/bodies.txt $(W)/manifest.tsv \
    weave/slidesweb weave/slidesweb.lua weave/lib.lua weave/code.lua weave/html.lua weave/refs.lua \
    book/bibliography.yaml book/labels.csl $(weave_runs)
	@$(weave_slidesweb) chapter $* book

$(S)/index.html: $(weave_taken:%=$(W)/slidesweb/%.html) $(weave_deck:%=slides/%.deck) $(W)/figures.stamp \
    $(weave_reveal)/dist/reveal.js $(wildcard slides/web/*) weave/slidesweb
	@echo "lay out $(S)"
	@$(weave_slidesweb) files slides/web $(B)/figures $(weave_reveal) $(S)
	@for d in $(weave_deck); do \
	    $(weave_slidesweb) deck slides/$$d.deck slides/web/deck.html > $(S)/$$d.html || exit 1; done
	@$(weave_slidesweb) index slides/web/index.html $(weave_deck:%=slides/%.deck) > $@

check-slides-web: slides-web build/node/node_modules/axe-core/axe.min.js
	@deps/missing bats chromium node
	@$(BATS) tests/slides-web.bats
