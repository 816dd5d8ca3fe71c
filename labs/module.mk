# SPDX-License-Identifier: MIT
#
# One program a lab: build/labs/NN-name, from labs/NN-name/questions.c and the frame in grader/.
QUIZ_LABS := 01-states
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
