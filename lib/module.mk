# SPDX-License-Identifier: MIT
# libdoze. One line a file; the list is the order to read them in.
LIB_SRC +=
