/*
 * SPDX-License-Identifier: MIT
 *
 * coro.c - coroutines with stacks at fixed addresses, one for each thread of a scenario.
 *
 * ex_switch pushes the callee-saved registers onto the stack that it leaves. A suspended thread is
 * therefore nothing but its stack from sp upwards, and saving that memory saves the thread.
 * (ucontext would keep registers elsewhere and make a system call per switch.)
 */
#include "world.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Pushes the callee-saved registers, stores sp in *save_sp, sets sp to load_sp, pops the registers
 * and returns. EX_FRAME is the number of words on the stack, including the return address, and
 * EX_RETURN is the index of the return address. */
void ex_switch(void **save_sp, void *load_sp);
#if defined(__x86_64__)
#define EX_FRAME  7
#define EX_RETURN 6
__asm__(".text\n"
	".globl ex_switch\n"
	".type ex_switch, @function\n"
	"ex_switch:\n"
	"	push %rbp\n	push %rbx\n	push %r12\n"
	"	push %r13\n	push %r14\n	push %r15\n"
	"	mov %rsp, (%rdi)\n"
	"	mov %rsi, %rsp\n"
	"	pop %r15\n	pop %r14\n	pop %r13\n"
	"	pop %r12\n	pop %rbx\n	pop %rbp\n"
	"	ret\n"
	".size ex_switch, .-ex_switch\n"
	".section .note.GNU-stack,\"\",@progbits\n"
	".text\n");
#elif defined(__aarch64__)
/* x30 is the return address; of d8 to d15 only the lower halves are callee-saved. */
#define EX_FRAME  20
#define EX_RETURN 11
__asm__(".text\n"
	".globl ex_switch\n"
	".type ex_switch, %function\n"
	"ex_switch:\n"
	"	sub sp, sp, #160\n"
	"	stp x19, x20, [sp, #0]\n	stp x21, x22, [sp, #16]\n"
	"	stp x23, x24, [sp, #32]\n	stp x25, x26, [sp, #48]\n"
	"	stp x27, x28, [sp, #64]\n	stp x29, x30, [sp, #80]\n"
	"	stp d8, d9, [sp, #96]\n	stp d10, d11, [sp, #112]\n"
	"	stp d12, d13, [sp, #128]\n	stp d14, d15, [sp, #144]\n"
	"	mov x2, sp\n"
	"	str x2, [x0]\n"
	"	mov sp, x1\n"
	"	ldp x19, x20, [sp, #0]\n	ldp x21, x22, [sp, #16]\n"
	"	ldp x23, x24, [sp, #32]\n	ldp x25, x26, [sp, #48]\n"
	"	ldp x27, x28, [sp, #64]\n	ldp x29, x30, [sp, #80]\n"
	"	ldp d8, d9, [sp, #96]\n	ldp d10, d11, [sp, #112]\n"
	"	ldp d12, d13, [sp, #128]\n	ldp d14, d15, [sp, #144]\n"
	"	add sp, sp, #160\n"
	"	ret\n"
	".size ex_switch, .-ex_switch\n"
	".section .note.GNU-stack,\"\",%progbits\n"
	".text\n");
#else
#error "coro.c switches stacks in assembly and supports only x86-64 and aarch64"
#endif

#define EX_SCRUB                                                                                   \
	4096 /* bytes below a suspended sp that are zeroed, so that equal states have equal bytes  \
	      */

static void *map_at(uint64_t at, size_t size)
{
	void *p = mmap((void *)at, size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	if (p != (void *)at) {
		fprintf(stderr,
			"explore: cannot map memory at %#lx; is the address space limited?\n",
			(unsigned long)at);
		exit(2);
	}
	return p;
}

void ex_coro_setup(void)
{
	map_at(EX_ENGINE_AT, sizeof(struct ex_engine));
	map_at(EX_WORLD_AT, sizeof(struct ex_world));
	map_at(EX_HEAP_AT, (size_t)EX_HEAP_SIZE * EX_MAX_THREADS);
	map_at(EX_STACK_AT, (size_t)EX_STACK_SIZE * EX_MAX_THREADS);
	E->cur = -1;
}

char *ex_stack_base(int thread)
{
	return (char *)EX_STACK_AT + (size_t)thread * EX_STACK_SIZE;
}

/** Prepares a stack so that ex_switch "returns" into entry, which must never return. */
void ex_coro_prepare(int thread, void (*entry)(void))
{
	char *base = ex_stack_base(thread);
	memset(base, 0, EX_STACK_SIZE);
	/* At entry's first instruction sp is a multiple of 16, or on x86-64 a multiple of 16 less
	 * 8, as if a call had just pushed the return address. */
	void **sp = (void **)(base + EX_STACK_SIZE - 64) - EX_FRAME % 2 - EX_FRAME;
	sp[EX_RETURN] = (void *)entry;
	W->t[thread].sp = sp;
}

void ex_coro_resume(int thread)
{
	struct ex_thread *t = &W->t[thread];
	E->cur = thread;
	E->local_run = 0;
	E->resumed++;
	ex_switch(&E->scheduler_sp, t->sp);
	E->cur = -1;
	memset((char *)t->sp - EX_SCRUB, 0, EX_SCRUB);
}

/** Switches from a coroutine to the scheduler. */
void ex_coro_suspend(void)
{
	ex_switch(&W->t[E->cur].sp, E->scheduler_sp);
}

/** Returns the thread whose stack contains addr, or -1. */
int ex_stack_of(uintptr_t addr)
{
	if (addr < EX_STACK_AT || addr >= EX_STACK_AT + (uintptr_t)EX_STACK_SIZE * EX_MAX_THREADS)
		return -1;
	return (int)((addr - EX_STACK_AT) / EX_STACK_SIZE);
}

/** Returns whether addr is in a part of a stack that its thread has left. */
bool ex_dead_frame(uintptr_t addr)
{
	int thread = ex_stack_of(addr);
	if (thread < 0)
		return false;
	if (thread == E->cur)
		return false; /* the compiler manages the running thread's own frames */
	const struct ex_thread *t = &W->t[thread];
	return t->status == EX_NONE || t->status == EX_ENDED || addr < (uintptr_t)t->sp;
}
