# SPDX-License-Identifier: MIT
# TP_LIB_SRC goes into libdoze (left out by TRACE=0), TP_SRC into the provider. The preload for programs without
# libdoze, ANY_SRC, and the library for other pools, EMIT_SRC, have the loader and the hooks, too.
TP_LIB_SRC += tracepoints/tp_define.c tracepoints/trace_load.c tracepoints/trace_find.c
TP_SRC += tracepoints/tp_probes.c tracepoints/frames.c tracepoints/thread_times.c tracepoints/cpu_limits.c lib/quota.c
CFLAGS_tracepoints/trace_find.c := -DDOZE_LIBDIR='"$(LIBDIR)"'
# For pools that are not libdoze's: an archive, and one header made of this tree's.
EMIT_SRC += tracepoints/emit/emit.c
ANY_SRC += $(addprefix tracepoints/any/,admit.c budget.c calls.c crews.c exec_calls.c futex_calls.c jitter.c real.c recording.c sites.c thread_calls.c waits.c)
CFLAGS_tracepoints/any/calls.c := -fexceptions
