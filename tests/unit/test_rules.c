// SPDX-License-Identifier: Apache-2.0
// The verifier's rules, part by part: of a rule that has several conditions each is broken alone,
// of one that holds for each dimension, operand or result a later one than the first; what is just
// allowed is accepted; and on which element types an op is defined. test_verify breaks each rule
// once.
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
    "  %f = const {1.5, -2} : f32[2]\n  %i = const {1, -2} : i32[2]\n  %p = const true : bool[2]\n"
    "  %u = const 1 : u32[2]\n  %i0 = const 3 : i32\n  %p0 = const true : bool\n"
    "  %f0 = const 0.5 : f32\n  %u0 = const 1 : u32\n  %h = const 1 : u8[2]\n  %h0 = const 1 : u8\n"
    "  %m = const 2 : f32[4,6]\n  %t = const 2 : f32[2,4,6]\n  %ix = const 1 : i32[3,1]\n"
    "  %r = alloc \"r\" : vmem f32[4,6]\n  %s = alloc : smem i32[8]\n  %c = alloc : smem i32\n"
    "  %sem = alloc : sem dma[2]\n  %sem0 = view %sem[0] : sem dma\n";

// The reason is what stands behind the op's own text; NULL: the text is accepted.
typedef struct Case {
  const char *text, *reason;
} Case;

#define DIMS_OF_BROADCAST                                                                          \
  "'dims' are not increasing dimensions of the result, one for each of the operand"
#define PARTS_OF_SLICE "not one start, limit and stride for each dimension"
#define PARTS_OF_PAD   "not one 'low', 'high' and 'interior' for each dimension"
#define WIDTHS         "the narrow type has not one dimension more, of the ratio of the widths"
#define FIRST_OF_DOT   "the contracted and batch dimensions of the first operand are no such"
#define SECOND_OF_DOT  "the contracted and batch dimensions of the second operand are no such"
#define UNPAIRED       "the operands' dimensions do not pair"
#define OTHER_RESULT   "the result is not of the operand's type"
#define OTHER_ELEMENTS "the result's element type is not that of the operand"
#define NOT_OF_INDEX   "the value is not what the index gives"
#define BETWEEN_REFS   "it copies between refs of elements"
#define DIFFER_IN_TYPE "source and destination differ in type"
#define SAME_ELEMENTS  "the result is no ref of the same elements"
#define NO_ELEMENTS    "operand 0 is no ref of elements"
#define OF_FETCH_ADD   "value, core and result are not i32"
#define BODY_HAS_OTHER "block 0: the body's ref has another space or element type"
#define DOT(operands, attrs, type)                                                                 \
  "  %x = dot " operands " " attrs " precision default : " type "\n"
#define GATHER(attrs, type) "  %x = gather %m, %ix " attrs " mode clip fill 0 : " type "\n"
#define GATHER_BATCHES(sizes)                                                                      \
  "  %k = const 1 : f32[3,6]\n  %x = gather %k, %ix collapsed_dims [1] index_map [1] "             \
  "operand_batch [0] index_batch [0] sizes " sizes " mode clip fill 0 : f32[3]\n"
#define OF_ROWS "offset_dims [1] collapsed_dims [0] index_map [0] "
#define LAUNCH(blocks, names)                                                                      \
  "  launch \"k\" grid [2, 2] {parallel, arbitrary} {\n" blocks "  } body (" names ") {\n  }\n"

static const Case cases[] = {
    // elementwise
    {"  %x = add %m, %f : f32[4,6]\n", "operand 1 and the result differ in shape"},
    {"  %k = const 1 : f32[4,5]\n  %x = add %m, %k : f32[4,6]\n",
     "operand 1 and the result differ in shape"},
    {"  %x = select %p, %i, %f : f32[2]\n", "the cases are not of the result's type"},
    {"  %x, %y = threefry2x32 %u, %u, %u, %i : (u32[2], u32[2])\n", "operand 3 is not u32"},
    {"  %x, %y = threefry2x32 %i, %u, %u, %u : (u32[2], u32[2])\n", "it is not defined on i32"},
    {"  %x, %y = threefry2x32 %i, %i, %i, %i : (i32[2], i32[2])\n", "it is not defined on i32"},
    {"  %x = reduce_precision %f exponent_bits 1 mantissa_bits 0 : f32[2]\n", NULL},
    {"  %x = bitcast %f : i32[2]\n", NULL},
    {"  %x = eq %f, %f : bool[2]\n", NULL},
    {"  %x = add %f, %i : f32[2]\n", "the operands differ in type"},
    // constants
    {"  %x = iota dim 1 : i32[2,3]\n", NULL},
    {"  %x = iota dim -1 : i32[2]\n", "there is no dimension -1"},
    {"  %x = const {1, 2, 3} : f32[3]\n", NULL},
    // broadcast, transpose
    {"  %x = broadcast %m dims [0, 1] : f32[4,7]\n",
     "dimension 1 of size 6 does not broadcast to 7"},
    {"  %x = broadcast %m dims [0] : f32[4,6]\n", DIMS_OF_BROADCAST},
    {"  %x = broadcast %m dims [0, 2] : f32[4,6]\n", DIMS_OF_BROADCAST},
    {"  %x = broadcast %m dims [-1, 1] : f32[4,6]\n", DIMS_OF_BROADCAST},
    {"  %x = broadcast %t dims [0, 2, 1] : f32[2,6,4]\n", DIMS_OF_BROADCAST},
    {"  %x = broadcast %t dims [0, 1, 1] : f32[2,6,4]\n", DIMS_OF_BROADCAST},
    {"  %x = broadcast %f dims [0] : i32[2]\n", OTHER_ELEMENTS},
    {"  %k = const 1 : f32[1,2]\n  %x = broadcast %k dims [0, 2] : f32[3,5,2]\n", NULL},
    {"  %x = transpose %m dims [0] : f32[4,6]\n", "'dims' is no permutation"},
    {"  %x = transpose %m dims [0, 2] : f32[4,6]\n", "'dims' is no permutation"},
    {"  %x = transpose %m dims [-1, 0] : f32[6,4]\n", "'dims' is no permutation"},
    {"  %x = transpose %m dims [0, 0] : f32[4,4]\n", "'dims' is no permutation"},
    {"  %x = transpose %m dims [1, 0] : f32[6,5]\n", "dimension 1 of the result is not 4"},
    {"  %x = transpose %m dims [1, 0] : f32[6]\n", "the ranks differ"},
    {"  %x = transpose %t dims [2, 0, 1] : f32[6,2,4]\n", NULL},
    // slices
    {"  %x = slice %m starts [0] limits [4, 6] strides [1, 1] : f32[4,6]\n", PARTS_OF_SLICE},
    {"  %x = slice %m starts [0, 0] limits [4] strides [1, 1] : f32[4,6]\n", PARTS_OF_SLICE},
    {"  %x = slice %m starts [0, 0] limits [4, 6] strides [1] : f32[4,6]\n", PARTS_OF_SLICE},
    {"  %x = slice %m starts [0, 0] limits [4, 6] strides [1, 1] : f32[4]\n", PARTS_OF_SLICE},
    {"  %x = slice %f starts [-1] limits [1] strides [1] : f32[2]\n",
     "dimension 0 of size 2 has no slice -1:1:1"},
    {"  %x = slice %f starts [2] limits [1] strides [1] : f32[0]\n",
     "dimension 0 of size 2 has no slice 2:1:1"},
    {"  %x = slice %m starts [0, 0] limits [4, 7] strides [1, 1] : f32[4,7]\n",
     "dimension 1 of size 6 has no slice 0:7:1"},
    {"  %x = slice %m starts [0, 0] limits [4, 6] strides [1, -1] : f32[4,6]\n",
     "dimension 1 of size 6 has no slice 0:6:-1"},
    {"  %x = slice %m starts [0, 1] limits [4, 6] strides [1, 2] : f32[4,2]\n",
     "dimension 1 of the result is not 3"},
    {"  %x = slice %m starts [0, 0] limits [4, 6] strides [1, 2] : f32[4,4]\n",
     "dimension 1 of the result is not 3"},
    {"  %x = slice %m starts [4, 6] limits [4, 6] strides [1, 3] : f32[0,0]\n", NULL},
    // padding
    {"  %x = pad %m, %f0 low [0] high [0, 0] interior [0, 0] : f32[4,6]\n", PARTS_OF_PAD},
    {"  %x = pad %m, %f0 low [0, 0] high [0] interior [0, 0] : f32[4,6]\n", PARTS_OF_PAD},
    {"  %x = pad %m, %f0 low [0, 0] high [0, 0] interior [0] : f32[4,6]\n", PARTS_OF_PAD},
    {"  %x = pad %m, %f0 low [0, 0] high [0, 0] interior [0, 0] : f32[4]\n", PARTS_OF_PAD},
    {"  %x = pad %m, %f0 low [0, 0] high [0, 0] interior [0, -1] : f32[4,1]\n",
     "'interior' is negative"},
    {"  %x = pad %m, %f0 low [0, 1] high [0, 0] interior [0, 0] : f32[4,6]\n",
     "dimension 1 of the result does not fit"},
    {"  %x = pad %f, %f0 low [1] high [0] interior [0] : f32[4]\n",
     "dimension 0 of the result does not fit"},
    {"  %x = pad %f, %f0 low [0] high [9223372036854775807] interior [0] : f32[1]\n",
     "dimension 0 of the result does not fit"},
    {"  %x = pad %m, %f0 low [0, 0] high [0, 0] interior [9223372036854775807, 0] : f32[1,6]\n",
     "dimension 0 of the result does not fit"},
    {"  %x = pad %f, %f0 low [0] high [0] interior [9223372036854775807] : f32[1]\n",
     "dimension 0 of the result does not fit"},
    {"  %x = pad %f, %f low [0] high [0] interior [0] : f32[2]\n",
     "what it pads with is no scalar of that type"},
    {"  %x = pad %m, %f0 low [-1, 2] high [-3, 1] interior [0, 2] : f32[0,19]\n", NULL},
    {"  %k = const {} : f32[0]\n  %x = pad %k, %f0 low [2] high [0] interior [7] : f32[2]\n", NULL},
    {"  %k = const 1 : f32[1]\n  %x = pad %k, %f0 low [0] high [1] interior [7] : f32[2]\n", NULL},
    // concat, rev
    {"  %x = concat %m, %m dim -1 : f32[4,12]\n", "there is no dimension -1"},
    {"  %x = concat %m, %m dim 2 : f32[4,12]\n", "there is no dimension 2"},
    {"  %k = const 1 : f32[5,6]\n  %x = concat %m, %k dim 1 : f32[4,12]\n",
     "operand 1 does not fit the result"},
    {"  %k = const 1 : f32[4,5]\n  %x = concat %m, %k dim 0 : f32[8,6]\n",
     "operand 1 does not fit the result"},
    {"  %k = const 1 : i32[4,6]\n  %x = concat %m, %k dim 0 : f32[8,6]\n",
     "operand 1 does not fit the result"},
    {"  %x = concat %m, %m dim 1 : f32[4,11]\n", "the sizes along dimension 1 do not add up"},
    {"  %x = concat %m dim 1 : f32[4,6]\n", NULL},
    {"  %x = rev %m dims [0, 0] : f32[4,6]\n", "'dims' are not dimensions of the operand"},
    {"  %x = rev %m dims [-1] : f32[4,6]\n", "'dims' are not dimensions of the operand"},
    {"  %x = rev %m dims [1] : f32[4,6]\n", NULL},
    // dynamic slices
    {"  %x = dynamic_slice %m, %i0, %i0, %i0 sizes [1, 1] : f32[1,1]\n",
     "not one start for each dimension"},
    {"  %x = dynamic_slice %m, %i0, %u0 sizes [1, 1] : f32[1,1]\n", "operand 2 is no i32"},
    {"  %x = dynamic_slice %m, %i0, %i sizes [1, 1] : f32[1,1]\n", "operand 2 is no i32"},
    {"  %x = dynamic_slice %m, %i0, %i0 sizes [1] : f32[1]\n", "'sizes' is not the result's shape"},
    {"  %x = dynamic_slice %m, %i0, %i0 sizes [1, 2] : f32[1,3]\n",
     "'sizes' is not the result's shape"},
    {"  %x = dynamic_slice %m, %i0, %i0 sizes [4, 7] : f32[4,7]\n",
     "dimension 1 is smaller than its slice"},
    {"  %x = dynamic_slice %m, %i0, %i0 sizes [4, 6] : f32[4,6]\n", NULL},
    {"  %x = dynamic_update_slice %m, %m, %i0, %u0 : f32[4,6]\n", "operand 3 is no i32"},
    {"  %x = dynamic_update_slice %m, %m, %i0 : f32[4,6]\n", "not one start for each dimension"},
    {"  %x = dynamic_update_slice %m, %f, %i0, %i0 : f32[4,6]\n", "the update does not fit"},
    {"  %k = const 1 : f32[4,7]\n  %x = dynamic_update_slice %m, %k, %i0, %i0 : f32[4,6]\n",
     "dimension 1 is smaller than its update"},
    {"  %x = dynamic_update_slice %m, %m, %i0, %i0 : f32[4,6]\n", NULL},
    // widths
    {"  %x = bitcast_width %f : u8[3,4]\n", WIDTHS},
    {"  %x = bitcast_width %f : u32[2,1]\n", WIDTHS},
    {"  %x = bitcast_width %f : u8[2,1,4]\n", WIDTHS},
    {"  %x = bitcast_width %f : u8[2]\n", WIDTHS},
    {"  %k = const 1 : u8[2,5]\n  %x = bitcast_width %k : f32[2]\n", WIDTHS},
    {"  %k = const 1 : u8[2,4]\n  %x = bitcast_width %k : f32[2]\n", NULL},
    {"  %x = bitcast_width %f : i16[2,2]\n", NULL},
    // reductions
    {"  %x = reduce_sum %m axes [2] : f32[4,6]\n", "'axes' are not dimensions of the operand"},
    {"  %x = reduce_sum %m axes [-1] : f32[4]\n", "'axes' are not dimensions of the operand"},
    {"  %x = reduce_sum %t axes [1] : f32[2,4]\n", "the result is not the operand without 'axes'"},
    {"  %x = reduce_sum %t axes [1] : f32[2]\n", "the result is not the operand without 'axes'"},
    {"  %x = reduce_sum %t axes [2, 0] : f32[4]\n", NULL},
    {"  %x = argmin %m axes [0, 1] : i32\n", "it works along one axis"},
    {"  %x = argmin %m axes [0] : f32[6]\n", "the result is no integer"},
    {"  %x = argmax %m axes [] : i32[4,6]\n", "it works along one axis"},
    {"  %x = argmin %m axes [0] : bool[6]\n", "the result is no integer"},
    {"  %x = cumsum %m dim -1 : f32[4,6]\n", "there is no dimension -1"},
    {"  %x = cumsum %m dim 1 : f32[4,6]\n", NULL},
    // products
    {DOT("%m, %m", "lhs_contract [0, 0] rhs_contract [0, 1]", "f32"), FIRST_OF_DOT},
    {DOT("%t, %t", "lhs_contract [1] rhs_contract [1] lhs_batch [3] rhs_batch [0]", "f32[2,6,6]"),
     FIRST_OF_DOT},
    {DOT("%t, %t", "lhs_contract [1] rhs_contract [1] lhs_batch [1] rhs_batch [0]", "f32[2,6,6]"),
     FIRST_OF_DOT},
    {DOT("%m, %m", "lhs_contract [0] rhs_contract [2]", "f32[6,6]"), SECOND_OF_DOT},
    {DOT("%t, %t", "lhs_contract [1] rhs_contract [1] lhs_batch [0] rhs_batch [3]", "f32[2,6,6]"),
     SECOND_OF_DOT},
    {DOT("%t, %t", "lhs_contract [1] rhs_contract [1] lhs_batch [0] rhs_batch [1]", "f32[2,6,6]"),
     SECOND_OF_DOT},
    {DOT("%t, %t", "lhs_contract [1] rhs_contract [1] lhs_batch [0]", "f32[2,6,2,6]"), UNPAIRED},
    {DOT("%t, %t", "lhs_contract [1, 2] rhs_contract [1]", "f32[2,2,6]"), UNPAIRED},
    {DOT("%t, %t", "lhs_contract [1, 2] rhs_contract [1, 0]", "f32[2,6]"),
     "contracted sizes differ"},
    {DOT("%t, %t", "lhs_contract [2] rhs_contract [2] lhs_batch [0, 1] rhs_batch [0, 0]",
         "f32[2,4,4]"),
     SECOND_OF_DOT},
    {DOT("%t, %t", "lhs_contract [2] rhs_contract [2] lhs_batch [0] rhs_batch [1]", "f32[2,4,2]"),
     "batch sizes differ"},
    {DOT("%m, %p", "", "f32[4,6,2]"), "it is not defined on bool"},
    {DOT("%f, %f", "lhs_contract [0] rhs_contract [0]", "bool"), "it is not defined on bool"},
    {DOT("%f, %f", "lhs_contract [0] rhs_contract [0] sum_block 512", "f32"), NULL},
    {DOT("%t, %t", "lhs_contract [1] rhs_contract [1] lhs_batch [0] rhs_batch [0]", "f32[2,6,6]"),
     NULL},
    {"  %k = const 1 : i32\n" DOT("%f, %f, %k", "lhs_contract [0] rhs_contract [0]", "i32"),
     "sums that are added to an operand have another type"},
    {"  %x = dot %f lhs_contract [0] rhs_contract [0] precision default : f32\n",
     "there are not two or three operands"},
    {"  %x = dot %f, %f, %f0, %f0 lhs_contract [0] rhs_contract [0] precision default : f32\n",
     "there are not two or three operands"},
    // sorting
    {"  %x, %y = sort %f, %i dim 0 keys 0 : (f32[2], i32[2])\n", "there are no 0 keys"},
    {"  %x, %y = sort %f, %i dim 0 keys 2 : (f32[2], i32[2])\n", NULL},
    {"  %x, %y = sort %f, %i dim 0 keys 1 : (f32[2], u32[2])\n",
     "result 1 is not of its operand's type"},
    {"  %x = sort %f dim -1 keys 1 : f32[2]\n", "there is no dimension -1"},
    // memory
    {"  %x = load %r[:, 6] : f32[4]\n", "the index 6 … 6 is out of bounds for size 6"},
    {"  %x = load %r[:, 5] : f32[4]\n", NULL},
    {"  %x = load %r[4 : 0, :] : f32[0,6]\n", NULL},
    {"  %x = load %r[5 : 0, :] : f32[0,6]\n", "the index 5 … 4 is out of bounds for size 4"},
    {"  %x = load %r[1 : 3, :] : f32[3,6]\n", NULL},
    {"  %x = load %r[1 : 3 : 0, :] : f32[3,6]\n", NULL},
    {"  %x = load %r[:, %p0] : f32[4]\n", "operand 1 is no index"},
    {"  %x = load %r[%ix, %u0 : 2] : f32[3,1,2]\n", NULL},
    {"  %x = load %r[0 : %u0 max 2, :] : f32[2,6]\n", "operand 1 is no size"},
    {"  %x = load %r[:, 0 : %i max 2] : f32[4,2]\n", "operand 1 is no size"},
    {"  %x = load %r[:, :] : f32[4,5]\n", NOT_OF_INDEX},
    {"  %x = load %r[:, :] : i32[4,6]\n", NOT_OF_INDEX},
    {"  %x = load %r[:, :] : vmem f32[4,6]\n", NOT_OF_INDEX},
    {"  %x = unwritten %r[:, :] origin 2 : f32[4,6]\n", NOT_OF_INDEX},
    {"  %x = unwritten %r[:, :] origin 1 : u8[4,6]\n", "'origin' is not in 2 to 239"},
    {"  %x = unwritten %r[:, :] origin 240 : u8[4,6]\n", "'origin' is not in 2 to 239"},
    {"  %x = unwritten %r[:, :] origin 239 : u8[4,6]\n", NULL},
    {"  unwrite %m, %r[:, :]\n", NOT_OF_INDEX},
    {"  %k = const 1 : u8[4,6]\n  store %m, %r[:, :] mask %k\n",
     "the mask is no bool array of the value's shape"},
    {"  %k = alloc : vmem bool[4,6]\n  store %m, %r[:, :] mask %k\n",
     "the mask is no bool array of the value's shape"},
    {"  %k = const true : bool[6]\n  store %m, %r[:, :] mask %k\n",
     "the mask is no bool array of the value's shape"},
    {"  store %i, %sem[:]\n", "a semaphore is not read or written so"},
    {"  %x = ref_reshape %r : vmem i32[24]\n", SAME_ELEMENTS},
    {"  %x = ref_reshape %r : vmem f32[25]\n", SAME_ELEMENTS},
    {"  %x = ref_reshape %r : f32[24]\n", SAME_ELEMENTS},
    {"  %x = ref_reshape %m : vmem f32[24]\n", SAME_ELEMENTS},
    {"  %x = ref_reshape %sem : sem regular[2,1]\n", SAME_ELEMENTS},
    {"  %x = ref_reshape %sem : sem dma[2,1]\n", NULL},
    {"  %x = ref_bitcast %r : i32[4,6]\n", "it works on refs of elements"},
    {"  %x = ref_bitcast %sem : sem dma[2]\n", "it works on refs of elements"},
    {"  %x = ref_bitcast %r : smem i32[4,6]\n", "the ref has another space or rank"},
    {"  %x = ref_bitcast %s : smem u32[8]\n", NULL},
    {"  %x = ref_bitcast %r : vmem i32[4,5]\n", "dimension 1 does not fit"},
    {"  %x = ref_bitcast %r : vmem i16[8,6]\n", NULL},
    {"  %x = ref_bitcast %r : vmem i16[16,3]\n", "dimension 0 does not fit"},
    // parts
    {"  %x = part %i0 : vmem f32[4,6]\n", "operands are missing"},
    {"  %x = part %r, %i0 : f32[2,6]\n", "the result is no ref of such elements"},
    {"  %x = part %m, %i0 : vmem f32[2,6]\n", "the result is no ref of such elements"},
    {"  %x = part %r, %i0 : smem f32[2,6]\n", "the result is no ref of such elements"},
    {"  %x = part %r, %i0 : vmem i32[2,6]\n", "the result is no ref of such elements"},
    {"  %x = part %sem, %i0 : sem dma[1]\n", "the result is no ref of such elements"},
    {"  %x = part %r, %s, %i0 : vmem f32[4,6]\n", "the result is no ref of such elements"},
    {"  %x = part %r, %i0 : vmem f32[5,2]\n", "the parts are not equal"},
    {"  %x = part %r, %i0 : vmem f32[0,6]\n", "the parts are not equal"},
    {"  %x = part %r, %r, %i0 : vmem f32[2,6]\n", "the parts are not equal"},
    {"  %x = part %r, %f0 : vmem f32[2,6]\n", "its last operand is no i32"},
    {"  %x = part %r, %r, %u0 : vmem f32[4,6]\n", "its last operand is no i32"},
    {"  %x = part %r, %i0 : vmem f32[3,2]\n", NULL},
    {"  %x = part %r, %r, %r, %i0 : vmem f32[24]\n", NULL},
    // copies and semaphores
    {"  copy %m, %r\n", BETWEEN_REFS},
    {"  copy %sem, %r\n", BETWEEN_REFS},
    {"  copy %r, %sem\n", BETWEEN_REFS},
    {"  %k = alloc : vmem i32[4,6]\n  copy %r, %k\n", DIFFER_IN_TYPE},
    {"  %k = alloc : vmem f32[4,5]\n  copy %r, %k\n", DIFFER_IN_TYPE},
    {"  copy.start %r, %r\n", "operands are missing"},
    {"  copy.start %r, %r, %i0\n", "operand 2 is no semaphore"},
    {"  copy.start %r, %r, %sem0 target r\n", "operands are missing"},
    {"  copy.start %r, %r, %sem0, %i0 target dc\n", "operands are missing"},
    {"  copy.start %r, %r, %sem0, %i0, %f0 target dc\n", "operand 4 is no i32"},
    {"  copy.start %r, %r, %sem0, %sem0, %u0 target rd\n", "operand 4 is no i32"},
    {"  copy.start %r, %r, %sem0, %sem0, %i0, %i0 target rd\n",
     "there are operands that the target does not name"},
    {"  sem.signal %sem0\n", "the increment is no i32"},
    {"  sem.signal %sem0, %f0\n", "the increment is no i32"},
    {"  sem.signal %sem, %i0\n", "operand 0 is no semaphore"},
    {"  sem.signal %i0, %i0\n", "operand 0 is no semaphore"},
    {"  sem.signal %sem0, %i0, %i0\n", "there are operands that the target does not name"},
    {"  sem.wait %sem, %i0\n", "operand 0 is no semaphore"},
    {"  sem.wait %sem0, %f0\n", "the value is no i32"},
    {"  %x = sem.read %sem : i32\n", "operand 0 is no semaphore"},
    {"  %x = sem.read %sem0 : u32\n", "the result is no i32"},
    {"  %x = sem.barrier collective_id 3 : sem barrier[1]\n", "the result is no semaphore"},
    {"  %x = sem.barrier collective_id -1 : sem barrier\n", "it has no collective id"},
    {"  %x = sem.barrier collective_id 0 : sem barrier\n", NULL},
    {"  publish %m\n", NO_ELEMENTS},
    {"  publish %sem\n", NO_ELEMENTS},
    {"  %x = fetch.add %i0, %i0, %i0 : i32\n", "operand 0 is no ref of one i32"},
    {"  %x = fetch.add %s, %i0, %i0 : i32\n", "operand 0 is no ref of one i32"},
    {"  %x = fetch.add %sem0, %i0, %i0 : i32\n", "operand 0 is no ref of one i32"},
    {"  %k = alloc : smem u32\n  %x = fetch.add %k, %i0, %i0 : i32\n",
     "operand 0 is no ref of one i32"},
    {"  %x = fetch.add %c, %u0, %i0 : i32\n", OF_FETCH_ADD},
    {"  %x = fetch.add %c, %i0, %u0 : i32\n", OF_FETCH_ADD},
    {"  %x = fetch.add %c, %i0, %i0 : u32\n", OF_FETCH_ADD},
    {"  copy.wait %r, %r\n", "operand 0 is no semaphore"},
    {"  copy.wait %sem0, %m\n", "operand 1 is no ref of elements"},
    // what is there under check
    {"  turn stage next\n", "only the next iteration has a number"},
    {"  turn %i0 stage leave\n", "only the next iteration has a number"},
    {"  turn %u0 stage next\n", "the number is no i32"},
    {"  turn stage enter\n", NULL},
    {"  parallel.step\n", "the step's number is no i32"},
    {"  parallel.step %u0\n", "the step's number is no i32"},
    {"  parallel.step %i0, %sem, %r\n", "operand 2 is no ref to semaphores"},
    {"  parallel.step %i0, %sem, %i0\n", "operand 2 is no ref to semaphores"},
    {"  parallel.step %i0, %sem, %sem0\n", NULL},
    {"  parallel.end %i0\n", "operand 0 is no ref to semaphores"},
    {"  parallel.end %sem, %r\n", "operand 1 is no ref to semaphores"},
    {"  parallel.end %sem\n", NULL},
    {"  parallel.write %m, %r, %i0 name \"o\"\n", NO_ELEMENTS},
    {"  parallel.write %sem, %r, %i0 name \"o\"\n", NO_ELEMENTS},
    {"  parallel.write %r, %m, %i0 name \"o\"\n", "operand 1 is no ref of elements"},
    {"  parallel.write %r, %sem, %i0 name \"o\"\n", "operand 1 is no ref of elements"},
    {"  parallel.write %r, %r, %u0 name \"o\"\n", "the step's number is no i32"},
    {"  parallel.read %r, %u0 name \"o\"\n", "the step's number is no i32"},
    {"  parallel.read %sem, %i0 name \"o\"\n", NO_ELEMENTS},
    {"  fetch.ahead %r, %sem name \"o\" buffers 2 ahead 1\n", "operand 1 is no semaphore"},
    {"  fetch.ahead %m, %sem0 name \"o\" buffers 2 ahead 1\n", NO_ELEMENTS},
    {"  write.behind %r, %r name \"o\" buffers 2\n", "operand 1 is no semaphore"},
    {"  write.behind %sem, %sem0 name \"o\" buffers 2\n", NO_ELEMENTS},
    {"  begin %sem\n", NO_ELEMENTS},
    {"  enter %m\n", NO_ELEMENTS},
    {"  release %sem\n", NO_ELEMENTS},
    {"  dies %m\n", NO_ELEMENTS},
    {"  copy.index %sem\n", NO_ELEMENTS},
    {"  check.written %sem name \"o\"\n", NO_ELEMENTS},
    {"  check.used %i0 format \"\"\n", "the operand is no u8"},
    {"  check.used %h format \"\"\n", "the operand is no u8"},
    {"  check format \"\"\n", "the first operand is no bool"},
    {"  check %p format \"\"\n", "the first operand is no bool"},
    {"  step.enter %i0, %u0 name \"k\"\n", "operand 1 is no i32"},
    {"  prng_seed %i0, %f0\n", "operand 1 is no i32"},
    {"  prng_seed %i0, %u0\n", NULL},
    {"  %x = prng_bits : u8[2]\n", "the result is not of u32 or i32"},
    {"  %x = prng_bits : i32[2]\n", NULL},
    // control
    {"  for %k = %i0 to %f0 step %i0 {\n  }\n", "operand 1 is no i32"},
    {"  for %k = %i0 to %i0 step %f0 {\n  }\n", "operand 2 is no i32"},
    {"  %o = const 1 : i32\n  for %k = %i0 to %i0 step %o unroll 1 {\n  }\n", NULL},
    {"  %n = const -1 : i32\n  for %k = %i0 to %i0 step %n {\n  }\n", "the step is not positive"},
    {"  %x, %y = for %k = %i0 to %i0 step %i0 carry (%a = %f : f32[2], %b = %i : u32[2]) {\n"
     "    yield %a, %b\n  }\n",
     "result 1 is of another type"},
    {"  %x, %y = for %k = %i0 to %i0 step %i0 carry (%a = %f : f32[2], %b = %i : i32[2]) {\n"
     "    yield %a, %a\n  }\n",
     "yielded value 1 is of another type"},
    {"  %x, %y = while (%a = %f : f32[2], %b = %i : u32[2]) {\n    yield %p0\n"
     "  } do (%c1, %d1) {\n    yield %c1, %d1\n  }\n",
     "result 1 is of another type"},
    {"  %x = while (%a = %f : f32[2]) {\n    yield %p0, %p0\n  } do (%c1) {\n    yield %c1\n  }\n",
     "the test does not yield one bool"},
    {"  %x = while (%a = %f : f32[2]) {\n    yield %p\n  } do (%c1) {\n    yield %c1\n  }\n",
     "the test does not yield one bool"},
    {"  if %p {\n  }\n", "the operand is no bool"},
    {"  switch %u0 case {\n  }\n", "the operand is no i32"},
    {"  %x = if %p0 : f32[2] {\n    yield %f\n  } else {\n    yield %i\n  }\n",
     "yielded value 0 is of another type"},
    {"  %x = switch %i0 : f32 case {\n    yield %f0\n  } case {\n    yield %i0\n  }\n",
     "yielded value 0 is of another type"},
    {"  cores \"k\" meshes \"tensor core:2\" (%a, %b) {\n  }\n",
     "program 0 takes 2 indices, its mesh has 1 axes"},
    {"  cores \"k\" meshes \"tensor core:2; vector core:4 subcore:16\" (%a) {\n  } and (%b) {\n  "
     "}\n",
     "program 1 takes 1 indices, its mesh has 2 axes"},
    {"  cores \"k\" meshes \"tensor core:2; vector core:4\" (%a) {\n  }\n",
     "there are more meshes than programs"},
    {"  cores \"k\" meshes \"tensor core:2\" (%a) {\n  } and (%b) {\n  }\n",
     "program 1 has no mesh"},
    {"  cores \"k\" meshes \"tensor core:2\" (%a) {\n    yield %a\n  }\n",
     "a region yields 1 values instead of 0"},
    // what vmap alone gives a meaning
    {GATHER(OF_ROWS "sizes [1, 6]", "f32[3,6]"), NULL},
    {GATHER(OF_ROWS "sizes [0, 6]", "f32[3,6]"), NULL},
    {GATHER(OF_ROWS "sizes [1, 0]", "f32[3,0]"), NULL},
    {GATHER(OF_ROWS "sizes [1, 7]", "f32[3,7]"), "size 1 is out of range"},
    {GATHER(OF_ROWS "sizes [1, -1]", "f32[3,6]"), "size 1 is out of range"},
    {GATHER(OF_ROWS "sizes [-1, 6]", "f32[3,6]"), "size 0 is out of range"},
    {GATHER(OF_ROWS "sizes [2, 6]", "f32[3,6]"), "a collapsed dimension is not of size 1"},
    {GATHER(OF_ROWS "sizes [1]", "f32[3,6]"), "not one size for each dimension"},
    {GATHER(OF_ROWS "sizes [1, 6]", "i32[3,6]"), OTHER_ELEMENTS},
    {GATHER_BATCHES("[1, 1]"), NULL},
    {GATHER_BATCHES("[2, 1]"), "a batch dimension is not of size 1"},
    {GATHER_BATCHES("[1, 2]"), "a collapsed dimension is not of size 1"},
    {"  %x = gather_batch %m, %f0 : f32[3,4,6]\n", "the index is no i32"},
    {"  %x = gather_batch %m, %i0 : i32[3,4,6]\n", "the result is no batch of the operand"},
    {"  %x = gather_batch %m, %i0 : f32[4,6]\n", "the result is no batch of the operand"},
    {"  %x = gather_batch %m, %i0 : f32[3,5,6]\n",
     "dimension 1 of the result is not the operand's"},
    {"  %x = gather_batch %m, %i0 : f32[3,4,5]\n",
     "dimension 2 of the result is not the operand's"},
    {"  %x = gather_batch %m, %i0 : f32[3,4,6]\n", "there is no vmap around it"},
    // lookups
    {"  %j = const 1 : i32[3,6]\n  %x = lookup %m, %j, %j index_map [1, 0] : f32[3,6]\n", NULL},
    {"  %j = const 1 : i32[3,6]\n  %x = lookup %m, %j index_map [1, 0] : f32[3,6]\n",
     "not one dimension for each index"},
    {"  %j = const 1 : i32[3,6]\n  %x = lookup %m, %j index_map [2] : f32[3,6]\n",
     "there is no dimension 2"},
    {"  %j = const 1 : i32[3,6]\n  %x = lookup %m, %j index_map [-1] : f32[3,6]\n",
     "there is no dimension -1"},
    {"  %j = const 1 : i32[3,6]\n  %x = lookup %m, %j index_map [0] : i32[3,6]\n", OTHER_ELEMENTS},
    {"  %j = const 1 : i32[3,6]\n  %x = lookup %m, %j index_map [0] : f32[3,5]\n",
     "index 0 is no i32 of the result's shape"},
    {"  %j = const 1 : i16[3,6]\n  %x = lookup %m, %j index_map [0] : f32[3,6]\n",
     "index 0 is no i32 of the result's shape"},
    {"  %x = lookup index_map [] : f32[3,6]\n", "there is nothing to look up"},
    // launches
    {"  launch \"k\" grid [%i0, %f0] {parallel, parallel} {\n  } body (%g, %h1) {\n  }\n",
     "operand 1 is no size of the grid"},
    {"  launch \"k\" grid [2, 2] {parallel, parallel} grid_names [\"a\"] {\n  } body (%g, %h1) {\n"
     "  }\n",
     "not one name for each grid dimension"},
    {"  launch \"k\" grid [2] {parallel} vmem_limit 0 collective_id 0 {\n  } body (%g) {\n  }\n",
     NULL},
    {"  launch \"k\" grid [2] {parallel} {\n    prefetch %q: smem i32[9] of %s\n  } body (%g, %q) "
     "{\n"
     "  }\n",
     "prefetch ref 0 is not of its operand's type"},
    {"  launch \"k\" grid [2] {parallel} {\n    prefetch %q: smem u32[8] of %s\n  } body (%g, %q) "
     "{\n"
     "  }\n",
     "prefetch ref 0 is not of its operand's type"},
    {"  launch \"k\" grid [2] {parallel} {\n    prefetch %q: f32[4,6] of %m\n  } body (%g, %q) {\n"
     "  }\n",
     "prefetch ref 0 is not of its operand's type"},
    {"  launch \"k\" grid [2] {parallel} {\n    prefetch %q: smem i32[8] of %s\n"
     "    prefetch %q1: smem i32[9] of %s\n  } body (%g, %q, %q1) {\n  }\n",
     "prefetch ref 1 is not of its operand's type"},
    {LAUNCH("    block %x: vmem i32[2] of %sem at (%g) buffers 2\n", "%g, %h1, %x"),
     "block 0: the operand is no ref of elements"},
    {LAUNCH("    block %x: f32[2,3] of %r at (%g, %h1) buffers 2\n", "%g, %h1, %x"),
     BODY_HAS_OTHER},
    {LAUNCH("    block %x: vmem f32[2,3] of %r at (%g, %h1) buffers 2\n"
            "    block %y: vmem i32[2,3] of %r at (%g, %h1) buffers 2\n",
            "%g, %h1, %x, %y"),
     "block 1: the body's ref has another space or element type"},
    {LAUNCH("    block %x: vmem f32[2,3] of %r at (%g, %h1) buffers 1\n", "%g, %h1, %x"), NULL},
    {LAUNCH("    block %x: vmem f32[0,3] of %r at (%g, %h1) buffers 1\n", "%g, %h1, %x"), NULL},
    {LAUNCH("    block %x: vmem f32[4,5] of %r whole\n", "%g, %h1, %x"),
     "block 0: the body's ref is not the whole array"},
    {LAUNCH("    block %x: vmem f32[2,3] of %r shape [element 2 pad -1 0, 3] at (%g, %h1) buffers "
            "2\n",
            "%g, %h1, %x"),
     "block 0: dimension 0 is negative"},
    {LAUNCH("    block %x: vmem f32[2,3] of %r shape [2, element 3 pad 0 -1] at (%g, %h1) buffers "
            "2\n",
            "%g, %h1, %x"),
     "block 0: dimension 1 is negative"},
    {LAUNCH("    block %x: vmem f32[2] of %r shape [2, 3] at (%g, %h1) buffers 2\n", "%g, %h1, %x"),
     "block 0: the body's ref has not the block's shape"},
    {LAUNCH("    block %x: vmem f32[2,3] of %r shape [2, bounded 3] at (%a, %b) {\n"
            "      yield %a, %b, %f0\n    } buffers 2\n",
            "%g, %h1, %x"),
     "block 0: the index map yields something else than i32"},
    {LAUNCH("    scratch %a: f32[2]\n", "%g, %h1, %a"), "scratch 0 is of another type"},
    {LAUNCH("    scratch %a: vmem f32[2]\n    scratch %b: f32[2]\n", "%g, %h1, %a, %b"),
     "scratch 1 is of another type"},
};

START_TEST(part_of_rule) {
  const Case *c = &cases[_i];
  Session *session = session_new(0);
  Str text = str_format(session->arena, "module tpu v5p devices 1\nfunc @f() {\n%s%s}\n", preamble,
                        c->text);
  IrModule *module = ir_read(session, source_add(session, STR("t.ir"), text, false));
  const Diag *diag = session->first_diag;
  if (!c->reason) {
    ck_assert_msg(module != NULL, "%s\ngives  %.*s", c->text,
                  STR_FMT(diag ? diag->message : STR("nothing")));
  } else {
    ck_assert_msg(module == NULL, "accepted: %s", c->text);
    Str want = str_format(session->arena, ": %s", c->reason);
    ck_assert_msg(str_ends_with(diag->message, want), "%s\ngives  %.*s\nwanted %s", c->text,
                  STR_FMT(diag->message), c->reason);
  }
  session_free(session);
}
END_TEST

// ---- element types -----------------------------------------------------------------------------
// Ops, and the kinds of element types that they are defined on: b(ool), i(nteger), u(nsigned),
// f(loat).
static const struct {
  const char *ops, *kinds;
} defined[] = {
    {"neg abs sign sub div rem floordiv mod reduce_sum reduce_prod cumsum cumprod", "iuf"},
    {"not and or xor reduce_and reduce_or reduce_xor", "biu"},
    {"popcount clz shl shr shr_logical", "iu"},
    {"floor ceil trunc round_even round_away exp exp2 expm1 log log1p log2 sqrt rsqrt cbrt sin cos "
     "tan asin acos atan sinh cosh tanh asinh acosh atanh logistic erf erfc erf_inv lgamma "
     "reciprocal reduce_precision pow atan2 nextafter is_finite cumlogsumexp",
     "f"},
    {"add mul max min eq ne lt le gt ge select convert reduce_max reduce_min argmax argmin cummax "
     "cummin",
     "biuf"},
};

static const char *kinds_of(Str name) {
  for (size_t i = 0; i < COUNT_OF(defined); i++) {
    const char *at = defined[i].ops;
    for (size_t length; *at; at += length + (at[length] == ' ')) {
      length = strcspn(at, " ");
      if (str_equal((Str){at, length}, name)) return defined[i].kinds;
    }
  }
  return NULL;
}

static bool is_accepted(OpCode code, DType dtype) {
  const OpInfo *info = op_info(code);
  Session *session = session_new(0);
  IrModule *module = ir_module_new(session);
  IrFunc *func = ir_func_new(module, name_intern_c(session->interner, "f"), (Span){0});
  IrBuilder b = {.module = module, .region = func->body};
  bool is_reduced = info->op_class == CLASS_REDUCE;
  bool has_bool = info->op_class == CLASS_COMPARE || code == OP_IS_FINITE;
  bool has_index = code == OP_ARGMAX || code == OP_ARGMIN;
  const IrType *type = ir_array_type(module, dtype, 1, (int64_t[]){2});
  DType given = has_bool ? DT_BOOL : has_index ? DT_I32 : dtype;
  const IrType *result = ir_array_type(module, given, is_reduced ? 0 : 1, (int64_t[]){2});
  uint8_t bytes[2 * sizeof(double)] = {0};
  IrValue *x = ir_const(&b, type, bytes, 2);
  IrValue *flags = ir_const_i64(&b, ir_array_type(module, DT_BOOL, 1, (int64_t[]){2}), 1);
  IrValue *operands[] = {code == OP_SELECT ? flags : x, x, x};
  IrOp *op = ir_build(&b, code, (uint32_t)info->operands, operands, 1, &result);
  for (int i = 0; i < info->attr_count; i++) {
    AttrKind kind = attr_kind(info->attrs[i]);
    if (kind == KIND_INTS) ir_set_ints(module, op, info->attrs[i], 1, (int64_t[]){0});
    if (kind == KIND_INT || kind == KIND_BOOL)
      ir_set_int(module, op, info->attrs[i], code == OP_REDUCE_PRECISION);
  }
  ir_yield(&b, 0, NULL);
  bool ok = ir_verify(module, NULL);
  session_free(session);
  return ok;
}

START_TEST(element_types) {
  static const struct {
    char kind;
    DType dtype;
  } samples[] = {{'b', DT_BOOL}, {'i', DT_I8},  {'i', DT_I32},  {'u', DT_U16},
                 {'u', DT_U32},  {'f', DT_F32}, {'f', DT_BF16}, {'f', DT_F64}};
  for (int code = 0; code < OP_COUNT; code++) {
    const OpInfo *info = op_info((OpCode)code);
    bool is_one = info->op_class <= CLASS_CUMULATIVE && info->op_class != CLASS_CONST &&
                  info->op_class != CLASS_SHAPE && code != OP_BITCAST && code != OP_THREEFRY;
    if (!is_one) continue;
    const char *kinds = kinds_of(str_from_c(info->name));
    ck_assert_msg(kinds != NULL, "%s", info->name);
    for (size_t i = 0; i < COUNT_OF(samples); i++)
      ck_assert_msg(is_accepted((OpCode)code, samples[i].dtype) ==
                        (strchr(kinds, samples[i].kind) != NULL),
                    "%s on %s", info->name, dtype_short_name(samples[i].dtype));
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("rules");
  TCase *tcase = tcase_create("all");
  tcase_add_loop_test(tcase, part_of_rule, 0, (int)COUNT_OF(cases));
  tcase_add_test(tcase, element_types);
  suite_add_tcase(suite, tcase);
  return suite_run(suite);
}
