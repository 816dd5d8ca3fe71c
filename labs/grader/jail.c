/*
 * SPDX-License-Identifier: MIT
 *
 * jail.c - runs a compiler, or a program with a student's code, with limits and perhaps as another
 * user.
 *
 * labs/framework/jail.py runs each compiler and each program of a grading through this one. A
 * limit that is not given is not set. The order matters: limits and identity are changed while
 * this program still may, then the filter of system calls is installed, which nothing can remove.
 */
#include <errno.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FAILED 125 /* exit status, unless the program itself runs */

static const char usage[] =
    "usage: jail [OPTION]... PROGRAM [ARGUMENT]...   runs a program with limits\n"
    "       jail --user=UID --kill                   ends all processes of a user\n"
    "       jail --user=UID --list [PATH]...         prints the paths that the user may read\n"
    "\n"
    "  --user=UID     as another user and group, without an environment; only root may do that\n"
    "  --cpu=S        seconds of CPU time of each process\n"
    "  --memory=MB    address space of each process\n"
    "  --file=MB      size of a file that is written, standard output included\n"
    "  --processes=N  processes and threads of the user\n"
    "  --alone        the program cannot create processes, only threads\n"
    "\n"
    "Exit: that of the program; 125 if it cannot run with these limits\n";

struct options {
	long user, cpu, memory, file, processes;
	bool alone, kill, list;
};

static _Noreturn void fail(const char *what)
{
	fprintf(stderr, "jail: %s: %s\n", what, strerror(errno));
	exit(FAILED);
}

static void limit(__rlimit_resource_t resource, long value, long unit)
{
	struct rlimit both;

	if (value < 0)
		return;
	if (getrlimit(resource, &both))
		fail("getrlimit");
	rlim_t wanted = (rlim_t)value * (rlim_t)unit;
	if (both.rlim_max != RLIM_INFINITY && wanted > both.rlim_max)
		wanted = both.rlim_max;
	both.rlim_cur = wanted;
	/* SIGXCPU at the limit names the cause; a program that ignores it gets SIGKILL later. */
	both.rlim_max = resource == RLIMIT_CPU ? wanted + 2 : wanted;
	if (setrlimit(resource, &both))
		fail("setrlimit");
}

static void set_limits(const struct options *o)
{
	limit(RLIMIT_CORE, 0, 1);
	limit(RLIMIT_CPU, o->cpu, 1);
	limit(RLIMIT_AS, o->memory, 1L << 20);
	limit(RLIMIT_FSIZE, o->file, 1L << 20);
	limit(RLIMIT_NPROC, o->processes, 1);
}

/* Becomes the other user, in a session of its own, so that no signal from a terminal or to a
 * process group reaches the grader. */
static void become(long user)
{
	if (user < 0)
		return;
	if (setsid() < 0 && errno != EPERM)
		fail("setsid");
	if (setgroups(0, NULL))
		fail("setgroups");
	if (setresgid((gid_t)user, (gid_t)user, (gid_t)user))
		fail("setresgid");
	if (setresuid((uid_t)user, (uid_t)user, (uid_t)user))
		fail("setresuid");
}

/* Leaves a closed environment: nothing of the grader's, and scratch files in the working folder. */
static void close_environment(void)
{
	char *here = getcwd(NULL, 0);

	if (!here || clearenv())
		fail("environment");
	setenv("PATH", "/usr/local/bin:/usr/bin:/bin", 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	setenv("HOME", here, 1);
	setenv("TMPDIR", here, 1);
	free(here);
}

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#endif

#define LOAD(member)  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, value)
#define REFUSE(error) RETURN(SECCOMP_RET_ERRNO | (error))
/* Skips the next instruction unless the loaded word is `value`. */
#define ONLY_IF(value) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1)

/* Installs a filter under which `fork` fails. Threads are allowed: they have CLONE_THREAD. glibc
 * tries clone3 first, whose flags a filter cannot see, and takes ENOSYS for a kernel without it.
 * A kernel without filters leaves the limit of processes. */
static void forbid_processes(void)
{
#ifdef ARCH
	struct sock_filter code[] = {
	    LOAD(arch),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0),
	    RETURN(SECCOMP_RET_KILL_PROCESS),
	    LOAD(nr),
#ifdef __x86_64__
	    /* Numbers of the x32 interface, which would name the same calls differently. */
	    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
	    REFUSE(ENOSYS),
	    ONLY_IF(SYS_fork),
	    REFUSE(EPERM),
	    ONLY_IF(SYS_vfork),
	    REFUSE(EPERM),
#endif
#ifdef SYS_clone3
	    ONLY_IF(SYS_clone3),
	    REFUSE(ENOSYS),
#endif
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 1, 0),
	    RETURN(SECCOMP_RET_ALLOW),
	    LOAD(args[0]), /* the lower half: both machines are little-endian */
	    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
	    REFUSE(EPERM),
	    RETURN(SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = {sizeof(code) / sizeof(code[0]), code};
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
#endif
}

/* Closes all but the three standard descriptors, which the grader has chosen. */
static void close_others(void)
{
#ifdef SYS_close_range
	if (syscall(SYS_close_range, 3U, ~0U, 0U) == 0)
		return;
#endif
	for (int fd = 3; fd < sysconf(_SC_OPEN_MAX); fd++)
		close(fd);
}

/* Ends all processes of this user except this one, which must be nobody's: a mistake of the caller
 * must not end a person's programs. */
static int end_all(void)
{
	if (getpwuid(getuid())) {
		fputs("jail: --kill: this user id has a name, so it is not one for student code\n",
		      stderr);
		return FAILED;
	}
	return kill(-1, SIGKILL) && errno != ESRCH ? FAILED : 0;
}

static void list_readable(char **paths)
{
	for (; *paths; paths++)
		if (access(*paths, R_OK) == 0)
			puts(*paths);
}

static bool number(const char *argument, const char *name, long *value)
{
	size_t length = strlen(name);

	if (strncmp(argument, name, length) != 0)
		return false;
	char *end;
	*value = strtol(argument + length, &end, 10);
	if (end == argument + length || *end || *value < 0) {
		errno = EINVAL;
		fail(argument);
	}
	return true;
}

static bool flag(const char *argument, const char *name, bool *value)
{
	bool is = strcmp(argument, name) == 0;

	*value |= is;
	return is;
}

static bool option(const char *a, struct options *o)
{
	return number(a, "--user=", &o->user) || number(a, "--cpu=", &o->cpu) ||
	       number(a, "--memory=", &o->memory) || number(a, "--file=", &o->file) ||
	       number(a, "--processes=", &o->processes) || flag(a, "--alone", &o->alone) ||
	       flag(a, "--kill", &o->kill) || flag(a, "--list", &o->list);
}

int main(int argc, char **argv)
{
	struct options o = {-1, -1, -1, -1, -1, false, false, false};
	int at = 1;

	while (at < argc && option(argv[at], &o))
		at++;
	if ((at == argc && !o.kill && !o.list) || (o.kill && o.user <= 0)) {
		fputs(usage, stderr);
		return FAILED;
	}
	close_others();
	set_limits(&o);
	become(o.user);
	/* After the change of the user, which clears it: dies with the thread that grades. */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		fail("prctl");
	if (o.kill)
		return end_all();
	if (o.list) {
		list_readable(argv + at);
		return 0;
	}
	if (o.user >= 0)
		close_environment();
	if (o.alone)
		forbid_processes();
	execvp(argv[at], argv + at);
	fail(argv[at]);
}
