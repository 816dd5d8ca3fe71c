/*
 * SPDX-License-Identifier: MIT
 *
 * litmus_fences.h - scenarios of the program `litmus` with light and heavy fences.
 */
#ifndef DOZE_LITMUS_FENCES_H
#define DOZE_LITMUS_FENCES_H

void sb_heavy(void);
void sb_half(void);
void sb_heavy_early(void);

#endif
