# SPDX-License-Identifier: MIT
VIZ_SRC += \
	viz/reader/crc32.c \
	viz/reader/decode.c \
	viz/reader/dry_run.c \
	viz/reader/excerpt.c \
	viz/reader/fields.c \
	viz/reader/find.c \
	viz/reader/graph.c \
	viz/reader/assertion_guard.c \
	viz/reader/layout.c \
	viz/reader/live.c \
	viz/reader/live_proxy.c \
	viz/reader/manifest.c \
	viz/reader/masked_thread.c \
	viz/reader/merge.c \
	viz/reader/metadata.c \
	viz/reader/metadata_gate.c \
	viz/reader/missing_streams.c \
	viz/reader/packet_index.c \
	viz/reader/packets.c \
	viz/reader/loss.c \
	viz/reader/plan.c \
	viz/reader/plan_runs.c \
	viz/reader/read_ahead.c \
	viz/reader/reader.c \
	viz/reader/reader_open.c \
	viz/reader/relay.c \
	viz/reader/sink.c \
	viz/reader/streams.c \
	viz/reader/text.c \
	viz/reader/url.c
# These files call libbabeltrace2 for each field and each message.
CFLAGS_viz/reader/decode.c := -fno-plt
CFLAGS_viz/reader/merge.c := -fno-plt
