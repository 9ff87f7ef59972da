// SPDX-License-Identifier: Apache-2.0
// The simplify pass: the body of a function before and after, as text.
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/buf.h"
#include "base/map.h"
#include "ir/core/build.h"
#include "ir/core/build_memory.h"
#include "ir/core/verify.h"
#include "ir/text/print.h"
#include "ir/text/read.h"
#include "ir/core/ir.h"
#include "ir_interpreter.h"
#include "passes/pass.h"
#include "suite.h"

// Every case sees: %x, %y: hbm f32[8]; %i: hbm i32[4]; %out: hbm f32[8]; %b: hbm bool.
typedef struct Case {
  const char *before, *after;
  bool check; // under PassOptions.check
} Case;

#define LOADX     "  %a = load %x[:] : f32[8]\n"
#define LOADI     "  %k = load %i[:] : i32[4]\n"
#define STORE(v)  "  store %" v ", %out[:]\n"
#define STOREI(v) "  store %" v ", %i[:]\n"
// Nothing to do.
#define SAME(body)                                                                                 \
  { body, body, 0 }

static const Case cases[] = {
    // constants
    {"  %p = const 2 : f32[8]\n  %q = const 3 : f32[8]\n  %r = mul %p, %q : f32[8]\n" STORE("r"),
     "  %r = const 6 : f32[8]\n" STORE("r"), 0},
    {"  %p = const {1, 2} : i32[2]\n  %q = concat %p, %p dim 0 : i32[4]\n" STOREI("q"),
     "  %q = const {1, 2, 1, 2} : i32[4]\n" STOREI("q"), 0},
    {"  %p = const 2 : f32[8]\n  %r = exp %p : f32[8]\n" STORE("r"), // not exact: left
     "  %p = const 2 : f32[8]\n  %r = exp %p : f32[8]\n" STORE("r"), 0},
    {"  %p = const {1, 2, 3, 4, 5, 6, 7, 8} : f32[8]\n  %s = reduce_sum %p axes [0] : f32\n"
     "  %r = broadcast %s : f32[8]\n" STORE("r"), // the order of the sum is the code's
     "  %p = const {1, 2, 3, 4, 5, 6, 7, 8} : f32[8]\n  %s = reduce_sum %p axes [0] : f32\n"
     "  %r = broadcast %s : f32[8]\n" STORE("r"),
     0},
    {"  %p = const {1, 1, 1, 1} : i32[4]\n" STOREI("p"), "  %p = const 1 : i32[4]\n" STOREI("p"),
     0},
    {"  %p = const {1, 2, 3, 4} : i32[4]\n  %q = broadcast %p dims [1] : i32[100,4]\n"
     "  %r = slice %q starts [99, 0] limits [100, 4] strides [1, 1] : i32[1,4]\n"
     "  %s = reshape %r : i32[4]\n" STOREI("s"), // would grow
     "  %p = const {1, 2, 3, 4} : i32[4]\n  %q = broadcast %p dims [1] : i32[100,4]\n"
     "  %r = slice %q starts [99, 0] limits [100, 4] strides [1, 1] : i32[1,4]\n"
     "  %0 = ref_reshape %i : hbm i32[1,4]\n  store %r, %0[:, :]\n",
     0},
    {"  %k0 = const 0 : u32\n  %r, %s = threefry2x32 %k0, %k0, %k0, %k0 : (u32, u32)\n"
     "  %t = bitcast %s : i32\n  %u = broadcast %t : i32[4]\n" STOREI("u"),
     "  %u = const -1715843330 : i32[4]\n" STOREI("u"), 0},
    // floats: what is exact, and what is not
    {LOADX "  %c = const 1 : f32[8]\n  %r = mul %c, %a : f32[8]\n" STORE("r"), LOADX STORE("a"), 0},
    {LOADX "  %c = const 0 : f32[8]\n  %r = add %a, %c : f32[8]\n" STORE("r"), // -0.0 + 0.0 is 0.0
     LOADX "  %c = const 0 : f32[8]\n  %r = add %a, %c : f32[8]\n" STORE("r"), 0},
    {LOADX "  %c = const -0 : f32[8]\n  %r = add %a, %c : f32[8]\n" STORE("r"), LOADX STORE("a"),
     0},
    {LOADX "  %c = const 0 : f32[8]\n  %r = sub %a, %c : f32[8]\n" STORE("r"), LOADX STORE("a"), 0},
    {LOADX "  %r = sub %a, %a : f32[8]\n" STORE("r"),
     LOADX "  %r = sub %a, %a : f32[8]\n" STORE("r"), 0},
    {LOADX "  %c = const 4 : f32[8]\n  %r = div %a, %c : f32[8]\n" STORE("r"),
     LOADX "  %0 = const 0.25 : f32[8]\n  %r = mul %a, %0 : f32[8]\n" STORE("r"), 0},
    {LOADX "  %c = const 3 : f32[8]\n  %r = div %a, %c : f32[8]\n" STORE("r"),
     LOADX "  %c = const 3 : f32[8]\n  %r = div %a, %c : f32[8]\n" STORE("r"), 0},
    {LOADX "  %c = const 2e-38 : f32[8]\n  %r = mul %c, %a : f32[8]\n" STORE("r"),
     LOADX "  %c = const 2e-38 : f32[8]\n  %r = mul %a, %c : f32[8]\n" STORE("r"), 0},
    {LOADX "  %n = neg %a : f32[8]\n  %m = neg %n : f32[8]\n  %o = abs %n : f32[8]\n"
           "  %r = add %m, %o : f32[8]\n" STORE("r"),
     LOADX "  %o = abs %a : f32[8]\n  %r = add %a, %o : f32[8]\n" STORE("r"), 0},
    {LOADX "  %m = max %a, %a : f32[8]\n" STORE("m"), LOADX STORE("a"), 0},
    {LOADX "  %f = floor %a : f32[8]\n  %r = round_even %f : f32[8]\n" STORE("r"),
     LOADX "  %f = floor %a : f32[8]\n" STORE("f"), 0},
    // integers
    {LOADI "  %z = const 0 : i32[4]\n  %o = const 1 : i32[4]\n  %p = add %z, %k : i32[4]\n"
           "  %q = mul %p, %o : i32[4]\n  %r = shl %q, %z : i32[4]\n  %s = or %r, %z : i32[4]\n"
           "  %t = floordiv %s, %o : i32[4]\n" STOREI("t"),
     LOADI STOREI("k"), 0},
    {LOADI "  %r = xor %k, %k : i32[4]\n" STOREI("r"), "  %r = const 0 : i32[4]\n" STOREI("r"), 0},
    {LOADI "  %m = const -1 : i32[4]\n  %r = and %m, %k : i32[4]\n" STOREI("r"), LOADI STOREI("k"),
     0},
    {LOADI "  %c = le %k, %k : bool[4]\n  %z = const 0 : i32[4]\n  %r = select %c, %z, %k : "
           "i32[4]\n" STOREI("r"),
     "  %z = const 0 : i32[4]\n" STOREI("z"), 0},
    // conversions
    {LOADI "  %f = convert %k : f32[4]\n  %g = convert %f : i32[4]\n" STOREI("g"), // 24 bits only
     LOADI "  %f = convert %k : f32[4]\n  %g = convert %f : i32[4]\n" STOREI("g"), 0},
    {LOADX "  %h = convert %a : bf16[8]\n  %f = convert %h : f32[8]\n  %g = convert %f : bf16[8]\n"
           "  %r = convert %g : f32[8]\n" STORE("r"),
     LOADX "  %h = convert %a : bf16[8]\n  %f = convert %h : f32[8]\n" STORE("f"), 0},
    {LOADI "  %s = convert %k : i16[4]\n  %f = convert %s : f32[4]\n  %g = convert %f : i8[4]\n"
           "  %r = convert %g : i32[4]\n" STOREI("r"), // clamps by way of f32
     LOADI "  %s = convert %k : i16[4]\n  %f = convert %s : f32[4]\n  %g = convert %f : i8[4]\n"
           "  %r = convert %g : i32[4]\n" STOREI("r"),
     0},
    {LOADI
     "  %s = convert %k : i8[4]\n  %f = convert %s : i16[4]\n  %r = convert %f : i32[4]\n" STOREI(
         "r"),
     LOADI "  %s = convert %k : i8[4]\n  %r = convert %s : i32[4]\n" STOREI("r"), 0},
    {LOADX "  %f = bitcast %a : u32[8]\n  %g = bitcast %f : f32[8]\n" STORE("g"), LOADX STORE("a"),
     0},
    {"  %k = iota dim 0 : i32[8]\n  %r = convert %k : f32[8]\n" STORE("r"),
     "  %r = iota dim 0 : f32[8]\n" STORE("r"), 0},
    // shapes
    {LOADX "  %p = reshape %a : f32[2,4]\n  %q = reshape %p : f32[4,2]\n  %r = reshape %q : "
           "f32[8]\n" STORE("r"),
     LOADX STORE("a"), 0},
    {LOADX "  %p = reshape %a : f32[2,4]\n  %q = transpose %p dims [1, 0] : f32[4,2]\n"
           "  %s = transpose %q dims [1, 0] : f32[2,4]\n  %r = reshape %s : f32[8]\n" STORE("r"),
     LOADX STORE("a"), 0},
    {LOADX "  %p = reshape %a : f32[8,1]\n  %q = broadcast %p dims [0, 1] : f32[8,4]\n"
           "  %s = broadcast %q dims [0, 2] : f32[8,2,4]\n  %r = reduce_max %s axes [1, 2] : "
           "f32[8]\n" STORE("r"),
     LOADX
     "  %s = broadcast %a dims [0] : f32[8,2,4]\n  %r = reduce_max %s axes [1, 2] : f32[8]\n" STORE(
         "r"),
     0},
    {LOADX "  %p = slice %a starts [1] limits [8] strides [2] : f32[4]\n"
           "  %q = slice %p starts [1] limits [4] strides [2] : f32[2]\n  %r = concat %q, %q, %q, "
           "%q dim 0 : f32[8]\n" STORE("r"),
     LOADX "  %q = slice %a starts [3] limits [8] strides [4] : f32[2]\n"
           "  %r = concat %q, %q, %q, %q dim 0 : f32[8]\n" STORE("r"),
     0},
    {LOADX "  %p = rev %a dims [0] : f32[8]\n  %r = rev %p dims [0] : f32[8]\n" STORE("r"),
     LOADX STORE("a"), 0},
    {LOADX
     "  %z = const 0 : f32\n  %r = pad %a, %z low [0] high [0] interior [0] : f32[8]\n" STORE("r"),
     LOADX STORE("a"), 0},
    {LOADX "  %s = const 100 : i32\n  %p = dynamic_slice %a, %s sizes [4] : f32[4]\n"
           "  %r = concat %p, %p dim 0 : f32[8]\n" STORE("r"),
     LOADX "  %p = slice %a starts [4] limits [8] strides [1] : f32[4]\n"
           "  %r = concat %p, %p dim 0 : f32[8]\n" STORE("r"),
     0},
    // common and dead
    {LOADX "  %p = exp %a : f32[8]\n  %q = exp %a : f32[8]\n  %r = add %p, %q : f32[8]\n"
           "  %d = sin %r : f32[8]\n" STORE("r"),
     LOADX "  %p = exp %a : f32[8]\n  %r = add %p, %p : f32[8]\n" STORE("r"), 0},
    {LOADX "  %p = reduce_max %a axes [0] : f32\n  %q = reduce_max %a axes [0] : f32\n"
           "  %s = reduce_min %a axes [0] : f32\n  %t = add %p, %q : f32\n  %u = add %s, %t : f32\n"
           "  %r = broadcast %u : f32[8]\n" STORE("r"),
     LOADX
     "  %p = reduce_max %a axes [0] : f32\n  %s = reduce_min %a axes [0] : f32\n"
     "  %t = add %p, %p : f32\n  %u = add %s, %t : f32\n  %r = broadcast %u : f32[8]\n" STORE("r"),
     0},
    {LOADX
     "  %m = alloc \"m\" : vmem f32[8]\n  store %a, %m[:]\n  %v = view %m[0 : 4] : vmem f32[4]\n"
     "  %z = const 0 : f32[4]\n  store %z, %v[:]\n" STORE("a"),
     LOADX STORE("a"), 0},
    {"  %l = load %x[:] : f32[8]\n", "", 0},
    {"  %l = load %x[:] : f32[8]\n", "  %l = load %x[:] : f32[8]\n", 1},
    {"  %m = alloc : hbm f32[8]\n  %l = load %m[:] : f32[8]\n", "", 1}, // an array that nobody uses
    {"  %m = alloc : vmem f32[8]\n  %l = load %m[:] : f32[8]\n",
     "  %m = alloc : vmem f32[8]\n  %l = load %m[:] : f32[8]\n", 1},
    {"  %m = alloc : hbm f32[8]\n  %l = load %m[0 : 4] : f32[4]\n",
     "  %m = alloc : hbm f32[8]\n  %l = load %m[0 : 4] : f32[4]\n", 1},
    // memory
    {LOADX "  store %a, %y[:]\n  %l = load %y[:] : f32[8]\n  %r = neg %l : f32[8]\n" STORE("r"),
     LOADX "  store %a, %y[:]\n  %r = neg %a : f32[8]\n" STORE("r"), 0},
    {LOADX "  %c = load %y[:] : f32[8]\n  store %a, %y[:]\n  %d = load %x[:] : f32[8]\n"
           "  %r = add %c, %d : f32[8]\n" STORE("r"),
     LOADX "  %c = load %y[:] : f32[8]\n  store %a, %y[:]\n  %r = add %c, %a : f32[8]\n" STORE("r"),
     0},
    {LOADX "  %v = view %x[0 : 4] : hbm f32[4]\n  %z = const 0 : f32[4]\n  store %z, %v[:]\n"
           "  %d = load %x[:] : f32[8]\n  %r = add %a, %d : f32[8]\n" STORE(
               "r"), // the view is part of %x
     LOADX "  %v = view %x[0 : 4] : hbm f32[4]\n  %z = const 0 : f32[4]\n  store %z, %v[:]\n"
           "  %d = load %x[:] : f32[8]\n  %r = add %a, %d : f32[8]\n" STORE("r"),
     0},
    {"  %p = load %x[0 : 4] : f32[4]\n  store %p, %x[4 : 4]\n  %q = load %x[0 : 4] : f32[4]\n"
     "  %r = concat %p, %q dim 0 : f32[8]\n" STORE("r"), // apart
     "  %p = load %x[0 : 4] : f32[4]\n  store %p, %x[4 : 4]\n"
     "  %r = concat %p, %p dim 0 : f32[8]\n" STORE("r"),
     0},
    {"  %p = load %x[0 : 4] : f32[4]\n  store %p, %x[3 : 4]\n  %q = load %x[0 : 4] : f32[4]\n"
     "  %r = concat %p, %q dim 0 : f32[8]\n" STORE("r"),
     "  %p = load %x[0 : 4] : f32[4]\n  store %p, %x[3 : 4]\n  %q = load %x[0 : 4] : f32[4]\n"
     "  %r = concat %p, %q dim 0 : f32[8]\n" STORE("r"),
     0},
    {LOADX
     "  %s = load %i[0] : i32\n  %z = const 0 : i32\n  %o = const 1 : i32\n"
     "  for %j = %z to %s step %o {\n    store %a, %x[:]\n  }\n  %d = load %x[:] : f32[8]\n" STORE(
         "d"),
     LOADX
     "  %s = load %i[0] : i32\n  %z = const 0 : i32\n  %o = const 1 : i32\n"
     "  for %j = %z to %s step %o {\n    store %a, %x[:]\n  }\n  %d = load %x[:] : f32[8]\n" STORE(
         "d"),
     0},
    {LOADX "  %m = const {true, true, true, true, true, true, true, false} : bool[8]\n"
           "  store %a, %y[:] mask %m\n  %r = load %y[:] : f32[8]\n" STORE("r"),
     LOADX "  %m = const {true, true, true, true, true, true, true, false} : bool[8]\n"
           "  store %a, %y[:] mask %m\n  %r = load %y[:] : f32[8]\n" STORE("r"),
     0},
    {LOADX "  copy %x, %out\n  %d = load %out[:] : f32[8]\n  %e = load %x[:] : f32[8]\n"
           "  %r = add %d, %e : f32[8]\n" STORE("r"),
     LOADX "  copy %x, %out\n  %d = load %out[:] : f32[8]\n  %r = add %d, %a : f32[8]\n" STORE("r"),
     0},
    // stored over before anybody has looked
    {LOADX "  store %a, %out[:]\n  %l = load %out[:] : f32[8]\n  %r = neg %l : f32[8]\n" STORE("r"),
     LOADX "  %r = neg %a : f32[8]\n" STORE("r"), 0},
    {LOADX STORE("a") "  %r = neg %a : f32[8]\n" STORE("r"),
     LOADX STORE("a") "  %r = neg %a : f32[8]\n" STORE("r"), 1},
    {LOADX "  %p = load %x[0 : 4] : f32[4]\n  store %p, %out[2 : 4]\n" STORE("a"), LOADX STORE("a"),
     0},
    SAME(LOADX "  %p = load %x[0 : 4] : f32[4]\n" STORE("a") "  store %p, %out[2 : 4]\n"),
    {"  %p = load %x[0 : 4] : f32[4]\n  store %p, %y[0 : 4]\n  %q = load %y[4 : 4] : f32[4]\n"
     "  store %q, %y[0 : 4]\n",
     "  %q = load %y[4 : 4] : f32[4]\n  store %q, %y[0 : 4]\n", 0},
    SAME("  %p = load %x[0 : 4] : f32[4]\n  store %p, %y[0 : 4]\n  %q = load %y[3 : 4] : f32[4]\n"
         "  store %q, %y[0 : 4]\n"),
    SAME(LOADX "  store %a, %y[:]\n  %v = view %y[0 : 4] : hbm f32[4]\n"
               "  %p = load %v[:] : f32[4]\n  store %p, %x[0 : 4]\n  %r = neg %a : f32[8]\n"
               "  store %r, %y[:]\n"),
    SAME(LOADX "  store %a, %y[:]\n  copy %y, %out\n  %r = neg %a : f32[8]\n  store %r, %y[:]\n"),
    SAME(LOADX STORE("a") "  %r = neg %a : f32[8]\n  debug_print format \"here\"\n" STORE("r")),
    SAME(LOADX STORE("a") "  %p = load %b[] : bool\n  if %p {\n    copy %out, %y\n  }\n"
                          "  %r = neg %a : f32[8]\n" STORE("r")),
    {LOADX "  %p = load %b[] : bool\n  if %p {\n    %e = exp %a : f32[8]\n    store %e, %out[:]\n"
           "    store %a, %out[:]\n  }\n",
     LOADX "  %p = load %b[] : bool\n  if %p {\n    store %a, %out[:]\n  }\n", 0},
    {LOADX "  %m = const {true, true, true, true, true, true, true, false} : bool[8]\n"
           "  store %a, %out[:] mask %m\n  %r = neg %a : f32[8]\n" STORE("r"),
     LOADX "  %r = neg %a : f32[8]\n" STORE("r"), 0},
    SAME(LOADX "  %m = const {true, true, true, true, true, true, true, false} : bool[8]\n" STORE(
        "a") "  %r = neg %a : f32[8]\n  store %r, %out[:] mask %m\n"),
    {LOADX "  %k = load %i[0] : i32\n  %f = reduce_max %a axes [0] : f32\n  store %f, %y[%k]\n"
           "  %g = neg %f : f32\n  store %g, %y[%k]\n",
     LOADX "  %k = load %i[0] : i32\n  %f = reduce_max %a axes [0] : f32\n"
           "  %g = neg %f : f32\n  store %g, %y[%k]\n",
     0},
    SAME(LOADX "  %k = load %i[0] : i32\n  %k2 = load %i[1] : i32\n"
               "  %f = reduce_max %a axes [0] : f32\n  store %f, %y[%k]\n"
               "  %g = neg %f : f32\n  store %g, %y[%k2]\n"),
    // two views of one memory: indices that differ may name one element
    SAME(
        "  %p = view %y[0 : 4] : hbm f32[4]\n  %q = view %y[2 : 4] : hbm f32[4]\n"
        "  %a = load %p[2 : 2] : f32[2]\n  %c = const 1 : f32[2]\n  store %c, %q[0 : 2]\n"
        "  %d = load %p[2 : 2] : f32[2]\n  %r = concat %a, %d, %a, %d dim 0 : f32[8]\n" STORE("r")),
    SAME("  %p = view %y[0 : 4] : hbm f32[4]\n  %q = view %y[2 : 4] : hbm f32[4]\n"
         "  %c = const 1 : f32[2]\n  store %c, %p[2 : 2]\n  %d = load %q[0 : 2] : f32[2]\n"
         "  %e = const 2 : f32[2]\n  store %e, %p[2 : 2]\n"
         "  %r = concat %d, %d, %d, %d dim 0 : f32[8]\n" STORE("r")),
    // the last of what is written to one element is there
    SAME("  %p = load %x[0 : 4] : f32[4]\n  store %p, %y[2 : 4 : 0]\n"
         "  %q = load %y[2 : 4 : 0] : f32[4]\n  %r = concat %p, %q dim 0 : f32[8]\n" STORE("r")),
    // a launch reads its blocks
    SAME(
        "  %c = const 2 : f32[8]\n  store %c, %y[:]\n"
        "  launch \"k\" grid [1] {arbitrary} {\n    block %p: vmem f32[8] of %y at (%g) buffers 2\n"
        "    block %o: vmem f32[8] to %out at (%g) buffers 2\n"
        "  } body (%g, %p, %o) {\n    %d = load %p[:] : f32[8]\n    store %d, %o[:]\n  }\n"
        "  %e = const 3 : f32[8]\n  store %e, %y[:]\n"),
    // what others need too is not made in another shape
    SAME(LOADX
         "  %p = reshape %a : f32[2,4]\n  %n = neg %p : f32[2,4]\n"
         "  %r = reshape %n : f32[8]\n  store %r, %y[:]\n  %e = exp %r : f32[8]\n" STORE("e")),
    // indices
    {"  %s = const 2 : i32\n  %p = load %x[%s : 4] : f32[4]\n  %r = concat %p, %p dim 0 : "
     "f32[8]\n" STORE("r"),
     "  %p = load %x[2 : 4] : f32[4]\n  %r = concat %p, %p dim 0 : f32[8]\n" STORE("r"), 0},
    {"  %s = const 5 : i32\n  %p = load %x[%s : 4] : f32[4]\n  %r = concat %p, %p dim 0 : "
     "f32[8]\n" STORE("r"),
     "  %s = const 5 : i32\n  %p = load %x[%s : 4] : f32[4]\n  %r = concat %p, %p dim 0 : "
     "f32[8]\n" STORE("r"),
     0},
    {"  %v = view %x[:] : hbm f32[8]\n  %a = load %v[:] : f32[8]\n" STORE("a"), LOADX STORE("a"),
     0},
    // control flow
    {LOADX
     "  %t = const true : bool\n  %r = if %t : f32[8] {\n    %n = neg %a : f32[8]\n    yield %n\n"
     "  } else {\n    yield %a\n  }\n" STORE("r"),
     LOADX "  %n = neg %a : f32[8]\n" STORE("n"), 0},
    {LOADX "  %s = const 7 : i32\n  %r = switch %s : f32[8] case {\n    yield %a\n  } case {\n"
           "    %n = neg %a : f32[8]\n    yield %n\n  }\n" STORE("r"),
     LOADX "  %n = neg %a : f32[8]\n" STORE("n"), 0},
    {LOADX "  %z = const 0 : i32\n  %o = const 1 : i32\n  %r = for %j = %z to %z step %o carry (%c "
           "= %a : f32[8]) {\n"
           "    %n = neg %c : f32[8]\n    yield %n\n  }\n" STORE("r"),
     LOADX STORE("a"), 0},
    {LOADX
     "  %z = const 3 : i32\n  %u = const 5 : i32\n  %o = const 2 : i32\n"
     "  %r = for %j = %z to %u step %o carry (%c = %a : f32[8]) {\n    %f = convert %j : f32\n"
     "    %g = broadcast %f : f32[8]\n    %n = mul %c, %g : f32[8]\n    yield %n\n  }\n" STORE("r"),
     LOADX "  %g = const 3 : f32[8]\n  %n = mul %a, %g : f32[8]\n" STORE("n"), 0},
    {LOADX
     "  %s = load %i[0] : i32\n  %z = const 0 : i32\n  %o = const 1 : i32\n  %c2 = load %y[:] : "
     "f32[8]\n"
     "  %r, %q, %d = for %j = %z to %s step %o carry (%c = %a : f32[8], %e = %c2 : f32[8], %g = %a "
     ": f32[8]) {\n"
     "    %m = mul %s, %s : i32\n    %m2 = add %m, %j : i32\n    %f = convert %m2 : f32\n"
     "    %h = broadcast %f : f32[8]\n    %n = mul %c, %h : f32[8]\n    %l = add %n, %e : f32[8]\n"
     "    %g2 = neg %g : f32[8]\n    yield %l, %e, %g2\n  }\n"
     "  %t = add %r, %q : f32[8]\n" STORE("t"), // %e never changes, %g is dead, %m is invariant
     LOADX
     "  %s = load %i[0] : i32\n  %z = const 0 : i32\n  %o = const 1 : i32\n  %c2 = load %y[:] : "
     "f32[8]\n"
     "  %m = mul %s, %s : i32\n"
     "  %r = for %j = %z to %s step %o carry (%c = %a : f32[8]) {\n    %m2 = add %m, %j : i32\n"
     "    %f = convert %m2 : f32\n    %h = broadcast %f : f32[8]\n    %n = mul %c, %h : f32[8]\n"
     "    %l = add %n, %c2 : f32[8]\n    yield %l\n  }\n  %t = add %r, %c2 : f32[8]\n" STORE("t"),
     0},
    {LOADX
     "  %r = while (%c = %a : f32[8]) {\n    %f = const false : bool\n    yield %f\n  } do (%d) {\n"
     "    %n = neg %d : f32[8]\n    yield %n\n  }\n" STORE("r"),
     LOADX STORE("a"), 0},
    {LOADX
     "  %p = load %b[] : bool\n  %r, %s = if %p : (f32[8], f32[8]) {\n    %e = exp %a : f32[8]\n"
     "    yield %a, %e\n  } else {\n    %f = sin %a : f32[8]\n    %g = neg %a : f32[8]\n    yield "
     "%g, %f\n  }\n" STORE("r"),
     LOADX "  %p = load %b[] : bool\n  %r = if %p : f32[8] {\n    yield %a\n  } else {\n"
           "    %g = neg %a : f32[8]\n    yield %g\n  }\n" STORE("r"),
     0},
    {LOADX "  %p = load %b[] : bool\n  if %p {\n    %e = exp %a : f32[8]\n  }\n" STORE("a"),
     LOADX STORE("a"), 0},
    {LOADX
     "  %e = exp %a : f32[8]\n  %p = load %b[] : bool\n  %r = if %p : f32[8] {\n"
     "    %g = exp %a : f32[8]\n    yield %g\n  } else {\n    %h = sin %a : f32[8]\n    yield %h\n "
     " }\n"
     "  %s = sin %a : f32[8]\n  %t = add %r, %s : f32[8]\n  %u = add %e, %t : f32[8]\n" STORE("u"),
     LOADX
     "  %e = exp %a : f32[8]\n  %p = load %b[] : bool\n  %r = if %p : f32[8] {\n    yield %e\n"
     "  } else {\n    %h = sin %a : f32[8]\n    yield %h\n  }\n  %s = sin %a : f32[8]\n"
     "  %t = add %r, %s : f32[8]\n  %u = add %e, %t : f32[8]\n" STORE("u"),
     0},
    // launches: nothing but scalars and refs crosses the border; private blocks do not overlap
    {"  %c = const 2 : f32[8]\n  store %c, %y[:]\n"
     "  launch \"k\" grid [1] {arbitrary} {\n    block %p: vmem f32[8] of %x at (%g) buffers 2\n"
     "    block %q: vmem f32[8] of %x at (%g) buffers 2\n    block %o: vmem f32[8] to %out at (%g) "
     "buffers 2\n"
     "  } body (%g, %p, %q, %o) {\n    %d = const 2 : f32[8]\n    %e = load %p[:] : f32[8]\n"
     "    store %d, %q[:]\n    %f = load %p[:] : f32[8]\n    %h = add %e, %f : f32[8]\n    store "
     "%h, %o[:]\n  }\n",
     "  %c = const 2 : f32[8]\n  store %c, %y[:]\n"
     "  launch \"k\" grid [1] {arbitrary} {\n    block %p: vmem f32[8] of %x at (%g) buffers 2\n"
     "    block %q: vmem f32[8] of %x at (%g) buffers 2\n    block %o: vmem f32[8] to %out at (%g) "
     "buffers 2\n"
     "  } body (%g, %p, %q, %o) {\n    %d = const 2 : f32[8]\n    %e = load %p[:] : f32[8]\n"
     "    store %d, %q[:]\n    %h = add %e, %e : f32[8]\n    store %h, %o[:]\n  }\n",
     0},
    {"  launch \"k\" grid [1] {arbitrary} {\n    block %p: hbm f32[8] of %x whole\n"
     "    block %q: hbm f32[8] to %x whole\n    block %o: vmem f32[8] to %out at (%g) buffers 2\n"
     "  } body (%g, %p, %q, %o) {\n    %d = const 2 : f32[8]\n    %e = load %p[:] : f32[8]\n"
     "    store %d, %q[:]\n    %f = load %p[:] : f32[8]\n    %h = add %e, %f : f32[8]\n    store "
     "%h, %o[:]\n  }\n",
     "  launch \"k\" grid [1] {arbitrary} {\n    block %p: hbm f32[8] of %x whole\n"
     "    block %q: hbm f32[8] to %x whole\n    block %o: vmem f32[8] to %out at (%g) buffers 2\n"
     "  } body (%g, %p, %q, %o) {\n    %d = const 2 : f32[8]\n    %e = load %p[:] : f32[8]\n"
     "    store %d, %q[:]\n    %f = load %p[:] : f32[8]\n    %h = add %e, %f : f32[8]\n    store "
     "%h, %o[:]\n  }\n",
     0},
    {LOADX
     "  launch \"k\" grid [1] {arbitrary} {\n    block %o: vmem f32[8] to %x at (%g) buffers 2\n"
     "  } body (%g, %o) {\n    %d = const 2 : f32[8]\n    store %d, %o[:]\n  }\n"
     "  %c = load %x[:] : f32[8]\n  %r = add %a, %c : f32[8]\n" STORE("r"),
     LOADX
     "  launch \"k\" grid [1] {arbitrary} {\n    block %o: vmem f32[8] to %x at (%g) buffers 2\n"
     "  } body (%g, %o) {\n    %d = const 2 : f32[8]\n    store %d, %o[:]\n  }\n"
     "  %c = load %x[:] : f32[8]\n  %r = add %a, %c : f32[8]\n" STORE("r"),
     0},
};

static Str whole(Session *session, const char *body) {
  return str_format(session->arena,
                    "module tpu v5p devices 1\n\nfunc @f(%%x: hbm f32[8], %%y: hbm f32[8], "
                    "%%i: hbm i32[4], %%b: hbm bool, out %%out: hbm f32[8]) {\n%s}\n",
                    body);
}

static IrModule *read_module(Session *session, Str text) {
  IrModule *module = ir_read(session, source_add(session, STR("t.ir"), text, false));
  if (!module) {
    diag_flush(session);
    ck_abort_msg("not read: %.*s", STR_FMT(text));
  }
  return module;
}

static void simplify(Session *session, IrModule *module, bool check) {
  PassOptions options = {.opt_level = 2, .stop_after = PASS_COUNT, .check = check};
  ck_assert(pass_run_one(session, module, &options, PASS_SIMPLIFY));
  Str what;
  ck_assert_msg(ir_verify(module, &what), "malformed: %.*s", STR_FMT(what));
}

static Str printed(Session *session, const IrModule *module) {
  Buf out;
  buf_init(&out, session->arena);
  ir_print(module, false, &out);
  return buf_view(&out);
}

START_TEST(before_and_after) {
  const Case *c = &cases[_i];
  Session *session = session_new(0);
  IrModule *module = read_module(session, whole(session, c->before));
  simplify(session, module, c->check);
  Str got = printed(session, module), want = whole(session, c->after);
  ck_assert_msg(str_equal(got, want), "got:\n%.*s\nwanted:\n%.*s", STR_FMT(got), STR_FMT(want));
  simplify(session, module, c->check); // there is nothing left to do
  got = printed(session, module);
  ck_assert_msg(str_equal(got, want), "a second time:\n%.*s", STR_FMT(got));
  session_free(session);
}
END_TEST

// ---- random functions --------------------------------------------------------------------------
// Functions of all kinds of ops on a few types, run by the interpreter before and behind the pass.
// What is stored in the outputs must be the same bits.
typedef struct Random {
  uint64_t state;
  IrModule *module;
  IrBuilder b;
  VEC(IrValue *) values; // visible arrays
  VEC(IrValue *) refs;   // visible memory
  int depth;
} Random;

static uint32_t draw(Random *r, uint32_t bound) {
  r->state = r->state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(r->state >> 33) % bound;
}

static const DType random_dtypes[] = {DT_F32, DT_BF16, DT_I32, DT_I8, DT_U8, DT_BOOL};
static const int64_t random_dims[][2] = {{0, 0}, {4, 0}, {2, 4}, {4, 2}, {1, 4}};
static const size_t random_ranks[] = {0, 1, 2, 2, 2};

static const IrType *random_type(Random *r) {
  uint32_t shape = draw(r, COUNT_OF(random_ranks));
  return ir_array_type(r->module, random_dtypes[draw(r, COUNT_OF(random_dtypes))],
                       random_ranks[shape], random_dims[shape]);
}

static IrValue *random_const(Random *r, const IrType *type) {
  char bytes[64];
  int64_t count = draw(r, 2) ? 1 : ir_type_count(type);
  static const double numbers[] = {0, -0.0, 1, -1, 2, 0.5, 3, 100, -7, 1e30};
  for (int64_t i = 0; i < count; i++)
    dtype_store_f64(type->dtype, bytes + (size_t)i * dtype_size(type->dtype),
                    numbers[draw(r, COUNT_OF(numbers))]);
  return ir_const(&r->b, type, bytes, count);
}

// A visible value of the type, or a constant.
static IrValue *random_value(Random *r, const IrType *type) {
  for (int tries = 0; tries < 12 && r->values.count; tries++) {
    IrValue *value = r->values.items[draw(r, (uint32_t)r->values.count)];
    if (value->type == type) return value;
  }
  return random_const(r, type);
}

static void keep(Random *r, IrValue *value) { VEC_PUSH(r->module->arena, &r->values, value); }

static void random_elementwise(Random *r) {
  static const OpCode ops[] = {OP_ADD, OP_SUB,   OP_MUL, OP_MAX, OP_MIN, OP_AND,     OP_OR,
                               OP_XOR, OP_DIV,   OP_NEG, OP_ABS, OP_NOT, OP_EQ,      OP_LT,
                               OP_NE,  OP_FLOOR, OP_SHL, OP_SHR, OP_MOD, OP_FLOORDIV};
  OpCode code = ops[draw(r, COUNT_OF(ops))];
  const IrType *type = random_type(r);
  char kind = dtype_kind(type->dtype);
  bool bits = code == OP_AND || code == OP_OR || code == OP_XOR || code == OP_NOT;
  bool ints = code == OP_SHL || code == OP_SHR;
  bool any = code == OP_ADD || code == OP_MUL || code == OP_MAX || code == OP_MIN ||
             op_info(code)->op_class == CLASS_COMPARE;
  bool ok = bits               ? kind != 'f'
            : ints             ? kind == 'i' || kind == 'u'
            : code == OP_FLOOR ? kind == 'f'
                               : any || kind != 'b';
  if (!ok) return;
  IrValue *x = random_value(r, type);
  keep(r, op_info(code)->operands == 1 ? ir_unary(&r->b, code, x)
                                       : ir_binary(&r->b, code, x, random_value(r, type)));
}

static void random_shape(Random *r) {
  IrValue *x = random_value(r, random_type(r));
  const IrType *type = x->type;
  static const int64_t back[] = {1, 0};
  switch (draw(r, 8)) {
  case 0: keep(r, ir_convert(&r->b, x, random_dtypes[draw(r, COUNT_OF(random_dtypes))])); return;
  case 1:
    if (type->rank == 2) keep(r, ir_transpose(&r->b, x, back));
    return;
  case 2:
    if (ir_type_count(type) == 8)
      keep(r, ir_reshape(&r->b, x, 2, type->dims[0] == 2 ? random_dims[3] : random_dims[2]));
    if (type->rank == 1) keep(r, ir_reshape(&r->b, x, 2, random_dims[4]));
    return;
  case 3:
    if (type->rank == 1 || (type->rank == 2 && type->dims[0] == 1))
      keep(r, ir_broadcast_to(&r->b, x, 2, random_dims[2]));
    if (type->rank == 0) keep(r, ir_broadcast_to(&r->b, x, 1, random_dims[1]));
    return;
  case 4:
    if (type->rank == 1) keep(r, ir_rev(&r->b, x, 1, (int64_t[]){0}));
    return;
  case 5:
    if (type->rank == 1 && type->dtype != DT_BOOL)
      keep(r, ir_reduce(&r->b, draw(r, 2) ? OP_REDUCE_SUM : OP_REDUCE_MAX, x, 1, (int64_t[]){0}));
    return;
  case 6:
    if (type->rank == 1) {
      IrValue *start = random_value(r, ir_array_type(r->module, DT_I32, 0, NULL));
      IrValue *half = ir_dynamic_slice(&r->b, x, &start, (int64_t[]){2});
      keep(r, ir_concat(&r->b, 2, (IrValue *[]){half, half}, 0));
    }
    return;
  default: {
    IrValue *pred = random_value(r, ir_type_with_dtype(r->module, type, DT_BOOL));
    keep(r, ir_select(&r->b, pred, x, random_value(r, type)));
  }
  }
}

// Memory is f32[4] or a view of two of them; indices are known or clamped.
static void random_memory(Random *r) {
  const IrType *row = ir_array_type(r->module, DT_F32, 1, random_dims[1]);
  IrValue *ref = r->refs.items[draw(r, (uint32_t)r->refs.count)], *extra = NULL;
  IrIndex index;
  ir_index_full(ref->type, &index);
  int64_t size = index.dims[0].size;
  if (draw(r, 2)) {
    index.dims[0].size = 2;
    index.dims[0].start = draw(r, (uint32_t)size - 1);
    if (size == 4 && draw(r, 3) == 0) {
      const IrType *i32 = ir_array_type(r->module, DT_I32, 0, NULL);
      IrValue *start = ir_binary(&r->b, OP_AND, random_value(r, i32), ir_i32(&r->b, 1));
      index.dims[0].start_operand = 0;
      index.dims[0].start = 0;
      extra = start;
    }
  }
  size_t count = extra ? 1 : 0;
  const IrType *half = ir_array_type(r->module, DT_F32, 1, (int64_t[]){2});
  const IrType *type = index.dims[0].size == 4 ? row : half;
  switch (draw(r, 5)) {
  case 0:
    if (index.dims[0].size == 2 && size == 4) {
      IrValue *view = ir_view(&r->b, ref, &index, count, &extra);
      VEC_PUSH(r->module->arena, &r->refs, view);
    }
    return;
  case 1:
  case 2: keep(r, ir_load(&r->b, ref, &index, count, &extra, NULL, NULL)); return;
  default: ir_store(&r->b, random_value(r, type), ref, &index, count, &extra, NULL);
  }
}

static void random_ops(Random *r, int count);

static IrBuilder enter(Random *r, IrRegion *region) {
  IrBuilder outer = r->b;
  r->b.region = region;
  r->depth++;
  return outer;
}

static void leave(Random *r, IrBuilder outer, size_t values, size_t refs) {
  r->b = outer;
  r->depth--;
  r->values.count = values;
  r->refs.count = refs;
}

static void random_branch(Random *r) {
  const IrType *flag = ir_array_type(r->module, DT_BOOL, 0, NULL), *type = random_type(r);
  IrOp *op = ir_if(&r->b, random_value(r, flag), 1, &type);
  for (int i = 0; i < 2; i++) {
    size_t values = r->values.count, refs = r->refs.count;
    IrBuilder outer = enter(r, op->regions[i]);
    random_ops(r, 6);
    IrValue *value = random_value(r, type);
    ir_yield(&r->b, 1, &value);
    leave(r, outer, values, refs);
  }
  keep(r, op->results[0]);
}

static void random_loop(Random *r) {
  const IrType *types[2] = {random_type(r), random_type(r)};
  IrValue *carries[2] = {random_value(r, types[0]), random_value(r, types[1])};
  IrValue *upper = ir_i32(&r->b, (int32_t)draw(r, 4));
  IrOp *op = ir_for(&r->b, ir_i32(&r->b, 0), upper, ir_i32(&r->b, 1), 2, carries);
  IrRegion *body = op->regions[0];
  size_t values = r->values.count, refs = r->refs.count;
  IrBuilder outer = enter(r, body);
  for (uint32_t i = 0; i < 3; i++) keep(r, body->args[i]);
  random_ops(r, 6);
  IrValue *next[2];
  for (int i = 0; i < 2; i++) next[i] = draw(r, 3) ? random_value(r, types[i]) : body->args[1 + i];
  ir_yield(&r->b, 2, next);
  leave(r, outer, values, refs);
  for (uint32_t i = 0; i < 2; i++) keep(r, op->results[i]);
}

static void random_ops(Random *r, int count) {
  for (int i = 0; i < count; i++) {
    uint32_t kind = draw(r, 16);
    if (kind < 6)
      random_elementwise(r);
    else if (kind < 10)
      random_shape(r);
    else if (kind < 14)
      random_memory(r);
    else if (r->depth < 3)
      (kind == 14 ? random_branch : random_loop)(r);
  }
}

// Everything visible at the end is stored to memory of its own, which the interpreter looks at.
static IrModule *random_module(Session *session, uint64_t seed) {
  IrModule *module = ir_module_new(session);
  IrFunc *func = ir_func_new(module, name_intern_c(session->interner, "f"), (Span){0});
  Random r = {.state = seed * 2 + 1, .module = module};
  r.b = (IrBuilder){.module = module, .region = func->body};
  const IrType *row = ir_ref_type(module, SPACE_HBM, DT_F32, 1, random_dims[1]);
  for (int i = 0; i < 3; i++) {
    IrValue *param = ir_func_add_param(func, row, PARAM_IN_OUT, NULL);
    VEC_PUSH(module->arena, &r.refs, param);
    keep(&r, ir_load_all(&r.b, param));
  }
  random_ops(&r, 40);
  for (size_t i = 0; i < r.values.count; i++) {
    IrValue *value = r.values.items[i];
    const IrType *type = value->type;
    IrValue *out = ir_func_add_param(
        func, ir_ref_type(module, SPACE_HBM, type->dtype, type->rank, type->dims), PARAM_OUT, NULL);
    ir_store_all(&r.b, value, out);
  }
  ir_yield(&r.b, 0, NULL);
  return module;
}

// The bytes of all parameters after a run; NaNs of all kinds are one.
static Str outcome(Session *session, const IrModule *module) {
  Interpreter in = interpreter_new(session->arena);
  const IrRegion *body = module->first->body;
  for (uint32_t i = 0; i < body->arg_count; i++) {
    const IrType *type = body->args[i]->type;
    InterpretedRef *m =
        interpret_new_ref(&in, type, arena_alloc(in.arena, (size_t)ir_type_bytes(type) + 1));
    for (int64_t j = 0; i < 3 && j < 4; j++)
      dtype_store_f64(DT_F32, m->base + j * 4, (double)(i * 5 + (uint32_t)j) - 3.25);
    map_set(in.refs, body->args[i], m);
  }
  interpret_region(&in, body);
  Buf out;
  buf_init(&out, session->arena);
  for (uint32_t i = 0; i < body->arg_count; i++) {
    const InterpretedRef *m = map_get(in.refs, body->args[i]);
    for (int64_t j = 0; j < ir_type_count(body->args[i]->type); j++) {
      double value = dtype_load_f64(m->dtype, m->base + (size_t)j * dtype_size(m->dtype));
      buf_printf(&out, value == value ? "%a " : "nan ", value);
    }
    buf_char(&out, '\n');
  }
  return buf_view(&out);
}

START_TEST(random_functions) {
  Session *session = session_new(0);
  for (uint64_t seed = (uint64_t)_i * 30; seed < (uint64_t)_i * 30 + 30; seed++) {
    IrModule *module = random_module(session, seed);
    Str what, text = printed(session, module);
    ck_assert_msg(ir_verify(module, &what), "seed %llu: %.*s", (unsigned long long)seed,
                  STR_FMT(what));
    Str before = outcome(session, module);
    simplify(session, module, seed % 5 == 0);
    Str after = outcome(session, module);
    ck_assert_msg(str_equal(before, after), "seed %llu:\n%.1500s\nafter:\n%.1500s",
                  (unsigned long long)seed, text.data, printed(session, module).data);
    ir_module_free(module);
  }
  session_free(session);
}
END_TEST

// ---- time --------------------------------------------------------------------------------------
static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

// The time for `lines` unrolled lines x = x * c + load, each with constants and an index of its
// own.
static double time_of(int lines) {
  Session *session = session_new(0);
  Buf body;
  buf_init(&body, session->arena);
  buf_c(&body, "  %a0 = load %x[:] : f32[8]\n");
  for (int i = 1; i <= lines; i++)
    buf_printf(&body,
               "  %%c%d = const 1.%d : f32[8]\n  %%m%d = mul %%a%d, %%c%d : f32[8]\n"
               "  %%l%d = load %%y[:] : f32[8]\n  %%a%d = add %%m%d, %%l%d : f32[8]\n"
               "  store %%a%d, %%out[:]\n",
               i, i, i, i - 1, i, i, i, i, i, i);
  IrModule *module = read_module(session, whole(session, buf_view(&body).data));
  double start = seconds();
  simplify(session, module, false);
  double time = seconds() - start;
  session_free(session);
  return time;
}

START_TEST(time_is_linear) {
  double small = time_of(2000), large = time_of(16000);
  // The CPU may be another one's for a while: what counts is the best of some times.
  for (int again = 0; again < 8 && large >= 24 * small + 0.1; again++) {
    double time = time_of(16000);
    if (time < large) large = time;
  }
  ck_assert_msg(large < 24 * small + 0.1, "2,000 lines: %g s, 16,000 lines: %g s", small, large);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("simplify");
  TCase *tc = tcase_create("simplify");
  tcase_set_timeout(tc, 60);
  tcase_add_loop_test(tc, before_and_after, 0, COUNT_OF(cases));
  tcase_add_loop_test(tc, random_functions, 0, 10);
  tcase_add_test(tc, time_is_linear);
  suite_add_tcase(suite, tc);
  return suite_run(suite);
}
