# SPDX-License-Identifier: MIT
# The program. The files in VIZ_SRC form libdoze-viz.a, which the unit tests and the graders also
# link. Each room lists its own files.
include $(addprefix viz/,$(addsuffix /module.mk, \
	trace model words explain show viewer predict session cli cli/demo))
