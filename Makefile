# SPDX-License-Identifier: MIT
#
# The build of doze. `make help` lists the targets. Each folder's module.mk lists its files; this
# file has the rules. All products are below build/.
#
#   CC=clang            another compiler
#   V=1                 show the commands
#   WERROR=1            warnings are errors; CI sets it
#   TRACE=0             the library without any trace hook      (in build/notrace)
#   SAN=thread|address  ThreadSanitizer; AddressSanitizer+UBSan (in build/tsan, build/asan)
#   SAN=helgrind        atomics that helgrind understands (in build/helgrind)
#   PREFIX= DESTDIR=    for install

.DEFAULT_GOAL := all
VERSION := 0.1.0

# On a bare machine nothing can be built before `setup` has run. If `setup` is among the goals, it
# runs first and alone, even with -j; a second make then builds the other goals with the installed
# packages.
ifneq (,$(filter setup,$(MAKECMDGOALS)))

REST := $(filter-out setup,$(MAKECMDGOALS))
.PHONY: setup $(REST)
setup:
	@.ci/setup $(REST)
ifneq (,$(REST))
$(firstword $(REST)): setup
	@# Without -j, `make setup test` uses all CPUs.
	@case " $$MAKEFLAGS" in *\ -j* | *jobserver*) jobs= ;; *) jobs=-j$$(nproc) ;; esac; \
	$(MAKE) --no-print-directory $$jobs $(REST)
$(wordlist 2,$(words $(REST)),$(REST)): $(firstword $(REST)) ; @:
endif

else

# ---- flags and rules for module.mk files ----
#
#   LIB_SRC       C files of libdoze               TP_LIB_SRC  C files that TRACE=0 omits
#   TP_SRC        C files of the LTTng provider    VIZ_SRC     C files of the program, main excepted
#   VIZ_MAIN      the file with main               UNIT_TESTS  tests/…/x.c[:seconds], one program each
#   SCRIPT_TESTS  executables[:seconds[:parts]]    PLUGIN_SRC  C files of the Babeltrace 2 plug-in
#   WAITING_TESTS like SCRIPT_TESTS, but mostly waiting: several run at once, while others run
#   ANY_SRC       C files of the preload for programs without libdoze
#   LINT_SRC      further C files for `make lint`  CFLAGS_<path of a C file>  flags for that file only
#
#   $(call objs,FILES)          the objects of C files
#   $(eval $(call variant,NAME,FLAGS))  a second set of objects: build/obj-NAME/%.o, compiled with FLAGS
#   $(Q), $(call say,CC,what)   quiet commands
#   PRODUCTS += …              further products of plain `make`
#   TEST_NEEDS += …             targets to build before the script tests run

CC     ?= cc
CXX    ?= c++
AR     ?= ar
TRACE  ?= 1
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib

ifeq ($(origin CC),default)
CC := cc
endif

Q   := $(if $(V),,@)
say  = $(if $(V),,@printf '  %-5s %s\n' $(1) $(2))

ifeq ($(SAN),thread)
BUILD     := build/tsan
SAN_FLAGS := -fsanitize=thread -fno-omit-frame-pointer -O1 -Wno-maybe-uninitialized
else ifeq ($(SAN),address)
BUILD     := build/asan
SAN_FLAGS := -fsanitize=address,undefined -fno-sanitize-recover=undefined \
	     -fno-omit-frame-pointer -O1 -Wno-maybe-uninitialized
else ifeq ($(SAN),helgrind)
BUILD     := build/helgrind
# Annotated atomic operations nest, so their local variables shadow each other.
SAN_FLAGS := -DDOZE_HELGRIND -Itests/sanitizers/valgrind -Wno-shadow -fno-omit-frame-pointer -O1
else ifneq (,$(SAN))
$(error SAN=$(SAN): must be thread, address or helgrind)
else ifeq ($(TRACE),0)
BUILD := build/notrace
else
BUILD := build
endif

WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes \
	    -Wpointer-arith -Wwrite-strings -Wvla -Wundef -Wformat=2 -Wimplicit-fallthrough \
	    $(if $(filter 1,$(WERROR)),-Werror)
CPPFLAGS += -I. -D_GNU_SOURCE -DDOZE_VERSION='"$(VERSION)"' $(if $(filter 0,$(TRACE)),-DDOZE_NO_TRACE)
CFLAGS   ?= -O2 -g
# The archive and the shared object use the same objects. They are position-independent, and their
# symbols are hidden unless doze.h exports them, so that calls inside the library stay direct.
ALL_CFLAGS = -std=gnu11 -pthread -fPIC -fvisibility=hidden $(WARNINGS) $(CFLAGS) $(SAN_FLAGS)
ALL_LDFLAGS = -pthread -Wl,--as-needed $(LDFLAGS) $(SAN_FLAGS) \
	      $(if $(KEEP_LOADED),-Wl$(comma)--export-dynamic-symbol=dlclose)

# pkg-config is called once, and only when a target that needs these flags is built.
once = $(eval $(1) := $(shell $(2)))$($(1))
VIZ_PKGS   := babeltrace2 lttng-ctl ncursesw panelw libdw libelf zlib
VIZ_LIBS    = $(call once,VIZ_LIBS,pkg-config --libs $(VIZ_PKGS))
CUNIT_LIBS  = $(call once,CUNIT_LIBS,pkg-config --libs cunit)

comma := ,
objs = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))

# This file contains the flags of the last build. All objects depend on it, so a change of flags or
# compiler causes a rebuild.
FLAGS_FILE := $(BUILD)/obj/.flags
FLAGS_NOW   = $(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(ALL_LDFLAGS)
$(FLAGS_FILE): FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(subst ','\'',$(FLAGS_NOW))' | cmp -s - $@ || \
		printf '%s\n' '$(subst ','\'',$(FLAGS_NOW))' >$@
.PHONY: FORCE
FORCE:

# $(call compile_rule,folder of objects,more flags)
define compile_rule
$(1)/%.o: %.c $(FLAGS_FILE)
	$$(call say,CC,$$<)
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $$(CPPFLAGS) $$(ALL_CFLAGS) $(2) $$(CFLAGS_$$<) -MMD -MP -c -o $$@ $$<
endef
variant = $(call compile_rule,$(BUILD)/obj-$(strip $(1)),$(2))
$(eval $(call compile_rule,$(BUILD)/obj,))

LIB_SRC :=
TP_SRC :=
TP_LIB_SRC :=
ANY_SRC :=
EMIT_SRC :=
VIZ_SRC :=
VIZ_MAIN :=
PLUGIN_SRC :=
UNIT_TESTS :=
SCRIPT_TESTS :=
WAITING_TESTS :=
LINT_SRC :=
PRODUCTS :=
TEST_NEEDS :=

.PHONY: all
all:
include lib/module.mk
include tracepoints/module.mk
include viz/module.mk
include labs/module.mk
include $(wildcard tests/module.mk) # absent from students' copies
# A part whose list is empty is not built.

path_of = $(firstword $(subst :, ,$(1)))
seconds_of = $(word 2,$(subst :, ,$(1)))

# ---- products ----

LIB_A     := $(BUILD)/libdoze.a
LIB_SO    := $(BUILD)/libdoze.so
SONAME    := libdoze.so.$(firstword $(subst ., ,$(VERSION)))
VIZ_A     := $(BUILD)/libdoze-viz.a
PROVIDER  := $(BUILD)/libdoze-tracepoints.so
ANY       := $(BUILD)/libdoze-any.so
EMIT_A    := $(BUILD)/libdoze-emit.a
EMIT_H    := $(BUILD)/include/doze_emit.h
PLUGIN    := $(BUILD)/babeltrace2-plugin-doze.so
PROGRAM   := $(BUILD)/doze

LIB_OBJS  := $(call objs,$(LIB_SRC) $(if $(filter 0,$(TRACE)),,$(TP_LIB_SRC)))
TP_OBJS   := $(call objs,$(TP_SRC))
ANY_OBJS  := $(if $(SAN),,$(call objs,$(ANY_SRC) $(if $(ANY_SRC),$(TP_LIB_SRC))))
EMIT_OBJS := $(call objs,$(EMIT_SRC) $(if $(EMIT_SRC),$(TP_LIB_SRC)))
VIZ_OBJS  := $(call objs,$(VIZ_SRC))
MAIN_OBJ  := $(call objs,$(VIZ_MAIN))
PLUGIN_OBJS := $(call objs,$(PLUGIN_SRC))

ifneq (,$(LIB_OBJS))
PRODUCTS += $(LIB_A) $(LIB_SO)
endif
ifneq (,$(VIZ_OBJS))
PRODUCTS += $(VIZ_A)
endif
ifneq (,$(MAIN_OBJ))
PRODUCTS += $(PROGRAM)
endif
ifneq (0,$(TRACE))
ifneq (,$(TP_OBJS))
PRODUCTS += $(PROVIDER)
endif
ifneq (,$(ANY_OBJS))
PRODUCTS += $(ANY)
endif
ifneq (,$(EMIT_OBJS))
PRODUCTS += $(EMIT_A) $(EMIT_H)
endif
endif
ifneq (,$(PLUGIN_OBJS))
PRODUCTS += $(PLUGIN)
endif
all: $(PRODUCTS) ## everything (the default)

$(LIB_A): $(LIB_OBJS)
$(VIZ_A): $(VIZ_OBJS)
$(EMIT_A): $(EMIT_OBJS)
$(LIB_A) $(VIZ_A) $(EMIT_A):
	$(call say,AR,$@)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

# Programs find the file by its plain name at link time and by its soname at run time. It is linked
# with nodelete because the loader's thread runs its code until the process exits, even after a
# dlclose.
$(LIB_SO): $(LIB_OBJS) lib/libdoze.map
	$(call say,LD,$@)
	$(Q)$(CC) -shared -Wl,-z,nodelete -Wl,-soname,$(SONAME) $(if $(SAN),,-Wl,-z,defs) -Wl,--version-script=lib/libdoze.map \
		-o $@ $(LIB_OBJS) $(ALL_LDFLAGS) -ldl
	@ln -sf $(@F) $(BUILD)/$(SONAME)

$(PROVIDER): $(TP_OBJS)
	$(call say,LD,$@)
	$(Q)$(CC) -shared -Wl,-soname,$(@F) -o $@ $^ $(ALL_LDFLAGS) -llttng-ust -ldl

# Without the sanitizers' libraries, which must be the program's own.
ANY_MAP := tracepoints/any/any.map
$(ANY): $(ANY_OBJS) $(ANY_MAP)
	$(call say,LD,$@)
	$(Q)$(CC) -shared -Wl,-soname,$(@F) $(if $(filter x86_64%,$(shell $(CC) -dumpmachine)),-Wl$(comma)--version-script=$(ANY_MAP)) \
		-o $@ $(ANY_OBJS) $(ALL_LDFLAGS) -ldl

$(EMIT_H): tracepoints/emit/doze_emit.h tracepoints/emit/one_header.awk lib/trace.h lib/trace_enums.h lib/trace_info.h tracepoints/hooks.h
	$(call say,AWK,$@)
	@mkdir -p $(@D)
	$(Q)awk -f tracepoints/emit/one_header.awk $< >$@

$(PLUGIN): $(PLUGIN_OBJS) $(VIZ_A)
	$(call say,LD,$@)
	$(Q)$(CC) -shared -o $@ $^ $(ALL_LDFLAGS) $(VIZ_LIBS)

$(PROGRAM): $(MAIN_OBJ) $(KEEP_LOADED) $(VIZ_A) $(LIB_A)
	$(call say,LD,$@)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) $(VIZ_LIBS) -lm -ldl

# ---- unit tests: one program per suite ----

SUITES := $(foreach t,$(UNIT_TESTS),$(patsubst %.c,$(BUILD)/%,$(call path_of,$(t))))
SUITE_OBJS := $(call objs,$(foreach t,$(UNIT_TESTS),$(call path_of,$(t))))
SUITE_FRAME := $(FIXTURES) $(KEEP_LOADED)

.SECONDARY: $(SUITE_OBJS) $(SUITE_FRAME)
$(SUITES): $(BUILD)/%: $(BUILD)/obj/%.o $(SUITE_FRAME) \
		$(if $(VIZ_OBJS),$(VIZ_A)) $(if $(LIB_OBJS),$(LIB_A))
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ -Wl,--start-group $^ -Wl,--end-group $(ALL_LDFLAGS) $(CUNIT_LIBS) $(if $(VIZ_OBJS),$(VIZ_LIBS)) -lm -ldl

# tests/run expects name:seconds, so keep the seconds of each list entry.
timed = $(1)$(if $(2),:$(2))
UNIT_RUN := $(foreach t,$(UNIT_TESTS),$(call timed,$(patsubst %.c,$(BUILD)/%,$(call path_of,$(t))),$(call seconds_of,$(t))))
ifneq (,$(SAN))
# With vm.mmap_rnd_bits=32, gcc 12's sanitizers find no space for their shadow memory unless address
# randomisation is off. Where setarch is forbidden, run without it.
FIXED_ADDRESSES := $(shell setarch $$(uname -m) -R true 2>&- && echo setarch $$(uname -m) -R)
SAN_ENV := SAN_REPORTS=1 TEST_SLOW=4 LSAN_OPTIONS=suppressions=$(CURDIR)/tests/sanitizers/lsan.supp:print_suppressions=0 \
	UBSAN_OPTIONS=print_stacktrace=1 TSAN_OPTIONS=second_deadlock_stack=1
endif
# With ONLY=word or ONLY=word,word, make builds only what the matching tests need.
matches = $(strip $(foreach w,$(subst $(comma), ,$(ONLY)),$(findstring $(w),$(call path_of,$(1)))))
wanted = $(if $(ONLY),$(foreach t,$(1),$(if $(call matches,$(t)),$(t))),$(1))
SCRIPT_NEEDS := $(if $(wildcard tests/run),$(if $(call wanted,$(SCRIPT_TESTS) $(WAITING_TESTS)),all $(TEST_NEEDS)))
# $(call run_tests,GOAL): the runner, which names the command that repeats a failed test.
# The students' copy of the labs has none.
run_tests = $(if $(wildcard tests/run),$(SAN_ENV) BUILD=$(BUILD) REPEAT_WITH='make $(if $(SAN),SAN=$(SAN) )$(1) ONLY=' \
	$(FIXED_ADDRESSES) tests/run,echo 'This copy has no tests. Your files are tested by labs/lab grade.'; :)

.PHONY: test unit-test unit-programs script-test tsan asan flaky
test: $(call wanted,$(SUITES)) $(SCRIPT_NEEDS) ## all tests; ONLY=word runs those with the word in their name
	$(Q)$(call run_tests,test) $(UNIT_RUN) $(SCRIPT_TESTS) --waiting $(WAITING_TESTS)
unit-test: $(call wanted,$(SUITES)) ## the unit suites only
	$(Q)$(call run_tests,unit-test) $(UNIT_RUN)
unit-programs: $(call wanted,$(SUITES))
script-test: $(SCRIPT_NEEDS) ## the tests that record traces, drive the viewer or check the READMEs
	$(Q)$(call run_tests,script-test) $(SCRIPT_TESTS) --waiting $(WAITING_TESTS)
flaky: $(call wanted,$(SUITES)) $(if $(ONLY),$(SCRIPT_NEEDS)) ## how often a test fails beside busy loops: ONLY=word N=20 LOAD=4
	$(Q)BUILD=$(BUILD) N=$(N) LOAD=$(LOAD) ONLY=$(ONLY) tests/flaky $(UNIT_RUN) $(SCRIPT_TESTS) --waiting $(WAITING_TESTS)
tsan: ## the unit suites under ThreadSanitizer
	$(Q)$(MAKE) --no-print-directory SAN=thread unit-test
asan: ## the unit suites under AddressSanitizer and UBSan
	$(Q)$(MAKE) --no-print-directory SAN=address unit-test

# ---- manual: section 1 from the program's own help, section 3 from the comments of doze.h ----

MAN := $(BUILD)/man
.PHONY: docs
docs: $(MAN)/.made ## man pages, into build/man
$(MAN)/.made: $(PROGRAM) lib/doze.h lib/man3.awk viz/man1.awk
	$(call say,MAN,$(MAN))
	@rm -rf $(MAN) && mkdir -p $(MAN)/man1 $(MAN)/man3
	$(Q)$(PROGRAM) help | awk -v page=doze -v version=$(VERSION) -f viz/man1.awk \
		>$(MAN)/man1/doze.1
	$(Q)for cmd in $$($(PROGRAM) help | sed -n '/^Commands/,/^$$/s/^  \([a-z]*\) .*/\1/p'); do \
		$(PROGRAM) help $$cmd | awk -v page=doze-$$cmd -v version=$(VERSION) -f viz/man1.awk \
			>$(MAN)/man1/doze-$$cmd.1; done
	$(Q)awk -v out=$(MAN)/man3 -v version=$(VERSION) -f lib/man3.awk lib/doze.h
	@touch $@

# ---- install ----

INC_DIR = $(DESTDIR)$(PREFIX)/include
LIB_DIR = $(DESTDIR)$(LIBDIR)
BIN_DIR = $(DESTDIR)$(PREFIX)/bin
MAN_DIR = $(DESTDIR)$(PREFIX)/share/man
PLUG_DIR = $(LIB_DIR)/doze
LESSON_DIR = $(DESTDIR)$(PREFIX)/share/doze/lessons
BASH_DIR = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
ZSH_DIR = $(DESTDIR)$(PREFIX)/share/zsh/site-functions
CMAKE_DIR = $(LIB_DIR)/cmake/doze

# The files that `make install` installs; `make uninstall` removes exactly these.
INSTALLED = $(INC_DIR)/doze.h $(INC_DIR)/doze_inline.h $(LIB_DIR)/libdoze.a $(LIB_DIR)/libdoze.so $(LIB_DIR)/$(SONAME) \
	$(INC_DIR)/doze_emit.h $(LIB_DIR)/libdoze-emit.a $(LIB_DIR)/pkgconfig/doze-emit.pc \
	$(LIB_DIR)/libdoze.so.$(VERSION) $(LIB_DIR)/$(notdir $(PROVIDER)) $(LIB_DIR)/$(notdir $(ANY)) $(LIB_DIR)/pkgconfig/doze.pc \
	$(CMAKE_DIR)/doze-config.cmake $(CMAKE_DIR)/doze-config-version.cmake $(BASH_DIR)/doze $(ZSH_DIR)/_doze \
	$(BIN_DIR)/doze $(PLUG_DIR)/$(notdir $(PLUGIN)) $(PLUG_DIR)/$(notdir $(BROADCAST))

define PC
prefix=$(PREFIX)
libdir=$(LIBDIR)
includedir=$${prefix}/include

Name: doze
Description: Work-stealing thread pool whose every sleep and wake decision can be traced
Version: $(VERSION)
Cflags: -I$${includedir}
Libs: -L$${libdir} -ldoze
Libs.private: -pthread -ldl
endef
export PC

define PC_EMIT
prefix=$(PREFIX)
libdir=$(LIBDIR)
includedir=$${prefix}/include

Name: doze-emit
Description: Hooks with which a thread pool shows its sleep and wake decisions in doze's tools
Version: $(VERSION)
Cflags: -I$${includedir}
Libs: -L$${libdir} -ldoze-emit -pthread -ldl
endef
export PC_EMIT

.PHONY: install uninstall
install: all docs ## into PREFIX (/usr/local), below DESTDIR
	$(Q)install -d $(INC_DIR) $(LIB_DIR)/pkgconfig $(BIN_DIR)
	$(Q)install -m 644 lib/doze.h lib/doze_inline.h $(INC_DIR)/
	$(Q)install -m 644 $(LIB_A) $(LIB_DIR)/
	$(Q)install -m 755 $(LIB_SO) $(LIB_DIR)/libdoze.so.$(VERSION)
	$(Q)ln -sf libdoze.so.$(VERSION) $(LIB_DIR)/$(SONAME)
	$(Q)ln -sf $(SONAME) $(LIB_DIR)/libdoze.so
	$(Q)printf '%s\n' "$$PC" >$(LIB_DIR)/pkgconfig/doze.pc
	$(Q)$(if $(filter $(EMIT_A),$(PRODUCTS)),install -m 644 $(EMIT_H) $(INC_DIR)/ && install -m 644 $(EMIT_A) $(LIB_DIR)/ && \
		printf '%s\n' "$$PC_EMIT" >$(LIB_DIR)/pkgconfig/doze-emit.pc)
	$(Q)install -d $(CMAKE_DIR) && for file in doze-config.cmake doze-config-version.cmake; do \
		sed 's|@LIBDIR@|$(LIBDIR)|; s|@INCLUDEDIR@|$(PREFIX)/include|; s|@VERSION@|$(VERSION)|' lib/$$file.in >$(CMAKE_DIR)/$$file; done
	$(Q)$(if $(MAIN_OBJ),install -m 755 $(PROGRAM) $(BIN_DIR)/doze && install -d $(BASH_DIR) $(ZSH_DIR) && \
		$(PROGRAM) completion bash >$(BASH_DIR)/doze && $(PROGRAM) completion zsh >$(ZSH_DIR)/_doze)
	$(Q)$(if $(filter $(PROVIDER),$(PRODUCTS)),install -m 755 $(PROVIDER) $(LIB_DIR)/)
	$(Q)$(if $(filter $(ANY),$(PRODUCTS)),install -m 755 $(ANY) $(LIB_DIR)/)
	$(Q)install -d $(PLUG_DIR) && install -m 755 $(BROADCAST) $(PLUG_DIR)/
	$(Q)$(if $(PLUGIN_OBJS),install -m 755 $(PLUGIN) $(PLUG_DIR)/)
	$(Q)install -d $(MAN_DIR)/man1 $(MAN_DIR)/man3
	$(Q)install -m 644 $(MAN)/man1/* $(MAN_DIR)/man1/
	$(Q)install -m 644 $(MAN)/man3/* $(MAN_DIR)/man3/
	$(Q)$(if $(MAIN_OBJ),install -d $(LESSON_DIR) && cp -r labs/lessons/*.lesson labs/lessons/recordings $(LESSON_DIR)/)
	@echo "doze $(VERSION) is in $(DESTDIR)$(PREFIX)"

uninstall: docs ## remove what `make install` installed
	$(Q)rm -f $(INSTALLED)
	$(Q)cd $(MAN) && for page in man?/*; do rm -f $(MAN_DIR)/$$page; done
	$(Q)rmdir $(PLUG_DIR) $(CMAKE_DIR) 2>/dev/null || true
	$(Q)cd labs/lessons && for file in *.lesson recordings/*/*; do rm -f $(LESSON_DIR)/$$file; done
	$(Q)rmdir $(LESSON_DIR)/recordings/* $(LESSON_DIR)/recordings $(LESSON_DIR) $(dir $(LESSON_DIR)) 2>/dev/null || true

# ---- setup, lint, dist, clean, help ----

.PHONY: setup lint lint-quick lint-ci dist deb version clean help
lint lint-ci: $(BUILD)/tested/tested.h
lint: ## clang-format, clang-tidy, cppcheck, shellcheck, pyflakes, and the rules of this tree
	+@.ci/lint
lint-quick: ## the checks of lint that take seconds; the format only if clang-format is installed
	+@.ci/lint $$(command -v clang-format >/dev/null && echo format) doors signals files sizes links mutants edges shell python
lint-ci: ## lint as CI runs it: cppcheck and clang-tidy only on files changed in two days, or since CI_BASE
	+@.ci/lint --changed
# With other goals, the rule at the beginning of this file runs setup first.
setup: ## install the packages of the distribution that are missing
	@.ci/setup

dist: ## build/doze-VERSION.tar.gz of the last commit
	@mkdir -p build
	$(Q)git archive --format=tar.gz --prefix=doze-$(VERSION)/ -o build/doze-$(VERSION).tar.gz HEAD
	@echo build/doze-$(VERSION).tar.gz

# From the last commit, as dist. dpkg-buildpackage takes its files from a folder named debian.
DEB := build/deb/doze-$(VERSION)
DEB_VERSION ?= $(VERSION)
deb: ## Debian packages, source and binary, into build/deb
	$(Q)rm -rf build/deb && mkdir -p $(DEB)
	$(Q)git archive HEAD | tar x -C $(DEB)
	$(Q)mv $(DEB)/.deb $(DEB)/debian
	$(Q)printf 'doze (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md.\n\n -- %s  %s\n' $(DEB_VERSION) \
		"$$(sed -n 's/^Maintainer: //p' .deb/control)" "$$(git log -1 --format=%aD)" >$(DEB)/debian/changelog
	$(Q)cd $(DEB) && dpkg-buildpackage -us -uc >../build.log 2>&1 || { tail -n 20 ../build.log; exit 1; }
	@ls build/deb/*.deb build/deb/*.dsc

version:
	@echo $(VERSION)

clean: ## remove build/
	$(Q)rm -rf build

help: ## this list
	@cat $(MAKEFILE_LIST) | sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/\1@\2/p' | sort -u | \
		awk -F@ '{ printf "  %-12s %s\n", $$1, $$2 }'

-include $(shell find $(BUILD)/obj $(BUILD)/obj-* -name '*.d' 2>/dev/null)

endif
