# Tests.  Included by the Makefile; runs at the root.  tests/kinds.tsv lists
# the kinds, check-KIND runs one, tests/run several and counts.

BATS  := bats --timing --print-output-on-failure
shell := $(shell grep -lE '^\#!.*bash' $$(git ls-files 2>/dev/null || find deps lab tangle tests weave .ci -type f 2>/dev/null))
each  := $(shell tests/each)

checked := source programs faults hostile hosts book

.PHONY: check check-all check-kinds check-source check-programs check-hosts check-book check-network check-memory check-faults check-hostile \
    check-threads check-two check-coverage check-iwarp check-long
check: ## the tests that every change must pass
	@+$(MAKE) --no-print-directory -j$(shell nproc) programs sanitized book
	@+tests/run $(checked)
check-kinds: # which kinds that is, for .ci/run
	@echo $(checked)

check-all: ## all kinds of test: the whole matrix
	@+$(MAKE) --no-print-directory -j$(shell nproc) all sanitized
	@+SLICE=all tests/run

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
	@shellcheck -s bats -i SC2251,SC2314,SC2315 tests/*.ba* tests/long/*.bats
	@$(BATS) tests/tangle.bats

check-programs: programs sanitized leak
	@deps/missing bats qemu-system-x86_64 tshark
	@tests/kinds/programs $(each)

check-iwarp: programs
	@deps/missing bats qemu-system-x86_64 tshark
	@LAB_TRANSPORT=siw lab/up one
	@LAB_TRANSPORT=siw $(BATS) $(filter-out tests/every-program.bats tests/ping-socket.bats tests/wires.bats tests/plots.bats,$(each))
	@LAB_TRANSPORT=siw $(BATS) --filter 'same shape now|are found' tests/wires.bats
	@LAB_TRANSPORT=siw $(BATS) --filter 'it says at start' tests/every-program.bats
	@LAB_TRANSPORT=siw $(BATS) --filter 'loses its power|wire is cut' tests/two-hosts.bats
	@lab/down

check-hosts: programs
	@lab/up two
	@$(BATS) tests/two-hosts.bats
	@lab/down

check-book: book slides programs
	@$(BATS) tests/book.bats tests/dist.bats

# programs with threads need a build of their own
threaded := $(shell grep -lw pthread_create $(nw))
check-faults: leak
	@lab/up one
	@tests/kinds/faults
	@$(BATS) tests/faults.bats
check-network: programs
	@lab/up one
	@tests/kinds/network
check-hostile: programs sanitized
	@lab/up one
	@tests/kinds/hostile
check-memory: programs
	@lab/up one
	@tests/kinds/memory
check-threads: programs $(if $(threaded),$(programs:%=build/threads/%))
	@lab/up one
	@BIN=$(if $(threaded),build/threads,build/bin) tests/kinds/threads
check-coverage: programs build/preload.so $(programs:%=build/coverage/%)
	@lab/up one
	@tests/kinds/coverage
check-two: programs
	@lab/up two
	@BIN=build/bin $(BATS) $(each)
	@lab/down
check-long: programs book
	@$(BATS) tests/long/*.bats

.PHONY: record bench bench-build
record: programs ## run what the book shows, and keep what is printed and what crosses the wire
	@tests/wires record
	@tests/plots record
	@tests/transcript record

bench: programs ## our programs beside their peers, as ratios
	@tests/bench

bench-build: ## how long building and testing takes
	@tests/bench-build
