/*
 * SPDX-License-Identifier: MIT
 *
 * shared_options.h - the options that all commands on a recording share, and which command refuses
 * which of them. The command line, its help and the plug-in's parameters use this table.
 */
#ifndef DOZE_VIZ_SHARED_OPTIONS_H
#define DOZE_VIZ_SHARED_OPTIONS_H

/** X(name of the option). */
#define DOZE_SHARED_OPTIONS(X)                                                                     \
	X(from)                                                                                    \
	X(to)                                                                                      \
	X(worker)                                                                                  \
	X(pool)                                                                                    \
	X(phase)                                                                                   \
	X(json)                                                                                    \
	X(color)                                                                                   \
	X(ascii)

#define DOZE_SHARED_ENUM(name) DOZE_SHARED_##name,
enum doze_shared_option { DOZE_SHARED_OPTIONS(DOZE_SHARED_ENUM) DOZE_SHARED_COUNT };

/** Returns the long name of an option. */
const char *doze_shared_name(enum doze_shared_option);

/** Returns why a command never takes an option, and what to use instead. Returns null if the
 * command takes the option, perhaps depending on other arguments (struct doze_view.refuse). A
 * command without a row in the table takes all options. */
const char *doze_shared_refusal(const char *command, const char *option);
/** Like doze_shared_refusal, for all sinks of the plug-in. */
const char *doze_shared_sink_refusal(const char *option);

#endif
