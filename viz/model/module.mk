# SPDX-License-Identifier: MIT
VIZ_SRC += \
	viz/model/account.c \
	viz/model/chain.c \
	viz/model/findings.c \
	viz/model/hist.c \
	viz/model/jobs.c \
	viz/model/keys.c \
	viz/model/ledger.c \
	viz/model/ledger_loose.c \
	viz/model/left.c \
	viz/model/missing.c \
	viz/model/model.c \
	viz/model/outside.c \
	viz/model/path.c \
	viz/model/path_outside.c \
	viz/model/path_phase.c \
	viz/model/present.c \
	viz/model/restart.c \
	viz/model/rules.c \
	viz/model/rules_carry.c \
	viz/model/rules_check.c \
	viz/model/rules_latch.c \
	viz/model/rules_wake.c \
	viz/model/rules_word.c \
	viz/model/states.c \
	viz/model/storms.c
