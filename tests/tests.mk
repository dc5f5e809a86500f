# Tests.  Included by the Makefile; runs at the root.
#   check-source    format, lint, static analysis, both compilers
#   check-programs  every program, with sanitizers, in one guest
#   check-hosts     power loss, cut wires and the transcripts, in two guests
#   check-book      the book's own promises

BATS  := bats --timing --print-output-on-failure
shell := $(shell grep -lE '^\#!.*bash' $$(git ls-files 2>/dev/null || find deps lab tangle tests weave .ci -type f))
each  := $(filter-out tests/two-hosts.bats tests/tangle.bats tests/book.bats tests/dist.bats tests/web.bats tests/slides-web.bats,$(wildcard tests/*.bats))

.PHONY: check check-source check-programs check-hosts check-book
check: ## all tests
	@+$(MAKE) --no-print-directory -j$(shell nproc) programs sanitized book
	@+$(MAKE) --no-print-directory check-source check-programs check-hosts check-book
	@echo "all tests have passed"

check-source: programs
	@deps/missing clang clang-format clang-tidy cppcheck shellcheck bats
	@echo "--- clang, without a warning"
	@for p in $(programs); do clang $(CFLAGS) -c build/src/$$p.c -o /dev/null || exit 1; done
	@clang $(CFLAGS) -c $(support:%.h=) -o /dev/null
	@echo "--- the format of the programs"
	@clang-format --dry-run -Werror generated-src/*/*.[ch]
	@echo "--- cppcheck, clang-tidy"
	@cppcheck --quiet --error-exitcode=1 --std=c11 --enable=warning,performance,portability \
	    --inline-suppr --suppress=missingIncludeSystem $(programs:%=generated-src/%.c) $(firstword $(support:build/src/%=generated-src/%))
	@clang-tidy --quiet --warnings-as-errors='*' $(programs:%=generated-src/%.c) \
	    $(firstword $(support:build/src/%=generated-src/%)) -- -std=gnu11 2> build/clang-tidy.log || \
	    { cat build/clang-tidy.log; exit 1; }
	@echo "--- the scripts"
	@shellcheck -x $(filter-out %.bats,$(shell))
	@$(BATS) tests/tangle.bats

check-programs: programs sanitized leak
	@deps/missing bats qemu-system-x86_64 tshark
	@lab/up one
	@BIN=build/sanitized $(BATS) $(each)
	@BIN=build/bin $(BATS) --filter 'every byte|one send|counts' $(each)
	@lab/down

check-hosts: programs
	@lab/up two
	@$(BATS) tests/two-hosts.bats
	@lab/down

check-book: book slides programs
	@$(BATS) tests/book.bats tests/dist.bats

.PHONY: record bench bench-build
record: programs ## run the book's transcripts, and keep what they print
	@tests/transcript record

bench: programs ## our programs beside their peers, as ratios
	@tests/bench

bench-build: ## how long building and testing takes
	@tests/bench-build
