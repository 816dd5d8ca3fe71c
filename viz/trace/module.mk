# SPDX-License-Identifier: MIT
# Files in policies/ are found automatically and need not be listed here.
VIZ_SRC += \
	viz/trace/clean_text.c \
	viz/trace/event.c \
	viz/trace/grow.c \
	viz/trace/policies.c \
	viz/trace/selection.c \
	viz/trace/utf8.c \
	viz/trace/vocab.c \
	$(sort $(wildcard viz/trace/policies/*.c))

VIZ_SRC += \
	viz/trace/crc32.c \
	viz/trace/decode.c \
	viz/trace/dry_run.c \
	viz/trace/excerpt.c \
	viz/trace/fields.c \
	viz/trace/find.c \
	viz/trace/graph.c \
	viz/trace/assertion_guard.c \
	viz/trace/layout.c \
	viz/trace/live.c \
	viz/trace/live_proxy.c \
	viz/trace/manifest.c \
	viz/trace/masked_thread.c \
	viz/trace/merge.c \
	viz/trace/metadata.c \
	viz/trace/metadata_gate.c \
	viz/trace/missing_streams.c \
	viz/trace/packet_index.c \
	viz/trace/packets.c \
	viz/trace/loss.c \
	viz/trace/plan.c \
	viz/trace/plan_runs.c \
	viz/trace/read_ahead.c \
	viz/trace/reader.c \
	viz/trace/reader_open.c \
	viz/trace/relay.c \
	viz/trace/sink.c \
	viz/trace/streams.c \
	viz/trace/text.c \
	viz/trace/url.c
# These files call libbabeltrace2 for each field and each message.
CFLAGS_viz/trace/decode.c := -fno-plt
CFLAGS_viz/trace/merge.c := -fno-plt
