// SPDX-License-Identifier: Apache-2.0
// What ranks send each other.
#pragma once
#include "prt_places.h"
#include "prt_transport.h"

typedef enum prt_packet_kind {
  // These change what a rank does, and are counted.
  PACKET_START,
  PACKET_COPY,
  PACKET_SIGNAL,
  PACKET_MEET,
  PACKET_PUBLISH,
  PACKET_END,
  PACKET_LAST_COUNTED = PACKET_END,
  PACKET_IDLE, // to rank 0: nothing can go on here
  PACKET_PROBE,
  PACKET_ANSWER,
  PACKET_GATHER, // of rank 0: a deadlock; who waits for what?
  PACKET_STATE,
  PACKET_PRINT, // to rank 0
  PACKET_FAIL,
  // Of launches that rank 0 leads.
  PACKET_DO,       // of rank 0: a task goes on, elements move, the launch is over
  PACKET_REPORTED, // to rank 0: what a task did
  PACKET_MOVED,    // elements of a copy, to the rank of their target
  PACKET_ASK,      // to rank 0: a mark for a place (prt_shadow.c)
  PACKET_ANSWERED,
  PACKET_CLOSED, // of rank 0: how the call ended
  PACKET_BYE,    // nothing more comes of this rank but that; how its program has ended
  PACKET_CLEARED // of rank 0: it has sent how all have ended, and each may leave
} prt_packet_kind;

typedef struct prt_packet { // all begin so
  uint64_t epoch;           // the number of the launch of devices
  int32_t kind, unused;
} prt_packet;

// Words that grow (prt_wire.c).
typedef struct prt_wire {
  uint64_t *words;
  size_t count, room;
  bool failed; // no memory
} prt_wire;

// Messages in the order in which they came.
typedef struct prt_inbox {
  prt_message *first, **last;
} prt_inbox;

typedef struct prt_start_packet {
  prt_packet head;
  uint64_t hash; // of the program
  char name[96];
} prt_start_packet;

typedef struct prt_signal_packet {
  prt_packet head;
  prt_place semaphore;
  int64_t increment;
} prt_signal_packet;

// A copy, or what was published: behind it are `rank` dims, as many strides of the target, in
// bytes, and the elements, if they are not the message's body, padded. Several that were published
// may be one behind the other.
enum { PACKET_RANK_MOST = 32 };
#define PRT_PADDED(bytes) (((bytes) + 7) / 8 * 8)
typedef struct prt_elements_packet {
  prt_packet head;
  prt_place to, received, from_task, to_task; // of what is published `to` alone
  int32_t element_bytes, rank, add, counts;
  int64_t bytes;
  int64_t marks; // under check, of what is published: one an element, behind them, padded; 0: none
} prt_elements_packet;

// Of one whose elements are not the message's body.
static inline const char *prt__elements_of(const prt_elements_packet *packet) {
  return (const char *)((const int64_t *)(const void *)(packet + 1) + 2 * packet->rank);
}

typedef struct prt_idle_packet {
  prt_packet head;
  int64_t sent, received; // packets that are counted, since the machine was made
  int64_t wave;
  int64_t is_idle;
} prt_idle_packet;

typedef struct prt_fail_packet {
  prt_packet head;
  int32_t status, unused;
  char text[PRT_MESSAGE_SIZE];
} prt_fail_packet;

typedef struct prt_bye_packet { // behind it is the text, with a NUL
  prt_packet head;
  int32_t status, unused;
} prt_bye_packet;
