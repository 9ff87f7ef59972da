// SPDX-License-Identifier: Apache-2.0
// Every rule of the verifier, broken once. What text can say is read from text; the rest is built.
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/build_memory.h"
#include "ir/core/ir.h"
#include "ir/core/verify.h"
#include "ir/text/read.h"
#include "suite.h"

// Values that every text sees.
static const char *const preamble =
    "  %f = const {1.5, -2} : f32[2]\n  %i = const {1, -2} : i32[2]\n  %p = const {true, false} : "
    "bool[2]\n"
    "  %u = const 1 : u32[2]\n  %i0 = const 3 : i32\n  %p0 = const true : bool\n  %f0 = const 0.5 "
    ": f32\n"
    "  %m = const 2 : f32[4,6]\n  %b = const 1 : bf16[4,6]\n  %ix = const 1 : i32[3,1]\n"
    "  %r = alloc \"r\" : vmem f32[4,6]\n  %s = alloc : smem i32[8]\n  %sem = alloc : sem dma[2]\n"
    "  %sem0 = view %sem[0] : sem dma\n";

typedef struct Case {
  const char *text, *reason; // the reason is what stands behind the op's own text
} Case;

#define LAUNCH(blocks, names, body)                                                                \
  "  launch \"k\" grid [2, 2] {parallel, arbitrary} {\n" blocks "  } body (" names ") {\n" body    \
  "  }\n"
#define BLOCK "    block %x: vmem f32[2,3] of %r at (%g, %h) buffers 2\n"

static const Case cases[] = {
    // elementwise
    {"  %x = exp %i : i32[2]\n", "it is not defined on i32"},
    {"  %x = neg %p : bool[2]\n", "it is not defined on bool"},
    {"  %x = not %f : f32[2]\n", "it is not defined on f32"},
    {"  %x = shl %p, %p : bool[2]\n", "it is not defined on bool"},
    {"  %x = neg %f : f32[3]\n", "operand 0 and the result differ in shape"},
    {"  %x = add %f, %m : f32[2]\n", "operand 1 and the result differ in shape"},
    {"  %x = neg %f : bf16[2]\n", "the result's element type is not that of the operands"},
    {"  %x = lt %f, %f : f32[2]\n", "the result's element type is not bool"},
    {"  %x = is_finite %f : f32[2]\n", "the result's element type is not bool"},
    {"  %x = add %i, %u : i32[2]\n", "the operands differ in type"},
    {"  %x = bitcast %f : bf16[2]\n", "the widths differ"},
    {"  %x = select %i, %f, %f : f32[2]\n", "it is not defined on i32"},
    {"  %x = select %p, %f, %i : f32[2]\n", "the cases are not of the result's type"},
    {"  %x, %y = threefry2x32 %u, %u, %i, %u : (u32[2], u32[2])\n", "operand 2 is not u32"},
    {"  %x, %y = threefry2x32 %u, %u, %u, %u : (u32[2], i32[2])\n", "the results differ in type"},
    {"  %x = reduce_precision %f exponent_bits 0 mantissa_bits 1 : f32[2]\n",
     "less than one bit of exponent"},
    {"  %x = reduce_precision %f exponent_bits 1 mantissa_bits -1 : f32[2]\n",
     "less than no bits of mantissa"},
    {"  %x = neg %r : f32[4,6]\n", "operand 0 is a ref"},
    {"  %x = neg %m : vmem f32[4,6]\n", "result 0 is a ref"},
    {"  %x = add %f : f32[2]\n", "it takes 2 operands, not 1"},
    {"  %x, %y = neg %f : (f32[2], f32[2])\n", "it has 1 results, not 2"},
    // constants
    {"  %x = const {1, 2, 3} : f32[2]\n", "3 elements for a type of 2"},
    {"  %x = iota dim 1 : i32[2]\n", "there is no dimension 1"},
    {"  %x = iota dim 0 : bool[2]\n", "it is not defined on bool"},
    // shapes
    {"  %x = broadcast %f dims [2] : f32[3,2]\n",
     "'dims' are not increasing dimensions of the result, one for each of the operand"},
    {"  %x = broadcast %m dims [1, 0] : f32[6,4]\n",
     "'dims' are not increasing dimensions of the result, one for each of the operand"},
    {"  %x = broadcast %f dims [0] : f32[3,2]\n", "dimension 0 of size 2 does not broadcast to 3"},
    {"  %x = reshape %m : f32[25]\n", "the numbers of elements differ"},
    {"  %x = reshape %m : i32[24]\n", "the result's element type is not that of the operand"},
    {"  %x = transpose %m dims [1, 1] : f32[6,4]\n", "'dims' is no permutation"},
    {"  %x = transpose %m dims [1, 0] : f32[24]\n", "the ranks differ"},
    {"  %x = transpose %m dims [1, 0] : f32[4,6]\n", "dimension 0 of the result is not 6"},
    {"  %x = slice %m starts [0] limits [4] strides [1] : f32[4]\n",
     "not one start, limit and stride for each dimension"},
    {"  %x = slice %f starts [0] limits [3] strides [1] : f32[3]\n",
     "dimension 0 of size 2 has no slice 0:3:1"},
    {"  %x = slice %f starts [0] limits [2] strides [0] : f32[3]\n",
     "dimension 0 of size 2 has no slice 0:2:0"},
    {"  %x = slice %f starts [0] limits [2] strides [2] : f32[2]\n",
     "dimension 0 of the result is not 1"},
    {"  %x = pad %f, %i0 low [0] high [0] interior [0] : f32[2]\n",
     "what it pads with is no scalar of that type"},
    {"  %x = pad %f, %f0 low [0, 0] high [0] interior [0] : f32[2]\n",
     "not one 'low', 'high' and 'interior' for each dimension"},
    {"  %x = pad %f, %f0 low [0] high [0] interior [-1] : f32[2]\n", "'interior' is negative"},
    {"  %x = pad %f, %f0 low [1] high [0] interior [0] : f32[2]\n",
     "dimension 0 of the result does not fit"},
    {"  %x = pad %f, %f0 low [9223372036854775807] high [9] interior [0] : f32[2]\n",
     "dimension 0 of the result does not fit"},
    {"  %x = concat %f, %f dim 1 : f32[4]\n", "there is no dimension 1"},
    {"  %x = concat dim 0 : f32[4]\n", "it has no operands"},
    {"  %x = concat %f, %m dim 0 : f32[4]\n", "operand 1 does not fit the result"},
    {"  %x = concat %f, %f dim 0 : f32[5]\n", "the sizes along dimension 0 do not add up"},
    {"  %x = rev %m dims [0] : f32[6,4]\n", "the result is not of the operand's type"},
    {"  %x = rev %m dims [2] : f32[4,6]\n", "'dims' are not dimensions of the operand"},
    {"  %x = dynamic_slice sizes [1] : f32[1]\n", "it has no operands"},
    {"  %x = dynamic_slice %m, %i0 sizes [1, 1] : f32[1,1]\n", "not one start for each dimension"},
    {"  %x = dynamic_slice %f, %f0 sizes [1] : f32[1]\n", "operand 1 is no i32"},
    {"  %x = dynamic_slice %f, %i0 sizes [1] : f32[2]\n", "'sizes' is not the result's shape"},
    {"  %x = dynamic_slice %f, %i0 sizes [3] : f32[3]\n", "dimension 0 is smaller than its slice"},
    {"  %x = dynamic_update_slice %f : f32[2]\n", "it has no update"},
    {"  %x = dynamic_update_slice %f, %f, %i0 : f32[3]\n",
     "the result is not of the operand's type"},
    {"  %x = dynamic_update_slice %f, %i, %i0 : f32[2]\n", "the update does not fit"},
    {"  %y = const 1 : f32[3]\n  %x = dynamic_update_slice %f, %y, %i0 : f32[2]\n",
     "dimension 0 is smaller than its update"},
    {"  %x = bitcast_width %f : u8[2,3]\n",
     "the narrow type has not one dimension more, of the ratio of the widths"},
    // reductions
    {"  %x = reduce_sum %p axes [0] : bool\n", "it is not defined on bool"},
    {"  %x = reduce_sum %m axes [0, 0] : f32[6]\n", "'axes' are not dimensions of the operand"},
    {"  %x = reduce_sum %m axes [0] : f32[4]\n", "the result is not the operand without 'axes'"},
    {"  %x = reduce_sum %m axes [0] : i32[6]\n",
     "the result's element type is not that of the operand"},
    {"  %x = argmax %m axes [0, 1] : i32\n", "it works along one axis"},
    {"  %x = argmax %m axes [0] : f32[6]\n", "the result is no integer"},
    {"  %x = cumsum %m dim 2 : f32[4,6]\n", "there is no dimension 2"},
    {"  %x = cumsum %m dim 0 : f32[6,4]\n", "the result is not of the operand's type"},
    // heavy
    {"  %x = dot %m, %m lhs_contract [2] rhs_contract [0] precision default : f32[4,6]\n",
     "the contracted and batch dimensions of the first operand are no such"},
    {"  %x = dot %m, %m lhs_contract [0] rhs_contract [0] rhs_batch [0] precision default : "
     "f32[4,6]\n",
     "the contracted and batch dimensions of the second operand are no such"},
    {"  %x = dot %m, %m lhs_contract [0] precision default : f32[4,6]\n",
     "the operands' dimensions do not pair"},
    {"  %x = dot %m, %m lhs_contract [0] rhs_contract [1] precision default : f32[6,4]\n",
     "contracted sizes differ"},
    {"  %x = dot %m, %m lhs_contract [0] rhs_contract [0] lhs_batch [1] rhs_batch [1] precision "
     "default : f32[6,6]\n",
     "the result is not batch, first and second operand's dimensions"},
    {"  %t = transpose %m dims [1, 0] : f32[6,4]\n  %x = dot %m, %t lhs_contract [0] rhs_contract "
     "[1] lhs_batch [1] rhs_batch [0] precision default : f32[4]\n",
     "the result is not batch, first and second operand's dimensions"},
    {"  %t = transpose %m dims [1, 0] : f32[6,4]\n  %x = dot %m, %t lhs_batch [0] rhs_batch [0] "
     "precision default : f32[4,6,4]\n",
     "batch sizes differ"},
    {"  %x = dot %p, %p lhs_contract [0] rhs_contract [0] precision default : i32\n",
     "it is not defined on bool"},
    {"  %x = dot %m, %m lhs_contract [0] rhs_contract [0] precision default sum_block 513 : "
     "f32[6,6]\n",
     "there are no sums of 513 terms"},
    {"  %x = dot %m, %m lhs_contract [0] rhs_contract [0] precision default sum_block -1 : "
     "f32[6,6]\n",
     "there are no sums of -1 terms"},
    {"  %x = dot %f, %f, %f lhs_contract [0] rhs_contract [0] precision default : f32\n",
     "what the sums are added to is not of the result's type"},
    {"  %x = dot %m, %m, %f0 lhs_contract [0, 1] rhs_contract [0, 1] precision default : f32\n",
     "sums that are added to an operand are not along one dimension"},
    {"  %x = sort %f, %i dim 0 keys 1 : f32[2]\n", "not one result for each operand"},
    {"  %x = sort %f dim 0 keys 2 : f32[2]\n", "there are no 2 keys"},
    {"  %x = sort %f dim 0 keys 1 : i32[2]\n", "result 0 is not of its operand's type"},
    {"  %x, %y = sort %f, %m dim 0 keys 1 : (f32[2], f32[4,6])\n", "the operands differ in shape"},
    {"  %x = sort %f dim 1 keys 1 : f32[2]\n", "there is no dimension 1"},
#define GATHER(indices, attrs, type) "  %x = gather %m, " indices " " attrs " : " type "\n"
    {GATHER("%f", "sizes [1, 1] mode clip fill 0", "f32[2]"), "the indices are no integer array"},
    {GATHER("%ix", "offset_dims [2] sizes [1, 6] mode clip fill 0", "f32[3,6]"),
     "'offset_dims' are not increasing dimensions of the windows"},
    {GATHER("%ix", "collapsed_dims [2] sizes [1, 6] mode clip fill 0", "f32[3,6]"),
     "'collapsed_dims' are no dimensions"},
    {GATHER("%ix",
            "offset_dims [1] collapsed_dims [0] index_map [0, 1] sizes [1, 6] mode clip fill 0",
            "f32[3,6]"),
     "'index_map' does not fit the index vectors"},
    {GATHER("%ix",
            "offset_dims [1] collapsed_dims [0] index_map [0] operand_batch [0] index_batch [0] "
            "sizes [1, 6] mode clip fill 0",
            "f32[3,6]"),
     "'operand_batch' and 'index_batch' are no such dimensions"},
    {GATHER("%ix",
            "collapsed_dims [1] index_map [1] operand_batch [0] index_batch [0] sizes [1, 1] mode "
            "clip fill 0",
            "f32[3]"),
     "batch sizes differ"},
    {GATHER("%ix", "offset_dims [1] index_map [0] sizes [1, 6] mode clip fill 0", "f32[3,6]"),
     "the ranks do not fit"},
    {GATHER("%ix", "offset_dims [1] collapsed_dims [0] index_map [0] sizes [1, 6] mode clip fill 0",
            "f32[2,6]"),
     "dimension 0 of the windows is not that of the indices"},
    {GATHER("%ix", "offset_dims [1] collapsed_dims [0] index_map [0] sizes [1, 6] mode clip fill 0",
            "f32[3,5]"),
     "dimension 1 of the windows has another size"},
    {GATHER("%ix", "offset_dims [1] collapsed_dims [0] index_map [0] sizes [6] mode clip fill 0",
            "f32[3,6]"),
     "not one size for each dimension"},
    {GATHER("%ix", "offset_dims [1] collapsed_dims [0] index_map [0] sizes [5, 6] mode clip fill 0",
            "f32[3,6]"),
     "size 0 is out of range"},
    {GATHER("%ix", "offset_dims [1] collapsed_dims [0] index_map [0] sizes [2, 6] mode clip fill 0",
            "f32[3,6]"),
     "a collapsed dimension is not of size 1"},
    {"  %k = const 0 : i32[4,1]\n" GATHER("%k",
                                          "collapsed_dims [1] index_map [1] operand_batch [0] "
                                          "index_batch [0] sizes [2, 1] mode clip fill 0",
                                          "f32[4]"),
     "a batch dimension is not of size 1"},
    {GATHER("%ix",
            "offset_dims [1] collapsed_dims [0] index_map [0] sizes [1, 6] mode clip fill {0, 1}",
            "f32[3,6]"),
     "'fill' is no scalar of the operand's type"},
    {GATHER("%ix", "offset_dims [1] collapsed_dims [0] index_map [0] sizes [1, 6] mode clip fill 0",
            "i32[3,6]"),
     "the result's element type is not that of the operand"},
    {"  %x = scatter %m, %ix, %m mode clip combine set : f32[6,4]\n",
     "the result is not of the operand's type"},
    {"  %x = scatter %m, %ix, %i mode clip combine set : f32[4,6]\n",
     "the updates are of another element type"},
    // memory
    {"  %x = alloc : f32[2]\n", "the result is no ref"},
    {"  %x = load %m[:, :] : f32[4,6]\n", "operand 0 is no ref"},
    {"  %x = load %sem[:] : i32[2]\n", "a semaphore is not read or written so"},
    {"  %x = load %r[:] : f32[4]\n", "1 indices for a ref of rank 2"},
    {"  %x = load %r[4, :] : f32[6]\n", "the index 4 … 4 is out of bounds for size 4"},
    {"  %x = load %r[-1, :] : f32[6]\n", "the index -1 … -1 is out of bounds for size 4"},
    {"  %x = load %r[1 : 4, :] : f32[4,6]\n", "the index 1 … 4 is out of bounds for size 4"},
    {"  %x = load %r[0 : 3 : 2, :] : f32[3,6]\n", "the index 0 … 4 is out of bounds for size 4"},
    {"  %x = load %r[%i0 : 5, :] : f32[5,6]\n", "the index 0 … 4 is out of bounds for size 4"},
    {"  %x = load %r[0 : 2 : 9223372036854775807, :] : f32[2,6]\n",
     "the index 0 … 9223372036854775807 is out of bounds for size 4"},
    {"  %x = load %r[0 : 3 : 9223372036854775807, :] : f32[3,6]\n", "the slice is too large"},
    {"  %x = load %r[0 : -1, :] : f32[1,6]\n", "a slice of size -1 and stride 1"},
    {"  %x = load %r[0 : 1 : -1, :] : f32[1,6]\n", "a slice of size 1 and stride -1"},
    {"  %x = load %r[%f0, :] : f32[6]\n", "operand 1 is no index"},
    {"  %x = load %r[%i : 2, :] : f32[2,6]\n", "operand 1 is no index"},
    {"  %x = load %r[0 : %f0 max 2, :] : f32[2,6]\n", "operand 1 is no size"},
    {"  %x = load %r[%i, %ix] : f32[2]\n", "index arrays differ in shape"},
    {"  %x = load %r[0, :] : f32[5]\n", "the value is not what the index gives"},
    {"  store %m, %r[0, :]\n", "the value is not what the index gives"},
    {"  %x = view %r[0, :] : smem f32[6]\n", "the result is not what the index gives"},
    {"  %x = load %r[:, :] mask %p other %m : f32[4,6]\n",
     "the mask is no bool array of the value's shape"},
    {"  %k = const true : bool[4,6]\n  %x = load %r[:, :] mask %k other %b : f32[4,6]\n",
     "'other' is not of the result's type"},
    {"  %x = ref_reshape %r : smem f32[24]\n", "the result is no ref of the same elements"},
    {"  %x = ref_bitcast %m : vmem i32[4,6]\n", "it works on refs of elements"},
    {"  %x = ref_bitcast %r : vmem i32[24]\n", "the ref has another space or rank"},
    {"  %x = ref_bitcast %s : smem i16[16]\n", "the ref has no second-last dimension"},
    {"  %x = ref_bitcast %r : vmem i16[4,12]\n", "dimension 0 does not fit"},
    {"  copy %r, %m\n", "it copies between refs of elements"},
    {"  copy %r, %s\n", "source and destination differ in type"},
    {"  copy.start %r, %r, %sem\n", "operand 2 is no semaphore"},
    {"  copy.start %r, %r, %sem0, %r target r\n", "operand 3 is no semaphore"},
    {"  copy.start %r, %r, %sem0 target d\n", "operands are missing"},
    {"  copy.start %r, %r, %sem0, %f0 target c\n", "operand 3 is no i32"},
    {"  copy.start %r, %r, %sem0, %i0\n", "there are operands that the target does not name"},
    {"  sem.signal %sem0, %i0, %sem0 target r\n", "only a copy has a sender"},
    {"  copy.wait %sem, %r\n", "operand 0 is no semaphore"},
    {"  copy.wait %sem0, %sem0\n", "operand 1 is no ref of elements"},
    // control
    {"  for %k = %f0 to %i0 step %i0 {\n  }\n", "operand 0 is no i32"},
    {"  %z = const 0 : i32\n  for %k = %i0 to %i0 step %z {\n  }\n", "the step is not positive"},
    {"  %x = for %k = %i0 to %i0 step %i0 carry (%a = %f : f32[2]) {\n    yield %i\n  }\n",
     "yielded value 0 is of another type"},
    {"  %x = for %k = %i0 to %i0 step %i0 carry (%a = %f : f32[2]) {\n    yield %f, %f\n  }\n",
     "a region yields 2 values instead of 1"},
    {"  %x = for %k = %i0 to %i0 step %i0 carry (%a = %f : f32[3]) {\n    yield %a\n  }\n",
     "result 0 is of another type"},
    {"  for %k = %i0 to %i0 step %i0 unroll 0 {\n  }\n", "'unroll' is less than 1"},
    {"  %x = for %k = %i0 to %i0 step %i0 carry (%a = %r : vmem f32[4,6]) {\n    yield %a\n  }\n",
     "result 0 is a ref"},
    {"  %x = while (%a = %f : f32[2]) {\n    yield %f\n  } do (%c) {\n    yield %c\n  }\n",
     "the test does not yield one bool"},
    {"  %x = while (%a = %f : f32[2]) {\n    yield %p0\n  } do (%c) {\n    yield %i\n  }\n",
     "yielded value 0 is of another type"},
    {"  %x = while (%a = %f : f32[3]) {\n    yield %p0\n  } do (%c) {\n    yield %c\n  }\n",
     "result 0 is of another type"},
    {"  if %i0 {\n  }\n", "the operand is no bool"},
    {"  switch %p0 case {\n  }\n", "the operand is no i32"},
    {"  %x = if %p0 : f32[2] {\n    yield %f\n  }\n", "a region yields 0 values instead of 1"},
    {"  %x = fuse axes [2] : f32[2] {\n    yield %i\n  }\n", "yielded value 0 is of another type"},
    {"  prng_seed %f0\n", "operand 0 is no i32"},
    {"  %x = prng_bits : f32[2]\n", "the result is not of u32 or i32"},
    {"  check %i0 format \"\"\n", "the first operand is no bool"},
    // launches
    {"  launch \"k\" grid [%f0] {parallel} {\n  } body (%g) {\n  }\n",
     "operand 0 is no size of the grid"},
    {"  launch \"k\" grid [2] {parallel} grid_names [\"a\", \"b\"] {\n  } body (%g) {\n  }\n",
     "not one name for each grid dimension"},
    {"  launch \"k\" grid [2] {parallel} vmem_limit -1 {\n  } body (%g) {\n  }\n",
     "'vmem_limit' is negative"},
    {"  launch \"k\" grid [2] {parallel} collective_id -2 {\n  } body (%g) {\n  }\n",
     "'collective_id' is negative"},
    {"  launch \"k\" grid [2] {parallel} {\n    prefetch %q: smem i32[4] of %s\n  } body (%g, %q) "
     "{\n  }\n",
     "prefetch ref 0 is not of its operand's type"},
    {LAUNCH("    block %x: vmem f32[2,3] of %m at (%g, %h) buffers 2\n", "%g, %h, %x", ""),
     "block 0: the operand is no ref of elements"},
    {LAUNCH("    block %x: vmem f32[2] of %r at (%g) buffers 2\n", "%g, %h, %x", ""),
     "block 0: a block of rank 1 for an array of rank 2"},
    {LAUNCH("    block %x: vmem i32[2,3] of %r at (%g, %h) buffers 2\n", "%g, %h, %x", ""),
     "block 0: the body's ref has another space or element type"},
    {LAUNCH("    block %x: vmem f32[2,3] of %r at (%g, %h) buffers 0\n", "%g, %h, %x", ""),
     "block 0: it has no buffers"},
    {LAUNCH("    block %x: hbm f32[2,3] of %r whole\n", "%g, %h, %x", ""),
     "block 0: the body's ref is not the whole array"},
    {LAUNCH("    block %x: vmem f32[2,3] of %r shape [2, -3] at (%g, %h) buffers 2\n", "%g, %h, %x",
            ""),
     "block 0: dimension 1 is negative"},
    {LAUNCH("    block %x: vmem f32[2,3] of %r shape [3, 3] at (%g, %h) buffers 2\n", "%g, %h, %x",
            ""),
     "block 0: the body's ref has not the block's shape"},
    {LAUNCH("    block %x: vmem f32[2,3] of %r at (%g) buffers 2\n", "%g, %h, %x", ""),
     "block 0: the index map yields 1 values instead of 2"},
    {LAUNCH("    block %x: vmem f32[2,3] of %r shape [2, bounded 3] at (%g, %h) buffers 2\n",
            "%g, %h, %x", ""),
     "block 0: the index map yields 2 values instead of 3"},
    {LAUNCH("    block %x: vmem f32[2,3] of %r at (%g1, %h1) {\n      yield %g1, %f0\n    } "
            "buffers 2\n",
            "%g, %h, %x", ""),
     "block 0: the index map yields something else than i32"},
    {LAUNCH(BLOCK "    scratch %c: f32[2]\n", "%g, %h, %x, %c", ""),
     "scratch 0 is of another type"},
    {LAUNCH(BLOCK, "%g, %h, %x", "    %y = neg %m : f32[4,6]\n"),
     "operand 0 is an array from outside of the launch"},
    {LAUNCH(BLOCK, "%g, %h, %x", "    yield %f0\n"), "a region yields 1 values instead of 0"},
    // dominance and terminators
    {"  if %p0 {\n    %x = neg %f : f32[2]\n  }\n  %y = neg %x : f32[2]\n",
     "operand 0 is not defined before it is used"},
    {LAUNCH("    block %x: vmem f32[2,3] of %r at (%g1, %h1) {\n      %a = load %x[0, 0] : f32\n   "
            "   yield %g1, %h1\n    } buffers 2\n",
            "%g, %h, %x", ""),
     "operand 0 is not defined before it is used"},
    {"  for %k = %i0 to %i0 step %i0 {\n    yield\n    yield\n  }\n",
     "it is not the last of its region"},
    {"  yield %f0\n", "its body does not end with a yield of nothing"},
};

START_TEST(broken_rule) {
  const Case *c = &cases[_i];
  Session *session = session_new(0);
  Str text = str_format(session->arena, "module tpu v5p devices 1\nfunc @f() {\n%s%s}\n", preamble,
                        c->text);
  IrModule *module = ir_read(session, source_add(session, STR("t.ir"), text, false));
  ck_assert_msg(module == NULL, "accepted: %s", c->text);
  const Diag *diag = session->first_diag;
  Str want = str_format(session->arena, ": %s", c->reason);
  ck_assert_msg(str_ends_with(diag->message, want), "%s\ngives  %.*s\nwanted %s", c->text,
                STR_FMT(diag->message), c->reason);
  session_free(session);
}
END_TEST

// ---- rules that the reader's own syntax keeps --------------------------------------------------
// A well-formed text, of which one op is changed.
typedef struct Mutation {
  const char *text;
  OpCode code; // of the op
  void (*change)(IrModule *module, IrOp *op);
  const char *reason;
} Mutation;

static void drop_operand(IrOp *op) { op->operands[--op->operand_count]->use_count--; }

static void other_data(IrModule *m, IrOp *op) {
  ir_set_data(m, op, ATTR_DATA, DT_I32, 1, (int32_t[]){1});
}

static void too_long_concat(IrModule *m, IrOp *op) {
  const IrType *type = ir_array_type(m, DT_I8, 1, (int64_t[]){INT64_MAX / 2 + 1});
  for (uint32_t i = 0; i < 2; i++) op->operands[i]->type = type;
  uint8_t zero = 0;
  ir_set_data(m, op->operands[0]->def, ATTR_DATA, DT_I8, 1, &zero);
  op->results[0]->type = type;
}

static void many_operands(IrModule *m, IrOp *op) {
  for (int i = 0; i < 2 * IR_MAX_RANK + 1; i++) ir_add_operand(m, op, op->operands[0]);
}

static void array_without_operand(IrModule *m, IrOp *op) {
  IrIndex index = *ir_attr_index(op);
  index.dims[0].kind = INDEX_ARRAY;
  ir_set_index(m, op, &index);
}

static void no_operands(IrModule *m, IrOp *op) {
  (void)m;
  while (op->operand_count) drop_operand(op);
}

static void much_rank(IrModule *m, IrOp *op) {
  int64_t ones[IR_MAX_RANK];
  for (int i = 0; i < IR_MAX_RANK; i++) ones[i] = 1;
  op->operands[1]->type = ir_array_type(m, DT_I32, IR_MAX_RANK, ones);
  ((IrData *)ir_attr_data(op->operands[1]->def, ATTR_DATA))->count = 1;
}

static void more_args(IrModule *m, IrOp *op) {
  ir_region_add_arg(op->regions[0], ir_array_type(m, DT_I32, 0, NULL), NULL);
}

static void other_arg(IrModule *m, IrOp *op) {
  op->regions[0]->args[op->regions[0]->arg_count - 1]->type = ir_array_type(m, DT_U8, 0, NULL);
}

static void first_arg(IrModule *m, IrOp *op) {
  op->regions[0]->args[0]->type = ir_array_type(m, DT_U8, 0, NULL);
}

// What an argument says of itself.
static void arg_of_other_region(IrModule *m, IrOp *op) {
  op->regions[0]->args[1]->region = m->first->body;
}

static void arg_of_other_index(IrModule *m, IrOp *op) {
  (void)m;
  op->regions[0]->args[1]->index = 0;
}

static void arg_of_op(IrModule *m, IrOp *op) {
  (void)m;
  op->regions[0]->args[1]->def = op;
}

static void no_results(IrModule *m, IrOp *op) {
  (void)m;
  op->result_count = 0;
}

static void no_regions(IrModule *m, IrOp *op) {
  (void)m;
  op->region_count = 0;
}

static void squeezed(IrModule *m, IrOp *op) {
  (void)m;
  ir_attr_find(op, ATTR_BLOCKS)->blocks.items[0].dims[0].kind = BLOCK_SQUEEZED;
}

static void padded(IrModule *m, IrOp *op) {
  (void)m;
  ir_attr_find(op, ATTR_BLOCKS)->blocks.items[0].dims[0].pad_lo = 1;
}

static void empty_map(IrModule *m, IrOp *op) {
  (void)m;
  while (op->regions[1]->last) ir_op_remove(op->regions[1]->last);
}

static void negative_grid(IrModule *m, IrOp *op) {
  ir_set_ints(m, op, ATTR_GRID, 1, (int64_t[]){-2});
}

static void long_semantics(IrModule *m, IrOp *op) {
  ir_set_ints(m, op, ATTR_SEMANTICS, 2, (int64_t[]){SEMANTICS_ARBITRARY, SEMANTICS_ARBITRARY});
}

static void odd_semantics(IrModule *m, IrOp *op) {
  ir_set_ints(m, op, ATTR_SEMANTICS, 1, (int64_t[]){SEMANTICS_SUBCORE_PARALLEL + 1});
}

static void much_prefetch(IrModule *m, IrOp *op) { ir_set_int(m, op, ATTR_PREFETCH, 1); }

static void one_map_less(IrModule *m, IrOp *op) {
  (void)m;
  op->region_count--;
}

#define KERNEL                                                                                     \
  "  launch \"k\" grid [2] {parallel} {\n    block %x: vmem f32[2,6] of %r at (%g, 0) buffers 2\n" \
  "  } body (%g, %x) {\n  }\n"
#define LOOP "  %x = for %k = %i0 to %i0 step %i0 carry (%a = %f : f32[2]) {\n    yield %f\n  }\n"

static const Mutation mutations[] = {
    {"  %x = const 1 : f32[2]\n", OP_COUNT, other_data, "the data is i32"},
    {"  %q = const 1 : i8[2]\n  %x = concat %q, %q dim 0 : i8[4]\n", OP_CONCAT, too_long_concat,
     "the sizes are too large"},
    {"  %x = load %r[0, :] : f32[6]\n", OP_LOAD, many_operands,
     "the operands do not fit the index"},
    {"  %x = load %r[0, :] : f32[6]\n", OP_LOAD, array_without_operand,
     "an index array is missing"},
    {"  %x = load %r[0, :] : f32[6]\n", OP_LOAD, no_operands, "operands are missing"},
    {"  %x = load %r[%ix, :] : f32[3,1,6]\n", OP_LOAD, much_rank,
     "the result has too many dimensions"},
    {LOOP, OP_FOR, more_args, "a region takes 3 arguments instead of 2"},
    {LOOP, OP_FOR, other_arg, "argument 1 of a region is of another type"},
    {LOOP, OP_FOR, first_arg, "the index is no i32"},
    {LOOP, OP_FOR, arg_of_other_region, "argument 1 does not belong to its region"},
    {LOOP, OP_FOR, arg_of_other_index, "argument 1 does not belong to its region"},
    {LOOP, OP_FOR, arg_of_op, "argument 1 does not belong to its region"},
    {LOOP, OP_FOR, no_operands, "bounds or step are missing"},
    {LOOP, OP_FOR, no_results, "not one result for each carry"},
    {LOOP, OP_FOR, no_regions, "it has 1 regions, not 0"},
    {"  %x = while (%a = %f : f32[2]) {\n    yield %p0\n  } do (%c) {\n    yield %c\n  }\n",
     OP_WHILE, no_results, "not one result for each carry"},
    {"  if %p0 {\n  }\n", OP_IF, no_operands, "it takes one operand"},
    {"  if %p0 {\n  }\n", OP_IF, more_args, "a region takes arguments"},
    {"  switch %i0 case {\n  }\n", OP_SWITCH, no_regions, "it has no cases"},
    {"  fuse axes [2] {\n  }\n", OP_FUSE, more_args, "the region takes arguments"},
    {KERNEL, OP_LAUNCH, squeezed, "block 0: squeezed dimension 0 is not 1"},
    {KERNEL, OP_LAUNCH, padded, "block 0: dimension 0 is padded and not an element dimension"},
    {KERNEL, OP_LAUNCH, empty_map, "block 0: the index map does not end with yield"},
    {KERNEL, OP_LAUNCH, negative_grid, "a grid size is negative"},
    {KERNEL, OP_LAUNCH, long_semantics, "not one word of semantics for each grid dimension"},
    {KERNEL, OP_LAUNCH, odd_semantics, "the attribute 'semantics' has no word"},
    {KERNEL, OP_LAUNCH, much_prefetch,
     "the operands are not grid sizes, prefetch refs and one array for each block"},
    {KERNEL, OP_LAUNCH, one_map_less, "not one index map for each block"},
    {KERNEL, OP_LAUNCH, more_args, "the body takes 3 arguments instead of 2"},
    {KERNEL, OP_LAUNCH, first_arg, "grid index 0 is no i32"},
};

START_TEST(changed_op) {
  const Mutation *m = &mutations[_i];
  Session *session = session_new(0);
  Str text = str_format(session->arena, "module tpu v5p devices 1\nfunc @f() {\n%s%s}\n", preamble,
                        m->text);
  IrModule *module = ir_read(session, source_add(session, STR("t.ir"), text, false));
  if (!module) diag_flush(session);
  ck_assert_ptr_nonnull(module);
  IrOp *op = module->first->body->last->prev;
  ck_assert(m->code == OP_COUNT || op->code == m->code);
  m->change(module, op);
  Str what;
  ck_assert(!ir_verify(module, &what));
  ck_assert_msg(str_ends_with(what, str_from_c(m->reason)), "%.*s\nwanted %s", STR_FMT(what),
                m->reason);
  session_free(session);
}
END_TEST

// ---- what text cannot say ----------------------------------------------------------------------
typedef struct Fixture {
  Session *session;
  IrModule *module;
  IrFunc *func;
  IrBuilder b;
  IrValue *x, *sum;
} Fixture;

static Fixture start(void) {
  Fixture f;
  f.session = session_new(0);
  f.module = ir_module_new(f.session);
  f.func = ir_func_new(f.module, name_intern_c(f.session->interner, "f"), (Span){0});
  f.b = (IrBuilder){.module = f.module, .region = f.func->body};
  f.x = ir_const_f64(&f.b, ir_array_type(f.module, DT_F32, 1, (int64_t[]){2}), 1);
  f.sum = ir_binary(&f.b, OP_ADD, f.x, f.x);
  ir_yield(&f.b, 0, NULL);
  ck_assert(ir_verify(f.module, NULL));
  return f;
}

static void expect(Fixture *f, const char *reason) {
  Str what;
  ck_assert(!ir_verify(f->module, &what));
  ck_assert_msg(str_ends_with(what, str_from_c(reason)), "%.*s", STR_FMT(what));
  session_free(f->session);
}

START_TEST(use_counts) {
  Fixture f = start();
  f.x->use_count++;
  expect(&f, "result 0 has 2 uses but counts 3");
}
END_TEST

START_TEST(links) {
  Fixture f = start();
  f.sum->def->prev = NULL;
  expect(&f, "it is not linked into its region");
}
END_TEST

START_TEST(ownership) {
  Fixture f = start();
  f.sum->index = 1;
  expect(&f, "result 0 does not belong to it");
  f = start();
  IrValue *arg =
      ir_region_add_arg(f.func->body, ir_ref_type(f.module, SPACE_HBM, DT_F32, 0, NULL), NULL);
  (void)arg;
  expect(&f, "0 parameters for 1 arguments");
  f = start();
  ir_func_add_param(f.func, ir_ref_type(f.module, SPACE_HBM, DT_F32, 0, NULL), PARAM_IN, NULL)
      ->index = 3;
  expect(&f, "argument 0 does not belong to its region");
  f = start();
  f.func->module = NULL;
  Str what;
  ck_assert(!ir_verify(f.module, &what));
  ck_assert(str_ends_with(what, STR("it is not linked into its module")));
  session_free(f.session);
}
END_TEST

START_TEST(order) {
  Fixture f = start();
  ir_op_move(f.sum->def, f.func->body, f.x->def);
  expect(&f, "operand 0 is not defined before it is used");
}
END_TEST

START_TEST(no_yield) {
  Fixture f = start();
  f.b.before = f.func->body->last;
  IrType const *flag = ir_array_type(f.module, DT_BOOL, 0, NULL);
  IrOp *branch = ir_if(&f.b, ir_const_i64(&f.b, flag, 1), 0, NULL);
  IrBuilder yes = {.module = f.module, .region = branch->regions[0]};
  ir_yield(&yes, 0, NULL);
  expect(&f, "a region does not end with yield");
  f = start();
  ir_op_remove(f.func->body->last);
  expect(&f, "its body does not end with a yield of nothing");
}
END_TEST

START_TEST(missing_attribute) {
  Fixture f = start();
  f.x->def->attr_count = 0;
  Str what;
  ck_assert(!ir_verify(f.module, &what));
  ck_assert(str_ends_with(what, STR("the attribute 'data' is missing")));
  session_free(f.session);
}
END_TEST

START_TEST(missing_operand) {
  Fixture f = start();
  f.sum->def->operands[1] = NULL;
  f.b.before = f.sum->def;
  Str what;
  ck_assert(!ir_verify(f.module, &what));
  ck_assert(str_ends_with(what, STR("operand 1 is missing")));
  session_free(f.session);
}
END_TEST

START_TEST(two_functions_of_one_name) {
  Fixture f = start();
  IrFunc *g = ir_func_new(f.module, f.func->name, (Span){0});
  IrBuilder b = {.module = f.module, .region = g->body};
  ir_yield(&b, 0, NULL);
  expect(&f, "another function has its name");
}
END_TEST

// An index whose operands do not fit: the reader makes none such.
START_TEST(index_operands) {
  Fixture f = start();
  f.b.before = f.func->body->last;
  IrValue *ref =
      ir_alloc(&f.b, ir_ref_type(f.module, SPACE_VMEM, DT_F32, 1, (int64_t[]){4}), STR(""));
  IrIndex index;
  ir_index_full(ref->type, &index);
  IrValue *load = ir_load(&f.b, ref, &index, 0, NULL, NULL, NULL);
  index.dims[0].start_operand = 1;
  ir_set_index(f.module, load->def, &index);
  Str what;
  ck_assert(!ir_verify(f.module, &what));
  ck_assert_msg(str_ends_with(what, STR("an index names an operand that is not there")), "%.*s",
                STR_FMT(what));
  index.dims[0].start_operand = -1;
  ir_set_index(f.module, load->def, &index);
  ck_assert(ir_verify(f.module, NULL));
  ir_add_operand(f.module, load->def, ir_i32(&f.b, 1));
  ir_op_move(load->def->operands[1]->def, f.func->body, load->def);
  expect(&f, "an operand is not part of the index");
}
END_TEST

int main(void) {
  Suite *suite = suite_create("verify");
  TCase *tc = tcase_create("verify");
  tcase_add_loop_test(tc, broken_rule, 0, COUNT_OF(cases));
  tcase_add_loop_test(tc, changed_op, 0, COUNT_OF(mutations));
  tcase_add_test(tc, use_counts);
  tcase_add_test(tc, links);
  tcase_add_test(tc, ownership);
  tcase_add_test(tc, order);
  tcase_add_test(tc, no_yield);
  tcase_add_test(tc, missing_attribute);
  tcase_add_test(tc, missing_operand);
  tcase_add_test(tc, two_functions_of_one_name);
  tcase_add_test(tc, index_operands);
  suite_add_tcase(suite, tc);
  return suite_run(suite);
}
