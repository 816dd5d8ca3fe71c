/*
 * SPDX-License-Identifier: MIT
 *
 * model.pml - lab 5: a poster and a sleeper. You write the two processes.
 *
 *   -DMEM=SC|TSO|WEAK    the machine (memory.pml)
 *   -DRMW_PUSH=0|1       the poster publishes the job with: 0 a store, 1 a read-modify-write
 *   -DPUSH_FENCE=0|1     a fence between the publication and the read of SLEEPERS
 *   -DSLEEP_FENCE=0|1    a fence between the increment of SLEEPERS and the last check of JOB
 *
 * A lost wakeup must be an invalid end state: a process that waits forever. Give each process only
 * the steps that it needs: where Spin finds no error, it must have reached all of them.
 */
#define ADDRS	 2
#define PROCS	 2
#define JOB	 0 /* address of a flag: 1 if the job is published */
#define SLEEPERS 1
#include "memory.pml"

#define POSTER	0
#define SLEEPER 1

bool woken;

/* Publishes the job, with a fence if PUSH_FENCE; reads SLEEPERS; wakes the sleeper if it must. */
active proctype poster()
{
	skip /* TODO */
}

/* Increments SLEEPERS with a read-modify-write, a fence if SLEEP_FENCE; looks at JOB; if there is none,
 * waits until it is woken. */
active proctype sleeper()
{
	skip /* TODO */
}

/* TODO: memory.pml describes what else the model needs. */
