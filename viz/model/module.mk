# SPDX-License-Identifier: MIT
VIZ_SRC += \
	viz/model/thread_names.c \
	viz/model/word_chain.c \
	viz/model/checkpoint.c \
	viz/model/entities.c \
	viz/model/findings.c \
	viz/model/hist.c \
	viz/model/jobs.c \
	viz/model/latch_names.c \
	viz/model/ledger.c \
	viz/model/level.c \
	viz/model/ledger_untargeted.c \
	viz/model/missing.c \
	viz/model/model.c \
	viz/model/notes.c \
	viz/model/observer.c \
	viz/model/outside.c \
	viz/model/posts.c \
	viz/model/queries.c \
	viz/model/restart.c \
	viz/model/states.c \
	viz/model/storms.c \
	viz/model/verdict.c \
	viz/model/waiting_posts.c \
	viz/model/waits.c \
	viz/model/wake_sites.c

VIZ_SRC += \
	viz/model/checker.c \
	viz/model/checker_notes.c \
	viz/model/rules_carry.c \
	viz/model/rules_job.c \
	viz/model/rules_latch.c \
	viz/model/rules_range.c \
	viz/model/rules_wake.c \
	viz/model/rules_word.c

VIZ_SRC += \
	viz/model/account.c \
	viz/model/path.c \
	viz/model/path_notes.c \
	viz/model/path_observer.c \
	viz/model/path_outside.c \
	viz/model/path_phase.c
