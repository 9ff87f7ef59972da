// SPDX-License-Identifier: Apache-2.0
// batch_region: what a region gives for each element of a batch on its own, against what its
// batched form gives.
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/map.h"
#include "ir/core/build.h"
#include "ir/core/ir.h"
#include "ir/core/verify.h"
#include "ir/text/read.h"
#include "ir/vmap/batch.h"
#include "ir_interpreter.h"
#include "suite.h"

#define SIZE 3 // of the batch

// The region is the body of a loop that has these carries; `batched` says which of them are batched
// in turn: every case runs under all of `masks`. It yields the carries that it gives new values.
//   %x: f32[2,4]  %y: f32[4,2]  %i: i32  %p: bool  %n: i32[2]
typedef struct Case {
  const char *name, *text; // up to the yield; it defines %r, which is yielded
  const char *type;        // of %r
} Case;

enum { X = 1, Y = 2, I = 4, P = 8, N = 16 };

static const Case cases[] = {
    {"unary", "  %r = neg %x : f32[2,4]\n", "f32[2,4]"},
    {"binary", "  %t = transpose %y dims [1, 0] : f32[2,4]\n  %r = sub %x, %t : f32[2,4]\n",
     "f32[2,4]"},
    {"compare", "  %t = transpose %y dims [1, 0] : f32[2,4]\n  %r = lt %x, %t : bool[2,4]\n",
     "bool[2,4]"},
    {"select",
     "  %q = broadcast %p : bool[2,4]\n  %t = transpose %y dims [1, 0] : f32[2,4]\n"
     "  %r = select %q, %x, %t : f32[2,4]\n",
     "f32[2,4]"},
    {"convert", "  %r = convert %x : i32[2,4]\n", "i32[2,4]"},
    {"threefry",
     "  %u = convert %i : u32\n  %k = const 7 : u32\n"
     "  %r, %s = threefry2x32 %k, %u, %u, %k : (u32, u32)\n",
     "u32"},
    {"broadcast", "  %r = broadcast %x dims [1, 2] : f32[3,2,4]\n", "f32[3,2,4]"},
    {"reshape", "  %r = reshape %x : f32[8]\n", "f32[8]"},
    {"slice", "  %r = slice %x starts [1, 0] limits [2, 4] strides [1, 2] : f32[1,2]\n",
     "f32[1,2]"},
    {"pad",
     "  %f = convert %i : f32\n  %r = pad %x, %f low [1, 0] high [0, -1] interior [0, 1] : "
     "f32[3,6]\n",
     "f32[3,6]"},
    {"concat",
     "  %t = transpose %y dims [1, 0] : f32[2,4]\n  %r = concat %x, %t, %x dim 1 : f32[2,12]\n",
     "f32[2,12]"},
    {"rev", "  %r = rev %x dims [1] : f32[2,4]\n", "f32[2,4]"},
    {"dynamic_slice",
     "  %z = const 1 : i32\n  %r = dynamic_slice %x, %z, %i sizes [1, 3] : f32[1,3]\n", "f32[1,3]"},
    {"dynamic_update_slice",
     "  %z = const 1 : i32\n  %u = slice %y starts [0, 0] limits [1, 2] strides [1, 1] : f32[1,2]\n"
     "  %r = dynamic_update_slice %x, %u, %z, %i : f32[2,4]\n",
     "f32[2,4]"},
    {"bitcast_width", "  %r = bitcast_width %x : u8[2,4,4]\n", "u8[2,4,4]"},
    {"reduce", "  %r = reduce_sum %x axes [1] : f32[2]\n", "f32[2]"},
    {"argmax", "  %r = argmax %x axes [0] : i32[4]\n", "i32[4]"},
    {"cumulative", "  %r = cumsum %x dim 1 reverse : f32[2,4]\n", "f32[2,4]"},
    {"dot", "  %r = dot %x, %y lhs_contract [1] rhs_contract [0] precision highest : f32[2,2]\n",
     "f32[2,2]"},
    {"dot batch",
     "  %r = dot %x, %y lhs_contract [1] rhs_contract [0] lhs_batch [0] rhs_batch [1] precision "
     "highest : f32[2]\n",
     "f32[2]"},
    {"dot batch free",
     "  %a = broadcast %x dims [1, 2] : f32[3,2,4]\n  %b = broadcast %y dims [1, 2] : f32[5,4,2]\n"
     "  %r = dot %a, %b lhs_contract [2] rhs_contract [1] lhs_batch [1] rhs_batch [2] precision "
     "highest : f32[2,3,5]\n",
     "f32[2,3,5]"},
    {"sort",
     "  %k = iota dim 1 : i32[2,4]\n  %s, %r = sort %x, %k dim 1 keys 1 stable : (f32[2,4], "
     "i32[2,4])\n",
     "i32[2,4]"},
    {"gather",
     "  %k = reshape %n : i32[2,1]\n  %r = gather %x, %k offset_dims [0] collapsed_dims [1] "
     "index_map [1] "
     "sizes [2, 1] mode fill fill -1 : f32[2,2]\n",
     "f32[2,2]"},
    {"gather batch",
     "  %k = reshape %n : i32[2,1]\n  %r = gather %x, %k collapsed_dims [1] index_map [1] "
     "operand_batch [0] "
     "index_batch [0] sizes [1, 1] mode clip fill 0 : f32[2]\n",
     "f32[2]"},
    {"scatter columns",
     "  %k = reshape %n : i32[2,1]\n  %u = slice %y starts [0, 0] limits [2, 2] strides [1, 1] : "
     "f32[2,2]\n"
     "  %r = scatter %x, %k, %u offset_dims [1] collapsed_dims [1] index_map [1] mode fill combine "
     "add : f32[2,4]\n",
     "f32[2,4]"},
    {"scatter batch",
     "  %k = reshape %n : i32[2,1]\n  %u = reduce_max %y axes [0] : f32[2]\n"
     "  %r = scatter %x, %k, %u collapsed_dims [1] index_map [1] operand_batch [0] index_batch [0] "
     "mode clip combine mul : f32[2,4]\n",
     "f32[2,4]"},
    // memory
    {"alloc",
     "  %m = alloc \"m\" : vmem f32[2,4]\n  store %x, %m[:, :]\n  %r = load %m[1, 0 : 2 : 2] : "
     "f32[2]\n",
     "f32[2]"},
    {"load at index",
     "  %m = alloc \"m\" : vmem f32[2,4]\n  store %x, %m[:, :]\n  %r = load %m[:, %i] : f32[2]\n",
     "f32[2]"},
    {"load a slice at index",
     "  %m = alloc \"m\" : vmem f32[2,4]\n  store %x, %m[:, :]\n"
     "  %o = const 1 : i32\n  %q = and %i, %o : i32\n  %r = load %m[1, %q : 2 : 2] : f32[2]\n",
     "f32[2]"},
    {"masked load of dynamic size",
     "  %m = alloc \"m\" : vmem f32[2,4]\n  %c = iota dim 1 : f32[2,4]\n"
     "  store %c, %m[:, :]\n"
     "  %o = const 1 : i32\n  %t = const 2 : i32\n"
     "  %s = slice %x starts [0, 0] limits [1, 2] strides [1, 1] : f32[1,2]\n"
     "  %u = reshape %s : f32[2]\n  %z = const 0 : f32[2]\n  %k = gt %u, %z : bool[2]\n"
     "  %r = load %m[%o, %o : %t max 2] mask %k other %u : f32[2]\n",
     "f32[2]"},
    {"load a slice of dynamic size",
     "  %m = alloc \"m\" : vmem f32[2,4]\n  store %x, %m[:, :]\n  %o = const 1 : i32\n  %t = const "
     "2 "
     ": i32\n"
     "  %r = load %m[%o, %o : %t max 2] : f32[2]\n",
     "f32[2]"},
    {"load at arrays",
     "  %m = alloc \"m\" : vmem f32[2,4]\n  store %x, %m[:, :]\n  %r = load %m[:, %n] : f32[2,2]\n",
     "f32[2,2]"},
    {"load at arrays apart",
     "  %m = alloc \"m\" : vmem f32[2,4,2]\n  %b = broadcast %x dims [0, 1] : f32[2,4,2]\n"
     "  store %b, %m[:, :, :]\n  %o = const 1 : i32[2]\n  %k = and %n, %o : i32[2]\n"
     "  %r = load %m[%k, 1 : 3, %k] : f32[2,3]\n",
     "f32[2,3]"},
    {"load masked",
     "  %m = alloc \"m\" : vmem f32[2,4]\n  store %x, %m[:, :]\n  %t = transpose %y dims [1, 0] : "
     "f32[2,4]\n"
     "  %z = const 2 : f32[2,4]\n  %k = lt %t, %z : bool[2,4]\n  %r = load %m[:, :] mask %k other "
     "%t : f32[2,4]\n",
     "f32[2,4]"},
    {"load masked at arrays apart",
     "  %m = alloc \"m\" : vmem f32[2,4,2]\n  %b = broadcast %x dims [0, 1] : f32[2,4,2]\n"
     "  store %b, %m[:, :, :]\n  %o = const {1, 0} : i32[2]\n  %h = slice %x starts [0, 0] limits "
     "[2, 3] strides [1, 1] : f32[2,3]\n"
     "  %z = const 2 : f32[2,3]\n  %k = lt %h, %z : bool[2,3]\n"
     "  %r = load %m[%o, 1 : 3, %o] mask %k other %z : f32[2,3]\n",
     "f32[2,3]"},
    {"store at index",
     "  %m = alloc \"m\" : vmem f32[2,4]\n  store %x, %m[:, :]\n  %h = reduce_max %y axes [0] : "
     "f32[2]\n"
     "  store %h, %m[:, %i]\n  %r = load %m[:, :] : f32[2,4]\n",
     "f32[2,4]"},
    {"store at arrays apart",
     "  %m = alloc \"m\" : vmem f32[2,4,2]\n  %b = broadcast %x dims [0, 1] : f32[2,4,2]\n"
     "  store %b, %m[:, :, :]\n  %o = const {1, 0} : i32[2]\n"
     "  %h = slice %y starts [0, 0] limits [3, 2] strides [1, 1] : f32[3,2]\n  %t = transpose %h "
     "dims [1, 0] : f32[2,3]\n"
     "  store %t, %m[%o, 1 : 3, %o]\n  %r = load %m[:, :, :] : f32[2,4,2]\n",
     "f32[2,4,2]"},
    {"store masked",
     "  %m = alloc \"m\" : vmem f32[2,4]\n  store %x, %m[:, :]\n  %t = transpose %y dims [1, 0] : "
     "f32[2,4]\n"
     "  %z = const 2 : f32[2,4]\n  %k = lt %t, %z : bool[2,4]\n  store %t, %m[:, :] mask %k\n  %r "
     "= load %m[:, :] : f32[2,4]\n",
     "f32[2,4]"},
    {"view",
     "  %m = alloc \"m\" : vmem f32[2,4]\n  store %x, %m[:, :]\n  %v = view %m[1, 1 : 3] : vmem "
     "f32[3]\n"
     "  %h = reduce_max %y axes [1] : f32[4]\n  %k = slice %h starts [0] limits [3] strides [1] : "
     "f32[3]\n"
     "  store %k, %v[:]\n  %r = load %m[:, :] : f32[2,4]\n",
     "f32[2,4]"},
    {"view at index",
     "  %m = alloc \"m\" : vmem f32[2,4]\n  store %x, %m[:, :]\n  %o = const 1 : i32\n  %q = and "
     "%i, %o : i32\n"
     "  %v = view %m[%q, %q : 3] : vmem f32[3]\n  %w = view %v[%q] : vmem f32\n  %e = load %w[] : "
     "f32\n"
     "  %l = load %v[0 : 2 : 2] : f32[2]\n  %f = broadcast %e : f32[2]\n  %s = add %l, %f : "
     "f32[2]\n"
     "  store %s, %v[1 : 2]\n  %r = load %m[:, :] : f32[2,4]\n",
     "f32[2,4]"},
    {"copy",
     "  %m = alloc \"m\" : vmem f32[2,4]\n  %k = alloc \"k\" : vmem f32[2,4]\n  %z = const 5 : "
     "f32[2,4]\n"
     "  store %z, %m[:, :]\n  store %x, %k[:, :]\n  %h = load %k[:, :] : f32[2,4]\n  copy %m, %k\n"
     "  %g = load %k[:, :] : f32[2,4]\n  %r = add %g, %h : f32[2,4]\n",
     "f32[2,4]"},
    // control flow
    {"for",
     "  %z = const 0 : i32\n  %o = const 1 : i32\n  %t = const 3 : i32\n  %c0 = const 1 : "
     "f32[2,4]\n"
     "  %r, %u = for %k = %z to %t step %o carry (%a = %c0 : f32[2,4], %b = %x : f32[2,4]) {\n"
     "    %f = convert %k : f32\n    %g = broadcast %f : f32[2,4]\n    %h = add %b, %g : f32[2,4]\n"
     "    %l = mul %a, %h : f32[2,4]\n    yield %l, %a\n  }\n",
     "f32[2,4]"},
    {"for with bounds",
     "  %z = const -1 : i32\n  %o = const 2 : i32\n"
     "  %r = for %k = %z to %i step %o carry (%a = %x : f32[2,4]) {\n    %f = convert %k : f32\n"
     "    %g = broadcast %f : f32[2,4]\n    %l = add %a, %g : f32[2,4]\n    yield %l\n  }\n",
     "f32[2,4]"},
    {"for with a start",
     "  %t = const 5 : i32\n  %o = const 2 : i32\n"
     "  %r = for %k = %i to %t step %o carry (%a = %x : f32[2,4]) {\n    %f = convert %k : f32\n"
     "    %g = broadcast %f : f32[2,4]\n    %l = add %a, %g : f32[2,4]\n    yield %l\n  }\n",
     "f32[2,4]"},
    {"for with a step",
     "  %z = const -1 : i32\n  %t = const 6 : i32\n  %c = const 1 : i32\n  %o = add %i, %c : i32\n"
     "  %r = for %k = %z to %t step %o carry (%a = %x : f32[2,4]) {\n    %f = convert %k : f32\n"
     "    %g = broadcast %f : f32[2,4]\n    %l = add %a, %g : f32[2,4]\n    yield %l\n  }\n",
     "f32[2,4]"},
    {"for with a start, an end and a step",
     "  %t = const 5 : i32\n  %c = const 1 : i32\n  %o = add %i, %c : i32\n  %e = add %i, %t : "
     "i32\n"
     "  %r = for %k = %i to %e step %o carry (%a = %x : f32[2,4]) {\n    %f = convert %k : f32\n"
     "    %g = broadcast %f : f32[2,4]\n    %l = add %a, %g : f32[2,4]\n    yield %l\n  }\n",
     "f32[2,4]"},
    {"while",
     "  %z = const 0 : i32\n  %r, %u = while (%a = %x : f32[2,4], %k = %z : i32) {\n    %q = lt "
     "%k, %i : bool\n    yield %q\n"
     "  } do (%b, %l) {\n    %o = const 1 : i32\n    %c = add %b, %b : f32[2,4]\n    %m = add %l, "
     "%o : i32\n    yield %c, %m\n  }\n",
     "f32[2,4]"},
    {"if",
     "  %t = transpose %y dims [1, 0] : f32[2,4]\n  %r = if %p : f32[2,4] {\n    %a = neg %x : "
     "f32[2,4]\n    yield %a\n"
     "  } else {\n    %m = alloc \"m\" : vmem f32[2,4]\n    store %t, %m[:, :]\n    %l = load "
     "%m[:, :] : f32[2,4]\n    yield %l\n  }\n",
     "f32[2,4]"},
    {"switch",
     "  %t = transpose %y dims [1, 0] : f32[2,4]\n  %o = const 1 : i32\n  %s = sub %i, %o : i32\n"
     "  %r = switch %s : f32[2,4] case {\n    yield %x\n  } case {\n    yield %t\n  } case {\n    "
     "%a = neg %x : f32[2,4]\n    yield %a\n  }\n",
     "f32[2,4]"},
    {"nested",
     "  %z = const 0 : i32\n  %o = const 1 : i32\n  %t = const 4 : i32\n"
     "  %r = for %k = %z to %t step %o carry (%a = %x : f32[2,4]) {\n    %q = lt %k, %i : bool\n"
     "    %b = if %q : f32[2,4] {\n      %c = add %a, %a : f32[2,4]\n      yield %c\n    } else "
     "{\n      yield %a\n    }\n    yield %b\n  }\n",
     "f32[2,4]"},
    // launches
    {"launch",
     "  %m = alloc : hbm f32[2,4]\n  store %x, %m[:, :]\n  %w = alloc : hbm f32[4,2]\n  store %y, "
     "%w[:, :]\n  %out = alloc : hbm f32[2,4]\n"
     "  launch \"k\" grid [2, 2] {parallel, arbitrary} grid_names [\"a\", \"b\"] {\n"
     "    block %xb: vmem f32[1,2] of %m at (%g, %h) buffers 2\n"
     "    block %yb: vmem f32[2] of %w shape [2, squeezed] at (%h, %g) buffers 2\n"
     "    block %ob: vmem f32[1,2] to %out at (%g, %h) buffers 2\n    scratch %acc: vmem f32[1,2]\n"
     "  } body (%g, %h, %xb, %yb, %ob, %acc) {\n    %a = load %xb[:, :] : f32[1,2]\n    %b = load "
     "%yb[:] : f32[2]\n"
     "    %c = reshape %b : f32[1,2]\n    %d = mul %a, %c : f32[1,2]\n    store %d, %acc[:, :]\n"
     "    %e = load %acc[:, :] : f32[1,2]\n    %f = convert %g : f32\n    %f2 = broadcast %f : "
     "f32[1,2]\n"
     "    %s = add %e, %f2 : f32[1,2]\n    store %s, %ob[:, :]\n  }\n  %r = load %out[:, :] : "
     "f32[2,4]\n",
     "f32[2,4]"},
    {"launch with prefetch",
     "  %m = alloc : hbm f32[2,4]\n  store %x, %m[:, :]\n  %w = alloc : hbm i32[2]\n"
     "  %q = const 3 : i32[2]\n  %n2 = and %n, %q : i32[2]\n  store %n2, %w[:]\n  %out = alloc : "
     "hbm f32[2,4]\n"
     "  launch \"k\" grid [2] {arbitrary} {\n    prefetch %s: smem i32[2] of %w\n"
     "    block %xb: vmem f32[1,4] of %m at (%g1, %s1) {\n      %j = load %s1[%g1] : i32\n      "
     "%o1 = const 1 : i32\n"
     "      %j1 = and %j, %o1 : i32\n      %z1 = const 0 : i32\n      yield %j1, %z1\n    } "
     "buffers 2\n"
     "    block %ob: vmem f32[1,4] to %out at (%g, 0) buffers 2\n"
     "  } body (%g, %s, %xb, %ob) {\n    %a = load %xb[:, :] : f32[1,4]\n    %k = load %s[%g] : "
     "i32\n    %f = convert %k : f32\n"
     "    %fi = convert %i : f32\n    %h = add %f, %fi : f32\n    %b = broadcast %h : f32[1,4]\n   "
     " %c = add %a, %b : f32[1,4]\n"
     "    store %c, %ob[:, :]\n  }\n  %r = load %out[:, :] : f32[2,4]\n",
     "f32[2,4]"},
    {"copy",
     "  %m = alloc : hbm f32[2,4]\n  store %x, %m[:, :]\n  %out = alloc : hbm f32[2,4]\n  copy "
     "%m, %out\n  %r = load %out[:, :] : f32[2,4]\n",
     "f32[2,4]"},
    {"copy over what is batched",
     "  %t = transpose %y dims [1, 0] : f32[2,4]\n  %m = alloc : hbm f32[2,4]\n  store %x, %m[:, "
     ":]\n  %out = alloc : hbm f32[2,4]\n  store %t, %out[:, :]\n  copy %m, %out\n  %r = load "
     "%out[:, :] : f32[2,4]\n",
     "f32[2,4]"},
    {"launch on whole arrays",
     "  %m = alloc : hbm f32[2,4]\n  store %x, %m[:, :]\n  %out = alloc : hbm f32[2,4]\n  %c0 = "
     "const 1 : f32[2,4]\n"
     "  store %c0, %out[:, :]\n  launch \"k\" grid [] {\n    block %xb: hbm f32[2,4] of %m whole\n "
     "   block %ob: hbm f32[2,4] to %out whole\n"
     "  } body (%xb, %ob) {\n    %a = load %xb[0, :] : f32[4]\n    store %a, %ob[1, :]\n    %v = "
     "view %out[0, :] : hbm f32[4]\n"
     "    %b = load %v[:] : f32[4]\n    %c = add %a, %b : f32[4]\n    store %c, %v[:]\n  }\n  %r = "
     "load %out[:, :] : f32[2,4]\n",
     "f32[2,4]"},
};

static const unsigned masks[] = {
    X, Y, I, P, N, X | Y, X | I, Y | I, X | N, Y | N, X | P, Y | P, I | N, X | Y | I | N | P, 0};

// Known data of a type, [batch] + dims if batched: small numbers that differ.
static IrValue *make_arg(IrBuilder *b, const IrType *type, bool batched, unsigned seed) {
  int64_t dims[IR_MAX_RANK] = {SIZE};
  memcpy(dims + batched, type->dims, type->rank * sizeof *dims);
  const IrType *full = ir_array_type(b->module, type->dtype, type->rank + (size_t)batched, dims);
  int64_t count = ir_type_count(full);
  size_t size = dtype_size(type->dtype);
  char *bytes = arena_alloc(b->module->arena, (size_t)count * size);
  for (int64_t i = 0; i < count; i++)
    dtype_store_i64(type->dtype, bytes + (size_t)i * size,
                    type->dtype == DT_BOOL
                        ? (i + (int64_t)seed) % 2
                        : (i * 7 + (int64_t)seed * 3) % 5 - (type->dtype == DT_F32));
  if (type->dtype == DT_I32) // indices: 0 … 3
    for (int64_t i = 0; i < count; i++)
      dtype_store_i64(DT_I32, bytes + (size_t)i * size, (i * 3 + (int64_t)seed) % 4);
  return ir_const(b, full, bytes, count);
}

// Element j of a batch.
static const IrData *element(Arena *arena, const IrData *data, const IrType *type, int64_t j) {
  int64_t count = ir_type_count(type);
  IrData *out = ARENA_NEW(arena, IrData);
  *out = (IrData){data->dtype, data->count == 1 ? 1 : count, data->bytes};
  if (data->count != 1)
    out->bytes = (const char *)data->bytes + (size_t)(j * count) * dtype_size(data->dtype);
  return out;
}

static Str text_of(Arena *arena, const IrData *data, int64_t count) {
  Buf out;
  buf_init(&out, arena);
  for (int64_t i = 0; i < count; i++)
    buf_printf(&out, "%g ", dtype_load_f64(data->dtype, interpret_element(data, i)));
  return buf_view(&out);
}

static IrModule *read_case(Session *session, const Case *c) {
  Str text =
      str_format(session->arena,
                 "module tpu v5p devices 1\nfunc @f() {\n  %%zero = const 0 : i32\n  %%one "
                 "= const 1 : i32\n  %%x0 = const 0 : f32[2,4]\n"
                 "  %%y0 = const 0 : f32[4,2]\n  %%p0 = const true : bool\n  %%n0 = const 0 "
                 ": i32[2]\n  %%r0 = const %s : %s\n"
                 "  %%a1, %%a2, %%a3, %%a4, %%a5, %%a6 = for %%unused = %%zero to %%zero "
                 "step %%one carry (%%x = %%x0 : f32[2,4], "
                 "%%y = %%y0 : f32[4,2], %%i = %%zero : i32, %%p = %%p0 : bool, %%n = %%n0 "
                 ": i32[2], %%result = %%r0 : %s) {\n"
                 "%s    yield %%x, %%y, %%i, %%p, %%n, %%r\n  }\n}\n",
                 strncmp(c->type, "bool", 4) == 0 ? "false" : "0", c->type, c->type, c->text);
  IrModule *module = ir_read(session, source_add(session, STR("t.ir"), text, false));
  if (!module) diag_flush(session);
  return module;
}

static void run_case(const Case *c, unsigned mask) {
  Session *session = session_new(0);
  IrModule *module = read_case(session, c);
  ck_assert_msg(module != NULL, "%s: not read", c->name);
  IrOp *loop = module->first->body->last->prev;
  ck_assert_int_eq(loop->code, OP_FOR);
  IrRegion *region = loop->regions[0];
  IrBuilder b = {
      .module = module, .region = module->first->body, .before = module->first->body->last};
  IrValue *args[7] = {ir_i32(&b, 0)}, *results[6];
  bool batched[7] = {false};
  for (uint32_t i = 1; i < 7; i++) {
    batched[i] = i < 6 && (mask >> (i - 1) & 1);
    args[i] = make_arg(&b, region->args[i]->type, batched[i], i);
  }
  IrRegion *wrap = module->first->body;
  ck_assert_msg(batch_region(&b, region, SIZE, args, batched, results), "%s: refused", c->name);
  Str what;
  ck_assert_msg(ir_verify(module, &what), "%s, mask %u: %.*s", c->name, mask, STR_FMT(what));
  Interpreter in = interpreter_new(session->arena);
  interpret_region(&in, wrap);
  for (int64_t j = 0; j < SIZE; j++) {
    Interpreter one = interpreter_new(session->arena);
    // Constants.
    for (const IrOp *op = wrap->first; op != loop; op = op->next) interpret_op(&one, op);
    for (uint32_t i = 0; i < 7; i++) {
      const IrData *data = interpret_array(&in, args[i]);
      if (batched[i]) data = element(session->arena, data, region->args[i]->type, j);
      map_set(one.arrays, region->args[i], (void *)(uintptr_t)data);
    }
    const IrOp *yield = interpret_region(&one, region);
    const IrType *type = yield->operands[5]->type;
    const IrData *want = interpret_array(&one, yield->operands[5]);
    const IrData *got = element(session->arena, interpret_array(&in, results[5]), type, j);
    Str a = text_of(session->arena, want, ir_type_count(type)),
        d = text_of(session->arena, got, ir_type_count(type));
    ck_assert_msg(str_equal(a, d), "%s, mask %u, element %lld:\n%.*s\nbatched:\n%.*s", c->name,
                  mask, (long long)j, STR_FMT(a), STR_FMT(d));
  }
  session_free(session);
}

START_TEST(same_as_one_by_one) {
  for (size_t m = 0; m < COUNT_OF(masks); m++) run_case(&cases[_i], masks[m]);
}
END_TEST

// ---- text, effects, refusals -------------------------------------------------------------------
typedef struct Refusal {
  const char *text;
  unsigned mask;
  const char *message;
} Refusal;

static const Refusal refusals[] = {
    {"  prng_seed %i\n  %r = prng_bits : i32[2]\n", I,
     "vmap: a seed of the core's generator cannot be batched"},
    {"  %s = alloc \"s\" : smem i32[4]\n  %z = const 0 : i32\n  if %p {\n    store %z, %s[1]\n  "
     "}\n  %r = load %s[0 : 2] : i32[2]\n",
     P,
     "vmap: the condition of a branch differs within the batch, and its body writes to refs or has "
     "other effects"},
    {"  %o = const 1 : i32\n  %w = while (%k = %i : i32) {\n    %q = lt %k, %i : bool\n    yield "
     "%q\n  } do (%l) {\n    debug_print %o format \"{}\"\n    yield %l\n  }\n"
     "  %r = const 0 : i32[2]\n",
     I, "vmap: the condition of a while loop differs within the batch"},
    {"  %o = const 1 : i32\n  for %k = %o to %i step %o {\n    debug_print %o format \"{}\"\n  }\n "
     " %r = const 0 : i32[2]\n",
     I, "vmap: the number of trips of a loop differs within the batch"},
    {"  %o = const 1 : i32\n  for %k = %i to %o step %o {\n    debug_print %o format \"{}\"\n  }\n "
     " %r = const 0 : i32[2]\n",
     I, "vmap: the number of trips of a loop differs within the batch"},
    {"  %o = const 1 : i32\n  for %k = %o to %o step %i {\n    debug_print %o format \"{}\"\n  }\n "
     " %r = const 0 : i32[2]\n",
     I, "vmap: the number of trips of a loop differs within the batch"},
    {"  %s = alloc \"s\" : sem regular\n  sem.wait %s, %i\n  %r = const 0 : i32[2]\n", I,
     "vmap: a count or a device of 'sem.wait' differs within the batch"},
    {"  %s = alloc \"s\" : sem regular\n  sem.signal %s, %i\n  %r = const 0 : i32[2]\n", I,
     "vmap: a count or a device of 'sem.signal' differs within the batch"},
    {"  %q = fuse axes [0] : i32 {\n    %m = neg %i : i32\n    yield %m\n  }\n  %r = const 0 : "
     "i32[2]\n",
     I, "vmap: 'fuse' has no batching rule"},
    {"  %s = alloc \"s\" : smem i32[4]\n  %r = load %s[%i : %i max 2] : i32[2]\n", I,
     "vmap: a slice of dynamic size at an index that differs within the batch"},
    {"  %s = alloc \"s\" : smem i32[4,4]\n  %v = view %s[%i, :] : smem i32[4]\n  %w = ref_reshape "
     "%v : smem i32[2,2]\n  %r = load %w[0, :] : i32[2]\n",
     I, "vmap: 'ref_reshape' of a view at an index that differs within the batch"},
    {"  %s = alloc \"s\" : smem i32[4,4]\n  %v = view %s[%i, :] : smem i32[4]\n  copy %v, %v\n  %r "
     "= const 0 : i32[2]\n",
     I, "vmap: 'copy' of a view at an index that differs within the batch"},
    {"  %s = alloc \"s\" : smem i32[4,4]\n  %v = view %s[0 : %i max 4, %i] : smem i32[4]\n  %r = "
     "load %v[0 : 2] : i32[2]\n",
     I, "vmap: a view with an index array or a dynamic size cannot differ within the batch"},
    {"  %s = alloc \"s\" : smem i32[4,4]\n  %v = view %s[%i, :] : smem i32[4]\n  launch \"k\" grid "
     "[] {\n    block %b: smem i32[4] of %v whole\n  } body (%b) {\n  }\n  %r = const 0 : i32[2]\n",
     I, "vmap: a view at an index that differs within the batch is an operand of a kernel"},
    {"  %s = alloc \"s\" : smem i32[4,4]\n  %v = view %s[%i, :] : smem i32[4]\n  launch \"k\" grid "
     "[] {\n  } body () {\n    %q = load %v[0] : i32\n  }\n  %r = const 0 : i32[2]\n",
     I, "vmap: a view at an index that differs within the batch is used in a kernel"},
    {"  %d = const 1 : i32[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]\n  %b = broadcast %i : "
     "i32[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]\n  %q = add %b, %d : "
     "i32[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]\n  %r = const 0 : i32[2]\n",
     I, "vmap: with a batch of"},
    {"  launch \"k\" grid [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1] {parallel, parallel, "
     "parallel, parallel, parallel, parallel, parallel, parallel, parallel, parallel, parallel, "
     "parallel, parallel, parallel, parallel, parallel} {\n  } body (%g0, %g1, %g2, %g3, %g4, %g5, "
     "%g6, %g7, %g8, %g9, %b0, %b1, %b2, %b3, %b4, %b5) {\n    debug_print %i format \"{}\"\n  }\n "
     " "
     "%r = const 0 : i32[2]\n",
     I, "vmap: the grid has too many dimensions"},
};

START_TEST(refused) {
  const Refusal *refusal = &refusals[_i];
  Session *session = session_new(0);
  Case c = {"", refusal->text, "i32[2]"};
  IrModule *module = read_case(session, &c);
  ck_assert_ptr_nonnull(module);
  IrRegion *region = module->first->body->last->prev->regions[0];
  IrBuilder b = {
      .module = module, .region = module->first->body, .before = module->first->body->last};
  IrValue *args[7] = {ir_i32(&b, 0)}, *results[6];
  bool batched[7] = {false};
  for (uint32_t i = 1; i < 7; i++) {
    batched[i] = i < 6 && (refusal->mask >> (i - 1) & 1);
    args[i] = make_arg(&b, region->args[i]->type, batched[i], i);
  }
  ck_assert(!batch_region(&b, region, SIZE, args, batched, results));
  ck_assert_uint_eq(session->error_count, 1);
  ck_assert_msg(str_starts_with(session->first_diag->message, str_from_c(refusal->message)), "%.*s",
                STR_FMT(session->first_diag->message));
  session_free(session);
}
END_TEST

START_TEST(effects_run_for_each) {
  Session *session = session_new(0);
  Case c = {"",
            "  debug_print %i format \"{}\"\n  %z = const 2 : i32\n  %q = lt %i, %z : bool\n  "
            "check %q, %i format \"too large\"\n  %r = const 0 : i32[2]\n",
            "i32[2]"};
  IrModule *module = read_case(session, &c);
  IrRegion *region = module->first->body->last->prev->regions[0];
  IrBuilder b = {
      .module = module, .region = module->first->body, .before = module->first->body->last};
  IrValue *args[7] = {ir_i32(&b, 0)}, *results[6];
  bool batched[7] = {false, false, false, true};
  for (uint32_t i = 1; i < 7; i++) args[i] = make_arg(&b, region->args[i]->type, batched[i], i);
  ck_assert(batch_region(&b, region, SIZE, args, batched, results));
  ck_assert(ir_verify(module, NULL));
  Interpreter in = interpreter_new(session->arena);
  interpret_region(&in, module->first->body);
  ck_assert_str_eq(buf_view(&in.printed).data, "3\n2\n1\ntoo large\ntoo large\n");
  session_free(session);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("batch");
  TCase *tc = tcase_create("batch");
  tcase_set_timeout(tc, 60);
  tcase_add_loop_test(tc, same_as_one_by_one, 0, COUNT_OF(cases));
  tcase_add_loop_test(tc, refused, 0, COUNT_OF(refusals));
  tcase_add_test(tc, effects_run_for_each);
  suite_add_tcase(suite, tc);
  return suite_run(suite);
}
