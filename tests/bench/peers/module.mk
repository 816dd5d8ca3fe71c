# SPDX-License-Identifier: MIT
#
# `make bench`: doze and the pools that could be used instead, in one interleaved run. A peer whose
# packages are missing is left out with a message (`make setup bench` installs them all).
PEERS := $(BUILD)/tests/bench/peers
PEER_FLAGS := -O3 -g -pthread -Wall -Wextra
PEER_COMMON := $(PEERS)/peer.o $(PEERS)/peer_wakes.o
CARGO ?= $(firstword $(wildcard /usr/bin/cargo) cargo)

# All peers get the same flags, not the flags of the rest of this tree. The sequential parts start
# at multiples of 64 bytes, because otherwise the same instructions of `queens` took up to 6 %
# longer in one program than in another.
$(PEER_COMMON): $(PEERS)/%.o: tests/bench/peers/%.c tests/bench/peers/peer.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 -D_GNU_SOURCE $(PEER_FLAGS) -falign-functions=64 -c -o $@ $<

$(PEERS)/doze: tests/bench/peers/doze.c tests/bench/peers/doze_loops.c $(PEER_COMMON) $(BUILD)/libdoze.a
	$(call say,CC,$@)
	$(Q)$(CC) -std=gnu11 $(PEER_FLAGS) -I. -o $@ $^ -ldl

$(PEERS)/serial: tests/bench/peers/serial.c $(PEER_COMMON)
	$(call say,CC,$@)
	$(Q)$(CC) -std=gnu11 $(PEER_FLAGS) -o $@ $^

$(PEERS)/openmp-gcc: tests/bench/peers/openmp.c $(PEER_COMMON)
	$(call say,CC,$@)
	$(Q)gcc -std=gnu11 $(PEER_FLAGS) -fopenmp -o $@ $^

$(PEERS)/openmp-clang: tests/bench/peers/openmp.c $(PEER_COMMON)
	$(call say,CC,$@)
	$(Q)clang -std=gnu11 $(PEER_FLAGS) -fopenmp -o $@ $^

$(PEERS)/onetbb: tests/bench/peers/tbb.cc $(PEER_COMMON)
	$(call say,CXX,$@)
	$(Q)$(CXX) -std=c++17 $(PEER_FLAGS) -o $@ $^ -ltbb

# Uses the crates of the distribution; downloads nothing.
$(PEERS)/rayon: tests/bench/peers/rayon/src/main.rs tests/bench/peers/rayon/Cargo.toml $(PEER_COMMON)
	$(call say,CARGO,$@)
	@mkdir -p $(PEERS)/cargo
	@cp -r tests/bench/peers/rayon/. $(PEERS)/cargo
	$(Q)cd $(PEERS)/cargo && \
		RUSTFLAGS="$(foreach o,$(PEER_COMMON),-C link-arg=$(abspath $(o)))" \
		$(CARGO) build --release --offline --quiet \
		--config 'source.crates-io.replace-with="debian"' \
		--config 'source.debian.directory="/usr/share/cargo/registry"'
	@cp $(PEERS)/cargo/target/release/doze-bench-rayon $@

PEER_NAMES := doze rayon onetbb openmp-gcc openmp-clang
.PHONY: bench bench-overhead bench-peers
bench-peers: $(PEERS)/doze $(PEERS)/serial
	@for p in $(wordlist 2,9,$(PEER_NAMES)); do \
		$(MAKE) --no-print-directory $(PEERS)/$$p 2>$(PEERS)/$$p.log || \
		echo "bench: no $$p: see $(PEERS)/$$p.log, or run make setup bench"; done
bench: bench-peers ## compares doze with Rayon, oneTBB and OpenMP; BENCH="--only fib --rounds 11"
	$(Q)BUILD=$(BUILD) tests/bench/compare_peers.py $(BENCH)
bench-overhead: bench-peers ## what each pool adds to sorts and n-queens at one worker; OVERHEAD="--rounds 11"
	$(Q)BUILD=$(BUILD) tests/bench/overhead.py $(OVERHEAD)
