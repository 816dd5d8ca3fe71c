# SPDX-License-Identifier: MIT
# The program. VIZ_SRC makes libdoze-viz.a, which the unit tests and the graders link, too. Each
# folder lists its own files.
include $(addprefix viz/,$(addsuffix /module.mk, \
	event reader model check path simulate symbols text diagnose why views tui report export whatif plugin doctor demo session cli))
