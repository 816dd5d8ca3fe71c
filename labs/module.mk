# SPDX-License-Identifier: MIT
#
# One program per lab: build/labs/NN-name, from labs/NN-name/questions.c and the frame in grader/.
QUIZ_LABS := $(patsubst labs/%/questions.c,%,$(wildcard labs/*/questions.c))
QUIZ_SRC := labs/grader/quiz.c labs/grader/form.c labs/grader/facts.c
QUIZ_BINS := $(QUIZ_LABS:%=$(BUILD)/labs/%)

.SECONDARY: $(call objs,$(QUIZ_SRC) $(QUIZ_LABS:%=labs/%/questions.c))
$(QUIZ_BINS): $(BUILD)/labs/%: $(BUILD)/obj/labs/%/questions.o $(call objs,$(QUIZ_SRC)) \
		$(BUILD)/libdoze-viz.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) $(VIZ_LIBS) -lm

ALL += $(QUIZ_BINS)

include labs/explorer/module.mk

# What all students of the code labs share: the explored library, the scenarios, the engine. labs/lab
# links them with the student's file (labs/framework/builds.py).
LABS_VARIANTS := lib lib-jec2 lib-jec1
LABS_SCENARIOS := $(wildcard labs/[0-9]*/scenarios.c)
LABS_OBJECTS = $(foreach v,$(LABS_VARIANTS),$(call explored_lib,$(v)) $(EXPLORE)/$(v)/labs/scenarios/waits.o) \
	$(foreach s,pool waits,$(EXPLORE)/lib/labs/scenarios/$(s).o) \
	$(LABS_SCENARIOS:%.c=$(EXPLORE)/lib/%.o) $(EXPLORE_ENGINE)
.PHONY: labs-objects
labs-objects: $(LABS_OBJECTS)

.PHONY: labs
labs: labs-objects ## what the code labs need; labs/lab does this itself
