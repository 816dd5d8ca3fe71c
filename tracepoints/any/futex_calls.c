/*
 * SPDX-License-Identifier: MIT
 *
 * futex_calls.c - syscall() interposed, for programs that call futexes through it, as the standard
 * library of Rust, libc++ and oneTBB do.
 *
 * syscall() takes any number of arguments, and a call of vfork returns twice into the same frame.
 * So all calls but those of futex jump to the real function, with all registers as they are; hence
 * the assembler. Operations other than to wait and to wake pass through; a thread that was moved to
 * another futex (requeue) is then woken by a call that was not seen.
 */
#include <errno.h>
#include <limits.h>

#include "any.h"
#include "real.h"

/* Arguments of the futex call, in the order of the system call. */
struct futex_call {
	long address, operation, value, timeout, address2, value3;
};

static long make(void *call)
{
	const struct futex_call *f = call;

	return any_real.syscall(SYS_futex, f->address, f->operation, f->value, f->timeout,
				f->address2, f->value3);
}

static enum any_end ended(long result)
{
	return result == 0                            ? ANY_WOKEN
	       : errno == ETIMEDOUT || errno == EINTR ? ANY_LEFT
						      : ANY_NOT_SLEPT;
}

static long wait_on(struct futex_call *f, const void *caller, const char *frame)
{
	const void *object = (const void *)f->address;
	long result;

	if (!any_sees(caller) || !any_wait_begin(object, DOZE_WAIT_futex, NULL, caller, frame))
		return make(f);
	result = make(f);
	any_wait_end(ended(result), NULL);
	return result;
}

__attribute__((visibility("hidden"))) long any_futex(long, long, long, long, long, long);

/* The assembler code below jumps here, so the return address is that of the caller of syscall(). */
long any_futex(long address, long operation, long value, long timeout, long address2, long value3)
{
	struct futex_call f = {address, operation, value, timeout, address2, value3};
	const void *caller = __builtin_return_address(0);

	if (!any_real.syscall)
		any_real_find();
	switch ((int)operation & FUTEX_CMD_MASK) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
		return wait_on(&f, caller, __builtin_frame_address(0));
	case FUTEX_WAKE:
	case FUTEX_WAKE_BITSET:
		if ((int)value <= 0)
			return make(&f);
		return any_wake((const void *)address, DOZE_WAIT_futex,
				(int)value == INT_MAX ? ANY_ALL : (int)value, caller, make, &f);
	default:
		return make(&f);
	}
}

/* Any process may call before the constructor has found the real function. */
__attribute__((visibility("hidden"))) void *any_real_syscall;
__attribute__((visibility("hidden"))) void any_find_syscall(void);

void any_find_syscall(void)
{
	any_real_find();
	any_real_syscall = *(void **)(void *)&any_real.syscall;
}

#if defined __x86_64__
/* 202 is SYS_futex. */
__asm__(".pushsection .text\n"
	".globl syscall\n"
	".type syscall, @function\n"
	"syscall:\n"
	"	.cfi_startproc\n"
	"	endbr64\n"
	"	cmpq	$202, %rdi\n"
	"	je	1f\n"
	"0:	movq	any_real_syscall(%rip), %r11\n"
	"	testq	%r11, %r11\n"
	"	je	2f\n"
	"	jmp	*%r11\n"
	"1:	movq	%rsi, %rdi\n"
	"	movq	%rdx, %rsi\n"
	"	movq	%rcx, %rdx\n"
	"	movq	%r8, %rcx\n"
	"	movq	%r9, %r8\n"
	"	movq	8(%rsp), %r9\n"
	"	jmp	any_futex\n"
	"2:	pushq	%rdi\n"
	"	pushq	%rsi\n"
	"	pushq	%rdx\n"
	"	pushq	%rcx\n"
	"	pushq	%r8\n"
	"	pushq	%r9\n"
	"	subq	$8, %rsp\n"
	"	.cfi_adjust_cfa_offset 56\n"
	"	call	any_find_syscall\n"
	"	addq	$8, %rsp\n"
	"	popq	%r9\n"
	"	popq	%r8\n"
	"	popq	%rcx\n"
	"	popq	%rdx\n"
	"	popq	%rsi\n"
	"	popq	%rdi\n"
	"	.cfi_adjust_cfa_offset -56\n"
	"	jmp	0b\n"
	"	.cfi_endproc\n"
	".size syscall, .-syscall\n"
	".popsection\n");
#elif defined __aarch64__
/* 98 is SYS_futex. */
__asm__(".pushsection .text\n"
	".globl syscall\n"
	".type syscall, %function\n"
	"syscall:\n"
	"	.cfi_startproc\n"
	"	hint	34\n" /* bti c */
	"	cmp	x0, #98\n"
	"	b.eq	1f\n"
	"0:	adrp	x16, any_real_syscall\n"
	"	ldr	x16, [x16, :lo12:any_real_syscall]\n"
	"	cbz	x16, 2f\n"
	"	br	x16\n"
	"1:	mov	x0, x1\n"
	"	mov	x1, x2\n"
	"	mov	x2, x3\n"
	"	mov	x3, x4\n"
	"	mov	x4, x5\n"
	"	mov	x5, x6\n"
	"	b	any_futex\n"
	"2:	stp	x29, x30, [sp, #-80]!\n"
	"	.cfi_adjust_cfa_offset 80\n"
	"	stp	x0, x1, [sp, #16]\n"
	"	stp	x2, x3, [sp, #32]\n"
	"	stp	x4, x5, [sp, #48]\n"
	"	str	x6, [sp, #64]\n"
	"	bl	any_find_syscall\n"
	"	ldp	x0, x1, [sp, #16]\n"
	"	ldp	x2, x3, [sp, #32]\n"
	"	ldp	x4, x5, [sp, #48]\n"
	"	ldr	x6, [sp, #64]\n"
	"	ldp	x29, x30, [sp], #80\n"
	"	.cfi_adjust_cfa_offset -80\n"
	"	b	0b\n"
	"	.cfi_endproc\n"
	".size syscall, .-syscall\n"
	".popsection\n");
#endif
