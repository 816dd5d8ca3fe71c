# SPDX-License-Identifier: MIT
#
# Builds a program build/labs/NN-name for each lab with questions, from labs/NN-name/questions.c and
# grader/.
QUIZ_LABS := $(patsubst labs/%/questions.c,%,$(wildcard labs/*/questions.c))
QUIZ_SRC := labs/grader/quiz.c labs/grader/form.c labs/grader/facts.c
QUIZ_BINS := $(QUIZ_LABS:%=$(BUILD)/labs/%)

.SECONDARY: $(call objs,$(QUIZ_SRC) $(QUIZ_LABS:%=labs/%/questions.c))
$(QUIZ_BINS): $(BUILD)/labs/%: $(BUILD)/obj/labs/%/questions.o $(call objs,$(QUIZ_SRC)) \
		$(BUILD)/libdoze-viz.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) $(VIZ_LIBS) -lm

# Runs compilers, students' programs and the quizzes (labs/framework/jail.py).
JAIL := $(BUILD)/labs/jail
PRODUCTS += $(QUIZ_BINS) $(JAIL)

$(JAIL): $(call objs,labs/grader/jail.c)
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS)

include labs/explorer/module.mk

# Prints the flags that labs/lab and tests/proof/mutate need.
.PHONY: explore-flags
explore-flags:
	@echo 'cc=$(CC)'
	@echo 'clang=$(EXPLORE_CLANG)'
	@printf '%s\n' 'flags=$(subst ','\'',$(CPPFLAGS) $(EXPLORED_FLAGS))'
	@printf '%s\n' 'engine_flags=$(subst ','\'',$(EXPLORE_ENGINE_FLAGS))'
	@echo 'engine=$(EXPLORE_ENGINE)'
	@echo 'lib=$(EXPLORE_LIB)'
	@printf '%s\n' 'real_flags=$(subst ','\'',$(CPPFLAGS) $(ALL_CFLAGS) -DDOZE_TRACE_SINK)'
	@echo 'real=$(LABS_REAL)'

# A student's copy contains the files with answers only as sealed text, and compiles them from that
# text.
SEALED := $(if $(wildcard labs/sealed.txt),$(shell labs/framework/sealed.py list))
LIB_SRC += $(filter-out $(LIB_SRC),$(SEALED))
# $(call sealed_rule,FOLDER,COMPILER): the rule that compiles sealed files to objects in FOLDER.
define sealed_rule
$(SEALED:%.c=$(1)/%.o): $(1)/%.o: labs/sealed.txt $(FLAGS_FILE)
	$$(call say,CC,$$*.c)
	@mkdir -p $$(@D)
	$$(Q)labs/framework/sealed.py print $$*.c | $(2) -iquote $$(dir $$*) -x c -c -o $$@ -
endef
ifneq (,$(SEALED))
$(eval $(call sealed_rule,$(BUILD)/obj,$$(CC) $$(CPPFLAGS) $$(ALL_CFLAGS)))
$(eval $(call sealed_rule,$(EXPLORE)/lib,$$(EXPLORE_CLANG) $$(CPPFLAGS) $$(EXPLORED_FLAGS)))
$(eval $(call sealed_rule,$(EXPLORE)/lib-jec2,$$(EXPLORE_CLANG) $$(CPPFLAGS) $$(EXPLORED_FLAGS) -DDOZE_BITS_JEC=2))
$(eval $(call sealed_rule,$(EXPLORE)/lib-jec1,$$(EXPLORE_CLANG) $$(CPPFLAGS) $$(EXPLORED_FLAGS) -DDOZE_BITS_JEC=1))
endif

# The library on real threads, for labs that measure: a lab's measure.c (or many.c) replaces the tracer.
$(eval $(call variant,labs,-DDOZE_TRACE_SINK))
LABS_REAL = $(LIB_SRC) labs/explorer/sink_defaults.c
ifneq (,$(SEALED))
$(eval $(call sealed_rule,$(BUILD)/obj-labs,$$(CC) $$(CPPFLAGS) $$(ALL_CFLAGS) -DDOZE_TRACE_SINK))
endif
LABS_REAL_OBJECTS = $(patsubst %.c,$(BUILD)/obj-labs/%.o,$(LABS_REAL) $(wildcard labs/[0-9]*/measure.c labs/[0-9]*/many.c))

# What all students of the code labs share: the explored library, the scenarios, the engine. labs/lab
# links them with the student's file (labs/framework/builds.py).
LABS_VARIANTS := lib lib-jec2 lib-jec1
LABS_SCENARIOS := $(wildcard labs/[0-9]*/scenarios.c)
LABS_OBJECTS = $(foreach v,$(LABS_VARIANTS),$(call explored_lib,$(v)) \
		$(foreach s,pool waits,$(EXPLORE)/$(v)/labs/scenarios/$(s).o)) \
	$(foreach s,helps runs suspends,$(EXPLORE)/lib/labs/scenarios/$(s).o) \
	$(LABS_SCENARIOS:%.c=$(EXPLORE)/lib/%.o) $(EXPLORE_ENGINE) $(LABS_REAL_OBJECTS) $(JAIL)
.PHONY: labs-objects
labs-objects: $(LABS_OBJECTS)

.PHONY: labs
labs: labs-objects ## what the code labs need; labs/lab also builds it when needed

.PHONY: labs-dist
labs-dist: $(QUIZ_BINS) ## what students and Gradescope get, in build/labs-dist
	$(Q)BUILD=$(BUILD) labs/framework/dist.py $(BUILD)/labs-dist
