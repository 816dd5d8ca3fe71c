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
