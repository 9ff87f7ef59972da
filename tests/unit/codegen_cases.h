// SPDX-License-Identifier: Apache-2.0
// Cases of test_codegen.c: parameters and body of a function each.
#pragma once

typedef struct TextCase {
  const char *params, *body;
  Tolerance tolerance;
} TextCase;

#define EXACT                                                                                      \
  { 0, 0 }
#define SUM                                                                                        \
  { 8, 2e-6 }
#define NEAR                                                                                       \
  { 4, 0 }
#define LOAD1(n)       "%v = load %x[:] : f32[" #n "]\n"
#define LOAD2(a, b)    "%v = load %x[:, :] : f32[" #a "," #b "]\n"
#define LOAD3(a, b, c) "%v = load %x[:, :, :] : f32[" #a "," #b "," #c "]\n"

static const TextCase text_cases[] = {
    // ---- constants, iota
    {"out %o: hbm f32[3,7]", "%c = const 2.5 : f32[3,7]\n store %c, %o[:, :]\n", EXACT},
    {"out %o: hbm i32[6]", "%c = const {1, -2, 3, -4, 5, 6} : i32[6]\n store %c, %o[:]\n", EXACT},
    {"out %o: hbm f32[5,33]", "%c = iota dim 1 : f32[5,33]\n store %c, %o[:, :]\n", EXACT},
    {"out %o: hbm i8[5,33]", "%c = iota dim 0 : i8[5,33]\n store %c, %o[:, :]\n", EXACT},
    {"out %o: hbm bf16[300]", "%c = iota dim 0 : bf16[300]\n store %c, %o[:]\n", EXACT},
    {"out %o: hbm bool[9]",
     "%c = iota dim 0 : i32[9]\n %k = const 4 : i32[9]\n %b = lt %c, %k : bool[9]\n store %b, "
     "%o[:]\n",
     EXACT},
    // ---- select, reduce_precision, threefry
    {"%p: hbm bool[45], %x: hbm f32[45], %y: hbm f32[45], out %o: hbm f32[45]",
     "%a = load %p[:] : bool[45]\n" LOAD1(
         45) "%w = load %y[:] : f32[45]\n %r = select %a, %v, %w : f32[45]\n store %r, %o[:]\n",
     EXACT},
    {"%x: hbm f32[77], out %o: hbm f32[77], out %q: hbm f32[77]",
     LOAD1(77) "%r = reduce_precision %v exponent_bits 5 mantissa_bits 3 : f32[77]\n store %r, "
               "%o[:]\n"
               "%s = reduce_precision %v exponent_bits 8 mantissa_bits 7 : f32[77]\n store %s, "
               "%q[:]\n",
     EXACT},
    {"%x: hbm f16[77], out %o: hbm f16[77]",
     "%v = load %x[:] : f16[77]\n %r = reduce_precision %v exponent_bits 4 mantissa_bits 3 : "
     "f16[77]\n store %r, %o[:]\n",
     EXACT},
    {"%x: hbm u32[35], %y: hbm u32[35], out %o: hbm u32[35], out %q: hbm u32[35]",
     "%a = load %x[:] : u32[35]\n %b = load %y[:] : u32[35]\n %k = const 17 : u32[35]\n"
     "%r, %s = threefry2x32 %a, %k, %a, %b : (u32[35], u32[35])\n store %s, %o[:]\n store %r, "
     "%q[:]\n",
     EXACT},
    {"%x: hbm u32, out %o: hbm u32",
     "%a = load %x[] : u32\n %r, %s = threefry2x32 %a, %a, %a, %a : (u32, u32)\n %t = add %r, %s : "
     "u32\n store %t, %o[]\n",
     EXACT},
    // ---- rows of four that are taken apart, and others far behind
    {"%x: hbm f32[300,4], out %o: hbm f32[100]",
     "%a = load %x[0 : 100, 0] : f32[100]\n %b = load %x[0 : 100, 1] : f32[100]\n"
     "%c = load %x[0 : 100, 2] : f32[100]\n %d = load %x[0 : 100, 3] : f32[100]\n"
     "%e = load %x[200 : 100, 0] : f32[100]\n %f = mul %a, %b : f32[100]\n"
     "%g = mul %c, %d : f32[100]\n %h = max %f, %g : f32[100]\n %r = min %h, %e : f32[100]\n"
     "store %r, %o[:]\n",
     EXACT},
    // ---- a view of as many rows as a number says, in a loop that threads share
    {"%x: hbm f32[64,300], %n: hbm i32[2], out %o: hbm f32[4,64,300]",
     "%z = const 0 : f32[4,64,300]\n store %z, %o[:, :, :]\n %a = load %n[0] : i32\n"
     "%m = const 63 : i32\n %k = and %a, %m : i32\n %v = view %x[0 : %k max 64, :] : hbm "
     "f32[64,300]\n"
     "%0 = const 0 : i32\n %1 = const 1 : i32\n %4 = const 4 : i32\n"
     "for %i = %0 to %4 step %1 parallel {\n"
     "%w = view %o[%i, 0 : %k max 64, :] : hbm f32[64,300]\n copy %v, %w\n }\n",
     EXACT},
    // ---- an element where a mask says so
    {"%x: hbm f32[40], %m: hbm bool[40], out %o: hbm f32[40]",
     "%0 = const 0 : i32\n %1 = const 1 : i32\n %n = const 40 : i32\n %z = const 0 : f32[40]\n"
     "store %z, %o[:]\n for %i = %0 to %n step %1 {\n %k = load %m[%i] : bool\n"
     "%v = load %x[%i] : f32\n store %v, %o[%i] mask %k\n }\n",
     EXACT},
    // ---- shapes
    {"%x: hbm f32, out %o: hbm f32[5,20]",
     "%v = load %x[] : f32\n %r = broadcast %v : f32[5,20]\n store %r, %o[:, :]\n", EXACT},
    {"%x: hbm f32[7], out %o: hbm f32[3,7,2]",
     LOAD1(7) "%r = broadcast %v dims [1] : f32[3,7,2]\n store %r, %o[:, :, :]\n", EXACT},
    {"%x: hbm f32[3,1], out %o: hbm f32[3,40]",
     LOAD2(3, 1) "%r = broadcast %v dims [0, 1] : f32[3,40]\n store %r, %o[:, :]\n", EXACT},
    {"%x: hbm f32[4,6], out %o: hbm f32[24]",
     LOAD2(4, 6) "%r = reshape %v : f32[24]\n store %r, %o[:]\n", EXACT},
    {"%x: hbm f32[4,6], out %o: hbm f32[3,8]",
     LOAD2(4, 6) "%t = exp %v : f32[4,6]\n %r = reshape %t : f32[3,8]\n %n = neg %r : f32[3,8]\n "
                 "store %n, %o[:, :]\n",
     NEAR},
    {"%x: hbm f32[4,6], out %o: hbm f32[8,3]",
     LOAD2(4, 6) "%t = transpose %v dims [1, 0] : f32[6,4]\n %r = reshape %t : f32[8,3]\n store "
                 "%r, %o[:, :]\n",
     EXACT},
    {"%x: hbm f32[2,3,4], out %o: hbm f32[4,2,3]",
     LOAD3(2, 3, 4) "%r = transpose %v dims [2, 0, 1] : f32[4,2,3]\n store %r, %o[:, :, :]\n",
     EXACT},
    {"%x: hbm f32[35,70], out %o: hbm f32[70,35]",
     LOAD2(35, 70) "%t = neg %v : f32[35,70]\n %r = transpose %t dims [1, 0] : f32[70,35]\n store "
                   "%r, %o[:, :]\n",
     EXACT},
    // ---- squares turned in registers, their ends, and several of them in one walk
    {"%x: hbm f32[3,40,50], out %o: hbm f32[3,50,40]",
     LOAD3(3, 40, 50) "%r = transpose %v dims [0, 2, 1] : f32[3,50,40]\n store %r, %o[:, :, :]\n",
     EXACT},
    {"%x: hbm f32[20,3,33], out %o: hbm f32[33,3,20]",
     LOAD3(20, 3, 33) "%r = transpose %v dims [2, 1, 0] : f32[33,3,20]\n store %r, %o[:, :, :]\n",
     EXACT},
    {"%x: hbm bf16[50,70], out %o: hbm bf16[70,50]",
     "%v = load %x[:, :] : bf16[50,70]\n %r = transpose %v dims [1, 0] : bf16[70,50]\n %n = neg %r "
     ": bf16[70,50]\n store %n, %o[:, :]\n",
     EXACT},
    {"%x: hbm i8[70,90], out %o: hbm i8[90,70]",
     "%v = load %x[:, :] : i8[70,90]\n %r = transpose %v dims [1, 0] : i8[90,70]\n store %r, %o[:, "
     ":]\n",
     EXACT},
    {"%x: hbm u16[40,40], %y: hbm u16[40,40], out %o: hbm u16[40,40]",
     "%v = load %x[:, :] : u16[40,40]\n %w = load %y[:, :] : u16[40,40]\n %r = transpose %v dims "
     "[1, 0] : u16[40,40]\n"
     "%s = add %r, %w : u16[40,40]\n store %s, %o[:, :]\n",
     EXACT},
    {"%x: hbm f32[35,70], %y: hbm f32[70], %z: hbm f32[35], out %o: hbm f32[70,35]",
     LOAD2(35, 70) "%t = exp %v : f32[35,70]\n %r = transpose %t dims [1, 0] : f32[70,35]\n %a = "
                   "load %y[:] : f32[70]\n %b = load %z[:] : f32[35]\n"
                   "%c = broadcast %a dims [0] : f32[70,35]\n %d = broadcast %b dims [1] : "
                   "f32[70,35]\n %e = mul %r, %c : f32[70,35]\n"
                   "%f = add %e, %d : f32[70,35]\n %i = iota dim 0 : f32[70,35]\n %g = add %f, %i "
                   ": f32[70,35]\n store %g, %o[:, :]\n",
     SUM},
    // ---- polynomials on two registers: whole vectors, ends, and sums along rows
    {"%x: hbm f32[5,75], out %o: hbm f32[5]",
     LOAD2(5,
           75) "%t = exp %v : f32[5,75]\n %s = reduce_sum %t axes [1] : f32[5]\n store %s, %o[:]\n",
     SUM},
    {"%x: hbm f32[150], out %o: hbm f32[150]",
     LOAD1(150) "%t = tanh %v : f32[150]\n %u = erfc %t : f32[150]\n store %u, %o[:]\n",
     {8, 0}},
    {"%x: hbm f32[9,50], out %o: hbm f32[4,12]",
     LOAD2(9, 50) "%r = slice %v starts [1, 2] limits [9, 50] strides [2, 4] : f32[4,12]\n store "
                  "%r, %o[:, :]\n",
     EXACT},
    {"%x: hbm f32[9,50], out %o: hbm f32[9,40]",
     LOAD2(9, 50) "%e = exp %v : f32[9,50]\n %r = slice %e starts [0, 5] limits [9, 45] strides "
                  "[1, 1] : f32[9,40]\n store %r, %o[:, :]\n",
     NEAR},
    {"%x: hbm f32[9,50], out %o: hbm f32[9,50]",
     LOAD2(
         9,
         50) "%r = rev %v dims [0, 1] : f32[9,50]\n %n = neg %r : f32[9,50]\n store %n, %o[:, :]\n",
     EXACT},
    {"%x: hbm i8[9,50], out %o: hbm i8[9,50]",
     "%v = load %x[:, :] : i8[9,50]\n %r = rev %v dims [1] : i8[9,50]\n store %r, %o[:, :]\n",
     EXACT},
    {"%x: hbm f32[4,6], out %o: hbm f32[7,9]",
     LOAD2(4, 6) "%z = const 7 : f32\n %r = pad %v, %z low [1, -1] high [2, 4] interior [0, 0] : "
                 "f32[7,9]\n store %r, %o[:, :]\n",
     EXACT},
    {"%x: hbm f32[4,6], out %o: hbm f32[8,10]",
     LOAD2(4, 6) "%z = const 7 : f32\n %r = pad %v, %z low [1, -1] high [0, 0] interior [1, 1] : "
                 "f32[8,10]\n store %r, %o[:, :]\n",
     EXACT},
    {"%x: hbm f32[4,6], out %o: hbm f32[4,2]",
     LOAD2(4, 6) "%z = const 7 : f32\n %r = pad %v, %z low [0, -7] high [0, 3] interior [0, 0] : "
                 "f32[4,2]\n store %r, %o[:, :]\n",
     EXACT},
    {"%x: hbm f32[4,6], %y: hbm f32[4,3], out %o: hbm f32[4,15]",
     LOAD2(4, 6) "%w = load %y[:, :] : f32[4,3]\n %n = neg %w : f32[4,3]\n %r = concat %v, %n, %v "
                 "dim 1 : f32[4,15]\n %s = neg %r : f32[4,15]\n store %s, %o[:, :]\n",
     EXACT},
    {"%x: hbm f32[4,6], %y: hbm f32[2,6], out %o: hbm f32[6,6]",
     LOAD2(4, 6) "%w = load %y[:, :] : f32[2,6]\n %r = concat %v, %w dim 0 : f32[6,6]\n store %r, "
                 "%o[:, :]\n",
     EXACT},
    {"%x: hbm f32[8,20], %i: hbm i32[2], out %o: hbm f32[3,17]",
     LOAD2(8, 20) "%a = load %i[0] : i32\n %b = load %i[1] : i32\n %r = dynamic_slice %v, %a, %b "
                  "sizes [3, 17] : f32[3,17]\n %n = neg %r : f32[3,17]\n store %n, %o[:, :]\n",
     EXACT},
    {"%x: hbm f32[8,20], %i: hbm i32[2], %y: hbm f32[3,17], out %o: hbm f32[8,20]",
     LOAD2(8, 20) "%a = load %i[0] : i32\n %b = load %i[1] : i32\n %w = load %y[:, :] : f32[3,17]\n"
                  "%r = dynamic_update_slice %v, %w, %a, %b : f32[8,20]\n store %r, %o[:, :]\n",
     EXACT},
    {"%x: hbm f32[3,5], out %o: hbm u8[3,5,4], out %q: hbm f32[3,5]",
     LOAD2(3, 5) "%b = bitcast_width %v : u8[3,5,4]\n store %b, %o[:, :, :]\n %c = bitcast_width "
                 "%b : f32[3,5]\n store %c, %q[:, :]\n",
     EXACT},
    {"%x: hbm i8[6], out %o: hbm i4[6,2], out %q: hbm i8[6]",
     "%v = load %x[:] : i8[6]\n %b = bitcast_width %v : i4[6,2]\n store %b, %o[:, :]\n %c = "
     "bitcast_width %b : i8[6]\n store %c, %q[:]\n",
     EXACT},
    {"%x: hbm bf16[2,24], out %o: hbm u32[2,12]",
     "%v = load %x[:, :] : bf16[2,24]\n %s = reshape %v : bf16[2,12,2]\n %b = bitcast_width %s : "
     "u32[2,12]\n store %b, %o[:, :]\n",
     EXACT},
    {"%x: hbm f32[0,4], out %o: hbm f32[0,4]",
     LOAD2(0, 4) "%e = exp %v : f32[0,4]\n store %e, %o[:, :]\n", EXACT},
    {"%x: hbm f32[2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2], out %o: hbm "
     "f32[2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2]",
     "%v = load %x[:,:,:,:,:,:,:,:,:,:,:,:,:,:,:,:] : f32[2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2]\n"
     "%t = transpose %v dims [15,14,13,12,11,10,9,8,7,6,5,4,3,2,1,0] : "
     "f32[2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2]\n"
     "%r = add %t, %v : f32[2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2]\n store %r, "
     "%o[:,:,:,:,:,:,:,:,:,:,:,:,:,:,:,:]\n",
     EXACT},
    // ---- reductions
    {"%x: hbm f32[5,200], out %o: hbm f32[5]",
     LOAD2(5, 200) "%r = reduce_sum %v axes [1] : f32[5]\n store %r, %o[:]\n", SUM},
    {"%x: hbm f32[5,64], out %o: hbm f32[5]",
     LOAD2(5, 64) "%r = reduce_sum %v axes [1] : f32[5]\n store %r, %o[:]\n", SUM},
    {"%x: hbm f32[5,7], out %o: hbm f32[5]",
     LOAD2(5, 7) "%r = reduce_sum %v axes [1] : f32[5]\n store %r, %o[:]\n", SUM},
    {"%x: hbm f32[50,70], out %o: hbm f32[70]",
     LOAD2(50, 70) "%r = reduce_sum %v axes [0] : f32[70]\n store %r, %o[:]\n", SUM},
    {"%x: hbm f32[50,70], out %o: hbm f32",
     LOAD2(50, 70) "%r = reduce_sum %v axes [0, 1] : f32\n store %r, %o[]\n", SUM},
    {"%x: hbm f32[3,50,70], out %o: hbm f32[3,70]",
     LOAD3(3, 50, 70) "%r = reduce_sum %v axes [1] : f32[3,70]\n store %r, %o[:, :]\n", SUM},
    {"%x: hbm f32[3,5,70], out %o: hbm f32[5]",
     LOAD3(3, 5, 70) "%r = reduce_sum %v axes [0, 2] : f32[5]\n store %r, %o[:]\n", SUM},
    {"%x: hbm f32[1000,1], out %o: hbm f32[1]",
     LOAD2(1000, 1) "%r = reduce_sum %v axes [0] : f32[1]\n store %r, %o[:]\n", SUM},
    {"%x: hbm f32[1,1], out %o: hbm f32",
     LOAD2(1, 1) "%r = reduce_sum %v axes [0, 1] : f32\n store %r, %o[]\n", SUM},
    {"%x: hbm bf16[5,200], out %o: hbm bf16[5]",
     "%v = load %x[:, :] : bf16[5,200]\n %r = reduce_sum %v axes [1] : bf16[5]\n store %r, %o[:]\n",
     {1, 2e-6}},
    {"%x: hbm i32[5,200], out %o: hbm i32[5]",
     "%v = load %x[:, :] : i32[5,200]\n %r = reduce_sum %v axes [1] : i32[5]\n store %r, %o[:]\n",
     EXACT},
    {"%x: hbm i8[5,200], out %o: hbm i8[5]",
     "%v = load %x[:, :] : i8[5,200]\n %r = reduce_sum %v axes [1] : i8[5]\n store %r, %o[:]\n",
     EXACT},
    {"%x: hbm f32[5,20], out %o: hbm f32[5]",
     LOAD2(5, 20) "%r = reduce_prod %v axes [1] : f32[5]\n store %r, %o[:]\n",
     {40, 0}},
    {"%x: hbm f32[5,201], out %o: hbm f32[5], out %q: hbm f32[201]",
     LOAD2(5, 201) "%r = reduce_max %v axes [1] : f32[5]\n store %r, %o[:]\n %s = reduce_min %v "
                   "axes [0] : f32[201]\n store %s, %q[:]\n",
     EXACT},
    {"%x: hbm u8[5,201], out %o: hbm u8[5]",
     "%v = load %x[:, :] : u8[5,201]\n %r = reduce_max %v axes [1] : u8[5]\n store %r, %o[:]\n",
     EXACT},
    {"%x: hbm f16[5,21], out %o: hbm f16[5]",
     "%v = load %x[:, :] : f16[5,21]\n %r = reduce_min %v axes [1] : f16[5]\n store %r, %o[:]\n",
     EXACT},
    {"%x: hbm bool[5,21], out %o: hbm bool[5], out %q: hbm bool[21], out %s: hbm bool[5]",
     "%v = load %x[:, :] : bool[5,21]\n %r = reduce_and %v axes [1] : bool[5]\n store %r, %o[:]\n"
     "%w = reduce_or %v axes [0] : bool[21]\n store %w, %q[:]\n %z = reduce_xor %v axes [1] : "
     "bool[5]\n store %z, %s[:]\n",
     EXACT},
    {"%x: hbm u16[5,21], out %o: hbm u16[5], out %q: hbm u16[21], out %s: hbm u16[5]",
     "%v = load %x[:, :] : u16[5,21]\n %r = reduce_and %v axes [1] : u16[5]\n store %r, %o[:]\n"
     "%w = reduce_or %v axes [0] : u16[21]\n store %w, %q[:]\n %z = reduce_xor %v axes [1] : "
     "u16[5]\n store %z, %s[:]\n",
     EXACT},
    {"%x: hbm f32[3,0], out %o: hbm f32[3], out %q: hbm f32[3]",
     LOAD2(3, 0) "%r = reduce_max %v axes [1] : f32[3]\n store %r, %o[:]\n %s = reduce_sum %v axes "
                 "[1] : f32[3]\n store %s, %q[:]\n",
     EXACT},
    {"%x: hbm f32[6,40], out %o: hbm i32[6], out %q: hbm i32[40]",
     LOAD2(6, 40) "%r = argmax %v axes [1] : i32[6]\n store %r, %o[:]\n %s = argmin %v axes [0] : "
                  "i32[40]\n store %s, %q[:]\n",
     EXACT},
    {"%x: hbm i8[6,40], out %o: hbm i16[6]",
     "%v = load %x[:, :] : i8[6,40]\n %r = argmin %v axes [1] : i16[6]\n store %r, %o[:]\n", EXACT},
    {"%x: hbm f32[40], out %o: hbm i32",
     LOAD1(40) "%r = argmax %v axes [0] : i32\n store %r, %o[]\n", EXACT},
    {"%x: hbm f32[6,40], out %o: hbm f32[6,40], out %q: hbm f32[6,40]",
     LOAD2(6, 40) "%r = cumsum %v dim 1 : f32[6,40]\n store %r, %o[:, :]\n %s = cumsum %v dim 0 "
                  "reverse : f32[6,40]\n store %s, %q[:, :]\n",
     SUM},
    {"%x: hbm i32[6,40], out %o: hbm i32[6,40], out %q: hbm i32[6,40]",
     "%v = load %x[:, :] : i32[6,40]\n %r = cumprod %v dim 1 reverse : i32[6,40]\n store %r, %o[:, "
     ":]\n %s = cummax %v dim 0 : i32[6,40]\n store %s, %q[:, :]\n",
     EXACT},
    {"%x: hbm f32[6,40], out %o: hbm f32[6,40], out %q: hbm f32[6,40]",
     LOAD2(6, 40) "%r = cumlogsumexp %v dim 1 : f32[6,40]\n store %r, %o[:, :]\n %s = cummin %v "
                  "dim 0 : f32[6,40]\n store %s, %q[:, :]\n",
     {40, 1e-6}},
    {"%x: hbm bf16[6,40], out %o: hbm bf16[6,40]",
     "%v = load %x[:, :] : bf16[6,40]\n %r = cumsum %v dim 1 : bf16[6,40]\n store %r, %o[:, :]\n",
     {1, 1e-6}},
    // ---- several stages
    {"%x: hbm f32[9,200], out %o: hbm f32[9,200]",
     LOAD2(9, 200) "%m = reduce_max %v axes [1] : f32[9]\n %mb = broadcast %m dims [0] : "
                   "f32[9,200]\n %d = sub %v, %mb : f32[9,200]\n"
                   "%e = exp %d : f32[9,200]\n %s = reduce_sum %e axes [1] : f32[9]\n %sb = "
                   "broadcast %s dims [0] : f32[9,200]\n"
                   "%q = div %e, %sb : f32[9,200]\n store %q, %o[:, :]\n",
     {12, 0}},
    {"%x: hbm f32[4,3,100], %g: hbm f32[100], %b: hbm f32[100], out %o: hbm f32[4,3,100]",
     LOAD3(4, 3, 100) "%s = reduce_sum %v axes [2] : f32[4,3]\n %sr = reshape %s : f32[4,3,1]\n %n "
                      "= const 0.01 : f32[4,3,1]\n %mean = mul %sr, %n : f32[4,3,1]\n"
                      "%mb = broadcast %mean dims [0, 1, 2] : f32[4,3,100]\n %d = sub %v, %mb : "
                      "f32[4,3,100]\n %dd = mul %d, %d : f32[4,3,100]\n"
                      "%ss = reduce_sum %dd axes [2] : f32[4,3]\n %ssr = reshape %ss : "
                      "f32[4,3,1]\n %var = mul %ssr, %n : f32[4,3,1]\n"
                      "%eps = const 1e-5 : f32[4,3,1]\n %ve = add %var, %eps : f32[4,3,1]\n %rs = "
                      "rsqrt %ve : f32[4,3,1]\n"
                      "%rb = broadcast %rs dims [0, 1, 2] : f32[4,3,100]\n %y = mul %d, %rb : "
                      "f32[4,3,100]\n %gv = load %g[:] : f32[100]\n"
                      "%gb = broadcast %gv dims [2] : f32[4,3,100]\n %bv = load %b[:] : f32[100]\n "
                      "%bb = broadcast %bv dims [2] : f32[4,3,100]\n"
                      "%z = mul %y, %gb : f32[4,3,100]\n %r = add %z, %bb : f32[4,3,100]\n store "
                      "%r, %o[:, :, :]\n",
     {24, 4e-6}},
    {"%x: hbm f32[20,30], out %o: hbm f32[20,30]",
     LOAD2(20, 30) "%s = reduce_sum %v axes [0] : f32[30]\n %sb = broadcast %s dims [1] : "
                   "f32[20,30]\n %t = reduce_sum %v axes [1] : f32[20]\n"
                   "%tb = broadcast %t dims [0] : f32[20,30]\n %a = add %sb, %tb : f32[20,30]\n %r "
                   "= mul %a, %v : f32[20,30]\n store %r, %o[:, :]\n",
     SUM},
    {"%x: hbm f32[6,40], out %o: hbm f32[6,40]",
     LOAD2(6, 40) "%m = reduce_max %v axes [0, 1] : f32\n %mb = broadcast %m : f32[6,40]\n %d = "
                  "sub %v, %mb : f32[6,40]\n %e = exp %d : f32[6,40]\n"
                  "%s = reduce_sum %e axes [0, 1] : f32\n %l = log %s : f32\n %lb = broadcast %l : "
                  "f32[6,40]\n %r = sub %d, %lb : f32[6,40]\n store %r, %o[:, :]\n",
     {16, 2e-6}},
    {"%x: hbm f32[8,16,32], out %o: hbm f32[8,16,32]",
     LOAD3(8, 16, 32) "%m = reduce_max %v axes [1] : f32[8,32]\n %mb = broadcast %m dims [0, 2] : "
                      "f32[8,16,32]\n %d = sub %v, %mb : f32[8,16,32]\n"
                      "%e = exp %d : f32[8,16,32]\n %s = reduce_sum %e axes [1] : f32[8,32]\n %sb "
                      "= broadcast %s dims [0, 2] : f32[8,16,32]\n"
                      "%q = div %e, %sb : f32[8,16,32]\n store %q, %o[:, :, :]\n",
     {12, 0}},
    // ---- loads, stores, views, aliases
    {"inout %x: hbm f32[40]", LOAD1(40) "%n = neg %v : f32[40]\n store %n, %x[:]\n", EXACT},
    {"inout %x: hbm f32[40]", LOAD1(40) "%n = rev %v dims [0] : f32[40]\n store %n, %x[:]\n",
     EXACT},
    {"inout %x: hbm f32[40]",
     "%v = load %x[0 : 39] : f32[39]\n %e = neg %v : f32[39]\n store %e, %x[1 : 39]\n", EXACT},
    {"inout %x: hbm f32[8,8]",
     LOAD2(8, 8) "%t = transpose %v dims [1, 0] : f32[8,8]\n %a = add %t, %v : f32[8,8]\n store "
                 "%a, %x[:, :]\n",
     EXACT},
    {"inout %x: hbm f32[40], out %o: hbm f32[40]",
     LOAD1(40) "%n = neg %v : f32[40]\n store %n, %x[:]\n %w = load %x[:] : f32[40]\n %a = add %w, "
               "%v : f32[40]\n store %a, %o[:]\n",
     EXACT},
    {"inout %x: hbm f32[6,40], out %o: hbm f32[6,40]",
     LOAD2(6, 40) "%s = reduce_sum %v axes [1] : f32[6]\n %z = const 0 : f32[6,40]\n store %z, "
                  "%x[:, :]\n %sb = broadcast %s dims [0] : f32[6,40]\n"
                  "%r = add %sb, %v : f32[6,40]\n store %r, %o[:, :]\n",
     SUM},
    {"inout %x: hbm f32[12,40]",
     "%a = load %x[0 : 6, :] : f32[6,40]\n %b = load %x[6 : 6, :] : f32[6,40]\n store %b, %x[0 : "
     "6, :]\n store %a, %x[6 : 6, :]\n",
     EXACT},
    {"%x: hbm f32[9,50], %i: hbm i32[2], out %o: hbm f32[9,50]",
     "%z = const 0 : f32[9,50]\n store %z, %o[:, :]\n %a = load %i[0] : i32\n %b = load %i[1] : "
     "i32\n %v = load %x[%a : 3, %b : 10 : 3] : f32[3,10]\n"
     "%n = neg %v : f32[3,10]\n store %n, %o[%b : 3, 0 : 10 : 4]\n",
     EXACT},
    {"%x: hbm f32[9,50], out %o: hbm f32[4,10]",
     "%w = view %x[1 : 4 : 2, 5 : 20] : hbm f32[4,20]\n %u = view %w[:, 1 : 10 : 2] : hbm "
     "f32[4,10]\n %v = load %u[:, :] : f32[4,10]\n store %v, %o[:, :]\n",
     EXACT},
    {"%x: hbm f32[9,50], out %o: hbm f32[450]",
     "%w = ref_reshape %x : hbm f32[450]\n %v = load %w[:] : f32[450]\n %e = neg %v : f32[450]\n "
     "store %e, %o[:]\n",
     EXACT},
    {"%x: hbm f32[9,50], out %o: hbm f32[36]",
     "%w = view %x[0 : 9, 3 : 4] : hbm f32[9,4]\n %u = ref_reshape %w : hbm f32[36]\n %v = load "
     "%u[:] : f32[36]\n %e = neg %v : f32[36]\n store %e, %o[:]\n",
     EXACT},
    {"%x: hbm f32[9,50], inout %o: hbm f32[9,50]",
     "%w = view %x[0 : 9, 3 : 4] : hbm f32[9,4]\n %u = ref_reshape %w : hbm f32[36]\n %p = view "
     "%o[0 : 9, 1 : 4] : hbm f32[9,4]\n"
     "%q = ref_reshape %p : hbm f32[36]\n %v = load %u[2 : 30] : f32[30]\n %e = neg %v : f32[30]\n "
     "store %e, %q[3 : 30]\n",
     EXACT},
    {"%x: hbm f32[8,12], out %o: hbm i32[8,12]",
     "%w = ref_bitcast %x : hbm i32[8,12]\n %v = load %w[:, :] : i32[8,12]\n store %v, %o[:, :]\n",
     EXACT},
    {"%x: hbm f32[7,9], %i: hbm i32[4], out %o: hbm f32[4,9]",
     "%a = load %i[:] : i32[4]\n %v = load %x[%a, :] : f32[4,9]\n store %v, %o[:, :]\n", EXACT},
    {"%x: hbm f32[7,5,9], %i: hbm i32[2,3], out %o: hbm f32[2,3,5]",
     "%a = load %i[:, :] : i32[2,3]\n %v = load %x[%a, :, 4] : f32[2,3,5]\n store %v, %o[:, :, "
     ":]\n",
     EXACT},
    {"%x: hbm f32[5,9], %i: hbm i32[4], inout %o: hbm f32[9,8]",
     "%a = load %i[:] : i32[4]\n %v = load %x[0 : 4, 0 : 8] : f32[4,8]\n store %v, %o[%a, :]\n",
     EXACT},
    {"%x: hbm f32[40], %m: hbm bool[40], %y: hbm f32[40], inout %o: hbm f32[40], out %q: hbm "
     "f32[40]",
     "%k = load %m[:] : bool[40]\n %w = load %y[:] : f32[40]\n %v = load %x[:] mask %k other %w : "
     "f32[40]\n store %v, %q[:]\n store %v, %o[:] mask %k\n",
     EXACT},
    {"%x: hbm f32[9,40], %m: hbm bool[9], inout %o: hbm f32[9,40]",
     "%k = load %m[:] : bool[9]\n %z = const 3 : f32[9]\n %v = load %x[:, 5] mask %k other %z : "
     "f32[9]\n %n = neg %v : f32[9]\n store %n, %o[:, 7] mask %k\n",
     EXACT},
    {"%x: hbm i8[70], %m: hbm bool[70], inout %o: hbm i8[70]",
     "%k = load %m[:] : bool[70]\n %z = const 3 : i8[70]\n %v = load %x[:] mask %k other %z : "
     "i8[70]\n store %v, %o[:] mask %k\n",
     EXACT},
    {"%x: hbm f32[9,40], %i: hbm i32[2], inout %o: hbm f32[9,40]",
     "%n = load %i[0] : i32\n %a = view %x[1 : %n max 8, 2 : 30] : hbm f32[8,30]\n %b = view %o[0 "
     ": %n max 8, 3 : 30] : hbm f32[8,30]\n copy %a, %b\n",
     EXACT},
    {"%x: hbm f32[9,40], %i: hbm i32[2], inout %o: hbm f32[9,40]",
     "%n = load %i[0] : i32\n %a = view %x[1 : 8, 2 : %n max 30] : hbm f32[8,30]\n %b = view %o[0 "
     ": 8, 3 : %n max 30] : hbm f32[8,30]\n copy %a, %b\n",
     EXACT},
    {"%x: hbm f32[9,40], out %o: hbm f32[9,40]",
     "%b = alloc : vmem f32[9,40]\n copy %x, %b\n copy %b, %o\n", EXACT},
    {"%x: hbm f32[9,40], inout %o: hbm f32[9,40]",
     "%a = view %x[:, 0 : 20 : 2] : hbm f32[9,20]\n %b = view %o[:, 5 : 20] : hbm f32[9,20]\n copy "
     "%a, %b\n",
     EXACT},
    {"%x: hbm f32[9,40], %i: hbm i32[2], out %o: hbm f32[9,40]",
     "%n = load %i[0] : i32\n step.enter %n, %n name \"k\" grid_names [\"a\", \"b\"]\n %z = const "
     "0 : "
     "i32\n %p = ge %n, %z : bool\n check %p, %n format \"n is {}\"\n" LOAD2(
         9, 40) "store %v, %o[:, :]\n parallel.write %o, %o, %n name \"o\"\n "
                "parallel.read %x, %n name \"x\"\n parallel.step %n\n step.leave\n parallel.end\n "
                "check.written %o name \"o\"\n",
     EXACT},
    // ---- control flow
    {"%x: hbm f32[10,40], out %o: hbm f32[10,40], out %q: hbm f32[40], out %s: hbm i32",
     "%0 = const 0 : i32\n %n = const 10 : i32\n %1 = const 1 : i32\n %z = const 0 : f32[40]\n"
     "%r, %c = for %i = %0 to %n step %1 carry (%a = %z : f32[40], %k = %1 : i32) {\n %v = load "
     "%x[%i, :] : f32[40]\n %b = add %a, %v : f32[40]\n"
     "store %b, %o[%i, :]\n %d = add %k, %i : i32\n yield %b, %d\n }\n store %r, %q[:]\n store %c, "
     "%s[]\n",
     SUM},
    {"%x: hbm f32[40], %y: hbm f32[40], out %o: hbm f32[40], out %q: hbm f32[40]",
     LOAD1(40) "%w = load %y[:] : f32[40]\n %0 = const 0 : i32\n %n = const 7 : i32\n %2 = const 2 "
               ": i32\n"
               "%r, %c = for %i = %0 to %n step %2 carry (%a = %v : f32[40], %b = %w : f32[40]) "
               "{\n %s = add %a, %b : f32[40]\n %t = rev %a dims [0] : f32[40]\n yield %s, %t\n }\n"
               "store %r, %o[:]\n store %c, %q[:]\n",
     EXACT},
    {"%x: hbm f32[40], %y: hbm f32[40], %k: hbm i32, out %o: hbm f32[40], out %q: hbm f32[40]",
     LOAD1(40) "%w = load %y[:] : f32[40]\n %0 = const 0 : i32\n %n = load %k[] : i32\n %1 = const "
               "1 : i32\n"
               "%r, %c = for %i = %0 to %n step %1 carry (%a = %v : f32[40], %b = %w : f32[40]) "
               "{\n yield %b, %a\n }\n"
               "store %r, %o[:]\n store %c, %q[:]\n",
     EXACT},
    {"%x: hbm f32[10,40], out %o: hbm f32[10,40]",
     "%0 = const 0 : i32\n %n = const 10 : i32\n %1 = const 1 : i32\n %h = const {0.5, 2} : "
     "f32[2]\n for %i = %0 to %n step %1 parallel {\n %v = load %x[%i, :] : f32[40]\n"
     "%s = alloc : vmem f32[40]\n %e = neg %v : f32[40]\n store %e, %s[:]\n %f = load %s[:] : "
     "f32[40]\n store %f, %o[%i, :]\n }\n",
     EXACT},
    {"%x: hbm f32[10,40], %y: hbm f32[40], out %o: hbm f32[10,40]",
     "%0 = const 0 : i32\n %n = const 10 : i32\n %1 = const 1 : i32\n %g = load %y[:] : f32[40]\n "
     "%k = neg %g : f32[40]\n %w = view %x[:, :] : hbm f32[10,40]\n"
     "for %i = %0 to %n step %1 parallel {\n %v = load %w[%i, :] : f32[40]\n %e = mul %v, %k : "
     "f32[40]\n %s = reduce_sum %e axes [0] : f32\n %b = broadcast %s : f32[40]\n"
     "store %b, %o[%i, :]\n }\n",
     SUM},
    {"%x: hbm f32[40], out %o: hbm f32[40], out %q: hbm i32",
     LOAD1(40) "%0 = const 0 : i32\n %1 = const 1 : i32\n %9 = const 9 : i32\n"
               "%r, %c = while (%a = %v : f32[40], %i = %0 : i32) {\n %p = lt %i, %9 : bool\n "
               "yield %p\n } do (%b, %j) {\n %h = const 0.5 : f32[40]\n %m = mul %b, %h : f32[40]\n"
               "%k = add %j, %1 : i32\n yield %m, %k\n }\n store %r, %o[:]\n store %c, %q[]\n",
     EXACT},
    {"%x: hbm f32[40], %k: hbm i32, out %o: hbm f32[40], out %q: hbm i32",
     LOAD1(40) "%n = load %k[] : i32\n %3 = const 3 : i32\n %p = lt %n, %3 : bool\n"
               "%r, %c = if %p : (f32[40], i32) {\n %a = neg %v : f32[40]\n yield %a, %n\n } else "
               "{\n yield %v, %3\n }\n store %r, %o[:]\n store %c, %q[]\n",
     EXACT},
    {"%x: hbm f32[40], %k: hbm i32, inout %o: hbm f32[40]",
     LOAD1(40) "%n = load %k[] : i32\n %3 = const 3 : i32\n %p = ge %n, %3 : bool\n if %p {\n "
               "store %v, %o[:]\n }\n",
     EXACT},
    {"%x: hbm f32[40], %k: hbm i32[8], out %o: hbm f32[40]",
     LOAD1(40) "%z = const 0 : f32[40]\n %0 = const 0 : i32\n %8 = const 8 : i32\n %1 = const 1 : "
               "i32\n"
               "%t = for %i = %0 to %8 step %1 carry (%acc = %z : f32[40]) {\n %n = load %k[%i] : "
               "i32\n %m = sub %n, %1 : i32\n"
               "%r = switch %m : f32[40] case {\n yield %v\n } case {\n %a = neg %v : f32[40]\n "
               "yield %a\n } case {\n %b = add %v, %v : f32[40]\n yield %b\n }\n"
               "%u = add %acc, %r : f32[40]\n yield %u\n }\n store %t, %o[:]\n",
     EXACT},
    // ---- dot
    {"%x: hbm f32[13,37], %y: hbm f32[37,19], out %o: hbm f32[13,19]",
     LOAD2(13, 37) "%w = load %y[:, :] : f32[37,19]\n %r = dot %v, %w lhs_contract [1] "
                   "rhs_contract [0] precision default : f32[13,19]\n store %r, %o[:, :]\n",
     SUM},
    {"%x: hbm f32[37,13], %y: hbm f32[19,37], out %o: hbm f32[13,19]",
     LOAD2(37, 13) "%w = load %y[:, :] : f32[19,37]\n %r = dot %v, %w lhs_contract [0] "
                   "rhs_contract [1] precision default : f32[13,19]\n store %r, %o[:, :]\n",
     SUM},
    {"%x: hbm f32[100,150], %y: hbm f32[150,200], %c: hbm f32[100,200], out %o: hbm f32[100,200]",
     LOAD2(100,
           150) "%w = load %y[:, :] : f32[150,200]\n %u = load %c[:, :] : f32[100,200]\n %r = dot "
                "%v, %w lhs_contract [1] rhs_contract [0] precision default : f32[100,200]\n"
                "%s = add %u, %r : f32[100,200]\n %z = const 0 : f32[100,200]\n %m = max %s, %z : "
                "f32[100,200]\n store %m, %o[:, :]\n",
     SUM},
    {"%x: hbm f32[40,70], %y: hbm f32[70,90], inout %o: hbm f32[40,90]",
     LOAD2(40, 70) "%w = load %y[:, :] : f32[70,90]\n %u = load %o[:, :] : f32[40,90]\n %r = dot "
                   "%v, %w lhs_contract [1] rhs_contract [0] precision default : f32[40,90]\n"
                   "%s = add %u, %r : f32[40,90]\n store %s, %o[:, :]\n",
     SUM},
    {"inout %x: hbm f32[40,40], %y: hbm f32[40,40]",
     LOAD2(40, 40) "%w = load %y[:, :] : f32[40,40]\n %r = dot %v, %w lhs_contract [1] "
                   "rhs_contract [0] precision default : f32[40,40]\n store %r, %x[:, :]\n",
     SUM},
    {"%x: hbm f32[70,9000], %y: hbm f32[9000,80], out %o: hbm f32[70,80]",
     "%v = load %x[:, 0 : 3000] : f32[70,3000]\n %w = load %y[0 : 3000, :] : f32[3000,80]\n %r = "
     "dot %v, %w lhs_contract [1] rhs_contract [0] precision default : f32[70,80]\n store %r, "
     "%o[:, :]\n",
     {8, 2e-5}},
    {"%x: hbm f32[200,300], %y: hbm f32[300,257], out %o: hbm f32[200,257]",
     LOAD2(200, 300) "%w = load %y[:, :] : f32[300,257]\n %r = dot %v, %w lhs_contract [1] "
                     "rhs_contract [0] precision default : f32[200,257]\n store %r, %o[:, :]\n",
     {8, 4e-6}},
    {"%x: hbm f32[3,20,37], %y: hbm f32[3,37,50], out %o: hbm f32[3,20,50]",
     LOAD3(3, 20, 37) "%w = load %y[:, :, :] : f32[3,37,50]\n %r = dot %v, %w lhs_contract [2] "
                      "rhs_contract [1] lhs_batch [0] rhs_batch [0] precision default : "
                      "f32[3,20,50]\n store %r, %o[:, :, :]\n",
     SUM},
    {"%x: hbm f32[20,3,37], %y: hbm f32[50,37,3], out %o: hbm f32[3,20,50]",
     LOAD3(20, 3, 37) "%w = load %y[:, :, :] : f32[50,37,3]\n %r = dot %v, %w lhs_contract [2] "
                      "rhs_contract [1] lhs_batch [1] rhs_batch [2] precision default : "
                      "f32[3,20,50]\n store %r, %o[:, :, :]\n",
     SUM},
    {"%x: hbm f32[5,6,7], %y: hbm f32[7,8,6], out %o: hbm f32[5,8]",
     LOAD3(5, 6, 7) "%w = load %y[:, :, :] : f32[7,8,6]\n %r = dot %v, %w lhs_contract [1, 2] "
                    "rhs_contract [2, 0] precision default : f32[5,8]\n store %r, %o[:, :]\n",
     SUM},
    {"%x: hbm f32[5,6,7], %y: hbm f32[4,7,8], out %o: hbm f32[5,6,4,8]",
     LOAD3(5, 6,
           7) "%w = load %y[:, :, :] : f32[4,7,8]\n %r = dot %v, %w lhs_contract [2] rhs_contract "
              "[1] precision default : f32[5,6,4,8]\n store %r, %o[:, :, :, :]\n",
     SUM},
    {"%x: hbm f32[64], %y: hbm f32[64], out %o: hbm f32",
     LOAD1(64) "%w = load %y[:] : f32[64]\n %r = dot %v, %w lhs_contract [0] rhs_contract [0] "
               "precision default : f32\n store %r, %o[]\n",
     SUM},
    {"%x: hbm f32[64], %y: hbm f32[33], out %o: hbm f32[64,33]",
     LOAD1(64) "%w = load %y[:] : f32[33]\n %r = dot %v, %w precision default : f32[64,33]\n store "
               "%r, %o[:, :]\n",
     EXACT},
    {"%x: hbm f32[50,64], %y: hbm f32[64], out %o: hbm f32[50]",
     LOAD2(50, 64) "%w = load %y[:] : f32[64]\n %r = dot %v, %w lhs_contract [1] rhs_contract [0] "
                   "precision default : f32[50]\n store %r, %o[:]\n",
     SUM},
    {"%x: hbm f32[64], %y: hbm f32[64,50], out %o: hbm f32[50]",
     LOAD1(64) "%w = load %y[:, :] : f32[64,50]\n %r = dot %v, %w lhs_contract [0] rhs_contract "
               "[0] precision default : f32[50]\n store %r, %o[:]\n",
     SUM},
    {"%x: hbm f32[0,5], %y: hbm f32[5,4], out %o: hbm f32[0,4]",
     LOAD2(0, 5) "%w = load %y[:, :] : f32[5,4]\n %r = dot %v, %w lhs_contract [1] rhs_contract "
                 "[0] precision default : f32[0,4]\n store %r, %o[:, :]\n",
     EXACT},
    {"%x: hbm f32[3,0], %y: hbm f32[0,4], out %o: hbm f32[3,4]",
     LOAD2(3, 0) "%w = load %y[:, :] : f32[0,4]\n %r = dot %v, %w lhs_contract [1] rhs_contract "
                 "[0] precision default : f32[3,4]\n store %r, %o[:, :]\n",
     EXACT},
    {"%x: hbm bf16[33,70], %y: hbm bf16[70,90], out %o: hbm f32[33,90]",
     "%v = load %x[:, :] : bf16[33,70]\n %w = load %y[:, :] : bf16[70,90]\n %r = dot %v, %w "
     "lhs_contract [1] rhs_contract [0] precision default : f32[33,90]\n store %r, %o[:, :]\n",
     SUM},
    {"%x: hbm bf16[33,1200], %y: hbm bf16[1200,90], out %o: hbm bf16[33,90]",
     "%v = load %x[:, :] : bf16[33,1200]\n %w = load %y[:, :] : bf16[1200,90]\n %r = dot %v, %w "
     "lhs_contract [1] rhs_contract [0] precision default : bf16[33,90]\n store %r, %o[:, :]\n",
     {1, 1e-5}},
    {"%x: hbm f16[33,70], %y: hbm f16[90,70], out %o: hbm f16[33,90]",
     "%v = load %x[:, :] : f16[33,70]\n %w = load %y[:, :] : f16[90,70]\n %r = dot %v, %w "
     "lhs_contract [1] rhs_contract [1] precision default : f16[33,90]\n store %r, %o[:, :]\n",
     {1, 2e-6}},
    {"%x: hbm f32[33,70], %y: hbm f32[70,90], out %o: hbm f32[33,90]",
     LOAD2(33, 70) "%w = load %y[:, :] : f32[70,90]\n %r = dot %v, %w lhs_contract [1] "
                   "rhs_contract [0] precision bf16_bf16_f32 : f32[33,90]\n store %r, %o[:, :]\n",
     SUM},
    {"%x: hbm i8[33,70], %y: hbm i8[70,90], out %o: hbm i32[33,90]",
     "%v = load %x[:, :] : i8[33,70]\n %w = load %y[:, :] : i8[70,90]\n %r = dot %v, %w "
     "lhs_contract [1] rhs_contract [0] precision default : i32[33,90]\n store %r, %o[:, :]\n",
     EXACT},
    {"%x: hbm u8[33,70], %y: hbm u8[90,70], out %o: hbm u8[33,90]",
     "%v = load %x[:, :] : u8[33,70]\n %w = load %y[:, :] : u8[90,70]\n %r = dot %v, %w "
     "lhs_contract [1] rhs_contract [1] precision default : u8[33,90]\n store %r, %o[:, :]\n",
     EXACT},
    {"%x: hbm i32[33,70], %y: hbm i32[70,90], out %o: hbm i32[33,90]",
     "%v = load %x[:, :] : i32[33,70]\n %w = load %y[:, :] : i32[70,90]\n %r = dot %v, %w "
     "lhs_contract [1] rhs_contract [0] precision default : i32[33,90]\n store %r, %o[:, :]\n",
     EXACT},
    {"%x: hbm f32[40,70], %y: hbm f32[70,90], out %o: hbm f32[40,90]",
     LOAD2(40, 70) "%e = logistic %v : f32[40,70]\n %w = load %y[:, :] : f32[70,90]\n %r = dot %e, "
                   "%w lhs_contract [1] rhs_contract [0] precision default : f32[40,90]\n %t = "
                   "tanh %r : f32[40,90]\n store %t, %o[:, :]\n",
     {40, 1e-4}},
    // ---- sort, gather, scatter
    {"%x: hbm f32[5,33], out %o: hbm f32[5,33]",
     LOAD2(5, 33) "%r = sort %v dim 1 keys 1 stable : f32[5,33]\n store %r, %o[:, :]\n", EXACT},
    {"%x: hbm f32[33,5], out %o: hbm f32[33,5]",
     LOAD2(33, 5) "%r = sort %v dim 0 keys 1 stable descending : f32[33,5]\n store %r, %o[:, :]\n",
     EXACT},
    {"%x: hbm i8[5,100], %y: hbm f32[5,100], out %o: hbm i8[5,100], out %q: hbm f32[5,100]",
     "%v = load %x[:, :] : i8[5,100]\n %w = load %y[:, :] : f32[5,100]\n %r, %s = sort %v, %w dim "
     "1 keys 1 stable : (i8[5,100], f32[5,100])\n store %r, %o[:, :]\n store %s, %q[:, :]\n",
     EXACT},
    {"%x: hbm u8[5,100], %y: hbm bf16[5,100], %z: hbm i32[5,100], out %o: hbm u8[5,100], out %q: "
     "hbm bf16[5,100], out %p: hbm i32[5,100]",
     "%v = load %x[:, :] : u8[5,100]\n %w = load %y[:, :] : bf16[5,100]\n %u = load %z[:, :] : "
     "i32[5,100]\n"
     "%r, %s, %t = sort %v, %w, %u dim 1 keys 2 stable descending : (u8[5,100], bf16[5,100], "
     "i32[5,100])\n store %r, %o[:, :]\n store %s, %q[:, :]\n store %t, %p[:, :]\n",
     EXACT},
    {"%x: hbm f32[10,12], %i: hbm i32[7,1], out %o: hbm f32[7,12]",
     LOAD2(10, 12) "%a = load %i[:, :] : i32[7,1]\n %r = gather %v, %a offset_dims [1] "
                   "collapsed_dims [0] index_map [0] sizes [1, 12] mode fill fill nan : "
                   "f32[7,12]\n store %r, %o[:, :]\n",
     EXACT},
    {"%x: hbm f32[4,12], %i: hbm i32[7,1], out %o: hbm f32[7,12]",
     LOAD2(
         4,
         12) "%a = load %i[:, :] : i32[7,1]\n %r = gather %v, %a offset_dims [1] collapsed_dims "
             "[0] index_map [0] sizes [1, 12] mode fill fill 5 : f32[7,12]\n store %r, %o[:, :]\n",
     EXACT},
    {"%x: hbm f32[4,12], %i: hbm i32[7,2], out %o: hbm f32[2,7,3]",
     LOAD2(4, 12) "%a = load %i[:, :] : i32[7,2]\n %r = gather %v, %a offset_dims [0, 2] index_map "
                  "[1, 0] sizes [2, 3] mode clip fill 0 : f32[2,7,3]\n store %r, %o[:, :, :]\n",
     EXACT},
    {"%x: hbm f32[4,12], %i: hbm i32[4,5,1], out %o: hbm f32[4,5]",
     LOAD2(4, 12) "%a = load %i[:, :, :] : i32[4,5,1]\n %r = gather %v, %a collapsed_dims [1] "
                  "index_map [1] operand_batch [0] index_batch [0] sizes [1, 1] mode clip fill 0 : "
                  "f32[4,5]\n store %r, %o[:, :]\n",
     EXACT},
    // Lookups of elements from anywhere, of rows, down columns, of narrow tables, of what the
    // cluster
    // has made.
    {"%x: hbm f32[10,12], %i: hbm i32[7,45], %j: hbm i32[7,45], out %o: hbm f32[7,45]",
     LOAD2(10, 12) "%a = load %i[:, :] : i32[7,45]\n %b = load %j[:, :] : i32[7,45]\n"
                   "%m = const 7 : i32[7,45]\n %c = and %a, %m : i32[7,45]\n"
                   "%d = and %b, %m : i32[7,45]\n %r = lookup %v, %c, %d index_map [0, 1] : "
                   "f32[7,45]\n %s = neg %r : f32[7,45]\n store %s, %o[:, :]\n",
     EXACT},
    {"%x: hbm f32[10,45], %i: hbm i32[7], out %o: hbm f32[7,45], out %q: hbm f32[45,7]",
     LOAD2(10, 45) "%a = load %i[:] : i32[7]\n %m = const 7 : i32[7]\n"
                   "%c = and %a, %m : i32[7]\n %d = broadcast %c dims [0] : i32[7,45]\n"
                   "%e = iota dim 1 : i32[7,45]\n %r = lookup %v, %d, %e index_map [0, 1] : "
                   "f32[7,45]\n %s = neg %r : f32[7,45]\n store %s, %o[:, :]\n"
                   "%t = transpose %r dims [1, 0] : f32[45,7]\n %u = abs %t : f32[45,7]\n"
                   "store %u, %q[:, :]\n",
     EXACT},
    {"%x: hbm i8[40,9], %i: hbm i32[300], out %o: hbm i8[300], out %q: hbm i32[1]",
     "%v = load %x[:, :] : i8[40,9]\n%a = load %i[:] : i32[300]\n %m = const 7 : i32[300]\n"
     "%c = and %a, %m : i32[300]\n %r = lookup %v, %c, %c, %c index_map "
     "[0, 1, 0] : i8[300]\n %s = neg %r : i8[300]\n store %s, %o[:]\n"
     "%t = convert %r : i32[300]\n %u = reduce_sum %t axes [0] : i32\n"
     "store %u, %q[0]\n",
     EXACT},
    {"%x: hbm f32[8], %i: hbm i32[100], out %o: hbm f32[100]",
     LOAD1(8) "%w = abs %v : f32[8]\n %a = load %i[:] : i32[100]\n %m = const 7 : i32[100]\n"
              "%c = and %a, %m : i32[100]\n %r = lookup %w, %c index_map [0] : f32[100]\n"
              "store %r, %o[:]\n",
     EXACT},
    {"%x: hbm f32[4,12], %i: hbm i32[7,1], %u: hbm f32[7,12], out %o: hbm f32[4,12]",
     LOAD2(4, 12) "%a = load %i[:, :] : i32[7,1]\n %w = load %u[:, :] : f32[7,12]\n"
                  "%r = scatter %v, %a, %w offset_dims [1] collapsed_dims [0] index_map [0] mode "
                  "fill combine add : f32[4,12]\n store %r, %o[:, :]\n",
     EXACT},
    {"%x: hbm i32[40], %i: hbm i32[30,1], %u: hbm i32[30], out %o: hbm i32[40], out %p: hbm "
     "i32[40], out %q: hbm i32[40]",
     "%v = load %x[:] : i32[40]\n %a = load %i[:, :] : i32[30,1]\n %w = load %u[:] : i32[30]\n"
     "%r = scatter %v, %a, %w collapsed_dims [0] index_map [0] mode clip combine set : i32[40]\n "
     "store %r, %o[:]\n"
     "%s = scatter %v, %a, %w collapsed_dims [0] index_map [0] mode clip combine mul : i32[40]\n "
     "store %s, %p[:]\n"
     "%t = scatter %v, %a, %w collapsed_dims [0] index_map [0] mode clip combine max : i32[40]\n "
     "store %t, %q[:]\n",
     EXACT},
    // ---- what several walks of one stage need: kept by the first
    {"%x: hbm f32[9,20], out %o: hbm f32[9,20], out %q: hbm f32[20,9], out %r: hbm f32[20,9], "
     "out %s: hbm f32[6,30]",
     LOAD2(9, 20) "%e = tanh %v : f32[9,20]\n %f = logistic %v : f32[9,20]\n store %f, %o[:, :]\n"
                  "%t = transpose %e dims [1, 0] : f32[20,9]\n store %t, %q[:, :]\n"
                  "%u = transpose %f dims [1, 0] : f32[20,9]\n %b = rev %u dims [0] : f32[20,9]\n"
                  "store %b, %r[:, :]\n %p = reshape %f : f32[6,30]\n store %p, %s[:, :]\n",
     NEAR},
    {"%x: hbm f32[20,9], out %o: hbm f32[9,20], out %q: hbm f32[9], out %r: hbm f32[20]",
     LOAD2(20, 9) "%e = tanh %v : f32[20,9]\n %t = transpose %e dims [1, 0] : f32[9,20]\n"
                  "store %t, %o[:, :]\n %m = reduce_max %e axes [0] : f32[9]\n store %m, %q[:]\n"
                  "%n = reduce_sum %e axes [1] : f32[20]\n store %n, %r[:]\n",
     SUM},
    // ---- a result in the memory of what it is made from: not if that is read elsewhere, or later
    {"%x: hbm f32[40], out %o: hbm f32[40]",
     LOAD1(40) "%a = cumsum %v dim 0 : f32[40]\n %b = rev %a dims [0] : f32[40]\n"
               "%c = add %a, %b : f32[40]\n %d = cumsum %c dim 0 : f32[40]\n"
               "store %d, %o[:]\n",
     SUM},
    {"%x: hbm f32[40], out %o: hbm f32[40], out %q: hbm f32[40]",
     LOAD1(40) "%a = cumsum %v dim 0 : f32[40]\n %b = neg %a : f32[40]\n"
               "%m = reduce_max %a axes [0] : f32\n %n = broadcast %m dims [] : f32[40]\n"
               "%c = sub %a, %n : f32[40]\n %d = cumsum %b dim 0 : f32[40]\n"
               "store %d, %o[:]\n %e = cumsum %c dim 0 reverse : f32[40]\n"
               "store %e, %q[:]\n",
     SUM},
    {"%x: hbm f32[6,40], out %o: hbm f32[6,40]",
     LOAD2(6, 40) "%a = cumsum %v dim 1 : f32[6,40]\n"
                  "%m = reduce_max %a axes [1] : f32[6]\n %n = broadcast %m dims [0] : "
                  "f32[6,40]\n %c = sub %a, %n : f32[6,40]\n"
                  "%d = cumsum %c dim 0 : f32[6,40]\n store %d, %o[:, :]\n",
     SUM},
    // ---- copies from and to refs of another width, and views of those
    {"%x: hbm i32[4,12], out %o: hbm i16[8,12]",
     "%w = ref_bitcast %o : hbm i32[4,12]\n copy %x, %w\n", EXACT},
    {"%x: hbm i8[16,12], out %o: hbm i32[4,12]",
     "%w = ref_bitcast %x : hbm i32[4,12]\n copy %w, %o\n", EXACT},
    {"%x: hbm i32[4,12], out %o: hbm i8[16,12]",
     "%w = ref_bitcast %x : hbm i8[16,12]\n copy %w, %o\n", EXACT},
    {"%x: hbm i16[16,12], inout %o: hbm i16[16,12]",
     "%a = ref_bitcast %x : hbm i32[8,12]\n %v = view %a[2 : 4, 3 : 6] : hbm i32[4,6]\n"
     "%b = ref_bitcast %o : hbm i32[8,12]\n %w = view %b[3 : 4, 5 : 6] : hbm i32[4,6]\n"
     "copy %v, %w\n",
     EXACT},
    {"%x: hbm i8[16,12], inout %o: hbm i16[32,12]",
     "%a = ref_bitcast %x : hbm i16[8,12]\n %v = view %a[1 : 3 : 2, 2 : 5 : 2] : hbm i16[3,5]\n"
     "%b = ref_bitcast %o : hbm i32[16,12]\n %c = ref_bitcast %b : hbm i16[32,12]\n"
     "%w = view %c[7 : 3, 4 : 5] : hbm i16[3,5]\n copy %v, %w\n"
     "%k = const 5 : i32\n %e = load %v[:, 1] : i16[3]\n store %e, %c[20 : 3, %k]\n",
     EXACT},
    // ---- index arrays: side by side their dimensions stay in their place, apart they go first
    {"%x: hbm f32[7,8,9], %i: hbm i32[3], %j: hbm i32[3], out %o: hbm f32[7,3], inout %q: hbm "
     "f32[7,8,9]",
     "%a = load %i[:] : i32[3]\n %b = load %j[:] : i32[3]\n %k = const 1 : i32\n"
     "%v = load %x[:, %a, %b] : f32[7,3]\n store %v, %o[:, :]\n store %v, %q[:, %a, %b]\n",
     EXACT},
    {"%x: hbm f32[7,8,9], %i: hbm i32[3], %j: hbm i32[3], out %o: hbm f32[3,8], inout %q: hbm "
     "f32[7,8,9]",
     "%a = load %i[:] : i32[3]\n %b = load %j[:] : i32[3]\n %k = const 1 : i32\n"
     "%v = load %x[%a, :, %b] : f32[3,8]\n store %v, %o[:, :]\n store %v, %q[%a, :, %b]\n",
     EXACT},
    {"%x: hbm f32[7,8,9], %i: hbm i32[3], %j: hbm i32[3], out %o: hbm f32[3,9], inout %q: hbm "
     "f32[7,8,9]",
     "%a = load %i[:] : i32[3]\n %b = load %j[:] : i32[3]\n %k = const 1 : i32\n"
     "%v = load %x[%a, %b, :] : f32[3,9]\n store %v, %o[:, :]\n store %v, %q[%a, %b, :]\n",
     EXACT},
    {"%x: hbm f32[7,8,9], %i: hbm i32[3], %j: hbm i32[3], out %o: hbm f32[3,8], inout %q: hbm "
     "f32[7,8,9]",
     "%a = load %i[:] : i32[3]\n %b = load %j[:] : i32[3]\n %k = const 1 : i32\n"
     "%v = load %x[%k, :, %a] : f32[3,8]\n store %v, %o[:, :]\n store %v, %q[%k, :, %a]\n",
     EXACT},
    {"%x: hbm f32[7,8,9], %i: hbm i32[3], %j: hbm i32[3], out %o: hbm f32[7,3], inout %q: hbm "
     "f32[7,8,9]",
     "%a = load %i[:] : i32[3]\n %b = load %j[:] : i32[3]\n %k = const 1 : i32\n"
     "%v = load %x[:, %k, %a] : f32[7,3]\n store %v, %o[:, :]\n store %v, %q[:, %k, %a]\n",
     EXACT},
    {"%x: hbm f32[7,8,9], %i: hbm i32[3], %j: hbm i32[3], out %o: hbm f32[3,9], inout %q: hbm "
     "f32[7,8,9]",
     "%a = load %i[:] : i32[3]\n %b = load %j[:] : i32[3]\n %k = const 1 : i32\n"
     "%v = load %x[%a, %k, :] : f32[3,9]\n store %v, %o[:, :]\n store %v, %q[%a, %k, :]\n",
     EXACT},
    {"%x: hbm f32[7,8,9], %i: hbm i32[3], %j: hbm i32[3], out %o: hbm f32[3,8], inout %q: hbm "
     "f32[7,8,9]",
     "%a = load %i[:] : i32[3]\n %b = load %j[:] : i32[3]\n %k = const 1 : i32\n"
     "%v = load %x[%a, :, 2] : f32[3,8]\n store %v, %o[:, :]\n store %v, %q[%a, :, 2]\n",
     EXACT},
    {"%x: hbm f32[7,8,9], %i: hbm i32[3], %j: hbm i32[3], out %o: hbm f32[3,2], inout %q: hbm "
     "f32[7,8,9]",
     "%a = load %i[:] : i32[3]\n %b = load %j[:] : i32[3]\n %k = const 1 : i32\n"
     "%v = load %x[%a, 1 : 2, %b] : f32[3,2]\n store %v, %o[:, :]\n store %v, %q[%a, 1 : 2, %b]\n",
     EXACT},
    {"%x: hbm f32[7,8,9], %i: hbm i32[3], %j: hbm i32[3], out %o: hbm f32[3], inout %q: hbm "
     "f32[7,8,9]",
     "%a = load %i[:] : i32[3]\n %b = load %j[:] : i32[3]\n %k = const 1 : i32\n"
     "%v = load %x[%a, %b, %k] : f32[3]\n store %v, %o[:]\n store %v, %q[%a, %b, %k]\n",
     EXACT},
    {"%x: hbm f32[7,8,9], %i: hbm i32[3], %j: hbm i32[3], out %o: hbm f32[7,8,3], inout %q: hbm "
     "f32[7,8,9]",
     "%a = load %i[:] : i32[3]\n %b = load %j[:] : i32[3]\n %k = const 1 : i32\n"
     "%v = load %x[:, :, %a] : f32[7,8,3]\n store %v, %o[:, :, :]\n store %v, %q[:, :, %a]\n",
     EXACT},
    // ---- under a mask, what there is of a view that goes beyond its array
    {"%x: hbm f32[7,9], %i: hbm i32[4], out %o: hbm f32[4,9], inout %q: hbm f32[7,9]",
     "%a = load %i[0] : i32\n %5 = const 5 : i32\n %two = const 2 : i32\n %b = mod %a, %two : "
     "i32\n %k = add %b, %5 : i32\n"
     "%w = view %x[%k : 4, :] : hbm f32[4,9]\n %r = iota dim 0 : i32[4,9]\n"
     "%2 = const 1 : i32[4,9]\n %m = lt %r, %2 : bool[4,9]\n %z = const -1.5 : f32[4,9]\n"
     "%v = load %w[:, :] mask %m other %z : f32[4,9]\n store %v, %o[:, :]\n"
     "%u = view %q[%k : 4, :] : hbm f32[4,9]\n store %v, %u[:, :] mask %m\n",
     EXACT},
    // ---- the first few of a sort: any number of any, in blocks of vectors and what is before them
    {"%x: hbm f32[2,83], out %o: hbm f32[2,3], out %p: hbm i32[2,3]",
     LOAD2(2, 83) "%i = iota dim 1 : i32[2,83]\n %s, %t = sort %v, %i dim 1 keys 1 stable : "
                  "(f32[2,83], i32[2,83])\n"
                  "%u = slice %s starts [0, 0] limits [2, 3] strides [1, 1] : f32[2,3]\n store %u, "
                  "%o[:, :]\n"
                  "%w = slice %t starts [0, 0] limits [2, 3] strides [1, 1] : i32[2,3]\n store %w, "
                  "%p[:, :]\n",
     EXACT},
    {"%x: hbm f32[2,97], out %o: hbm f32[2,5], out %p: hbm i32[2,5]",
     LOAD2(2, 97) "%i = iota dim 1 : i32[2,97]\n %s, %t = sort %v, %i dim 1 keys 1 stable "
                  "descending : (f32[2,97], i32[2,97])\n"
                  "%u = slice %s starts [0, 0] limits [2, 5] strides [1, 1] : f32[2,5]\n store %u, "
                  "%o[:, :]\n"
                  "%w = slice %t starts [0, 0] limits [2, 5] strides [1, 1] : i32[2,5]\n store %w, "
                  "%p[:, :]\n",
     EXACT},
    {"%x: hbm f32[2,64], out %o: hbm f32[2,7], out %p: hbm i32[2,7]",
     LOAD2(2, 64) "%i = iota dim 1 : i32[2,64]\n %s, %t = sort %v, %i dim 1 keys 1 stable : "
                  "(f32[2,64], i32[2,64])\n"
                  "%u = slice %s starts [0, 0] limits [2, 7] strides [1, 1] : f32[2,7]\n store %u, "
                  "%o[:, :]\n"
                  "%w = slice %t starts [0, 0] limits [2, 7] strides [1, 1] : i32[2,7]\n store %w, "
                  "%p[:, :]\n",
     EXACT},
    {"%x: hbm f32[2,130], out %o: hbm f32[2,1], out %p: hbm i32[2,1]",
     LOAD2(2, 130) "%i = iota dim 1 : i32[2,130]\n %s, %t = sort %v, %i dim 1 keys 1 stable "
                   "descending : (f32[2,130], i32[2,130])\n"
                   "%u = slice %s starts [0, 0] limits [2, 1] strides [1, 1] : f32[2,1]\n store "
                   "%u, %o[:, :]\n"
                   "%w = slice %t starts [0, 0] limits [2, 1] strides [1, 1] : i32[2,1]\n store "
                   "%w, %p[:, :]\n",
     EXACT},
    {"%x: hbm f32[2,1100], out %o: hbm f32[2,11], out %p: hbm i32[2,11]",
     LOAD2(2, 1100) "%i = iota dim 1 : i32[2,1100]\n %s, %t = sort %v, %i dim 1 keys 1 stable : "
                    "(f32[2,1100], i32[2,1100])\n"
                    "%u = slice %s starts [0, 0] limits [2, 11] strides [1, 1] : f32[2,11]\n store "
                    "%u, %o[:, :]\n"
                    "%w = slice %t starts [0, 0] limits [2, 11] strides [1, 1] : i32[2,11]\n store "
                    "%w, %p[:, :]\n",
     EXACT},
    {"%x: hbm f32[2,2053], out %o: hbm f32[2,9], out %p: hbm i32[2,9]",
     LOAD2(2, 2053) "%i = iota dim 1 : i32[2,2053]\n %s, %t = sort %v, %i dim 1 keys 1 stable "
                    "descending : (f32[2,2053], i32[2,2053])\n"
                    "%u = slice %s starts [0, 0] limits [2, 9] strides [1, 1] : f32[2,9]\n store "
                    "%u, %o[:, :]\n"
                    "%w = slice %t starts [0, 0] limits [2, 9] strides [1, 1] : i32[2,9]\n store "
                    "%w, %p[:, :]\n",
     EXACT},
    {"%x: hbm f32[2,40], out %o: hbm f32[2,5], out %p: hbm i32[2,5]",
     LOAD2(2, 40) "%i = iota dim 1 : i32[2,40]\n %s, %t = sort %v, %i dim 1 keys 1 stable : "
                  "(f32[2,40], i32[2,40])\n"
                  "%u = slice %s starts [0, 0] limits [2, 5] strides [1, 1] : f32[2,5]\n store %u, "
                  "%o[:, :]\n"
                  "%w = slice %t starts [0, 0] limits [2, 5] strides [1, 1] : i32[2,5]\n store %w, "
                  "%p[:, :]\n",
     EXACT},
    {"%x: hbm bf16[77], out %o: hbm bf16[77], out %q: hbm bf16[77]",
     "%v = load %x[:] : bf16[77]\n %r = reduce_precision %v exponent_bits 5 mantissa_bits 3 : "
     "bf16[77]\n"
     "store %r, %o[:]\n %s = reduce_precision %v exponent_bits 8 mantissa_bits 5 : bf16[77]\n "
     "store %s, %q[:]\n",
     EXACT},
    {"%x: hbm f32[7,9], %i: hbm i32[4], out %o: hbm f32[3,9]",
     "%a = load %i[0] : i32\n %5 = const 3 : i32\n %two = const 2 : i32\n %b = mod %a, %two : "
     "i32\n %k = add %b, %5 : i32\n"
     "%w = view %x[%k : 3 : 2, :] : hbm f32[3,9]\n %r = iota dim 0 : i32[3,9]\n"
     "%2 = const 2 : i32[3,9]\n %m = lt %r, %2 : bool[3,9]\n %z = const -1.5 : f32[3,9]\n"
     "%v = load %w[:, :] mask %m other %z : f32[3,9]\n store %v, %o[:, :]\n",
     EXACT},
};
