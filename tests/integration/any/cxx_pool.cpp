// SPDX-License-Identifier: MIT
//
// cxx_pool.cpp - a textbook pool in C++ that counts its own waits. Prints one line to stderr, as pools.c.
//
//	cxx_pool [US]
//
// US: microseconds between two jobs; 1000 if not given.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex mutex;
static std::condition_variable more, done;
static std::deque<int> queue;
static int unfinished = 200;
static bool stop;
static std::atomic<long> waits, again;

static void worker()
{
	std::unique_lock<std::mutex> lock(mutex);

	for (;;) {
		bool slept = false;

		while (queue.empty() && !stop) {
			again += slept;
			waits++;
			more.wait(lock);
			slept = true;
		}
		if (queue.empty())
			return;
		queue.pop_front();
		lock.unlock();
		std::this_thread::sleep_for(std::chrono::microseconds(20));
		lock.lock();
		if (!--unfinished)
			done.notify_one();
	}
}

int main(int argc, char **argv)
{
	std::chrono::microseconds pause(argc > 1 ? std::atoi(argv[1]) : 1000);
	std::vector<std::thread> threads;

	for (int i = 0; i < 4; i++)
		threads.emplace_back(worker);
	for (int i = 0; i < 200; i++) {
		{
			std::lock_guard<std::mutex> lock(mutex);
			queue.push_back(i);
		}
		if (i % 2)
			more.notify_all();
		else
			more.notify_one();
		std::this_thread::sleep_for(pause);
	}
	{
		std::unique_lock<std::mutex> lock(mutex);
		bool slept = false;

		while (unfinished) {
			again += slept;
			waits++;
			done.wait(lock);
			slept = true;
		}
		stop = true;
	}
	more.notify_all();
	for (auto &t : threads)
		t.join();
	std::fprintf(stderr, "waits=%ld woken=%ld again=%ld left=0 kernel=0\n", waits.load(), waits.load(), again.load());
}
