/*
 * SPDX-License-Identifier: MIT
 *
 * fixed.c - a statically linked program, which prints the preload that it was given.
 */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	const char *list = getenv("LD_PRELOAD");

	printf("LD_PRELOAD=%s\n", list ? list : "");
	return 0;
}
