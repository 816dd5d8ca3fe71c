# SPDX-License-Identifier: MIT
# Programs without libdoze, for --any. They are not linked to anything of doze.
ANY_TESTS    := $(BUILD)/tests/integration/any
ANY_DIR      := tests/integration/any
LINT_SRC     += $(addprefix $(ANY_DIR)/,pools.c trouble.c cut.c library.c fixed.c)
TEST_NEEDS   += $(addprefix $(ANY_TESTS)/,pools trouble cut fixed pools-tsan pools-asan library.so cxx_pool)
WAITING_TESTS += $(addprefix $(ANY_DIR)/,exact_test.py:180 trouble_test.py:180 both_test.py:180 views_test.py:180 refuse_test.py:180)

# Without the sanitizer of the build, because the preload of --any is built without one.
ANY_CC = $(CC) -std=gnu11 -D_GNU_SOURCE $(WARNINGS) -O1 -g -pthread
$(ANY_TESTS)/pools $(ANY_TESTS)/trouble: $(ANY_TESTS)/%: $(ANY_DIR)/%.c
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(ANY_CC) -o $@ $<

# It interposes a function of the C library that LTTng calls.
$(ANY_TESTS)/cut: $(ANY_DIR)/cut.c
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(ANY_CC) -rdynamic -o $@ $<

$(ANY_TESTS)/pools-tsan $(ANY_TESTS)/pools-asan: $(ANY_TESTS)/pools-%: $(ANY_DIR)/pools.c
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(ANY_CC) -fsanitize=$(if $(filter tsan,$*),thread,address) -o $@ $<

$(ANY_TESTS)/fixed: $(ANY_DIR)/fixed.c
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(ANY_CC) -static -o $@ $<

$(ANY_TESTS)/library.so: $(ANY_DIR)/library.c
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(ANY_CC) -fPIC -shared -o $@ $<

$(ANY_TESTS)/cxx_pool: $(ANY_DIR)/cxx_pool.cpp
	$(call say,CXX,$@)
	@mkdir -p $(@D)
	$(Q)$(CXX) -O2 -g -pthread -o $@ $<
