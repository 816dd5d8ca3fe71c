# SPDX-License-Identifier: MIT
# The program. VIZ_SRC makes libdoze-viz.a, which the unit tests and the graders link, too.
VIZ_MAIN :=
VIZ_SRC +=
