# SPDX-License-Identifier: MIT
# doze report: the page is three files that the program carries as they are.
VIZ_SRC += \
	viz/cmd_report.c \
	viz/report/bytes.c \
	viz/report/collect.c \
	viz/report/page.c

$(BUILD)/obj/viz/report/page.o: viz/report/body.html viz/report/page.css viz/report/page.js
