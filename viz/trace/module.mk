# SPDX-License-Identifier: MIT
# Files in policies/ are found automatically and need not be listed here.
VIZ_SRC += \
	viz/trace/utf8.c \
	viz/trace/event.c \
	viz/trace/grow.c \
	viz/trace/policies.c \
	viz/trace/selection.c \
	viz/trace/fields.c \
	$(sort $(wildcard viz/trace/policies/*.c)) \
	viz/trace/manifest.c \
	viz/trace/decode.c \
	viz/trace/graph.c \
	viz/trace/excerpt.c \
	viz/trace/find.c \
	viz/trace/reader.c \
	viz/trace/packets.c \
	viz/trace/live.c \
	viz/trace/masked_thread.c \
	viz/trace/sink.c \
	viz/trace/metadata.c \
	viz/trace/plan.c \
	viz/trace/read_ahead.c \
	viz/trace/relay.c \
	viz/trace/error_line.c
# These files call libbabeltrace2 for each field and each message.
CFLAGS_viz/trace/decode.c := -fno-plt
CFLAGS_viz/trace/sink.c := -fno-plt
