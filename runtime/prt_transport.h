// SPDX-License-Identifier: Apache-2.0
// Transports: how the ranks of a job, each a machine with its share of the devices, reach each
// other. This is all that the runtime knows of what carries its messages; docs/ranks.md says what
// they are. A transport belongs to one machine, whose runtime calls it from one thread at a time.
#ifndef PRT_TRANSPORT_H
#define PRT_TRANSPORT_H
#include "prt.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __cplusplus
#define PRT_ALIGNAS alignas
#else
#define PRT_ALIGNAS _Alignas
#endif

// A block from malloc. Whoever has it frees it: send takes it over, and may move it; poll hands it
// out. Many bytes may go behind it as its body: from where they are to where they are to be.
typedef struct prt_message {
  struct prt_message *next; // its owner's, as `note`
  void *note;
  union {
    void *body;            // not of the block; NULL of one that poll hands out: not here yet
    const void *sent_body; // of one that is sent: it is only read
  };
  int32_t from;                 // rank it came from; set by the transport
  PRT_ALIGNAS(16) size_t bytes; // of data
  size_t body_bytes;            // 0: it has none
  PRT_ALIGNAS(16) unsigned char data[];
} prt_message;

typedef struct prt_transport prt_transport;
struct prt_transport {
  int32_t rank, ranks;
  // Starts to send; returns at once, whatever the other side does. Messages from one rank to
  // another arrive whole, once, and in the order in which they were sent.
  // A body stays the caller's, and as it is, until `sent` hands out the message.
  void (*send)(prt_transport *transport, int32_t to, prt_message *message);
  // A message with a body that is on its way, or here; NULL: none. Never waits.
  prt_message *(*sent)(prt_transport *transport);
  // Nothing that was sent needs a poll here to arrive there.
  bool (*has_sent_all)(prt_transport *transport);
  // What has arrived, oldest first of those of one rank; NULL: nothing. Never waits. Moves on what
  // is being sent. A message with a body is handed out twice: first without, then, when it is
  // there, with. What comes behind it from the same rank waits so long.
  prt_message *(*poll)(prt_transport *transport);
  // Where the body goes of a message that poll has handed out for the first time, and what may
  // change until it does so again. The message is the transport's till then, but for its note.
  void (*receive)(prt_transport *transport, prt_message *message, void *body);
  // The caller has nothing to do but to poll again: lets others run.
  void (*rest)(prt_transport *transport);
  // A rank that will not answer any more, with the reason in `why`; -1: none.
  int32_t (*lost)(prt_transport *transport, const char **why);
  // The end of it, and of its memory. `failed`: the job cannot go on; who can end the other ranks
  // does so. Else all ranks have come to their ends.
  void (*terminate)(prt_transport *transport, bool failed);
};

// What a plugin libpallasrt_NAME.so exports as `prt_transport_open`. `communicator`: as
// prt_machine_options has it. NULL: it cannot, and `why`, which has `room` bytes, says so.
typedef prt_transport *prt_transport_open_function(void *communicator, char *why, size_t room);

#ifdef __cplusplus
}
#endif
#endif
