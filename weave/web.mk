# The web edition and the EPUB.  Included by the Makefile, after weave.mk.
#   make web     build/web/index.html
#   make epub    build/book.epub
# What depends on what:
#   md/x.md, labels.tsv, chunks.tsv -> web/x.html, x.answers.html, x.index  (pandoc, web.lua)
#   web/*, programs, figures -> build/web/                                 (site.lua)
#   web/*, programs, figures, cover -> build/book.epub                     (epub.lua, zip)
# The EPUB lies beside the pages; so do the PDFs if they are made in the same
# run (make all).
weave_html  := weave/lib.lua weave/code.lua weave/html.lua weave/refs.lua weave/sort.lua weave/web
weave_pages := weave/pages.lua weave/lib.lua weave/code.lua weave/html.lua LICENSE-FDL LICENSE-CODE
weave_lib   := WEAVE_OUT=$(W) WEAVE_BOOK=book texlua

.PHONY: web epub
web: $(B)/web/index.html ## the web edition: build/web/index.html
epub: $(B)/book.epub ## the book for e-readers: build/book.epub

$(W)/web/%.html: $(W)/md/%.md $(W)/labels.tsv $(W)/chunks.tsv $(W)/manifest.tsv weave/web.lua \
    $(weave_html) book/bibliography.yaml book/labels.csl $(weave_runs)
	@echo "weave $* for the web"
	@weave/web chapter $* book $(W)
$(W)/web/bibliography.html: book/bibliography.yaml book/labels.csl weave/web
	@weave/web bibliography - book $(W)
weave_web := $(weave_ids:%=$(W)/web/%.html) $(W)/web/bibliography.html

$(B)/fonts/stamp: weave/webfonts
	@echo "subset the fonts"
	@weave/webfonts $(@D)
	@touch $@
weave_beside := $(B)/book.epub $(if $(filter book,$(MAKECMDGOALS)),$(B)/book.pdf) \
    $(if $(filter slides,$(MAKECMDGOALS)),$(weave_deck:%=$(B)/slides/%.pdf))
$(B)/web/index.html: $(weave_web) $(W)/bodies.txt $(W)/figures.stamp build/tangle.stamp $(B)/fonts/stamp \
    weave/site.lua weave/programs.lua $(weave_pages) weave/webfiles $(wildcard book/web/*) $(weave_beside)
	@echo "lay out $(B)/web"
	@weave/webfiles book/web $(B)/figures $(B)/fonts $(B)/web $(weave_beside)
	@$(weave_lib) weave/site.lua $(B)/web generated-src
	@touch $@

$(W)/cover/cover.png: book/cover.tex figures/style.tex weave/latex
	@deps/missing pdftocairo
	@mkdir -p $(@D)
	@echo '\input{book/cover.tex}' > $(@D)/cover.tex
	@weave/latex $(@D)/cover.tex $(@D)/page.pdf 1
	@pdftocairo -png -singlefile -scale-to-x 1200 -scale-to-y 1600 $(@D)/page.pdf $(@:.png=)
$(B)/book.epub: $(weave_web) $(W)/bodies.txt $(W)/figures.stamp $(W)/cover/cover.png build/tangle.stamp \
    weave/epub weave/epub.lua weave/programs.lua $(weave_pages) book/epub.css
	@echo "lay out $@"
	@WEAVE_OUT=$(W) WEAVE_BOOK=book weave/epub book $(B)/figures $(W)/cover/cover.png $(W)/epub $@

# --- their tests; npm's two packages are for these alone
.PHONY: check-web
build/node/node_modules/axe-core/axe.min.js: tests/web/package.json
	@deps/missing npm chromium
	@mkdir -p build/node && cp $< build/node/package.json
	@npm --prefix build/node install --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@
check-web: web epub build/node/node_modules/axe-core/axe.min.js
	@deps/missing bats chromium node xmllint unzip pyftsubset java /usr/share/java/epubcheck.jar
	@$(BATS) tests/web.bats
