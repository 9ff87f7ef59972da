// SPDX-License-Identifier: Apache-2.0
// Drawn segments: runs of a few agents that do all that orders them, in which every wait was
// satisfied.
#pragma once
#include "race_trace.h"

enum { TRACE_EVENTS = 6, DRAWN_SEMS = 4 }; // of one agent, at most; semaphores
typedef enum TraceState { TRACE_LATER, TRACE_RUNS, TRACE_MEETS, TRACE_ENDED } TraceState;

// `launches`: agent 0 launches the others; else all run from the start. `shares`: any agent may
// wait for any semaphore, not its owner alone.
typedef struct Drawing {
  Trace *t;
  bool launches, shares;
  uint32_t random;
  int32_t agents;
  TraceState state[TRACE_AGENTS];
  int32_t launch[TRACE_AGENTS]; // who launched it; -1: nobody
  int32_t met[TRACE_AGENTS];    // how often
  int64_t counts[DRAWN_SEMS];
  int32_t next, joined; // the agent to be launched, the launch that agent 0 has joined
} Drawing;

static int32_t trace_below(Drawing *d, int32_t below) {
  d->random = d->random * 1664525u + 1013904223u;
  return (int32_t)((d->random >> 8) % (uint32_t)below);
}

static void trace_draw_wait(Drawing *d, int32_t agent) {
  int32_t sem = trace_below(d, DRAWN_SEMS);
  if (!d->counts[sem] || (!d->shares && sem % d->agents != agent)) return;
  int64_t units = 1 + trace_below(d, (int32_t)d->counts[sem]);
  bool keeps = trace_below(d, 5) == 0;
  trace_semaphore(d->t, agent, RACE_WAIT, sem, units, keeps);
  if (!keeps) d->counts[sem] -= units;
}

static void trace_draw_copy(Drawing *d, int32_t agent) {
  bool is_remote = trace_below(d, 2);
  int32_t to = is_remote ? trace_below(d, d->agents) : agent;
  prt_race_copy copy = {.to = to,
                        .received = to, // a semaphore of the core it goes to
                        .received_units = 1 + trace_below(d, 2),
                        .sent = is_remote ? trace_below(d, DRAWN_SEMS) : -1,
                        .sent_units = is_remote ? 1 + trace_below(d, 2) : 0};
  d->counts[copy.received] += copy.received_units;
  if (is_remote) d->counts[copy.sent] += copy.sent_units;
  trace_copy(d->t, agent, copy, trace_below(d, 3), trace_below(d, 3), 1 + trace_below(d, 2));
}

// Two of one launch, or 0 and 1 if all run from the start.
static int32_t trace_partner(const Drawing *d, int32_t agent) {
  for (int32_t i = 0; i < d->agents; i++)
    if (i != agent && d->launch[i] == d->launch[agent] && (d->launches ? i > 0 : i + agent == 1))
      return i;
  return -1;
}

// Meetings of different launches have different numbers.
static void trace_draw_meet(Drawing *d, int32_t agent) {
  int32_t partner = trace_partner(d, agent);
  if (partner < 0 || (d->launches && agent == 0) || d->state[partner] == TRACE_ENDED) return;
  int32_t number = d->met[agent]++ + TRACE_EVENTS * (d->launch[agent] + 1);
  trace_meet(d->t, agent, number);
  d->state[agent] = TRACE_MEETS;
}

static void trace_draw_met(Drawing *d, int32_t agent) {
  int32_t partner = trace_partner(d, agent);
  if (d->met[partner] < d->met[agent]) return;
  trace_add(d->t, agent, RACE_MET, d->met[agent] - 1 + TRACE_EVENTS * (d->launch[agent] + 1));
  d->state[agent] = TRACE_RUNS;
}

// Agent 0 launches one or two others, and joins them when they have ended, before it launches more.
static void trace_draw_launch(Drawing *d) {
  int32_t last = d->t->launch_count - 1;
  if (d->joined < last) {
    for (int32_t i = 1; i < d->agents; i++)
      if (d->launch[i] == last && d->state[i] != TRACE_ENDED) return;
    trace_add(d->t, 0, RACE_JOIN, d->t->launches[last]);
    d->joined = last;
  } else if (d->next < d->agents) {
    trace_launch(d->t, 0);
    for (int32_t n = 1 + trace_below(d, 2); n-- > 0 && d->next < d->agents; d->next++)
      d->launch[d->next] = d->t->launch_count - 1;
  }
}

static void trace_draw_touch(Drawing *d, int32_t agent) {
  static const int hows[] = {PRT_READ, PRT_WRITE, PRT_CHANGE};
  bool gives_back = trace_below(d, 20) == 0;
  trace_access(d->t, agent, PRT_NO_COPY, gives_back ? 0 : hows[trace_below(d, 3)],
               trace_below(d, 3), 1 + trace_below(d, 2));
}

static void trace_draw_step(Drawing *d, int32_t agent) {
  Trace *t = d->t;
  int32_t sem = trace_below(d, DRAWN_SEMS), what = trace_below(d, 20);
  bool is_child = d->launches && agent > 0;
  if (is_child && d->launch[agent] < 0) return;
  if (d->state[agent] == TRACE_LATER) {
    if (is_child) trace_add(t, agent, RACE_START, t->launches[d->launch[agent]]);
    d->state[agent] = TRACE_RUNS;
  } else if (d->state[agent] == TRACE_MEETS) {
    trace_draw_met(d, agent);
  } else if (d->launches && agent == 0 && what % 3 == 0) {
    trace_draw_launch(d);
  } else if (what < 6) {
    trace_draw_touch(d, agent);
  } else if (what < 9) {
    int64_t units = 1 + trace_below(d, 2);
    trace_semaphore(t, agent, RACE_SIGNAL, sem, units, false);
    d->counts[sem] += units;
  } else if (what < 14) {
    trace_draw_wait(d, agent);
  } else if (what < 16) {
    if (t->copies < 3) trace_draw_copy(d, agent);
  } else if (what < 17) {
    trace_atomic(t, agent, trace_below(d, 2), trace_below(d, 2));
  } else if (what < 18) {
    trace_draw_meet(d, agent);
  } else if (is_child) {
    trace_add(t, agent, RACE_END, t->launches[d->launch[agent]]);
    d->state[agent] = TRACE_ENDED;
  }
}

// A run of 3 or 4 agents, in which all waits were satisfied.
static void trace_draw(Trace *t, prt_machine *of, uint32_t seed, bool shares, int32_t steps) {
  trace_init(t, of);
  Drawing d = {.t = t, .shares = shares, .random = seed, .joined = -1, .next = 1};
  d.agents = 3 + trace_below(&d, 2);
  d.launches = trace_below(&d, 3) == 0;
  for (int32_t i = 0; i < d.agents; i++) {
    d.launch[i] = -1;
    trace_agent(t, i);
  }
  for (int32_t i = 0; i < steps; i++) {
    int32_t agent = trace_below(&d, d.agents);
    if (d.state[agent] != TRACE_ENDED && t->race->agents.items[agent].at < TRACE_EVENTS)
      trace_draw_step(&d, agent);
  }
  trace_draw_touch(&d, 0); // at the end
}
