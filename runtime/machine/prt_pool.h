// SPDX-License-Identifier: Apache-2.0
// Threads that share the steps of parallel loops.
#pragma once
#include <pthread.h>
#include "prt_call.h"

enum { PRT_MOST_PIECES = 512 };

// One prt__parallel_for. Lives on the stack of the thread that waits for it.
typedef struct prt_job {
  struct prt_job *next; // under the pool's lock
  prt_call *call;
  prt_body body;
  void *context;
  const prt_step *step;
  int64_t begun;  // ns, of the monotonic clock
  bool has_woken; // threads for it; the caller's alone
  int64_t count;  // of indices
  int32_t pieces, threads;
  bool is_long;                                 // between two pieces it may be stopped
  _Atomic uint64_t taken[PRT_MOST_PIECES / 64]; // a bit for each piece
  _Atomic uint32_t
      inside; // pool threads working on it; changed under the pool's lock, spun on without
} prt_job;

typedef struct prt_pool_thread {
  struct prt_pool *pool;
  pthread_t thread;
  prt_worker worker;
} prt_pool_thread;

typedef struct prt_pool {
  pthread_mutex_t lock;
  pthread_cond_t wake; // pool threads wait here for jobs
  pthread_cond_t done; // callers wait here for pool threads to leave their jobs
  prt_job *jobs;       // those with pieces left; a caller takes its own out
  prt_pool_thread *threads;
  _Atomic int32_t
      wanted; // threads to be started by the first job; lowered if the system gives fewer
  int32_t started, parked; // threads that run, that wait on `wake`
  bool closing;
  int64_t last_begun;         // of the last job; under the lock
  _Atomic int32_t caller_cpu; // that the last job was posted on
  _Atomic uint32_t posted;    // grows with each job: what a pool thread spins on before it parks
} prt_pool;

prt_status prt__pool_init(prt_pool *pool, int32_t threads);
void prt__pool_fini(prt_pool *pool);
// In a forked child: its threads are not there, and its locks are as the fork caught them.
void prt__pool_revive(prt_pool *pool);
