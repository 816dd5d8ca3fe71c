# SPDX-License-Identifier: MIT
#
# `make bench`: doze and the pools that could be used instead, in one interleaved run. A peer whose
# packages are missing is left out with a message (`make setup bench` installs them all).
PEERS := $(BUILD)/tests/bench/peers
# Functions and loops start at multiples of 64 bytes, because otherwise the same instructions of
# `increment` took up to 1.6 times as long in one program as in another, and those of `queens` 1.06.
PEER_FLAGS := -O3 -g -pthread -Wall -Wextra -falign-functions=64 -falign-loops=64
PEER_COMMON := $(PEERS)/peer.o $(PEERS)/peer_wakes.o
CARGO ?= $(firstword $(wildcard /usr/bin/cargo) cargo)

# All peers get the same flags, not the flags of the rest of this tree.
$(PEER_COMMON): $(PEERS)/%.o: tests/bench/peers/%.c tests/bench/peers/peer.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 -D_GNU_SOURCE $(PEER_FLAGS) -c -o $@ $<

# Each program exists twice: with -O3, and as users build it who care about speed: with -O3 -flto,
# for doze also with doze_inline.h, for Rayon with lto and one code generation unit. The common parts
# are the same objects in all, so that only the pools and the code around them differ.
lto_of = $(if $(filter %-lto,$(1)),-flto)

$(PEERS)/doze $(PEERS)/doze-lto: tests/bench/peers/doze.c tests/bench/peers/doze_loops.c $(PEER_COMMON) $(BUILD)/libdoze.a \
		lib/doze_inline.h
	$(call say,CC,$@)
	$(Q)$(CC) -std=gnu11 $(PEER_FLAGS) $(if $(call lto_of,$@),-flto -include lib/doze_inline.h) -I. -o $@ $(filter-out %.h,$^) -ldl

$(PEERS)/serial: tests/bench/peers/serial.c $(PEER_COMMON)
	$(call say,CC,$@)
	$(Q)$(CC) -std=gnu11 $(PEER_FLAGS) -o $@ $^

# The floor of a wake: no more than a futex.
$(PEERS)/futex: tests/bench/peers/futex.c $(PEER_COMMON)
	$(call say,CC,$@)
	$(Q)$(CC) -std=gnu11 $(PEER_FLAGS) -o $@ $^

# The floor of a join: no more than a deque per worker.
$(PEERS)/chase-lev-lto: tests/bench/peers/chase_lev.c $(PEER_COMMON)
	$(call say,CC,$@)
	$(Q)$(CC) -std=gnu11 $(PEER_FLAGS) -flto -o $@ $^

$(PEERS)/openmp-gcc $(PEERS)/openmp-gcc-lto: tests/bench/peers/openmp.c $(PEER_COMMON)
	$(call say,CC,$@)
	$(Q)gcc -std=gnu11 $(PEER_FLAGS) $(call lto_of,$@) -fopenmp -o $@ $^

# With -flto clang needs its own linker.
$(PEERS)/openmp-clang $(PEERS)/openmp-clang-lto: tests/bench/peers/openmp.c $(PEER_COMMON)
	$(call say,CC,$@)
	$(Q)clang -std=gnu11 $(PEER_FLAGS) $(if $(call lto_of,$@),-flto -fuse-ld=lld) -fopenmp -o $@ $^

$(PEERS)/onetbb $(PEERS)/onetbb-lto: tests/bench/peers/tbb.cc $(PEER_COMMON)
	$(call say,CXX,$@)
	$(Q)$(CXX) -std=c++17 $(PEER_FLAGS) $(call lto_of,$@) -o $@ $^ -ltbb

# Uses the crates of the distribution; downloads nothing. Each build has its own folder, which cargo
# locks.
$(PEERS)/rayon $(PEERS)/rayon-lto: PROFILE = $(if $(call lto_of,$@),lto,release)
$(PEERS)/rayon $(PEERS)/rayon-lto: tests/bench/peers/rayon/src/main.rs tests/bench/peers/rayon/Cargo.toml $(PEER_COMMON)
	$(call say,CARGO,$@)
	@mkdir -p $(PEERS)/cargo-$(PROFILE)
	@cp -r tests/bench/peers/rayon/. $(PEERS)/cargo-$(PROFILE)
	$(Q)cd $(PEERS)/cargo-$(PROFILE) && \
		RUSTFLAGS="$(foreach o,$(PEER_COMMON),-C link-arg=$(abspath $(o)))" \
		$(CARGO) build --profile $(PROFILE) --offline --quiet \
		--config 'source.crates-io.replace-with="debian"' \
		--config 'source.debian.directory="/usr/share/cargo/registry"'
	@cp $(PEERS)/cargo-$(PROFILE)/target/$(PROFILE)/doze-bench-rayon $@

PEER_NAMES := $(foreach p,rayon onetbb openmp-gcc openmp-clang,$(p) $(p)-lto) chase-lev-lto futex
.PHONY: bench bench-overhead bench-peers
bench-peers: $(PEERS)/doze $(PEERS)/doze-lto $(PEERS)/serial
	@for p in $(PEER_NAMES); do \
		$(MAKE) --no-print-directory $(PEERS)/$$p 2>$(PEERS)/$$p.log || \
		echo "bench: no $$p: see $(PEERS)/$$p.log, or run make setup bench"; done
bench: bench-peers ## compares doze with Rayon, oneTBB and OpenMP; BENCH="--only fib --rounds 11"
	$(Q)BUILD=$(BUILD) tests/bench/compare_peers.py $(BENCH)
bench-overhead: bench-peers ## what each pool adds to sorts and n-queens at one worker; OVERHEAD="--rounds 11"
	$(Q)BUILD=$(BUILD) tests/bench/overhead.py $(OVERHEAD)
