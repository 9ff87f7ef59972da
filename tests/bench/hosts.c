// SPDX-License-Identifier: Apache-2.0
// How the cost of a launch grows with ranks, up to a pod over 64 hosts, by the transport in memory:
// each rank is a machine of this process. Tokens go round all cores of 8,960 devices of two cores,
// ten steps of each; prints the messages and bytes that a rank sends. What they take is not
// shown: only one rank runs at a time.
//   hosts [DEVICES [STEPS]]
#include <pthread.h>
#include <stdio.h>
#include "../unit/task_script.h"
#include "transport/prt_memory.h"
#include "transport/prt_ranks.h"

enum { CORES = 2, MOST_RANKS = 64, MOST_STEPS = 100 };

typedef struct Rank {
  prt_hub *hub;
  ScriptWorld world;
  prt_transport *transport;
  void (*send)(prt_transport *, int32_t, prt_message *); // the transport's own
  int64_t messages, bytes;
  prt_status status;
  int32_t number;
} Rank;

static Rank ranks[MOST_RANKS];

static int step_count;

static void count_send(prt_transport *transport, int32_t to, prt_message *message) {
  Rank *rank = &ranks[transport->rank];
  rank->messages++;
  rank->bytes += (int64_t)(message->bytes + message->body_bytes);
  rank->send(transport, to, message);
}

// Each core begins with a token, and hands on what it gets. The first core of a device hands it to
// the second, that to the next device.
static const ScriptStep *ring(const ScriptWorld *w, int device, int core) {
  static _Thread_local ScriptStep own[2 * MOST_STEPS + 2];
  int next = (device + 1) % w->devices, at = 0;
  own[at++] = (ScriptStep){SCRIPT_SIGNAL, -1, core, 0, 1};
  for (int i = 0; i < step_count; i++) {
    own[at++] = (ScriptStep){SCRIPT_WAIT, -1, 0, 0, 1};
    own[at++] = (ScriptStep){SCRIPT_SIGNAL, core ? next : -1, !core, 0, 1};
  }
  own[at] = (ScriptStep){SCRIPT_END, -1, 0, 0, 0};
  return own;
}

static void *run_rank(void *data) {
  Rank *rank = data;
  prt_machine *machine = script_machine(1, 0, NULL);
  rank->transport = prt__hub_rank(rank->hub, rank->number);
  rank->send = rank->transport->send;
  rank->transport->send = count_send;
  rank->status = prt__ranks_attach(machine, rank->transport);
  if (!rank->status) rank->status = script_run(machine, &rank->world);
  prt_machine_free(machine);
  return NULL;
}

static int run_job(int count, int devices) {
  prt_hub *hub = prt__hub_new(count, 1, -1);
  pthread_t threads[MOST_RANKS];
  Rank total = {0};
  for (int i = 0; i < count; i++) {
    ranks[i] = (Rank){
        .hub = hub, .number = i, .world = {.cores = CORES, .devices = devices, .script = ring}};
    if (pthread_create(&threads[i], NULL, run_rank, &ranks[i])) return 1;
  }
  for (int i = 0; i < count; i++) {
    pthread_join(threads[i], NULL);
    total.status |= ranks[i].status;
    total.messages += ranks[i].messages;
    total.bytes += ranks[i].bytes;
  }
  prt__hub_free(hub);
  printf("%5d %8d %12.1f %12.1f\n", count, devices / count * CORES, (double)total.messages / count,
         (double)total.bytes / count);
  return (int)total.status;
}

int main(int argc, char **argv) {
  int devices = argc > 1 ? atoi(argv[1]) : 8960;
  step_count = argc > 2 ? atoi(argv[2]) : 10;
  if (devices < MOST_RANKS || devices % MOST_RANKS || step_count < 1 || step_count > MOST_STEPS)
    return fprintf(stderr, "hosts [DEVICES [STEPS]]: a multiple of 64, at most 100 steps\n"), 2;
  printf("ranks    cores     messages        bytes, each a rank\n");
  for (int count = 1; count <= MOST_RANKS; count *= 2)
    if (run_job(count, devices)) return fprintf(stderr, "%s\n", prt_error_message()), 1;
  return 0;
}
