// SPDX-License-Identifier: MIT
//
// throws.cc - a C++ exception or the unwinding of pthread_exit leaves a job or handler and would reach its
// caller. argv[2] selects the kind.
#include "lib/doze.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <pthread.h>
#include <stdexcept>
#include <unistd.h>

static void fails(void *) { throw std::runtime_error("the job failed"); }
static void nothing(void *) {}
static void *task(void *) { throw std::runtime_error("the job failed"); }
static void scoped(doze_scope *, void *) { throw std::runtime_error("the job failed"); }
static void body(doze_scope *scope, void *) { (void)doze_scope_spawn(scope, scoped, nullptr); }
static void turn(unsigned, unsigned, void *) { throw std::runtime_error("the job failed"); }
static void range(size_t, size_t, void *) { throw std::runtime_error("the job failed"); }

static int make_thread(const doze_new_thread *, void *) { throw std::runtime_error("the handler failed"); }
static void identity(void *, void *) { throw std::runtime_error("the operation failed"); }
static void fold(size_t, size_t, void *, void *) {}
static void combine(void *, const void *, void *) {}
static const doze_reducer reducer = {sizeof(int), identity, fold, combine};

// Exits at once, because a pool whose job was unwound may never terminate.
[[noreturn]] static void wrong(const char *what)
{
	std::fprintf(stderr, "wrong: %s\n", what);
	std::_Exit(1);
}

static void hangs(int)
{
	static const char text[] = "wrong: the program hangs\n";
	(void)!write(STDERR_FILENO, text, sizeof text - 1);
	std::_Exit(1);
}

// Joins in a function that was compiled as C (join_in_c.c), if the program has it.
extern "C" void join_in_c(doze_fn a, doze_fn b) __attribute__((weak));

static void exits(void *) { pthread_exit(nullptr); }

// A frame of the caller of a job that exits its thread.
struct caller {
	~caller() { wrong("the caller's frame was unwound before the message"); }
};

static void join_exits()
{
	caller frame;
	doze_join(exits, nullptr, nothing, nullptr);
}

// Creates the pool on an outside thread, and folds a range in it.
static doze_pool *create(const doze_config *config, bool folds)
{
	doze_pool *pool = nullptr;
	int sum = 0;
	try {
		if (doze_pool_create(&pool, config) == 0 && folds)
			(void)doze_reduce(pool, 0, 100, 1, &reducer, &sum, nullptr);
	} catch (const std::exception &) {
		wrong("the caller caught the exception");
	}
	return pool;
}

// Runs on a worker. This frame, below the library's frames, would catch an exception from the construct.
static void run(void *arg)
{
	const char *kind = static_cast<const char *>(arg);
	doze_future *f;
	try {
		if (!strcmp(kind, "first"))
			doze_join(fails, nullptr, nothing, nullptr);
		else if (!strcmp(kind, "second"))
			doze_join(nothing, nullptr, fails, nullptr);
		else if (!strcmp(kind, "c_first"))
			join_in_c(fails, nothing);
		else if (!strcmp(kind, "c_second"))
			join_in_c(nothing, fails);
		else if (!strcmp(kind, "install"))
			doze_install(nullptr, fails, nullptr);
		else if (!strcmp(kind, "scope"))
			(void)doze_scope_run(nullptr, body, nullptr);
		else if (!strcmp(kind, "body"))
			(void)doze_scope_run(nullptr, scoped, nullptr);
		else if (!strcmp(kind, "broadcast"))
			(void)doze_broadcast(nullptr, turn, nullptr);
		else if (!strcmp(kind, "loop"))
			doze_for(nullptr, 0, 100, 1, range, nullptr);
		else if (!strcmp(kind, "spawn") && doze_spawn(nullptr, fails, nullptr) == 0)
			(void)doze_yield_now();
		else if (!strcmp(kind, "task") && doze_submit(&f, nullptr, task, nullptr) == 0)
			(void)doze_future_get(f);
		else if (!strcmp(kind, "exit"))
			join_exits();
	} catch (const std::exception &) {
		wrong("the caller caught the exception");
	}
}

int main(int argc, char **argv)
{
	doze_config config = DOZE_CONFIG_DEFAULT;
	const char *kind = argc > 2 ? argv[2] : "first";
	config.policy = argc > 1 ? argv[1] : nullptr;
	// Without unwind tables, the library prints the message only when the thread exits. By then, the
	// thread's stack has been reused, so no other worker may run the half of a join that is stored
	// on that stack. With a single worker, none can.
	config.num_threads = !strcmp(kind, "exit") ? 1 : 2;
	config.spawn_handler = !strcmp(kind, "thread") ? make_thread : nullptr;
	std::set_terminate([] {
		std::fputs("terminate was called\n", stderr);
		std::_Exit(3);
	});
	std::signal(SIGALRM, hangs);
	alarm(20); // a correct run takes milliseconds
	doze_pool *pool = create(&config, !strcmp(kind, "fold"));
	if (pool == nullptr)
		return 2;
	doze_install(pool, run, const_cast<char *>(kind));
	doze_pool_free(pool);
	return 1; // the program survived the exception
}
