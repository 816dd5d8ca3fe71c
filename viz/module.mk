# SPDX-License-Identifier: MIT
# The program. The files in VIZ_SRC form libdoze-viz.a, which the unit tests and the graders also
# link. Each folder lists its own files.
include $(addprefix viz/,$(addsuffix /module.mk, \
	event reader model check path simulate symbols text diagnose why views tui report export whatif plugin doctor demo session cli))
