# SPDX-License-Identifier: MIT
#
# Products and targets, included after the lists are known. A part whose list is empty is not built.

path_of = $(firstword $(subst :, ,$(1)))
seconds_of = $(word 2,$(subst :, ,$(1)))

# ---- products ----

LIB_A     := $(BUILD)/libdoze.a
LIB_SO    := $(BUILD)/libdoze.so
SONAME    := libdoze.so.$(firstword $(subst ., ,$(VERSION)))
VIZ_A     := $(BUILD)/libdoze-viz.a
PROVIDER  := $(BUILD)/libdoze-tracepoints.so
PLUGIN    := $(BUILD)/babeltrace2-plugin-doze.so
PROGRAM   := $(BUILD)/doze

LIB_OBJS  := $(call objs,$(LIB_SRC) $(if $(filter 0,$(TRACE)),,$(TP_LIB_SRC)))
TP_OBJS   := $(call objs,$(TP_SRC))
VIZ_OBJS  := $(call objs,$(VIZ_SRC))
MAIN_OBJ  := $(call objs,$(VIZ_MAIN))
PLUGIN_OBJS := $(call objs,$(PLUGIN_SRC))

ifneq (,$(LIB_OBJS))
ALL += $(LIB_A) $(LIB_SO)
endif
ifneq (,$(VIZ_OBJS))
ALL += $(VIZ_A)
endif
ifneq (,$(MAIN_OBJ))
ALL += $(PROGRAM)
endif
ifneq (0,$(TRACE))
ifneq (,$(TP_OBJS))
ALL += $(PROVIDER)
endif
endif
ifneq (,$(PLUGIN_OBJS))
ALL += $(PLUGIN)
endif
all: $(ALL) ## everything (the default)

$(LIB_A): $(LIB_OBJS)
$(VIZ_A): $(VIZ_OBJS)
$(LIB_A) $(VIZ_A):
	$(call say,AR,$@)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

# Programs find the file by its plain name at link time and by its soname at run time.
$(LIB_SO): $(LIB_OBJS)
	$(call say,LD,$@)
	$(Q)$(CC) -shared -Wl,-soname,$(SONAME) $(if $(SAN),,-Wl,-z,defs) -o $@ $^ $(ALL_LDFLAGS) -ldl
	@ln -sf $(@F) $(BUILD)/$(SONAME)

$(PROVIDER): $(TP_OBJS)
	$(call say,LD,$@)
	$(Q)$(CC) -shared -Wl,-soname,$(@F) -o $@ $^ $(ALL_LDFLAGS) -llttng-ust -ldl

$(PLUGIN): $(PLUGIN_OBJS) $(VIZ_A)
	$(call say,LD,$@)
	$(Q)$(CC) -shared -o $@ $^ $(ALL_LDFLAGS) $(VIZ_LIBS)

$(PROGRAM): $(MAIN_OBJ) $(VIZ_A) $(LIB_A)
	$(call say,LD,$@)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) $(VIZ_LIBS) -lm -ldl

# ---- unit tests: one program a suite ----

SUITES := $(foreach t,$(UNIT_TESTS),$(patsubst %.c,$(BUILD)/%,$(call path_of,$(t))))
SUITE_OBJS := $(call objs,$(foreach t,$(UNIT_TESTS),$(call path_of,$(t))))
SUITE_FRAME := $(call objs,tests/unit/suite.c)

.SECONDARY: $(SUITE_OBJS) $(SUITE_FRAME)
$(SUITES): $(BUILD)/%: $(BUILD)/obj/%.o $(SUITE_FRAME) \
		$(if $(VIZ_OBJS),$(VIZ_A)) $(if $(LIB_OBJS),$(LIB_A))
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) $(CUNIT_LIBS) $(if $(VIZ_OBJS),$(VIZ_LIBS)) -lm -ldl

# tests/run gets name:seconds; the seconds of a list entry travel with it.
timed = $(1)$(if $(2),:$(2))
UNIT_RUN := $(foreach t,$(UNIT_TESTS),$(call timed,$(patsubst %.c,$(BUILD)/%,$(call path_of,$(t))),$(call seconds_of,$(t))))
RUN_TESTS := BUILD=$(BUILD) tests/run

.PHONY: test unit-test script-test tsan asan
test: all $(SUITES) $(TEST_NEEDS) ## all tests; ONLY=word runs those with the word in their name
	$(Q)$(RUN_TESTS) $(UNIT_RUN) $(SCRIPT_TESTS)
unit-test: $(SUITES) ## the unit suites only
	$(Q)$(RUN_TESTS) $(UNIT_RUN)
script-test: all $(TEST_NEEDS) ## the tests that record traces, drive the viewer, read the READMEs
	$(Q)$(RUN_TESTS) $(SCRIPT_TESTS)
tsan: ## the unit suites under ThreadSanitizer
	$(Q)$(MAKE) --no-print-directory SAN=thread unit-test
asan: ## the unit suites under AddressSanitizer and UBSan
	$(Q)$(MAKE) --no-print-directory SAN=address unit-test

# ---- the rest ----

.PHONY: setup lint dist clean help
lint: ## clang-format, clang-tidy, cppcheck, shellcheck, and the rules of this tree
	@.ci/lint
# With other goals the Makefile itself runs this first; see there.
setup: ## install what is missing (packages of the distribution)
	@.ci/setup

dist: ## build/doze-VERSION.tar.gz of what is committed
	@mkdir -p build
	$(Q)git archive --format=tar.gz --prefix=doze-$(VERSION)/ -o build/doze-$(VERSION).tar.gz HEAD
	@echo build/doze-$(VERSION).tar.gz

clean: ## remove build/
	$(Q)rm -rf build

help: ## this list
	@cat Makefile $(MAKEFILE_LIST) | sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/\1@\2/p' | sort -u | \
		awk -F@ '{ printf "  %-12s %s\n", $$1, $$2 }'

-include $(shell find $(BUILD)/obj $(BUILD)/obj-* -name '*.d' 2>/dev/null)
