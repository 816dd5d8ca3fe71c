/*
 * SPDX-License-Identifier: MIT
 *
 * wake_stories.c - see wake_stories.h. Three workers: w0 works; w1 and w2 sleep from 45 us on, each
 * on its own latch (7 and 8).
 */
#include "wake_stories.h"

#define START(policy)                                                                              \
	"0 x pool " policy " 3\n1 w0 none>active start\n1 w1 none>active start\n"                  \
	"1 w2 none>active start\n"
#define LATCH(us, w, id)                                                                           \
	us " " w " latch unset>sleepy " w " " id "\n" us " " w " latch sleepy>sleeping " w " " id  \
	   "\n"
#define LATE "900000 x mark late\n"

/* jec. The JEC is 2 when they sleep. */
#define JEC                                                                                        \
	START("jec")                                                                               \
	"10 w0 post local 1 empty wakes 0 d0 0.0.0>0.0.1\n"                                        \
	"20 w1 active>idle no_work 0.0.1>0.1.1\n21 w2 active>idle no_work 0.1.1>0.2.1\n"           \
	"29 w1 jec sleepy 0.2.1>0.2.2\n30 w1 idle>sleepy rounds 0.2.2>0.2.2\n"                     \
	"31 w2 idle>sleepy rounds 0.2.2>0.2.2\n" LATCH("38", "w1", "id7")                          \
	    LATCH("39", "w2", "id8") "40 w1 sleepy>sleeping rounds 0.2.2>1.2.2\n"                  \
				     "45 w2 sleepy>sleeping rounds 1.2.2>2.2.2\n"
#define JEC_POST2 "50 w0 post local 2 empty wakes 2 d1 2.2.2>2.2.3\n"
#define JEC_ONE   "52 w0 wake w1 id1 d1 push 2.2.3>1.2.3\n"
#define JEC_GO_ON "60 w0 active>idle no_work 1.2.3>1.3.3\n"

/* rfc, condvar, forkjoin: counts, and the sleeper takes itself out. */
#define COUNTS(policy)                                                                             \
	START(policy)                                                                              \
	"20 w1 active>idle no_work 0.0.0>0.1.0\n21 w2 active>idle no_work 0.1.0>0.2.0\n" LATCH(    \
	    "39", "w1",                                                                            \
	    "id7") "40 w1 idle>sleeping rounds 0.2.0>1.2.0\n" LATCH("44", "w2",                    \
								    "id8") "45 w2 idle>sleeping "  \
									   "rounds 1.2.0>2.2.0\n"
#define SAME       " 2.2.0>2.2.0\n"
#define GO_ON      "60 w0 active>idle no_work 2.2.0>2.3.0\n"
#define SIGNAL(id) "52 w0 wake x " id " d1 push" SAME
#define POST(n)    "50 w0 post local " n " empty wakes " n " d1 2.2.0>2.2.0 saw -1 2\n"
#define SET        "50 w0 latch sleeping>set w1 id7\n"
#define ALL(id)    "52 w0 wake x " id " d1 latch all" SAME
/* w1 awakes by wake 1, then w2 by wake 2. */
#define W1_AWAKE                                                                                   \
	"65 w1 woken 1\n66 w1 sleeping>idle woken 2.3.0>1.3.0\n"                                   \
	"67 w1 idle>active latch_set 1.3.0>1.2.0\n"
#define W2_AWAKE "68 w2 woken 2\n69 w2 sleeping>idle woken 1.2.0>0.2.0\n"

/* tickle: the word is 1 while somebody sleeps. */
#define TICKLE                                                                                     \
	START("tickle")                                                                            \
	"20 w1 active>idle no_work\n30 w1 idle>sleepy rounds 0.0.0>4.0.0\n"                        \
	"31 w1 sleepy>sleeping rounds 4.0.0>1.0.0\n40 w2 active>idle no_work\n"                    \
	"41 w2 idle>sleepy rounds 1.0.0>7.0.0\n45 w2 sleepy>sleeping rounds 7.0.0>1.0.0\n"
#define TICKLE_POST "50 w0 post local 1 empty wakes 3 d1 1.0.0>1.0.0 saw -1 1\n"
#define TAKES_BIT   "51 w0 jec tickle 1.0.0>0.0.0\n"
#define TICKLE_W1   "52 w0 wake w1 id1 d1 push all\n"
#define TICKLE_W2   "53 w0 wake w2 id2 d1 push all\n"
#define TICKLE_REST                                                                                \
	"60 w0 active>idle no_work\n61 w1 woken 1\n62 w1 sleeping>idle woken\n63 w2 woken 2\n"     \
	"64 w2 sleeping>idle woken\n"

const struct wake_story wake_stories[] = {
    /* as many as were chosen, or as there were */
    {0, JEC JEC_POST2 JEC_ONE "53 w0 wake w2 id2 d1 push 1.2.3>0.2.3\n" LATE},
    {0, JEC JEC_POST2 JEC_ONE "53 x wake w2 id2 d2 inject 1.2.3>0.2.3\n"
			      "60 w0 active>idle no_work 0.2.3>0.3.3\n"},
    {"wake-count", JEC JEC_POST2 JEC_ONE JEC_GO_ON},
    {"wake-count", JEC JEC_POST2 JEC_ONE LATE},
    {"wake-count", JEC "50 w0 post local 1 empty wakes 1 d1 2.2.2>2.2.3\n" JEC_ONE
		       "53 w0 wake w2 id2 d1 push 1.2.3>0.2.3\n"},
    {"wake-count", COUNTS("rfc") "50 w0 post local 1 empty wakes 1 d1" SAME GO_ON},
    {"wake-count", COUNTS("go") "46 w0 wake w1 id1 d1 work_found 2.2.0>1.2.0\n"
				"47 w0 wake w2 id2 d1 work_found 1.2.0>0.2.0\n"},
    {0, COUNTS("condvar") POST("1") SIGNAL("id1") GO_ON},
    {"wake-count", COUNTS("condvar") POST("2") SIGNAL("id1") GO_ON},
    {"wake-count", COUNTS("condvar") POST("1") SIGNAL("id1") SIGNAL("id2") GO_ON},
    {0, COUNTS("forkjoin") POST("2") SIGNAL("id1") SIGNAL("id2") GO_ON W1_AWAKE W2_AWAKE},
    {"wake-count", COUNTS("forkjoin") POST("1") GO_ON},

    /* one signal too few, though both are awake by now */
    {"wake-count", COUNTS("forkjoin") POST("2")
		       SIGNAL("id1") "53 w1 woken 1\n54 w1 sleeping>idle woken 2.2.0>1.2.0\n"
				     "55 w2 woken 0\n56 w2 sleeping>idle self_wake 1.2.0>0.2.0\n"
				     "60 w0 active>idle no_work 0.2.0>0.3.0\n"},
    /* w1 is awake already, and has not yet said so; w2 was woken by another */
    {0, JEC SET "52 w0 wake w1 id1 d1 latch 2.2.2>1.2.2\n53 w1 woken 1\n"
		"54 x post injector 2 empty wakes 1 d2 1.2.2>1.2.3\n"
		"55 w0 wake w2 id2 d3 push 1.2.3>0.2.3\n56 x mark on\n"},

    /* what a post must choose by what it saw */
    {"post-wakes", COUNTS("condvar") "50 w0 post local 2 empty wakes 1 d1 2.2.0>2.2.0 saw -1 2\n"
				     "52 w0 wake x id1 d1 push" SAME GO_ON},
    {"post-wakes", COUNTS("condvar") "50 w0 post local 1 empty wakes 0 d0 2.2.0>2.2.0 saw -1 0\n"},
    /* it says that it saw something else than its word */
    {"post-wakes", JEC "50 w0 post local 1 empty wakes 1 d1 2.2.2>2.2.3 saw 0 1\n" JEC_ONE},
    {"post-wakes", TICKLE
     "50 w0 post local 1 empty wakes 3 d1 1.0.0>1.0.0 saw -1 0\n" TAKES_BIT TICKLE_W1 TICKLE_W2},
    /* one of the two is signalled already */
    {0, COUNTS("condvar") POST("1") SIGNAL("id1") "55 x post injector 3 empty wakes 1 d2 "
						  "2.2.0>2.2.0 saw -1 1\n"
						  "56 x wake x id2 d2 inject" SAME},
    {"post-wakes", TICKLE
     "50 w0 post local 1 empty wakes 1 d1 1.0.0>1.0.0 saw -1 1\n" TAKES_BIT TICKLE_W1 TICKLE_W2},

    /* all are all */
    {0, TICKLE TICKLE_POST TAKES_BIT TICKLE_W1 TICKLE_W2 TICKLE_REST LATE},
    {"wake-all", TICKLE TICKLE_POST TAKES_BIT TICKLE_W1 "60 w0 active>idle no_work\n" LATE},
    {"wake-all", TICKLE TICKLE_POST TAKES_BIT TICKLE_W1 "60 w0 active>idle no_work\n"
							"70 x jec tickle 1.0.0>0.0.0\n"
							"71 x wake w2 id2 d2 inject all\n"},
    /* it returned by itself, and says so late */
    {0, TICKLE TICKLE_POST TAKES_BIT TICKLE_W1 "60 w0 active>idle no_work\n61 w2 woken 0\n"
					       "62 w2 sleeping>idle self_wake\n"},
    {0, COUNTS("condvar") SET ALL("id1") ALL("id2") GO_ON W1_AWAKE W2_AWAKE LATE},
    {"wake-all", COUNTS("condvar") SET ALL("id1") GO_ON},
    {"wake-all", COUNTS("forkjoin") "50 w0 wake x id1 d1 broadcast all" SAME GO_ON},
    {"wake-all", COUNTS("forkjoin") SET ALL("id1") ALL("id2") ALL("id3") GO_ON},

    /* whom */
    {"wake-awake", "0 x pool spin 1\n1 w0 none>active start\n2 x wake w0 id1 d1 inject\n"},
    {"wake-awake", COUNTS("rfc") "50 x wake w0 id1 d1 inject" SAME},
    {"wake-awake", TICKLE "50 x wake w0 id1 d1 inject all\n"},
    {"wake-awake",
     COUNTS("condvar") POST("2") SIGNAL("id1") SIGNAL("id2") "55 x wake x id3 d2 inject" SAME},
    {"wake-twice",
     TICKLE TICKLE_POST TAKES_BIT TICKLE_W1 "52.5 w0 wake w1 id3 d1 push all\n" TICKLE_W2},

    /* for what */
    {"wake-cause", COUNTS("rfc") "50 w0 wake w1 id1 d1 work_found" SAME},
    {"wake-cause", COUNTS("condvar") "50 w0 wake x id1 d1 job_done" SAME},

    /* a latch wakes all where nobody can be named, and its owner is one of them */
    {"latch-target", COUNTS("condvar") SET "52 w0 wake x id1 d1 latch" SAME GO_ON},
    {"latch-target",
     TICKLE TAKES_BIT "52 w0 wake w1 id1 d1 latch\n53 w0 wake w2 id2 d1 latch all\n"},
    {"latch-wake", COUNTS("condvar") SET GO_ON LATE},
    {"latch-wake", COUNTS("forkjoin") SET LATE},
    {"latch-wake", COUNTS("forkjoin") SET GO_ON "62 x wake x id1 d1 inject 2.3.0>2.3.0\n" W1_AWAKE},
    {"latch-wake", TICKLE "50 x latch unset>set w1 id7\n" LATE},
    /* signalled before for a job: that serves the latch, too */
    {0, COUNTS("condvar") "46 x post injector 2 empty wakes 2 d1 2.2.0>2.2.0 saw -1 2\n"
			  "47 x wake x id1 d1 inject" SAME
			  "48 x wake x id2 d1 inject" SAME SET GO_ON W1_AWAKE W2_AWAKE LATE},
    /* likewise; the owner awakes last, by a signal that was meant for w0 */
    {0, COUNTS("condvar") "46 x post injector 2 empty wakes 2 d1 2.2.0>2.2.0 saw -1 2\n"
			  "47 x wake x id1 d1 inject" SAME "48 x wake x id2 d1 inject" SAME
			  "50 x latch sleeping>set w1 id7\n51 x mark on\n" GO_ON
			  "61 w0 idle>sleeping rounds 2.3.0>3.3.0\n"
			  "62 x post injector 1 empty wakes 1 d2 3.3.0>3.3.0 saw -1 1\n"
			  "63 x wake x id3 d2 inject 3.3.0>3.3.0\n"
			  "65 w2 woken 1\n66 w2 sleeping>idle woken 3.3.0>2.3.0\n"
			  "67 w0 woken 2\n68 w0 sleeping>idle woken 2.3.0>1.3.0\n"
			  "69 w1 woken 3\n70 w1 sleeping>idle woken 1.3.0>0.3.0\n"},
    {0, TICKLE
     "50 w0 latch unset>set w1 id7\n" TICKLE_POST TAKES_BIT TICKLE_W1 TICKLE_W2 TICKLE_REST LATE},
    /* the sleep that the latch meant was averted; the owner sleeps on another one by now */
    {0, COUNTS("rfc") "46 w0 wake w1 id1 d1 push" SAME "47 w1 woken 1\n"
		      "48 w1 sleeping>idle woken 2.2.0>1.2.0\n" LATCH(
			  "49", "w1",
			  "id9") "49.1 w0 latch sleeping>set w1 id9\n"
				 "49.2 w1 abort injector 1.2.0>1.2.0\n" LATCH(
				     "49.3", "w1",
				     "id10") "49.4 w1 idle>sleeping rounds 1.2.0>2.2.0\n" GO_ON
					     "62 x wake w1 id2 d2 inject 2.3.0>2.3.0\n"},
    {0, 0},
};
