# SPDX-License-Identifier: MIT
VIZ_SRC += \
	viz/model/names.c \
	viz/model/word_chain.c \
	viz/model/checkpoint.c \
	viz/model/part.c \
	viz/model/pools.c \
	viz/model/findings.c \
	viz/model/hist.c \
	viz/model/jobs.c \
	viz/model/ledger.c \
	viz/model/missing.c \
	viz/model/model.c \
	viz/model/observer.c \
	viz/model/saved.c \
	viz/model/storms.c \
	viz/model/states.c \
	viz/model/waits.c

VIZ_SRC += \
	viz/model/checker.c \
	viz/model/rules_job.c \
	viz/model/rules_latch.c \
	viz/model/rules_word.c \
	viz/model/rules_wake.c

VIZ_SRC += \
	viz/model/path.c \
	viz/model/path_observer.c
