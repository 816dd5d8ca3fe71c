# SPDX-License-Identifier: MIT
# doze report: the program embeds the files of the page unchanged.
VIZ_SRC += \
	viz/report/bytes.c \
	viz/report/collect.c \
	viz/report/page.c \
	viz/report/report_view.c

$(BUILD)/obj/viz/report/page.o: viz/report/body.html viz/report/page.css \
	$(addprefix viz/report/page/,data.js pyramids.js lanes.js counters.js picture.js explain.js \
		lists.js tables.js cards.js keys.js start.js jobs.js diagnosis.js foreign.js)
