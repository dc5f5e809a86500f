# The course: programs, book and slides out of one source.
# `make help` lists the targets.
SHELL := /bin/bash

CC     := gcc
CFLAGS := -std=gnu11 -g -O2 -Wall -Wextra -Wshadow -Wstrict-prototypes -Werror
LIBS   := -lrdmacm -libverbs -lpthread
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
# For the fault tests: a call's return address must tell its line.
LEAK     := -fsanitize=leak -fno-omit-frame-pointer -fno-optimize-sibling-calls

.PHONY: help all deps programs labs sanitized leak dist lab try clean
help: ## this list
	@echo "What can be made (make TARGET):"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

all: ## everything: programs, book, slides, web, EPUB
	@+$(MAKE) --no-print-directory -j$(shell nproc) programs book slides web epub

deps: ## install the Debian packages that are missing (as root, or with sudo)
	@deps/install

# --- programs: tangled out of the chapters, compiled with chapter and line
nw       := $(wildcard book/*.nw chunks/*.nw)
programs := $(shell sed -n 's,^<<\([a-z][a-z0-9-]*/[a-z0-9-]*\)\.c>>=$$,\1,p' $(nw) | sort -u)

build/tangle.stamp: $(nw) $(wildcard tangle/*)
	@tangle/tangle generated-src build/src build/answers $(nw)
	@touch $@
support := $(addprefix build/src/$(dir $(firstword $(programs))),support.c support.h)
$(programs:%=build/src/%.c) $(support): build/tangle.stamp ;

# $(call compile,FOLDER,EXTRA FLAGS): build/FOLDER/<program>/<file>
define compile
build/$1/support.o: $(support)
	@deps/missing $$(CC) /usr/include/infiniband/verbs.h /usr/include/rdma/rdma_cma.h
	@mkdir -p $$(@D)
	@$$(CC) $$(CFLAGS) $2 -c $$< -o $$@
build/$1/%: build/src/%.c build/$1/support.o
	@mkdir -p $$(@D)
	@$$(CC) $$(CFLAGS) $2 $$(filter %.c %.o,$$^) -o $$@.new $$(LIBS)
	@mv $$@.new $$@
endef
# a program's own header: <<PROGRAM/NAME.h>>
headers := $(shell sed -n 's,^<<\([a-z][a-z0-9-]*/[a-z0-9-]*\.h\)>>=$$,\1,p' $(nw) | sort -u)
$(foreach h,$(headers),$(foreach f,bin sanitized threads coverage leak,\
    $(eval $(filter build/$f/$(dir $h)%,$(programs:%=build/$f/%)): build/src/$h)))
$(headers:%=build/src/%): build/tangle.stamp ;
$(eval $(call compile,bin,))
$(eval $(call compile,sanitized,$(SANITIZE)))
$(eval $(call compile,threads,-fsanitize=thread))
$(eval $(call compile,coverage,--coverage -O0))
$(eval $(call compile,leak,$(LEAK)))

# --- answers to exercises that are programs
answers := $(shell sed -n 's,^<<answer \([a-z-]*\)\, [^/]*/\([a-z-]*\)\.c: .*,\1/\2,p' $(nw) | sort -u)
$(answers:%=build/answers/%.c): build/tangle.stamp ;
$(answers:%=build/answers/%): %: %.c build/bin/support.o
	@$(CC) $(CFLAGS) $^ -o $@.new $(LIBS)
	@mv $@.new $@

programs: $(answers:%=build/answers/%) $(programs:%=build/bin/%) ## tangle and compile the programs
labs: programs ## the same: all that a lab needs
sanitized: $(programs:%=build/sanitized/%)
leak: $(programs:%=build/leak/%) build/preload.so

# --- what stands between a program and the libraries: lab/trace/preload.c
build/preload.so: lab/trace/preload.c lab/trace/hostile.c lab/trace/calls lab/trace/wrap.awk
	@mkdir -p build/trace
	@awk -f lab/trace/wrap.awk $(wordlist 1,3,$^) > build/trace/wrappers.c
	@$(CC) $(CFLAGS) -fno-builtin -fno-omit-frame-pointer -fPIC -shared \
	    -Ibuild/trace $< -o $@.new $(LIBS)
	@mv $@.new $@
programs: build/preload.so

try: programs ## a copy of a program to change: make try P=ping-poll
	@tangle/try "$(P)"

dist: programs book slides ## the student's kit: programs, PDFs and the lab in a tarball
	@dist/pack build/rdma-course.tar.gz
	@echo "build/rdma-course.tar.gz"

# --- the lab machine
lab: programs ## two hosts with soft-RoCE, a terminal each
	@lab/consoles

# --- from a line that a compiler, a sanitizer or the trace names to its page
.PHONY: where
where: ## the section and page of a line of the source: make where AT=connections:412
	@test -n "$(AT)" || { echo "which line? make where AT=connections:412" >&2; exit 2; }
	@weave/where $(AT)

include weave/weave.mk
include weave/web.mk
include weave/slidesweb.mk
include tests/tests.mk

clean: ## remove what was generated; work/ stays
	@lab/down > /dev/null 2>&1 || true
	@rm -rf build
	@find generated-src -mindepth 1 -maxdepth 1 -type d -exec rm -rf {} +
