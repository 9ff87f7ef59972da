// SPDX-License-Identifier: Apache-2.0
// The transport over MPI, with an MPI of one process (fake_mpi/): what is sent arrives whole, once
// and in order, whatever MPI does first; who is lost; how it begins and ends.
#include <check.h>
#include <stdatomic.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "fake_mpi.h"
#include "prt_transport.h"
#include "suite.h"
#include "transport/mpi/prt_mpi_leave.h"

prt_transport *prt_transport_open(void *communicator, char *why, size_t room);

enum {
  MESSAGES = 40,
  PIECE = 1 << 24,
  HEAD_DATA = 2048 - 16,
  NO_THREAD = MPI_THREAD_SERIALIZED,
  ABORTED = 11
};

static prt_transport *transports[FAKE_RANKS];

static void open_all(void) {
  char why[200];
  for (int i = 0; i < fake_mpi.ranks; i++) {
    MPI_Comm comm = fake_mpi_comm(i);
    transports[i] = prt_transport_open(&comm, why, sizeof why);
    ck_assert_ptr_nonnull(transports[i]);
    ck_assert_int_eq(transports[i]->rank, i);
    ck_assert_int_eq(transports[i]->ranks, fake_mpi.ranks);
  }
}

static void *end(void *data) {
  prt_transport *transport = data;
  transport->terminate(transport, false);
  return NULL;
}

// All at once, as each waits for the others.
static void end_all(void) {
  pthread_t threads[FAKE_RANKS];
  for (int i = 0; i < fake_mpi.ranks; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, end, transports[i]), 0);
  for (int i = 0; i < fake_mpi.ranks; i++) pthread_join(threads[i], NULL);
  ck_assert_int_eq(fake_mpi_left(), 0);
}

// ---- messages -----------------------------------------------------------------------------------
// What message `number` from a rank to another has, of which `bytes` and `body` are drawn.
typedef struct Link {
  int sent, begun, ended,
      returned; // of the messages: sent; handed out; handed out whole; come back to the sender
  size_t bytes[MESSAGES], body[MESSAGES];
  char *bodies[MESSAGES]; // of the sender
  prt_message *open;      // handed out without its body
  bool is_placed;         // and its place has been given
} Link;

static Link links[FAKE_RANKS][FAKE_RANKS];

static unsigned char byte_of(int from, int to, int number, size_t at) {
  return (unsigned char)(at * 7 + at / 251 + (size_t)(from * 5 + to * 11 + number * 31));
}

static void fill(unsigned char *data, size_t bytes, int from, int to, int number) {
  for (size_t i = 0; i < bytes; i++) data[i] = byte_of(from, to, number, i);
}

static void expect(const unsigned char *data, size_t bytes, int from, int to, int number) {
  for (size_t i = 0; i < bytes; i++)
    CHECK_EACH(data[i] == byte_of(from, to, number, i), "byte %zu of message %d from %d to %d", i,
               number, from, to);
}

static size_t draw_bytes(bool is_large) {
  static const size_t sizes[] = {0, 1, 40, HEAD_DATA - 1, HEAD_DATA, HEAD_DATA + 1, 5000, 100000};
  static const size_t large[] = {PIECE - 1, PIECE, PIECE + 1, 2 * (size_t)PIECE + 5,
                                 3 * (size_t)PIECE};
  return is_large ? large[fake_mpi_draw(5)] : sizes[fake_mpi_draw(8)];
}

static void send_next(int from, int to, bool is_large) {
  Link *link = &links[from][to];
  int number = link->sent++;
  bool has_body = fake_mpi_draw(2);
  size_t bytes = link->bytes[number] = draw_bytes(is_large && !has_body && number % 8 == 3);
  size_t body = link->body[number] = has_body ? draw_bytes(is_large && number % 8 == 5) : 0;
  prt_message *message = calloc(1, sizeof *message + bytes);
  message->bytes = bytes;
  message->body_bytes = body;
  fill(message->data, bytes, from, to, number);
  if (body) {
    link->bodies[number] = malloc(body);
    fill((unsigned char *)link->bodies[number], body, from, to, number + 1);
    message->sent_body = link->bodies[number];
    message->note = link;
  }
  transports[from]->send(transports[from], to, message);
}

// A body is the sender's again, who changes it: nothing reads it any more.
static void take_sent(int rank) {
  prt_message *message = transports[rank]->sent(transports[rank]);
  if (!message) return;
  Link *link = message->note;
  link->returned++;
  char *body = (char *)message->body;
  memset(body, 0xEE, message->body_bytes);
  for (int i = 0; i < link->sent; i++)
    if (link->bodies[i] == body) link->bodies[i] = NULL;
  free(body);
  free(message);
}

static void end_message(int rank, Link *link, prt_message *message) {
  int number = link->ended++;
  ck_assert_int_eq(link->ended, link->begun);
  ck_assert_uint_eq(message->bytes, link->bytes[number]);
  ck_assert_uint_eq(message->body_bytes, link->body[number]);
  expect(message->data, message->bytes, message->from, rank, number);
  if (message->body_bytes)
    expect(message->body, message->body_bytes, message->from, rank, number + 1);
  free(message->body);
  free(message);
}

static void take_next(int rank) {
  prt_message *message = transports[rank]->poll(transports[rank]);
  if (!message) return;
  Link *link = &links[message->from][rank];
  if (link->open) { // nothing else of that rank before it
    ck_assert(message == link->open && link->is_placed);
    link->open = NULL;
    end_message(rank, link, message);
    return;
  }
  link->begun++;
  ck_assert_int_le(link->begun, link->sent);
  if (!message->body_bytes) {
    end_message(rank, link, message);
    return;
  }
  ck_assert_ptr_null(message->body);
  link->open = message;
  link->is_placed = false;
}

static void place_body(int from, int rank) {
  Link *link = &links[from][rank];
  if (!link->open || link->is_placed) return;
  link->is_placed = true;
  transports[rank]->receive(transports[rank], link->open, malloc(link->open->body_bytes));
}

static bool is_over(int messages) {
  for (int from = 0; from < fake_mpi.ranks; from++)
    for (int to = 0; to < fake_mpi.ranks; to++) {
      const Link *link = &links[from][to];
      int bodies = 0;
      for (int i = 0; i < link->sent; i++) bodies += link->body[i] > 0;
      if (from != to && (link->ended < messages || link->returned < bodies)) return false;
    }
  return true;
}

static void act(int messages, bool is_large) {
  int rank = (int)fake_mpi_draw((uint32_t)fake_mpi.ranks),
      other = (int)fake_mpi_draw((uint32_t)fake_mpi.ranks);
  switch (fake_mpi_draw(5)) {
  case 0:
    if (other != rank && links[rank][other].sent < messages) send_next(rank, other, is_large);
    break;
  case 1: take_sent(rank); break;
  case 2:
    if (!fake_mpi_draw(3)) place_body(other, rank);
    break;
  default: take_next(rank);
  }
}

// Two to four ranks send each other messages of all sizes, with bodies and without, as a seed has
// it; one job in six with the thread that carries on what goes in pieces.
static void run_job(uint64_t seed, int messages, bool is_large) {
  fake_mpi_begin(2 + (int)(seed % 3), seed);
  fake_mpi.level = seed % 6 == 3 ? MPI_THREAD_MULTIPLE : NO_THREAD;
  memset(links, 0, sizeof links);
  open_all();
  for (int64_t i = 0; !is_over(messages); i++) {
    ck_assert_int_lt(i, 20000000);
    act(messages, is_large);
  }
  for (int i = 0; i < fake_mpi.ranks; i++) {
    while (!transports[i]->has_sent_all(transports[i])) take_next(i);
    ck_assert_ptr_null(transports[i]->poll(transports[i]));
  }
  end_all();
}

START_TEST(what_is_sent_arrives) { run_job((uint64_t)_i, MESSAGES, false); }
END_TEST

START_TEST(what_goes_in_pieces_arrives) { run_job((uint64_t)_i * 3, 8, true); }
END_TEST

// The tags of what goes in pieces begin anew.
START_TEST(tags_are_used_again) {
  fake_mpi_begin(2, 1);
  fake_mpi.level = NO_THREAD;
  open_all();
  for (int i = 0; i < 9000; i++) {
    prt_message *message = calloc(1, sizeof *message + 3000), *got = NULL;
    message->bytes = 3000;
    fill(message->data, 3000, 0, 1, i);
    transports[0]->send(transports[0], 1, message);
    while (!got) {
      got = transports[1]->poll(transports[1]);
      ck_assert_ptr_null(transports[0]->poll(transports[0]));
    }
    expect(got->data, 3000, 0, 1, i);
    free(got);
  }
  end_all();
}
END_TEST

// What is on its way when all come to their ends is still received, and given back.
START_TEST(the_end_waits_for_what_is_under_way) {
  fake_mpi_begin(2, (uint64_t)_i);
  fake_mpi.level = _i & 1 ? MPI_THREAD_MULTIPLE : NO_THREAD;
  open_all();
  static char body[300000];
  prt_message *message = calloc(1, sizeof *message + 5000), *got = NULL;
  message->bytes = 5000;
  message->body_bytes = sizeof body;
  message->sent_body = body;
  transports[0]->send(transports[0], 1, message);
  ck_assert(!transports[0]->has_sent_all(transports[0]));
  while (!got) {
    got = transports[1]->poll(transports[1]);
    transports[0]->poll(transports[0]);
  }
  transports[1]->receive(transports[1], got, malloc(sizeof body));
  end_all();
}
END_TEST

// ---- at work ------------------------------------------------------------------------------------
enum { LONG_BYTES = PIECE + 100 };

static prt_message *poll_until_handed_out(void) {
  for (prt_message *got = NULL;;) {
    transports[0]->poll(transports[0]);
    got = transports[1]->poll(transports[1]);
    if (got) return got;
  }
}

// Nobody polls: the thread has brought what was under way.
static void wait_for_thread(void) {
  for (int waited = 0; fake_mpi_under_way(); waited++) {
    ck_assert_int_lt(waited, 20000);
    usleep(1000);
  }
}

// The program is at work and asks for nothing: the thread brings what goes in pieces to where it is
// to be, and what nobody has asked for beside it.
static void send_body(const unsigned char *body, size_t bytes) {
  prt_message *message = calloc(1, sizeof *message + 5000);
  message->bytes = 5000;
  message->body_bytes = bytes;
  message->sent_body = body;
  transports[0]->send(transports[0], 1, message);
}

static prt_message *take_head(size_t bytes) {
  prt_message *got = poll_until_handed_out();
  ck_assert_ptr_null(got->body);
  transports[1]->receive(transports[1], got, malloc(bytes));
  return got;
}

static void take_body(prt_message *wanted) {
  ck_assert_ptr_eq(poll_until_handed_out(), wanted);
  expect(wanted->body, wanted->body_bytes, 0, 1, 1);
  free(wanted->body);
  free(wanted);
  prt_message *sent;
  while (!(sent = transports[0]->sent(transports[0]))) transports[0]->poll(transports[0]);
  free(sent);
}

START_TEST(the_thread_carries_on) {
  static unsigned char body[LONG_BYTES];
  fill(body, LONG_BYTES, 0, 1, 1);
  fake_mpi_begin(2, 3);
  open_all();
  send_body(body, LONG_BYTES);
  prt_message *got = take_head(LONG_BYTES);
  wait_for_thread();
  take_body(got);
  send_body(body, LONG_BYTES); // which nobody has asked for
  wait_for_thread();
  take_body(take_head(LONG_BYTES));
  end_all();
}
END_TEST

// ---- who waits ----------------------------------------------------------------------------------
static _Atomic int yields;
int __wrap_sched_yield(void);
int __wrap_sched_yield(void) { return atomic_fetch_add(&yields, 1), 0; }

static int yields_of(int rests) {
  yields = 0;
  for (int i = 0; i < rests; i++) transports[0]->rest(transports[0]);
  return yields;
}

// Where there are CPUs for all ranks, others run only after a while without a message.
START_TEST(rests_let_others_run) {
  fake_mpi_begin(2, 1);
  fake_mpi.level = NO_THREAD;
  open_all();
  ck_assert_int_eq(yields_of(1500), 500);
  prt_message *message = calloc(1, sizeof *message), *got = NULL;
  transports[1]->send(transports[1], 0, message);
  while (!got) got = transports[0]->poll(transports[0]);
  free(got);
  ck_assert_int_eq(yields_of(1000), 0);
  ck_assert_int_eq(yields_of(10), 10);
  end_all();
  fake_mpi_begin(2, 1);
  fake_mpi.ranks_here = 1 << 20;
  fake_mpi.level = NO_THREAD;
  open_all();
  ck_assert_int_eq(yields_of(10), 10);
  end_all();
}
END_TEST

// ---- who is lost --------------------------------------------------------------------------------
START_TEST(nobody_is_lost_without_a_reason) {
  fake_mpi_begin(3, 1);
  open_all();
  const char *why;
  for (int i = 0; i < 3; i++) ck_assert_int_eq(transports[i]->lost(transports[i], &why), -1);
  end_all();
}
END_TEST

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Its signs do not come: the others know after some seconds, and it is not ended in good order.
START_TEST(who_is_silent_is_lost) {
  fake_mpi_begin(2, 1);
  open_all();
  fake_mpi.is_mute[1] = true;
  const char *why;
  double begin = seconds();
  while (transports[0]->lost(transports[0], &why) < 0) {
    ck_assert(seconds() - begin < 50);
    usleep(100000);
  }
  ck_assert(seconds() - begin > 2); // six times 0.4 s
  ck_assert_int_eq(transports[0]->lost(transports[0], &why), 1);
  ck_assert_str_eq(why, "does not answer");
  transports[0]->terminate(transports[0], false); // by MPI_Abort
}
END_TEST

// Each call that may fail, one after the other: its rank is lost, nothing hangs.
START_TEST(a_call_of_mpi_fails) {
  fake_mpi_begin(2, 1);
  fake_mpi.level = NO_THREAD;
  open_all();
  fake_mpi.calls_to_failure = _i + 1;
  const char *why;
  prt_message *message = calloc(1, sizeof *message + 5000);
  message->bytes = 5000;
  transports[0]->send(transports[0], 1, message);
  for (int i = 0; i < 1000 && fake_mpi.calls_to_failure; i++)
    for (int k = 0; k < 2; k++) free(transports[k]->poll(transports[k]));
  int lost = transports[0]->lost(transports[0], &why) == 0 ? 0 : 1;
  ck_assert_int_eq(fake_mpi.calls_to_failure, 0);
  ck_assert_int_eq(transports[lost]->lost(transports[lost], &why), lost);
  ck_assert_str_eq(why, "cannot be reached: MPI has failed");
  ck_assert_int_eq(transports[!lost]->lost(transports[!lost], &why), -1);
  transports[lost]->terminate(transports[lost], false);
}
END_TEST

// By MPI_Abort, when the launcher has had time to read what was said.
START_TEST(a_failed_job_is_ended) {
  int status;
  double begin = seconds();
  pid_t child = fork();
  if (!child) {
    fake_mpi_begin(2, 1);
    fake_mpi.level = _i ? MPI_THREAD_MULTIPLE : NO_THREAD;
    open_all();
    transports[0]->terminate(transports[0], true);
  }
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == ABORTED);
  ck_assert(seconds() - begin > 0.2);
}
END_TEST

// ---- the beginning and the end ------------------------------------------------------------------
START_TEST(mpi_must_be_at_hand) {
  char why[200] = "";
  fake_mpi_begin(1, 1);
  fake_mpi.level = MPI_THREAD_FUNNELED;
  ck_assert_ptr_null(prt_transport_open(NULL, why, sizeof why));
  ck_assert_str_eq(why,
                   "the program has initialised MPI for one thread; it needs MPI_Init_thread with "
                   "MPI_THREAD_SERIALIZED or MPI_THREAD_MULTIPLE");
  fake_mpi.is_finalised = true;
  ck_assert_ptr_null(prt_transport_open(NULL, why, sizeof why));
  ck_assert_str_eq(why, "MPI has been finalised, and cannot be initialised again");
}
END_TEST

// Who has initialised MPI finalises it.
START_TEST(who_begins_ends) {
  char why[200];
  fake_mpi_begin(1, 1);
  fake_mpi.is_initialised = _i;
  prt_transport *transport = prt_transport_open(NULL, why, sizeof why);
  ck_assert_ptr_nonnull(transport);
  ck_assert(fake_mpi.is_initialised);
  transport->terminate(transport, false);
  ck_assert_int_eq(fake_mpi.is_finalised, !_i);
  ck_assert_int_eq(fake_mpi_left(), 0);
}
END_TEST

int PMIx_Finalize(const void *info, size_t count);
static bool has_pmix_ended;
__attribute__((visibility("default"))) int PMIx_Finalize(const void *info, size_t count) {
  return has_pmix_ended = !info && !count, 0;
}

typedef struct Leaving {
  const char *version;
  bool has_pmi;
  int ranks;
  bool hangs; // MPI_Finalize
  bool is_finalised, is_reported,
      by_pmix; // what must be so afterwards: the launcher has heard by PMI, by PMIx
} Leaving;

static const Leaving leavings[] = {
    {"Open MPI v4.1.4", false, 2, false, true, false, false},
    {"Open MPI v4.1.4", true, 2, false, true, false, false},
    {"Open MPI v4.1.4", true, 2, true, false, false, true},
    {"MPICH Version: 4.0.2 device: ch4:ucx", true, 2, false, false, true, false},
    {"MPICH Version: 4.0.2 device: ch4:ucx", true, 1, false, true, false, false},
    {"MPICH Version: 4.0.2 device: ch4:ucx", false, 2, false, true, false, false},
    {"MPICH Version: 4.0.2 device: ch4:ofi", true, 2, false, true, false, false},
    {"MPICH Version: 4.0.2 device: ch4:ucx pmi=pmi2", true, 2, false, true, false, false},
    {"MPICH Version: 3.4.1 device: ch4:ucx", true, 2, false, false, true, false},
    {"MPICH Version: 4.1.2 device: ch4:ucx", true, 2, false, false, true, false},
    {"MPICH Version: 4.2.0 device: ch4:ucx", true, 2, false, true, false, false},
    {"MPICH Version: 5.0.1 device: ch4:ucx", true, 2, false, true, false, false},
    {"MPICH Version: 5.0.1 device: ch4:ucx", true, 2, true, false, true, false},
};

static bool has_line(int fd, const char *wanted) {
  char line[100] = "";
  struct pollfd ready = {.fd = fd, .events = POLLIN};
  if (poll(&ready, 1, 0) != 1) return false;
  ssize_t length = read(fd, line, sizeof line - 1);
  ck_assert_int_gt(length, 0);
  ck_assert_str_eq(line, wanted);
  return true;
}

static int make_launcher(bool has_pmi) {
  int ends[2];
  char number[20];
  ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  ck_assert_int_eq(write(ends[1], "cmd=finalize_ack\n", 17), 17);
  snprintf(number, sizeof number, "%d", ends[0]);
  if (has_pmi)
    setenv("PMI_FD", number, 1);
  else
    unsetenv("PMI_FD");
  return ends[1];
}

START_TEST(the_launcher_hears_of_the_end) {
  const Leaving *c = &leavings[_i];
  fake_mpi_begin(c->ranks, 1);
  fake_mpi.version = c->version;
  fake_mpi.hangs = c->hangs;
  int launcher = make_launcher(c->has_pmi);
  mpi_leave();
  ck_assert_int_eq(fake_mpi.is_finalised, c->is_finalised);
  ck_assert_int_eq(has_line(launcher, "cmd=finalize\n"), c->is_reported);
  ck_assert_int_eq(has_pmix_ended, c->by_pmix);
}
END_TEST

static int launcher_of_abort;
static void check_abort(void) {
  if (!has_line(launcher_of_abort, "cmd=abort exitcode=1\n")) abort();
}

// Where there is PMI-1 the launcher hears by it, and MPI is not asked.
START_TEST(the_launcher_hears_of_a_failure) {
  fake_mpi_begin(2, 1);
  fake_mpi.version = "MPICH Version: 4.0.2 device: ch4:ucx";
  launcher_of_abort = make_launcher(true);
  pid_t child = fork();
  if (!child) mpi_end_job(fake_mpi_comm(0));
  int status;
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 1);
  check_abort();
}
END_TEST

int main(void) {
  Suite *suite = suite_create("prt_mpi");
  TCase *messages = tcase_create("messages"), *pieces = tcase_create("pieces"),
        *rests = tcase_create("rests"), *ends = tcase_create("ends"), *lost = tcase_create("lost");
  TCase *const all[] = {messages, pieces, rests, lost, ends};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    tcase_set_timeout(all[i], 60);
    suite_add_tcase(suite, all[i]);
  }
  tcase_add_loop_test(messages, what_is_sent_arrives, 0, IS_SANITIZED ? 6 : 30);
  tcase_add_loop_test(pieces, what_goes_in_pieces_arrives, 0, IS_SANITIZED ? 1 : 4);
  tcase_add_test(pieces, tags_are_used_again);
  tcase_add_loop_test(messages, the_end_waits_for_what_is_under_way, 0, 8);
  tcase_add_test(pieces, the_thread_carries_on);
  tcase_add_test(rests, rests_let_others_run);
  tcase_add_test(lost, nobody_is_lost_without_a_reason);
  tcase_add_exit_test(lost, who_is_silent_is_lost, ABORTED);
  tcase_add_loop_exit_test(lost, a_call_of_mpi_fails, ABORTED, 0, 8);
  tcase_add_loop_test(lost, a_failed_job_is_ended, 0, 2);
  tcase_add_test(ends, mpi_must_be_at_hand);
  tcase_add_loop_test(ends, who_begins_ends, 0, 2);
  tcase_add_loop_test(ends, the_launcher_hears_of_the_end, 0,
                      (int)(sizeof leavings / sizeof *leavings));
  tcase_add_test(ends, the_launcher_hears_of_a_failure);
  return suite_run(suite);
}
