# SPDX-License-Identifier: MIT
#
# The contract of sleep policies: one suite that combines constructs, policies and numbers of
# workers.
UNIT_TESTS += tests/unit/contract/contract_test.c:1500
CONTRACT_OBJS := $(addprefix $(BUILD)/obj/tests/unit/contract/,constructs.o constructs_spawn.o \
	constructs_threads.o constructs_futures.o)
$(BUILD)/tests/unit/contract/contract_test: $(CONTRACT_OBJS)
.SECONDARY: $(CONTRACT_OBJS)
