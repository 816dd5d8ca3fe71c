# SPDX-License-Identifier: MIT
#
# Flags and rules, included before the lists. What a module.mk may use:
#
#   LIB_SRC       C files of libdoze               TP_LIB_SRC  more of them, left out by TRACE=0
#   TP_SRC        C files of the LTTng provider    VIZ_SRC     C files of the program, main excepted
#   VIZ_MAIN      the file with main               UNIT_TESTS  tests/…/x.c[:seconds], one program each
#   SCRIPT_TESTS  executable scripts[:seconds]     PLUGIN_SRC  C files of the Babeltrace 2 plug-in
#   LINT_SRC      further C files for `make lint`  CFLAGS_<path of a C file>  flags for that file only
#
#   $(call objs,FILES)          the objects of C files
#   $(eval $(call variant,NAME,FLAGS))  a second set of objects: build/obj-NAME/%.o, made with FLAGS
#   $(Q), $(call say,CC,what)   quiet commands
#   ALL += …                    further products of plain `make`
#   TEST_NEEDS += …             what must be built before the script tests run

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
SAN_FLAGS := -fsanitize=thread -fno-omit-frame-pointer -O1
else ifeq ($(SAN),address)
BUILD     := build/asan
SAN_FLAGS := -fsanitize=address,undefined -fno-sanitize-recover=undefined \
	     -fno-omit-frame-pointer -O1
else ifneq (,$(SAN))
$(error SAN=$(SAN): allowed are thread and address)
else ifeq ($(TRACE),0)
BUILD := build/notrace
else
BUILD := build
endif

WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes \
	    -Wpointer-arith -Wwrite-strings -Wvla -Wundef -Wformat=2 -Wimplicit-fallthrough -Werror
CPPFLAGS += -I. -D_GNU_SOURCE -DDOZE_VERSION='"$(VERSION)"' $(if $(filter 0,$(TRACE)),-DDOZE_NO_TRACE)
CFLAGS   ?= -O2 -g
# One set of objects serves the archive and the shared object: position-independent, and hidden
# unless doze.h says otherwise, so that calls inside the library stay direct.
ALL_CFLAGS = -std=gnu11 -pthread -fPIC -fvisibility=hidden $(WARNINGS) $(CFLAGS) $(SAN_FLAGS)
ALL_LDFLAGS = -pthread -Wl,--as-needed $(LDFLAGS) $(SAN_FLAGS)

# Asked of pkg-config once, and only when something that needs them is built.
once = $(eval $(1) := $(shell $(2)))$($(1))
VIZ_PKGS   := babeltrace2 lttng-ctl ncursesw panelw
VIZ_LIBS    = $(call once,VIZ_LIBS,pkg-config --libs $(VIZ_PKGS))
CUNIT_LIBS  = $(call once,CUNIT_LIBS,pkg-config --libs cunit)

objs = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))

# The flags of the last build. Objects depend on it, so other flags or another compiler rebuild.
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
VIZ_SRC :=
VIZ_MAIN :=
PLUGIN_SRC :=
UNIT_TESTS :=
SCRIPT_TESTS :=
LINT_SRC :=
ALL :=
TEST_NEEDS :=

.PHONY: all
all:
