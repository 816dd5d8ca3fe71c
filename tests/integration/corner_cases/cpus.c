/* SPDX-License-Identifier: MIT
 *
 * cpus.c - prints the default number of workers.
 */
#include "corner_cases.h"

int main(void)
{
	doze_pool *pool = corner_pool(NULL);
	printf("%u\n", doze_num_threads(pool));
	doze_pool_free(pool);
	return 0;
}
