// SPDX-License-Identifier: Apache-2.0
// ir_evaluate against values that JAX 0.10.2 gives (or that are plain arithmetic). The last value
// of each text is compared, as text.
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/map.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/build_memory.h"
#include "ir/core/ir.h"
#include "ir/core/verify.h"
#include "ir/interpret/evaluate.h"
#include "ir/text/print.h"
#include "ir/text/read.h"
#include "suite.h"

typedef struct Case {
  const char *text; // lines of a function; the last one's first result is looked at
  const char *want;
} Case;

// Shorthands for operands.
#define F(values, n) "  %x = const {" values "} : f32[" n "]\n"
#define I(values, n) "  %x = const {" values "} : i32[" n "]\n"
#define LONG_UNSIGNED                                                                              \
  "  %x = const {18446744073709551615, 1, 7} : u64[3]\n"                                           \
  "  %y = const {1, 18446744073709551615, 7} : u64[3]\n"

static const Case cases[] = {
    // integers
    {"  %x = const {127, -128, 5} : i8[3]\n  %y = const {1, -1, 2} : i8[3]\n  %r = add %x, %y : "
     "i8[3]\n",
     "{-128, 127, 7} : i8[3]"},
    {"  %x = const {4294967295, 3} : u32[2]\n  %r = mul %x, %x : u32[2]\n", "{1, 9} : u32[2]"},
    {"  %x = const {-8, 7} : i4[2]\n  %r = neg %x : i4[2]\n", "{-8, -7} : i4[2]"},
    {I("5, -5, 0, -2147483648", "4") "  %y = const 0 : i32[4]\n  %r = div %x, %y : i32[4]\n",
     "-1 : i32[4]"},
    {I("5, -5, 0, -2147483648", "4") "  %y = const 0 : i32[4]\n  %r = rem %x, %y : i32[4]\n",
     "{5, -5, 0, -2147483648} : i32[4]"},
    {I("5, -5, 0, -2147483648", "4") "  %y = const 0 : i32[4]\n  %r = floordiv %x, %y : i32[4]\n",
     "{-2, -2, -1, -2} : i32[4]"},
    {I("5, -5, 0, -2147483648", "4") "  %y = const 0 : i32[4]\n  %r = mod %x, %y : i32[4]\n",
     "0 : i32[4]"},
    {I("5, -5, 0, -2147483648", "4") "  %y = const -1 : i32[4]\n  %r = div %x, %y : i32[4]\n",
     "{-5, 5, 0, -2147483648} : i32[4]"},
    {I("5, -5, 0, -2147483648", "4") "  %y = const -1 : i32[4]\n  %r = rem %x, %y : i32[4]\n",
     "0 : i32[4]"},
    {I("7, -7, 7, -7",
       "4") "  %y = const {3, 3, -3, -3} : i32[4]\n  %r = floordiv %x, %y : i32[4]\n",
     "{2, -3, -3, 2} : i32[4]"},
    {I("7, -7, 7, -7", "4") "  %y = const {3, 3, -3, -3} : i32[4]\n  %r = mod %x, %y : i32[4]\n",
     "{1, 2, -2, -1} : i32[4]"},
    {"  %x = const {5, 0, 7} : u32[3]\n  %y = const 0 : u32[3]\n  %r = floordiv %x, %y : u32[3]\n",
     "4294967295 : u32[3]"},
    {I("1, -8, 1, -8", "4") "  %y = const {32, 40, -1, 2} : i32[4]\n  %r = shl %x, %y : i32[4]\n",
     "{0, 0, 0, -32} : i32[4]"},
    {I("1, -8, 1, -8", "4") "  %y = const {32, 40, -1, 2} : i32[4]\n  %r = shr %x, %y : i32[4]\n",
     "{0, -1, 0, -2} : i32[4]"},
    {I("1, -8, 1, -8",
       "4") "  %y = const {32, 40, -1, 2} : i32[4]\n  %r = shr_logical %x, %y : i32[4]\n",
     "{0, 0, 0, 1073741822} : i32[4]"},
    {"  %x = const {4294967295, 2147483648, 5} : u32[3]\n  %y = const {15, 40, 1} : u32[3]\n"
     "  %r = shr %x, %y : u32[3]\n",
     "{4294967295, 4294967295, 2} : u32[3]"},
    {"  %x = const {0, 1, -1} : i8[3]\n  %r = clz %x : i8[3]\n", "{8, 7, 0} : i8[3]"},
    {"  %x = const {-1, 0, 5} : i16[3]\n  %r = popcount %x : i16[3]\n", "{16, 0, 2} : i16[3]"},
    {"  %x = const {true, false} : bool[2]\n  %r = not %x : bool[2]\n", "{false, true} : bool[2]"},
    {"  %x = const {0, 5} : u8[2]\n  %r = not %x : u8[2]\n", "{255, 250} : u8[2]"},
    {"  %x = const {true, true, false} : bool[3]\n  %y = const {true, false, false} : bool[3]\n"
     "  %r = add %x, %y : bool[3]\n",
     "{true, true, false} : bool[3]"},
    {I("-2147483648, 0, 3", "3") "  %r = abs %x : i32[3]\n", "{-2147483648, 0, 3} : i32[3]"},
    {I("-2, 0, 3", "3") "  %r = sign %x : i32[3]\n", "{-1, 0, 1} : i32[3]"},
    {LONG_UNSIGNED "  %r = lt %x, %y : bool[3]\n", "{false, true, false} : bool[3]"},
    {LONG_UNSIGNED "  %r = ge %x, %y : bool[3]\n", "{true, false, true} : bool[3]"},
    {LONG_UNSIGNED "  %r = max %x, %y : u64[3]\n",
     "{18446744073709551615, 18446744073709551615, 7} : u64[3]"},
    // floats
    {F("5, -5, 0, -0, inf, nan, 7.5, -7.5", "8") "  %y = const 3 : f32[8]\n"
                                                 "  %r = floordiv %x, %y : f32[8]\n",
     "{1, -2, 0, 0, nan, nan, 2, -3} : f32[8]"},
    {F("5, -5, 0, -0, inf, nan, 7.5, -7.5", "8") "  %y = const -3 : f32[8]\n"
                                                 "  %r = mod %x, %y : f32[8]\n",
     "{-1, -2, 0, -0, nan, nan, -1.5, -1.5} : f32[8]"},
    {F("5, -5, 7.5", "3") "  %y = const inf : f32[3]\n  %r = floordiv %x, %y : f32[3]\n",
     "{0, -1, 0} : f32[3]"},
    {"  %x = const 1000 : bf16\n  %y = const 3 : bf16\n  %r = floordiv %x, %y : bf16\n",
     "334 : bf16"},
    {F("-0, 0, nan, 1", "4") "  %y = const {0, -0, 1, nan} : f32[4]\n  %r = max %x, %y : f32[4]\n",
     "{0, 0, nan, nan} : f32[4]"},
    {F("-0, 0, nan, 1", "4") "  %y = const {0, -0, 1, nan} : f32[4]\n  %r = min %x, %y : f32[4]\n",
     "{-0, -0, nan, nan} : f32[4]"},
    {F("-0, nan, -3, 2", "4") "  %r = sign %x : f32[4]\n", "{-0, nan, -1, 1} : f32[4]"},
    {F("1.5, 2.5, -0.5, 0.5", "4") "  %r = round_even %x : f32[4]\n", "{2, 2, -0, 0} : f32[4]"},
    {F("1.5, 2.5, -0.5, 0.5", "4") "  %r = round_away %x : f32[4]\n", "{2, 3, -1, 1} : f32[4]"},
    {F("1.5, -1.5", "2") "  %r = floor %x : f32[2]\n", "{1, -2} : f32[2]"},
    {F("1.5, -1.5", "2") "  %r = ceil %x : f32[2]\n", "{2, -1} : f32[2]"},
    {F("1.5, -1.5", "2") "  %r = trunc %x : f32[2]\n", "{1, -1} : f32[2]"},
    {F("0.1, 3", "2") "  %y = const {0.2, 7} : f32[2]\n  %r = add %x, %y : f32[2]\n",
     "{0.3, 10} : f32[2]"},
    {F("1, 2", "2") "  %y = const {3, -0} : f32[2]\n  %r = div %x, %y : f32[2]\n",
     "{0.33333334, -inf} : f32[2]"},
    {"  %x = const {1, 256} : bf16[2]\n  %y = const {0.01, 1} : bf16[2]\n  %r = add %x, %y : "
     "bf16[2]\n",
     "{1.01, 256} : bf16[2]"},
    {"  %x = const 2048 : f16\n  %y = const 1 : f16\n  %r = add %x, %y : f16\n", "2048 : f16"},
    {"  %x = const 60000 : f16\n  %r = add %x, %x : f16\n", "inf : f16"},
    {F("7.5, -7.5", "2") "  %y = const 2 : f32[2]\n  %r = rem %x, %y : f32[2]\n",
     "{1.5, -1.5} : f32[2]"},
    {F("1e-40, 1.2345, 1e30, nan, 6e-8, 65519, 65520",
       "7") "  %r = reduce_precision %x exponent_bits 5 mantissa_bits 10 : f32[7]\n",
     "{0, 1.234375, inf, nan, 0, 65504, inf} : f32[7]"},
    {"  %x = const {6e-8, 1.2345, 3e-6} : f16[3]\n"
     "  %r = reduce_precision %x exponent_bits 5 mantissa_bits 3 : f16[3]\n",
     "{0, 1.25, 0} : f16[3]"},
    {"  %x = const {0, 1, -0, nan, 1} : bf16[5]\n  %y = const {1, 0, -1, 1, 1} : bf16[5]\n"
     "  %r = nextafter %x, %y : bf16[5]\n",
     "{9e-41, 0.996, -9e-41, nan, 1} : bf16[5]"},
    {F("-8, 0, 2", "3") "  %y = const {0.33333334, 0, 0.5} : f32[3]\n  %r = pow %x, %y : f32[3]\n",
     "{nan, 1, 1.4142135} : f32[3]"},
    {F("1, nan, inf", "3") "  %r = is_finite %x : bool[3]\n", "{true, false, false} : bool[3]"},
    {F("1, nan, -0", "3") "  %y = const {1, nan, 0} : f32[3]\n  %r = eq %x, %y : bool[3]\n",
     "{true, false, true} : bool[3]"},
    {F("1, nan, -0", "3") "  %y = const {1, nan, 0} : f32[3]\n  %r = ne %x, %y : bool[3]\n",
     "{false, true, false} : bool[3]"},
    {F("1, nan, 2", "3") "  %y = const {2, nan, 1} : f32[3]\n  %r = ge %x, %y : bool[3]\n",
     "{false, false, true} : bool[3]"},
    {F("1, nan", "2") "  %r = neg %x : f32[2]\n", "{-1, 0xffc00000} : f32[2]"},
    {F("4, 0.25", "2") "  %r = rsqrt %x : f32[2]\n", "{0.5, 2} : f32[2]"},
    {F("0, 3", "2") "  %r = logistic %x : f32[2]\n", "{0.5, 0.95257413} : f32[2]"},
    {F("0, 0.5, -0.999, 1, 2", "5") "  %r = erf_inv %x : f32[5]\n",
     "{0, 0.47693628, -2.3267562, inf, nan} : f32[5]"},
    // conversions
    {F("300, -5, nan, inf, 1e20, -1e20", "6") "  %r = convert %x : i8[6]\n",
     "{127, -5, 0, 127, 127, -128} : i8[6]"},
    {F("300, -5, nan, 2.9", "4") "  %r = convert %x : u8[4]\n", "{255, 0, 0, 2} : u8[4]"},
    {I("300, -300", "2") "  %r = convert %x : i8[2]\n", "{44, -44} : i8[2]"},
    {F("0.5, 0, nan", "3") "  %r = convert %x : bool[3]\n", "{true, false, true} : bool[3]"},
    {I("16842753, 1", "2") "  %r = convert %x : bf16[2]\n", "{16777216, 1} : bf16[2]"},
    {I("4099, 70000", "2") "  %r = convert %x : f16[2]\n", "{4100, inf} : f16[2]"},
    {F("1, -0", "2") "  %r = bitcast %x : i32[2]\n", "{1065353216, -2147483648} : i32[2]"},
    {"  %x = const {200, 17, 255} : u8[3]\n  %r = bitcast %x : i8[3]\n", "{-56, 17, -1} : i8[3]"},
    {"  %x = const {-7, 3} : i4[2]\n  %r = bitcast %x : u4[2]\n", "{9, 3} : u4[2]"},
    {"  %x = const {3, -1.5, 240} : f8e4m3fn[3]\n  %r = neg %x : f8e4m3fn[3]\n",
     "{-3, 1.5, -240} : f8e4m3fn[3]"},
    {F("1, -2", "2") "  %r = bitcast_width %x : u8[2,4]\n",
     "{0, 0, 128, 63, 0, 0, 0, 192} : u8[2,4]"},
    {"  %x = const {1, 2, 3, 4} : u8[1,4]\n  %r = bitcast_width %x : u32[1]\n",
     "67305985 : u32[1]"},
    {"  %x = const -2 : i8\n  %r = bitcast_width %x : i4[2]\n", "{-2, -1} : i4[2]"},
    // other elementwise
    {"  %p = const {true, false} : bool[2]\n" F("1, 2", "2") "  %y = const 9 : f32[2]\n"
                                                             "  %r = select %p, %x, %y : f32[2]\n",
     "{1, 9} : f32[2]"},
    {"  %k = const 0 : u32\n  %r, %s = threefry2x32 %k, %k, %k, %k : (u32, u32)\n",
     "1797259609 : u32"},
    // shape
    {"  %r = iota dim 1 : bf16[2,3]\n", "{0, 1, 2, 0, 1, 2} : bf16[2,3]"},
    {I("1, 2", "2") "  %r = broadcast %x dims [1] : i32[3,2]\n", "{1, 2, 1, 2, 1, 2} : i32[3,2]"},
    {"  %x = const {1, 2} : i32[2,1]\n  %r = broadcast %x dims [0, 1] : i32[2,3]\n",
     "{1, 1, 1, 2, 2, 2} : i32[2,3]"},
    {"  %x = const {1, 2, 3, 4, 5, 6} : i32[2,3]\n  %r = transpose %x dims [1, 0] : i32[3,2]\n",
     "{1, 4, 2, 5, 3, 6} : i32[3,2]"},
    {"  %x = const {1, 2, 3, 4, 5, 6} : i32[2,3]\n  %r = rev %x dims [1] : i32[2,3]\n",
     "{3, 2, 1, 6, 5, 4} : i32[2,3]"},
    {"  %x = const {1, 2, 3, 4, 5, 6} : i32[2,3]\n"
     "  %r = slice %x starts [1, 0] limits [2, 3] strides [1, 2] : i32[1,2]\n",
     "{4, 6} : i32[1,2]"},
    {I("1, 2, 3", "3") "  %z = const 0 : i32\n"
                       "  %r = pad %x, %z low [-1] high [2] interior [1] : i32[6]\n",
     "{0, 2, 0, 3, 0, 0} : i32[6]"},
    {I("1, 2", "2") "  %r = concat %x, %x dim 0 : i32[4]\n", "{1, 2, 1, 2} : i32[4]"},
    {I("0, 1, 2, 3, 4",
       "5") "  %s = const -2 : i32\n  %r = dynamic_slice %x, %s sizes [3] : i32[3]\n",
     "{0, 1, 2} : i32[3]"},
    {I("0, 1, 2, 3, 4",
       "5") "  %s = const 10 : i32\n  %r = dynamic_slice %x, %s sizes [3] : i32[3]\n",
     "{2, 3, 4} : i32[3]"},
    {I("0, 1, 2, 3, 4", "5") "  %u = const {8, 9} : i32[2]\n  %s = const 4 : i32\n"
                             "  %r = dynamic_update_slice %x, %u, %s : i32[5]\n",
     "{0, 1, 2, 8, 9} : i32[5]"},
    // reductions
    {"  %x = const 1.01 : bf16[1000]\n  %r = reduce_sum %x axes [0] : bf16\n", "1008 : bf16"},
    {F("16777216, 1, 1", "3") "  %r = reduce_sum %x axes [0] : f32\n", "16777216 : f32"},
    {F("16777216, 1, 1", "3") "  %r = cumsum %x dim 0 : f32[3]\n", "16777216 : f32[3]"},
    {"  %x = const 1 : i8[200]\n  %r = reduce_sum %x axes [0] : i8\n", "-56 : i8"},
    {"  %x = const {1, 2, 3, 4, 5, 6} : i32[2,3]\n  %r = reduce_sum %x axes [0] : i32[3]\n",
     "{5, 7, 9} : i32[3]"},
    {"  %x = const {1, 2, 3, 4, 5, 6} : i32[2,3]\n  %r = reduce_prod %x axes [1] : i32[2]\n",
     "{6, 120} : i32[2]"},
    {"  %x = const {1, 2, 3, 4, 5, 6} : i32[2,3]\n  %r = reduce_max %x axes [0, 1] : i32\n",
     "6 : i32"},
    {F("1, nan, 3", "3") "  %r = reduce_max %x axes [0] : f32\n", "nan : f32"},
    {"  %x = const {} : f32[0]\n  %r = reduce_max %x axes [0] : f32\n", "-inf : f32"},
    {"  %x = const {} : i8[0,2]\n  %r = reduce_min %x axes [0] : i8[2]\n", "127 : i8[2]"},
    {"  %x = const {} : i8[0]\n  %r = reduce_and %x axes [0] : i8\n", "-1 : i8"},
    {I("6, 3, 5", "3") "  %r = reduce_xor %x axes [0] : i32\n", "0 : i32"},
    {"  %x = const {true, false} : bool[2]\n  %r = reduce_or %x axes [0] : bool\n", "true : bool"},
    {F("1, nan, 5, nan", "4") "  %r = argmax %x axes [0] : i32\n", "1 : i32"},
    {I("3, 1, 1", "3") "  %r = argmin %x axes [0] : i32\n", "1 : i32"},
    {"  %x = const {1, 5, 5, 4, 9, 6} : i32[2,3]\n  %r = argmax %x axes [1] : i32[2]\n",
     "1 : i32[2]"},
    {"  %x = const {1, 5, 5, 4, 9, 6} : i32[2,3]\n  %r = argmax %x axes [0] : i32[3]\n",
     "1 : i32[3]"},
    {I("1, 2, 3", "3") "  %r = cumsum %x dim 0 : i32[3]\n", "{1, 3, 6} : i32[3]"},
    {I("1, 2, 3", "3") "  %r = cumsum %x dim 0 reverse : i32[3]\n", "{6, 5, 3} : i32[3]"},
    {"  %x = const {1, 2, 3, 4, 5, 6} : i32[2,3]\n  %r = cumprod %x dim 0 : i32[2,3]\n",
     "{1, 2, 3, 4, 10, 18} : i32[2,3]"},
    {I("1, 3, 2", "3") "  %r = cummax %x dim 0 : i32[3]\n", "{1, 3, 3} : i32[3]"},
    {I("3, 1, 2", "3") "  %r = cummin %x dim 0 : i32[3]\n", "{3, 1, 1} : i32[3]"},
    {F("0, 0, -inf", "3") "  %r = cumlogsumexp %x dim 0 : f32[3]\n",
     "{0, 0.6931472, 0.6931472} : f32[3]"},
    // heavy
    {"  %x = const {1, 2, 3, 4, 5, 6} : f32[2,3]\n  %y = const {1, 0, 0, 1, 2, 2} : f32[3,2]\n"
     "  %r = dot %x, %y lhs_contract [1] rhs_contract [0] precision default : f32[2,2]\n",
     "{7, 8, 16, 17} : f32[2,2]"},
    {"  %x = const {1, 2, 3, 4} : i8[2,2]\n  %y = const {100, 100, 100, 100} : i8[2,2]\n"
     "  %r = dot %x, %y lhs_contract [1] rhs_contract [1] lhs_batch [0] rhs_batch [0] precision "
     "default : i32[2]\n",
     "{300, 700} : i32[2]"},
    {F("16777216, 1, 1, 1", "4") "  %y = const 1 : f32[4]\n  %r = dot %x, %y lhs_contract [0] "
                                 "rhs_contract [0] precision default : f32\n",
     "16777216 : f32"},
    {F("16777216, 1, 1, 1", "4") "  %y = const 1 : f32[4]\n  %r = dot %x, %y lhs_contract [0] "
                                 "rhs_contract [0] precision default sum_block 2 : f32\n",
     "16777218 : f32"},
    {F("1, 1", "2") "  %s = const 16777216 : f32\n  %r = dot %x, %x, %s lhs_contract [0] "
                    "rhs_contract [0] precision default : f32\n",
     "16777218 : f32"},
    {F("1.001, 1", "2") "  %y = const 1 : f32[2]\n  %r = dot %x, %y lhs_contract [0] "
                        "rhs_contract [0] precision bf16_bf16_f32 : f32\n",
     "2 : f32"},
    {F("1, nan, -inf, 0, -0", "5") "  %i = iota dim 0 : i32[5]\n"
                                   "  %s, %r = sort %x, %i dim 0 keys 1 stable : (f32[5], "
                                   "i32[5])\n  %q = neg %r : i32[5]\n",
     "{-2, -3, -4, 0, -1} : i32[5]"},
    {F("1, nan, -inf, 2", "4") "  %r = sort %x dim 0 keys 1 descending : f32[4]\n",
     "{nan, 2, 1, -inf} : f32[4]"},
    {"  %x = const {3, 1, 2, 6, 5, 4} : i32[3,2]\n  %r = sort %x dim 0 keys 1 : i32[3,2]\n",
     "{2, 1, 3, 4, 5, 6} : i32[3,2]"},
    {"  %x = const {1, 2, 3, 4, 5, 6} : i32[3,2]\n  %i = const {2, 0, 5} : i32[3,1]\n"
     "  %r = gather %x, %i offset_dims [1] collapsed_dims [0] index_map [0] sizes [1, 2] mode clip "
     "fill 0 : i32[3,2]\n",
     "{5, 6, 1, 2, 5, 6} : i32[3,2]"},
    {"  %x = const {1, 2, 3, 4, 5, 6} : i32[3,2]\n  %i = const {2, 0, 5} : i32[3,1]\n"
     "  %r = gather %x, %i offset_dims [1] collapsed_dims [0] index_map [0] sizes [1, 2] mode "
     "promise "
     "fill 0 : i32[3,2]\n",
     "{5, 6, 1, 2, 5, 6} : i32[3,2]"},
    {"  %x = const {1, 2, 3, 4, 5, 6} : i32[3,2]\n  %i = const {2, 0, 5} : i32[3,1]\n"
     "  %r = gather %x, %i offset_dims [1] collapsed_dims [0] index_map [0] sizes [1, 2] mode fill "
     "fill -1 : i32[3,2]\n",
     "{5, 6, 1, 2, -1, -1} : i32[3,2]"},
    {"  %x = const {1, 2, 3, 4, 5, 6} : i32[3,2]\n  %i = const {1, 0, 1} : i32[3,1]\n"
     "  %r = gather %x, %i index_map [1] operand_batch [0] index_batch [0] sizes [1, 1] mode clip "
     "fill 0 : i32[3]\n",
     ""}, // malformed: collapsed_dims is missing
    {"  %x = const {1, 2, 3, 4, 5, 6} : i32[3,2]\n  %i = const {1, 0, 1} : i32[3,1]\n"
     "  %r = gather %x, %i collapsed_dims [1] index_map [1] operand_batch [0] index_batch [0] "
     "sizes [1, 1] mode clip fill 0 : i32[3]\n",
     "{2, 3, 6} : i32[3]"},
    {"  %x = const {1, 2, 3, 4, 5, 6} : i32[3,2]\n  %i = const {1, 0, 1} : i32[3]\n"
     "  %r = lookup %x, %i, %i, %i index_map [0, 1, 0] : i32[3]\n",
     "{6, 1, 6} : i32[3]"},
    {"  %x = const 0 : i32[3,2]\n  %i = const {2, 0, 2, 7} : i32[4,1]\n  %u = const {1, 2, 3, 4, "
     "5, 6, 7, 8} : i32[4,2]\n"
     "  %r = scatter %x, %i, %u offset_dims [1] collapsed_dims [0] index_map [0] mode fill combine "
     "add : i32[3,2]\n",
     "{3, 4, 0, 0, 6, 8} : i32[3,2]"},
    {"  %x = const 0 : i32[3]\n  %i = const {1, 1} : i32[2,1]\n  %u = const {5, 6} : i32[2]\n"
     "  %r = scatter %x, %i, %u collapsed_dims [0] index_map [0] mode clip combine set : i32[3]\n",
     "{0, 6, 0} : i32[3]"},
};

// The data of the function's values in order; the text of the last op's first result as a constant.
static Str evaluate(Session *session, IrModule *module) {
  Map *known = map_new(session->arena);
  IrRegion *body = module->first->body;
  const IrData *data = NULL;
  const IrOp *last = NULL;
  for (IrOp *op = body->first; op->code != OP_YIELD; op = op->next) {
    const IrData *operands[8];
    for (uint32_t i = 0; i < op->operand_count; i++) operands[i] = map_get(known, op->operands[i]);
    data = ir_evaluate(session->arena, op, operands);
    ck_assert_msg(data != NULL, "'%s' is not evaluated", op_info(op->code)->name);
    for (uint32_t i = 0; i < op->result_count; i++)
      map_set(known, op->results[i], (void *)&data[i]);
    last = op;
  }
  IrBuilder b = {.module = module, .region = body, .before = body->last};
  ir_const(&b, last->results[0]->type, data->bytes, data->count);
  Buf out;
  buf_init(&out, session->arena);
  ir_print_op(body->last->prev, &out);
  const char *behind = strstr(buf_view(&out).data, "const ");
  return str_from_c(behind + strlen("const "));
}

START_TEST(values) {
  Session *session = session_new(0);
  Str text =
      str_format(session->arena, "module tpu v5p devices 1\nfunc @f() {\n%s}\n", cases[_i].text);
  IrModule *module = ir_read(session, source_add(session, STR("t.ir"), text, false));
  if (!cases[_i].want[0]) {
    ck_assert_ptr_null(module);
  } else {
    if (!module) diag_flush(session);
    ck_assert_msg(module != NULL, "not read: %s", cases[_i].text);
    Str got = evaluate(session, module);
    ck_assert_msg(str_equal(got, str_from_c(cases[_i].want)), "%sgives  %.*s\nwanted %s",
                  cases[_i].text, STR_FMT(got), cases[_i].want);
  }
  session_free(session);
}
END_TEST

// Every op that is elementwise, shape or reduction has a value for some operands: nothing is left
// out of the switches.
START_TEST(every_unary_and_binary_op) {
  OpCode code = (OpCode)_i;
  OpClass op_class = op_info(code)->op_class;
  if (op_class != CLASS_UNARY && op_class != CLASS_BINARY && op_class != CLASS_COMPARE) return;
  if (code == OP_REDUCE_PRECISION) return; // has attributes: above
  static const DType dtypes[] = {DT_BOOL, DT_I2,  DT_U2,   DT_I4,  DT_I8,
                                 DT_I16,  DT_I32, DT_U4,   DT_U8,  DT_U16,
                                 DT_U32,  DT_F16, DT_BF16, DT_F32, DT_F8E4M3FN};
  Session *session = session_new(0);
  int accepted = 0;
  for (size_t i = 0; i < COUNT_OF(dtypes); i++) {
    IrModule *module = ir_module_new(session);
    IrFunc *func = ir_func_new(module, name_intern_c(session->interner, "f"), (Span){0});
    IrBuilder b = {.module = module, .region = func->body};
    IrValue *x = ir_const_i64(&b, ir_array_type(module, dtypes[i], 0, NULL), 1);
    IrValue *r = op_class == CLASS_UNARY ? ir_unary(&b, code, x) : ir_binary(&b, code, x, x);
    ir_yield(&b, 0, NULL);
    if (!ir_verify(module, NULL)) continue;
    const IrData *one = ir_attr_data(x->def, ATTR_DATA);
    const IrData *result = ir_evaluate(session->arena, r->def, (const IrData *[]){one, one});
    ck_assert_ptr_nonnull(result);
    ck_assert_int_eq(result->dtype, r->type->dtype);
    accepted++;
  }
  ck_assert_int_gt(accepted, 0);
  session_free(session);
}
END_TEST

// Splats stay one element; nothing of the size of the type is touched.
START_TEST(splats_are_cheap) {
  Session *session = session_new(0);
  IrModule *module = ir_module_new(session);
  IrFunc *func = ir_func_new(module, name_intern_c(session->interner, "f"), (Span){0});
  IrBuilder b = {.module = module, .region = func->body};
  const IrType *type = ir_array_type(module, DT_F32, 2, (int64_t[]){1 << 12, 1 << 12});
  IrValue *x = ir_const_f64(&b, type, 2);
  IrValue *y = ir_binary(&b, OP_MUL, x, x);
  const IrData *data = ir_attr_data(x->def, ATTR_DATA);
  size_t before = arena_footprint(session->arena);
  const IrData *result = ir_evaluate(session->arena, y->def, (const IrData *[]){data, data});
  ck_assert_int_eq(result->count, 1);
  ck_assert(dtype_load_f64(DT_F32, result->bytes) == 4);
  ck_assert_uint_lt(arena_footprint(session->arena) - before, 1 << 21);
  session_free(session);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("evaluate");
  TCase *tc = tcase_create("evaluate");
  tcase_add_loop_test(tc, values, 0, COUNT_OF(cases));
  tcase_add_loop_test(tc, every_unary_and_binary_op, 0, OP_COUNT);
  tcase_add_test(tc, splats_are_cheap);
  suite_add_tcase(suite, tc);
  return suite_run(suite);
}
