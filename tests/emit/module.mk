# SPDX-License-Identifier: MIT
# A pool that is not libdoze's, with the hooks of doze_emit.h.
ifneq (0,$(TRACE))
EMIT_POOL     := $(BUILD)/tests/emit/pool
TEST_NEEDS    += $(EMIT_POOL)
WAITING_TESTS += tests/emit/emit_test.py:120

$(EMIT_POOL): tests/emit/pool.c $(BUILD)/libdoze-emit.a $(BUILD)/include/doze_emit.h
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 $(WARNINGS) $(CFLAGS) $(SAN_FLAGS) -I$(BUILD)/include -o $@ $< $(BUILD)/libdoze-emit.a -pthread -ldl

.PHONY: emit-libuv
emit-libuv: all $(BUILD)/libdoze-emit.a $(BUILD)/include/doze_emit.h ## patches and records libuv's thread pool; needs the network once; SOURCE=tarball
	$(Q)BUILD=$(BUILD) CC="$(CC)" tests/emit/libuv $(SOURCE)
endif
