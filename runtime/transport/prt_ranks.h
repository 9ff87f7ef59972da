// SPDX-License-Identifier: Apache-2.0
// Devices that are spread over ranks. Every rank runs the whole program; of a mesh of devices each
// runs the programs of its own. docs/ranks.md has the picture.
//
// Every rank has memory for all devices, laid out the same, of which it uses that of its own: an
// address is sent to another rank as a place, and looked up there. All functions are called by the
// thread that runs the call's tasks, but for prt__publish.
#pragma once
#include "machine/prt_call.h"
#include "machine/prt_machine.h"
#include "tasks/prt_task.h"
#include "prt_packet.h"
#include "prt_transport.h"

// ---- ranks of a machine -------------------------------------------------------------------------
typedef struct prt_other { // what is known of a rank
  int64_t met;             // meetings that all of its devices have come to
  bool has_begun, has_ended, has_left;
  prt_inbox ending;           // with which it has left
  bool is_idle, has_answered; // of rank 0's search for the end
  int64_t sent, received;
  prt_message *state; // what waits there
  bool is_ahead;      // a task of it goes on before its turn
  prt_inbox reported; // of a launch that is led, by this rank
} prt_other;

typedef struct prt_interned prt_interned; // prt_wire.h

typedef struct prt_launched { // in this epoch, of cores of a program
  int32_t number, count;      // how often
  int32_t ordinal, cores;     // of the last launch that is over here; its cores, of own devices
  uint64_t *done;             // what they have done (prt__state_keep); NULL: nothing is kept
} prt_launched;

struct prt_extent;
// What the tasks tell the ranks of their machine, which they know by this alone.
typedef struct prt_ranks_calls {
  // Whether the group of all devices is spread over ranks.
  bool (*begin)(prt_schedule *s, prt_node *parent, prt_group *group);
  void (*joint)(prt_schedule *s, prt_joint *joint); // has been made
  void (*device_ended)(prt_schedule *s, prt_node *node);
  // The launch, on all of its devices that run here.
  void (*over)(prt_schedule *s, const prt_joint *joint);
  void (*meet)(prt_schedule *s, prt_node *node);
  void (*call_ends)(prt_schedule *s);
  // A device's memory, or everybody's: true if it is of another rank, which gets it.
  bool (*signal)(prt_schedule *s, const prt_sem *sem, int64_t increment);
  bool (*copy)(prt_schedule *s, const prt_transfer *transfer);
  // A copy has been made: others that see the target hear of it.
  void (*landed)(prt_schedule *s, const prt_copy *copy, const int64_t *dims, char *to);
  // true: rank 0 prints it, or nobody has to.
  bool (*print)(const prt_worker *worker, const char *text, size_t length);
  void (*poll)(prt_schedule *s);
  // Nothing can run here until something comes. false: nothing will, on any rank.
  bool (*wait)(prt_schedule *s);
  // ---- launches that rank 0 leads (prt_led.h)
  // What a task has done (prt_reported.def), and what is asked.
  void (*tell)(struct prt_ranks *r, int32_t what, ...);
  int64_t (*ask)(struct prt_ranks *r, int32_t what, ...);
  void (*copy_reported)(prt_schedule *s, const prt_transfer *transfer);
  void (*answer)(struct prt_ranks *r, const prt_message *message); // of PACKET_ASK
  // It runs next.
  void (*ahead)(prt_schedule *s, const prt_node *next);
  // Rank 0 leads: the elements of a copy that ends now are, or go, where they are to be. false:
  // both are here.
  bool (*move)(prt_schedule *s, const prt_transfer *transfer);
  // A launch ends on a device, whose rank may give back the memory that copies come from which are
  // held: their elements are sent now. And one of them ends.
  void (*leaves)(prt_schedule *s, const prt_group *group);
  void (*moved)(prt_schedule *s, const struct prt_flight *flight);
  // A call whose end rank 0 announces to the others; `is_before`: what it has found is not reported
  // yet.
  void (*opens)(prt_schedule *s, prt_worker *worker, const prt_program *program);
  void (*closes)(prt_worker *worker, bool is_before);
  // What lies there is not reported if it was never written, since a race is.
  void (*excused)(struct prt_ranks *r, const prt_call *call, const struct prt_extent *written);
  // What has been reported, for the others; `call`: NULL is the one that runs.
  void (*found)(struct prt_ranks *r, const prt_call *call, const prt_finding *finding,
                bool is_report);
} prt_ranks_calls;

enum {
#define PRT_REPORTED(name, arguments) PRT_REPORTED_##name,
#include "tasks/prt_reported.def"
#undef PRT_REPORTED
};

// The step of a grid that rank 0 knows a task to be at.
typedef struct prt_reported_step {
  bool is_known; // else nothing
  const prt_step *step;
  const char *launch;
  int32_t rank;
  int64_t indices[PACKET_RANK_MOST];
} prt_reported_step;

// Calls and launches that rank 0 leads (prt_led.h), on this rank.
typedef struct prt_led {
  bool is_led;            // a launch is under way
  bool is_lost;           // another rank is gone: nothing more comes
  prt_worker *worker;     // of the call that rank 0 closes; NULL: none
  prt_node *runs;         // a task that goes on here, and is reported; NULL: none, or on rank 0
  prt_wire wire;          // what will be sent
  prt_reported_step step; // of that task
  struct prt_far *fars;   // rank 0: tasks of other ranks
  prt_inbox orders, moved, answers, closed;
  int64_t calls;          // programs of such calls, so far
  uint64_t call_hash;     // of the call: the same on all ranks that make it
  int64_t moves;          // elements that this rank has given numbers
  prt_interned *interned; // constants that it received
  // Rank 0: of the copy that is reported just now, which rank has moved it, and how far.
  int64_t copied;
  int32_t copied_by;
  int32_t live;      // tasks of the call without those of the launch
  prt_wire origins;  // rank 0: what the call's marks mean, for the others,
  prt_wire findings; // and what it has sent
  prt_wire excused;  // and which memory races excuse
  int64_t excused_count;
  int64_t finding_count; // of them
  int64_t found_before;  // by the machine, before the call
} prt_led;

typedef struct prt_ranks {
  const prt_ranks_calls *calls;
  prt_led led;
  prt_machine *machine;
  prt_transport *transport;
  int32_t rank, ranks;
  uint64_t epoch, hash;
  prt_schedule *schedule; // of the launch of devices that runs; NULL: none does
  prt_joint *devices;     // it
  int32_t device_count, own_first, own_count;
  int32_t own_left;  // of its devices that run
  int32_t own_met;   // that have come to the next meeting
  int64_t met;       // meetings that all have come to
  prt_other *others; // by rank
  prt_launched *launched;
  int32_t launched_count, launched_room;
  int32_t launches;                 // of cores, in this epoch
  prt_message *early, **last_early; // for launches that have not begun here
  int64_t sent, received;
  int32_t outgoing, incoming; // messages whose bodies are on their way
  uint32_t rests;             // how often nothing had come
  bool was_reported;          // that we are idle, with these numbers
  int64_t reported_sent, reported_received;
  int64_t wave;
  int32_t unseen; // tasks that wait, in launches that rank 0 does not have
  bool is_probing, is_gathering;
  bool is_waiting;
  bool fails_as_reported;   // the last call here did, by another rank
  prt_message *ending;      // what prt_machine_ending has said; NULL: nothing
  bool is_cleared;          // rank 0 has sent how all have ended
  bool has_news;            // cores have been launched, for which packets may have come before
  pthread_mutex_t out_lock; // of what loops on several threads publish; no other is taken under it
  prt_message *out, **last_out;
} prt_ranks;

// prt_wire.c: FNV-1a goes on over these bytes.
uint64_t prt__hash(uint64_t hash, const void *data, size_t bytes);
// How far constants of a call lie from each other: ranks of the same may tell them so.
uint64_t prt__layout_of(const prt_call *call, const prt_program *program);

// prt_places.c: of cores of that program; NULL: they have not been launched in this epoch.
prt_launched *prt__launched_of(const prt_ranks *r, int32_t number);

// The rank that says what all of them know; a machine without ranks is that.
static inline bool prt__is_first_rank(const prt_machine *machine) {
  return !machine->ranks || machine->ranks->rank == 0;
}

// Those whom to tell what the task that runs does, since rank 0 leads; NULL: nobody.
static inline prt_ranks *prt__reports_to(const prt_machine *machine) {
  return machine->ranks && machine->ranks->led.runs ? machine->ranks : NULL;
}
// Whom to ask for marks, since rank 0 leads a launch that is under way; NULL: nobody.
static inline prt_ranks *prt__asked(const prt_machine *machine) {
  prt_ranks *r = machine->ranks;
  return r && r->rank && r->led.is_led ? r : NULL;
}
// The call ends as rank 0 says, which alone reports what it finds.
static inline bool prt__follows(const prt_call *call) {
  const prt_ranks *r = call->machine->ranks;
  return r && r->rank && r->led.worker && r->led.worker->call == call;
}

// The machine's devices are spread over the transport's ranks from here on. The transport becomes
// the machine's.
prt_status prt__ranks_attach(prt_machine *machine, prt_transport *transport);
void prt__ranks_detach(prt_machine *machine); // waits for the other ranks

// ---- prt_ending.c: the end of the job -----------------------------------------------------------
void prt__ranks_ending(prt_ranks *r, int status, const char *text); // how the program ends here
// Returns when all ranks may leave. false: one is lost.
bool prt__ranks_leave(prt_ranks *r);

// Opens the transport that the options name; PRT_OK with NULL if they name none.
prt_status prt__transport_open(const prt_machine_options *options, prt_transport **out);

// ---- prt_launch.c: launches of devices ----------------------------------------------------------
static inline bool prt__is_own(const prt_ranks *r, int32_t device) {
  return device >= r->own_first && device < r->own_first + r->own_count;
}
static inline int32_t prt__first_of(const prt_ranks *r, int32_t rank) {
  return (int32_t)((int64_t)r->device_count * rank / r->ranks);
}
static inline int32_t prt__rank_of(const prt_ranks *r, int32_t device) {
  return (int32_t)((((int64_t)device + 1) * r->ranks - 1) / r->device_count);
}

// ---- prt_send.c: what prt_ranks_calls has of it -------------------------------------------------
bool prt__ranks_signal(prt_schedule *s, const prt_sem *sem, int64_t increment);
bool prt__ranks_copy(prt_schedule *s, const prt_transfer *transfer);
void prt__ranks_landed(prt_schedule *s, const prt_copy *copy, const int64_t *dims, char *to);
