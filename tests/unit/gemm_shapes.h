// SPDX-License-Identifier: Apache-2.0
// Cases of test_gemm_shape.c: a product, and how it is cut for a CPU.
#pragma once

static const WholeCase whole_cases[] = {
    // vectors that the columns need
    {"x86-64-v3", "rows", "rows", DOT_F32, 64, 7, 64,
     "12x1 of 8 panel 8 k 64 of 64 by 8 group 96 pitch 80 parts 1 first 4, packs b, on the way, by "
     "panels"},
    {"x86-64-v3", "rows", "rows", DOT_F32, 64, 8, 64,
     "12x1 of 8 panel 8 k 64 of 64 by 8 group 96 pitch 80 parts 1 first 0, by panels"},
    {"x86-64-v3", "rows", "rows", DOT_F32, 64, 9, 64,
     "6x2 of 8 panel 16 k 64 of 64 by 2 group 96 pitch 80 parts 1 first 4, packs b, on the way, by "
     "panels"},
    {"x86-64-v3", "rows", "rows", DOT_F32, 64, 16, 64,
     "6x2 of 8 panel 16 k 64 of 64 by 2 group 96 pitch 80 parts 1 first 0, by panels"},
    {"x86-64-v3", "rows", "rows", DOT_F32, 64, 17, 64,
     "6x2 of 8 panel 16 k 64 of 64 by 2 group 96 pitch 80 parts 1 first 4, packs b, on the way, by "
     "panels"},
    {"znver4", "rows", "rows", DOT_F32, 64, 16, 64,
     "12x1 of 16 panel 16 k 64 of 64 by 8 group 504 pitch 80 parts 1 first 0, by panels"},
    {"znver4", "rows", "rows", DOT_F32, 64, 17, 64,
     "6x2 of 16 panel 32 k 64 of 64 by 2 group 510 pitch 80 parts 1 first 0, by panels"},
    {"znver4", "rows", "rows", DOT_F32, 64, 32, 64,
     "6x2 of 16 panel 32 k 64 of 64 by 2 group 510 pitch 80 parts 1 first 0, by panels"},
    {"znver4", "rows", "rows", DOT_F32, 64, 33, 64,
     "6x3 of 16 panel 48 k 64 of 64 by 2 group 510 pitch 80 parts 1 first 0, by panels"},
    {"znver4", "rows", "rows", DOT_F32, 64, 48, 64,
     "6x3 of 16 panel 48 k 64 of 64 by 2 group 510 pitch 80 parts 1 first 0, by panels"},
    {"znver4", "rows", "rows", DOT_F32, 64, 49, 64,
     "6x4 of 16 panel 64 k 64 of 64 by 2 group 510 pitch 80 parts 1 first 0, by panels"},
    // b: packed if it is read several times, does not fit the first level, has more rows than
    // streams
    {"x86-64-v3", "rows", "rows", DOT_F32, 17, 512, 64,
     "6x2 of 8 panel 16 k 64 of 64 by 2 group 96 pitch 80 parts 1 first 0, by panels"},
    {"x86-64-v3", "rows", "rows", DOT_F32, 18, 512, 64,
     "6x2 of 8 panel 16 k 64 of 64 by 2 group 96 pitch 80 parts 1 first 6, packs b, on the way, by "
     "panels"},
    {"x86-64-v3", "rows", "rows", DOT_F32, 18, 128, 64,
     "6x2 of 8 panel 16 k 64 of 64 by 2 group 96 pitch 80 parts 1 first 0, by panels"},
    {"x86-64-v3", "rows", "rows", DOT_F32, 18, 129, 64,
     "6x2 of 8 panel 16 k 64 of 64 by 2 group 96 pitch 80 parts 1 first 6, packs b, on the way, by "
     "panels"},
    {"x86-64-v3", "rows", "rows", DOT_F32, 18, 136, 64,
     "6x2 of 8 panel 16 k 64 of 64 by 2 group 96 pitch 80 parts 1 first 6, packs b, on the way, by "
     "panels"},
    {"x86-64-v3", "rows", "rows", DOT_F32, 18, 512, 32,
     "6x2 of 8 panel 16 k 32 of 32 by 2 group 96 pitch 48 parts 1 first 6, packs b, on the way, by "
     "panels"},
    {"x86-64-v3", "rows", "pitch 528", DOT_F32, 18, 512, 32,
     "6x2 of 8 panel 16 k 32 of 32 by 2 group 96 pitch 48 parts 1 first 0, by panels"},
    {"x86-64-v3", "rows", "rows", DOT_F32, 18, 512, 33,
     "6x2 of 8 panel 16 k 33 of 33 by 2 group 96 pitch 49 parts 1 first 6, packs b, on the way, by "
     "panels"},
    {"znver4", "rows", "rows", DOT_F32, 17, 512, 64,
     "6x4 of 16 panel 64 k 64 of 64 by 2 group 510 pitch 80 parts 1 first 0, by panels"},
    {"znver4", "rows", "rows", DOT_F32, 18, 512, 64,
     "6x4 of 16 panel 64 k 64 of 64 by 2 group 510 pitch 80 parts 1 first 6, packs b, on the way, "
     "by panels"},
    {"znver4", "rows", "rows", DOT_F32, 18, 100, 64,
     "6x4 of 16 panel 64 k 64 of 64 by 2 group 510 pitch 80 parts 1 first 0, by panels"},
    {"znver4", "rows", "rows", DOT_F32, 18, 136, 64,
     "6x4 of 16 panel 64 k 64 of 64 by 2 group 510 pitch 80 parts 1 first 6, packs b, on the way, "
     "by panels"},
    // b along k: in squares for a few rows, else packed
    {"x86-64-v3", "rows", "columns", DOT_F32, 5, 512, 64,
     "6x1 of 8 panel 8 k 64 of 64 by 8 group 6 pitch 80 parts 1 first 0, squares, waits, by "
     "panels"},
    {"x86-64-v3", "rows", "columns", DOT_F32, 6, 512, 64,
     "6x1 of 8 panel 8 k 64 of 64 by 8 group 6 pitch 80 parts 1 first 0, squares, waits, by "
     "panels"},
    {"x86-64-v3", "rows", "columns", DOT_F32, 7, 512, 64,
     "6x2 of 8 panel 16 k 64 of 64 by 2 group 96 pitch 80 parts 1 first 0, packs b, by panels"},
    {"x86-64-v3", "rows", "columns", DOT_F32, 6, 510, 64,
     "6x2 of 8 panel 16 k 64 of 64 by 2 group 96 pitch 80 parts 1 first 0, packs b, waits, by "
     "panels"},
    {"x86-64-v3", "rows", "columns", DOT_F32, 6, 512, 7,
     "6x2 of 8 panel 16 k 7 of 7 by 2 group 96 pitch 23 parts 1 first 0, packs b, waits, by "
     "panels"},
    {"x86-64-v3", "rows", "columns", DOT_F32, 6, 512, 8,
     "6x1 of 8 panel 8 k 8 of 8 by 8 group 6 pitch 24 parts 1 first 0, squares, waits, by panels"},
    {"x86-64-v3", "rows", "columns", DOT_F32, 6, 512, 12,
     "6x1 of 8 panel 8 k 12 of 12 by 8 group 6 pitch 28 parts 1 first 0, squares, waits, by "
     "panels"},
    {"znver4", "rows", "columns", DOT_F32, 14, 512, 64,
     "6x4 of 16 panel 64 k 64 of 64 by 2 group 510 pitch 80 parts 1 first 0, packs b, by panels"},
    {"znver4", "rows", "columns", DOT_F32, 15, 512, 64,
     "6x4 of 16 panel 64 k 64 of 64 by 2 group 510 pitch 80 parts 1 first 0, packs b, by panels"},
    {"znver4", "rows", "columns", DOT_F32, 5, 510, 64,
     "8x1 of 16 panel 16 k 64 of 64 by 16 group 8 pitch 80 parts 1 first 0, squares, waits, by "
     "panels"},
    {"znver4", "rows", "columns", DOT_F32, 5, 512, 15,
     "6x4 of 16 panel 64 k 15 of 15 by 2 group 510 pitch 31 parts 1 first 0, packs b, waits, by "
     "panels"},
    {"znver4", "rows", "columns", DOT_F32, 5, 512, 16,
     "8x1 of 16 panel 16 k 16 of 16 by 16 group 8 pitch 32 parts 1 first 0, squares, waits, by "
     "panels"},
    // a: packed where its rows drive each other from the cache, or it lies along m
    {"x86-64-v3", "rows", "rows", DOT_F32, 100, 4096, 512,
     "6x2 of 8 panel 16 k 512 of 512 by 2 group 90 pitch 528 parts 1 first 0, packs a, packs b"},
    {"x86-64-v3", "rows", "rows", DOT_F32, 100, 384, 512,
     "6x2 of 8 panel 16 k 512 of 512 by 2 group 90 pitch 528 parts 1 first 0, packs a, packs b"},
    {"x86-64-v3", "rows", "rows", DOT_F32, 100, 383, 1000,
     "6x2 of 8 panel 16 k 512 of 1000 by 2 group 96 pitch 528 parts 1 first 0, packs b"},
    {"x86-64-v3", "rows", "rows", DOT_F32, 500, 512, 1024,
     "6x2 of 8 panel 16 k 512 of 1024 by 2 group 90 pitch 528 parts 1 first 0, packs a, packs b"},
    {"x86-64-v3", "rows", "rows", DOT_F32, 400, 128, 1024,
     "6x2 of 8 panel 16 k 512 of 1024 by 2 group 90 pitch 528 parts 1 first 0, packs a, packs b"},
    {"x86-64-v3", "rows", "rows", DOT_F32, 400, 127, 1024,
     "6x2 of 8 panel 16 k 512 of 1024 by 2 group 96 pitch 528 parts 1 first 0, packs b"},
    {"x86-64-v3", "rows", "rows", DOT_F32, 8, 128, 1024,
     "6x2 of 8 panel 16 k 512 of 1024 by 2 group 90 pitch 528 parts 1 first 0, packs a, by panels"},
    {"x86-64-v3", "rows", "rows", DOT_F32, 3, 128, 1024,
     "6x3 of 8 panel 24 k 16 of 1024 by 2 group 96 pitch 32 parts 1 first 0, waits, by panels"},
    {"x86-64-v3", "rows", "rows", DOT_F32, 7, 128, 576,
     "6x2 of 8 panel 16 k 576 of 576 by 2 group 96 pitch 592 parts 1 first 0, by panels"},
    {"x86-64-v3", "rows", "rows", DOT_F32, 8, 128, 512,
     "6x2 of 8 panel 16 k 512 of 512 by 2 group 96 pitch 528 parts 1 first 0, by panels"},
    {"x86-64-v3", "pitch 1000", "rows", DOT_F32, 500, 512, 300,
     "6x2 of 8 panel 16 k 300 of 300 by 2 group 90 pitch 316 parts 1 first 0, packs a, packs b"},
    {"x86-64-v3", "pitch 1000", "rows", DOT_F32, 500, 384, 500,
     "6x2 of 8 panel 16 k 500 of 500 by 2 group 90 pitch 516 parts 1 first 0, packs a, packs b"},
    {"x86-64-v3", "pitch 1000", "rows", DOT_F32, 500, 383, 500,
     "6x2 of 8 panel 16 k 500 of 500 by 2 group 96 pitch 516 parts 1 first 0, packs b"},
    {"x86-64-v3", "pitch 1000", "rows", DOT_F32, 60, 384, 500,
     "6x2 of 8 panel 16 k 500 of 500 by 2 group 96 pitch 516 parts 1 first 6, packs b, on the way, "
     "by panels"},
    {"x86-64-v3", "columns", "rows", DOT_F32, 100, 512, 41,
     "6x2 of 8 panel 16 k 41 of 41 by 2 group 90 pitch 57 parts 1 first 0, packs a, packs b"},
    {"x86-64-v3", "columns", "rows", DOT_F32, 100, 512, 40,
     "6x2 of 8 panel 16 k 40 of 40 by 2 group 96 pitch 56 parts 1 first 0, packs b"},
    {"x86-64-v3", "columns", "rows", DOT_F32, 64, 64, 64,
     "6x2 of 8 panel 16 k 64 of 64 by 2 group 96 pitch 80 parts 1 first 0, by panels"},
    {"x86-64-v3", "columns", "rows", DOT_F32, 100, 16, 512,
     "6x2 of 8 panel 16 k 512 of 512 by 2 group 96 pitch 528 parts 1 first 0"},
    {"x86-64-v3", "columns", "rows", DOT_F32, 100, 17, 512,
     "6x2 of 8 panel 16 k 512 of 512 by 2 group 90 pitch 528 parts 1 first 0, packs a, packs b"},
    {"znver4", "columns", "rows", DOT_F32, 100, 512, 512,
     "6x4 of 16 panel 64 k 512 of 512 by 2 group 372 pitch 528 parts 1 first 4, packs a, packs b, "
     "on the way, by panels"},
    {"znver4", "rows", "rows", DOT_F32, 1000, 4096, 1024,
     "6x4 of 16 panel 64 k 512 of 1024 by 2 group 510 pitch 528 parts 1 first 4, packs b, on the "
     "way, by panels"},
    // parts for threads, and tiles of one size on the way
    {"znver4", "rows", "rows", DOT_F32, 256, 64, 300,
     "6x4 of 16 panel 64 k 300 of 300 by 2 group 510 pitch 316 parts 1 first 4, packs b, on the "
     "way, by panels | 6x4 of 16 panel 64 k 300 of 300 by 2 group 510 pitch 316 parts 2 first 5, "
     "packs b, on the way, by panels"},
    {"znver4", "rows", "rows", DOT_F32, 255, 64, 300,
     "6x4 of 16 panel 64 k 300 of 300 by 2 group 510 pitch 316 parts 1 first 3, packs b, on the "
     "way, by panels | 5x4 of 16 panel 64 k 300 of 300 by 2 group 510 pitch 316 parts 2 first 5, "
     "packs b, on the way, by panels"},
    {"znver4", "rows", "rows", DOT_F32, 1000, 64, 300,
     "6x4 of 16 panel 64 k 300 of 300 by 2 group 510 pitch 316 parts 1 first 4, packs b, on the "
     "way, by panels | 6x4 of 16 panel 64 k 300 of 300 by 2 group 510 pitch 316 parts 7 first 4, "
     "packs b, on the way, by panels"},
    {"znver4", "rows", "rows", DOT_F32, 1000, 1024, 300,
     "6x4 of 16 panel 64 k 300 of 300 by 2 group 510 pitch 316 parts 1 first 4, packs b, on the "
     "way, by panels"},
    {"znver4", "rows", "rows", DOT_F32, 1000, 1025, 300,
     "6x4 of 16 panel 64 k 300 of 300 by 2 group 510 pitch 316 parts 1 first 4, packs b, on the "
     "way, by panels"},
    {"znver4", "rows", "rows", DOT_F32, 1001, 128, 300,
     "6x4 of 16 panel 64 k 300 of 300 by 2 group 510 pitch 316 parts 1 first 5, packs b, on the "
     "way, by panels | 6x4 of 16 panel 64 k 300 of 300 by 2 group 510 pitch 316 parts 7 first 5, "
     "packs b, on the way, by panels"},
    {"znver4", "rows", "rows", DOT_F32, 4000, 64, 3000,
     "6x4 of 16 panel 64 k 512 of 3000 by 2 group 510 pitch 528 parts 1 first 4, packs b, on the "
     "way, by panels | 6x4 of 16 panel 64 k 512 of 3000 by 2 group 510 pitch 528 parts 16 first 4, "
     "packs b, on the way, by panels"},
    {"znver4", "rows", "rows", DOT_F32, 997, 64, 64,
     "6x4 of 16 panel 64 k 64 of 64 by 2 group 510 pitch 80 parts 1 first 0"},
    {"znver4", "rows", "rows", DOT_F32, 130, 64, 600,
     "6x4 of 16 panel 64 k 600 of 600 by 2 group 510 pitch 616 parts 1 first 4, packs b, on the "
     "way, by panels"},
    // few rows: pages of memory
    {"x86-64-v3", "rows", "rows", DOT_F32, 6, 4096, 4096,
     "6x2 of 8 panel 16 k 4 of 4096 by 4 group 90 pitch 20 parts 1 first 0, strip 448 ahead 16, "
     "packs a, waits, by panels"},
    {"x86-64-v3", "rows", "rows", DOT_F32, 7, 4096, 4096,
     "6x2 of 8 panel 16 k 4 of 4096 by 4 group 90 pitch 20 parts 1 first 0, strip 384 ahead 16, "
     "packs a, waits, by panels"},
    {"x86-64-v3", "rows", "rows", DOT_F32, 17, 4096, 4096,
     "6x2 of 8 panel 16 k 16 of 4096 by 2 group 90 pitch 32 parts 1 first 0, packs a, waits, by "
     "panels"},
    {"x86-64-v3", "rows", "rows", DOT_F32, 18, 4096, 4096,
     "6x2 of 8 panel 16 k 512 of 4096 by 2 group 90 pitch 528 parts 1 first 0, packs a, packs b, "
     "by panels"},
    {"x86-64-v3", "rows", "rows", DOT_F32, 7, 64, 1024,
     "6x2 of 8 panel 16 k 512 of 1024 by 2 group 96 pitch 528 parts 1 first 0, by panels"},
    {"x86-64-v3", "rows", "rows", DOT_F32, 12, 128, 1025,
     "6x2 of 8 panel 16 k 16 of 1025 by 2 group 96 pitch 32 parts 1 first 0, waits, by panels"},
    {"x86-64-v3", "rows", "rows", DOT_F32, 1, 4096, 1,
     "6x8 of 8 panel 64 k 1 of 1 by 1 group 96 pitch 17 parts 1 first 0, waits, by panels"},
    {"znver4", "rows", "rows", DOT_F32, 4, 4096, 4096,
     "6x4 of 16 panel 64 k 4 of 4096 by 4 group 510 pitch 20 parts 1 first 0, strip 640 ahead 16, "
     "waits, by panels"},
    {"znver4", "rows", "columns", DOT_F32, 3, 4096, 8,
     "6x4 of 16 panel 64 k 8 of 8 by 2 group 510 pitch 24 parts 1 first 0, packs b, waits, by "
     "panels"},
    // blocks of k: of one size, of whole lines; one if what is left is little
    {"x86-64-v3", "rows", "rows", DOT_F32, 64, 512, 1,
     "6x2 of 8 panel 16 k 1 of 1 by 1 group 96 pitch 17 parts 1 first 0, by panels"},
    {"x86-64-v3", "rows", "rows", DOT_F32, 64, 512, 2,
     "6x2 of 8 panel 16 k 2 of 2 by 2 group 96 pitch 18 parts 1 first 0, by panels"},
    {"x86-64-v3", "rows", "rows", DOT_F32, 64, 512, 511,
     "6x2 of 8 panel 16 k 511 of 511 by 2 group 96 pitch 527 parts 1 first 4, packs b, on the way, "
     "by panels"},
    {"x86-64-v3", "rows", "rows", DOT_F32, 64, 512, 512,
     "6x2 of 8 panel 16 k 512 of 512 by 2 group 96 pitch 528 parts 1 first 4, packs b, on the way, "
     "by panels"},
    {"x86-64-v3", "rows", "rows", DOT_F32, 64, 512, 639,
     "6x2 of 8 panel 16 k 639 of 639 by 2 group 90 pitch 655 parts 1 first 4, packs a, packs b, on "
     "the way, by panels"},
    {"x86-64-v3", "rows", "rows", DOT_F32, 64, 512, 640,
     "6x2 of 8 panel 16 k 320 of 640 by 2 group 90 pitch 336 parts 1 first 4, packs a, packs b, on "
     "the way, by panels"},
    {"x86-64-v3", "rows", "rows", DOT_F32, 64, 512, 641,
     "6x2 of 8 panel 16 k 336 of 641 by 2 group 90 pitch 352 parts 1 first 4, packs a, packs b, on "
     "the way, by panels"},
    {"x86-64-v3", "rows", "rows", DOT_F32, 64, 512, 1300,
     "6x2 of 8 panel 16 k 448 of 1300 by 2 group 90 pitch 464 parts 1 first 4, packs a, packs b, "
     "on the way, by panels"},
    {"x86-64-v3", "rows", "rows", DOT_F32, 64, 512, 2000,
     "6x2 of 8 panel 16 k 512 of 2000 by 2 group 90 pitch 528 parts 1 first 4, packs a, packs b, "
     "on the way, by panels"},
    {"alderlake", "rows", "rows", DOT_F32, 64, 512, 768,
     "6x2 of 8 panel 16 k 768 of 768 by 2 group 318 pitch 784 parts 1 first 4, packs b, on the "
     "way, by panels"},
    {"alderlake", "rows", "rows", DOT_F32, 64, 512, 959,
     "6x2 of 8 panel 16 k 959 of 959 by 2 group 318 pitch 975 parts 1 first 4, packs b, on the "
     "way, by panels"},
    {"alderlake", "rows", "rows", DOT_F32, 64, 512, 960,
     "6x2 of 8 panel 16 k 480 of 960 by 2 group 318 pitch 496 parts 1 first 4, packs b, on the "
     "way, by panels"},
    {"alderlake", "rows", "rows", DOT_F32, 64, 512, 2000,
     "6x2 of 8 panel 16 k 672 of 2000 by 2 group 318 pitch 688 parts 1 first 4, packs b, on the "
     "way, by panels"},
    {"x86-64", "rows", "rows", DOT_F32, 64, 512, 512,
     "6x2 of 4 panel 8 k 512 of 512 by 2 group 48 pitch 528 parts 1 first 0, packs b"},
    {"x86-64", "rows", "rows", DOT_F32, 64, 512, 2500,
     "6x2 of 4 panel 8 k 848 of 2500 by 2 group 42 pitch 864 parts 1 first 0, packs a, packs b"},
    // cells of several elements
    {"znver4", "rows", "rows", DOT_I8, 64, 128, 63,
     "6x4 of 16 panel 64 k 16 of 16 by 2 group 372 pitch 32 parts 1 first 0, packs a, packs b, by "
     "panels"},
    {"znver4", "rows", "rows", DOT_I8, 64, 128, 64,
     "6x4 of 16 panel 64 k 16 of 16 by 2 group 372 pitch 32 parts 1 first 0, packs a, packs b, by "
     "panels"},
    {"znver4", "rows", "rows", DOT_I8, 64, 128, 65,
     "6x4 of 16 panel 64 k 17 of 17 by 2 group 372 pitch 33 parts 1 first 0, packs a, packs b, by "
     "panels"},
    {"znver4", "rows", "columns", DOT_I8, 64, 128, 64,
     "6x4 of 16 panel 64 k 16 of 16 by 2 group 372 pitch 32 parts 1 first 0, packs a, packs b, by "
     "panels"},
    {"znver4", "rows", "columns", DOT_I8, 64, 128, 66,
     "6x4 of 16 panel 64 k 17 of 17 by 2 group 372 pitch 33 parts 1 first 0, packs a, packs b, by "
     "panels"},
    {"znver4", "columns", "rows", DOT_I8, 64, 128, 64,
     "6x4 of 16 panel 64 k 16 of 16 by 2 group 372 pitch 32 parts 1 first 0, packs a, packs b, by "
     "panels"},
    {"znver4", "rows", "columns", DOT_I8, 4, 128, 64,
     "6x4 of 16 panel 64 k 16 of 16 by 2 group 372 pitch 32 parts 1 first 0, packs a, packs b, "
     "waits, by panels"},
    {"x86-64-v3", "rows", "columns", DOT_I16, 64, 128, 64,
     "6x2 of 8 panel 16 k 32 of 32 by 2 group 96 pitch 48 parts 1 first 0, packs b, by panels"},
    {"x86-64-v3", "rows", "columns", DOT_I16, 64, 128, 65,
     "6x2 of 8 panel 16 k 33 of 33 by 2 group 90 pitch 49 parts 1 first 0, packs a, packs b, by "
     "panels"},
    {"x86-64-v3", "rows", "columns", DOT_I16, 4, 128, 64,
     "6x1 of 8 panel 8 k 32 of 32 by 8 group 6 pitch 48 parts 1 first 0, squares, waits, by "
     "panels"},
    {"x86-64-v3", "rows", "columns", DOT_I16, 4, 128, 15,
     "6x2 of 8 panel 16 k 8 of 8 by 2 group 90 pitch 24 parts 1 first 0, packs a, packs b, waits, "
     "by panels"},
    {"x86-64-v3", "rows", "columns", DOT_I16, 4, 128, 16,
     "6x1 of 8 panel 8 k 8 of 8 by 8 group 6 pitch 24 parts 1 first 0, squares, waits, by panels"},
    {"x86-64-v3", "rows", "columns", DOT_I16, 4, 128, 14,
     "6x2 of 8 panel 16 k 7 of 7 by 2 group 96 pitch 23 parts 1 first 0, packs b, waits, by "
     "panels"},
    {"x86-64-v3", "rows", "columns", DOT_I16, 4, 128, 17,
     "6x2 of 8 panel 16 k 9 of 9 by 2 group 90 pitch 25 parts 1 first 0, packs a, packs b, waits, "
     "by panels"},
    {"znver4", "rows", "rows", DOT_BF16, 64, 128, 64,
     "6x4 of 16 panel 64 k 32 of 32 by 2 group 510 pitch 48 parts 1 first 0, packs b, by panels"},
    {"znver4", "rows", "columns", DOT_BF16, 64, 128, 65,
     "6x4 of 16 panel 64 k 33 of 33 by 2 group 372 pitch 49 parts 1 first 0, packs a, packs b, by "
     "panels"},
    {"znver4", "rows", "columns", DOT_BF16, 4, 128, 64,
     "8x1 of 16 panel 16 k 32 of 32 by 16 group 8 pitch 48 parts 1 first 0, squares, waits, by "
     "panels"},
    {"x86-64-v3", "rows", "rows", DOT_I32, 64, 512, 64,
     "6x2 of 8 panel 16 k 64 of 64 by 2 group 96 pitch 80 parts 1 first 4, packs b, on the way, by "
     "panels"},
    // b along k, one row: two squares if the first level holds a line of each of their columns;
    // crowded where it does not even hold those of one
    {"znver4", "rows", "columns", DOT_F32, 1, 256, 256,
     "8x2 of 16 panel 32 k 256 of 256 by 16 group 8 pitch 272 parts 1 first 0, squares, waits, by "
     "panels"},
    {"znver4", "rows", "columns", DOT_F32, 1, 256, 512,
     "8x1 of 16 panel 16 k 512 of 512 by 16 group 8 pitch 528 parts 1 first 0, squares, waits, by "
     "panels"},
    {"znver4", "rows", "columns", DOT_F32, 1, 128, 1024,
     "8x1 of 16 panel 16 k 1024 of 1024 by 16 group 8 pitch 1040 parts 1 first 0, squares, "
     "crowded, waits, by panels"},
    {"znver4", "rows", "columns", DOT_F32, 1, 64, 1040,
     "8x2 of 16 panel 32 k 1040 of 1040 by 16 group 8 pitch 1056 parts 1 first 0, squares, waits, "
     "by panels"},
    {"znver4", "rows", "columns", DOT_F32, 8, 4096, 4096,
     "8x1 of 16 panel 16 k 4096 of 4096 by 16 group 8 pitch 4112 parts 1 first 0, squares, "
     "crowded, waits, by panels"},
    {"znver4", "rows", "columns", DOT_F32, 8, 4096, 4112,
     "8x1 of 16 panel 16 k 4112 of 4112 by 16 group 8 pitch 4128 parts 1 first 0, squares, waits, "
     "by panels"},
    {"sapphirerapids", "rows", "columns", DOT_F32, 8, 4096, 4096,
     "8x1 of 16 panel 16 k 4096 of 4096 by 16 group 8 pitch 4112 parts 1 first 0, squares, "
     "crowded, waits, by panels"},
    {"znver4", "rows", "columns", DOT_BF16, 1, 256, 256,
     "8x1 of 16 panel 16 k 128 of 128 by 16 group 8 pitch 144 parts 1 first 0, squares, waits, by "
     "panels"},
    {"x86-64-v3", "rows", "columns", DOT_F32, 1, 512, 512,
     "6x2 of 8 panel 16 k 512 of 512 by 8 group 6 pitch 528 parts 1 first 0, squares, waits, by "
     "panels"},
    {"x86-64-v3", "rows", "columns", DOT_F32, 1, 1024, 1024,
     "6x1 of 8 panel 8 k 1024 of 1024 by 8 group 6 pitch 1040 parts 1 first 0, squares, waits, by "
     "panels"},
    {"x86-64-v3", "rows", "columns", DOT_F32, 1, 1024, 1040,
     "6x2 of 8 panel 16 k 1040 of 1040 by 8 group 6 pitch 1056 parts 1 first 0, squares, waits, by "
     "panels"},
    // A few rows beside a factor that no second level holds: fewer tiles of fewer vectors.
    {"sapphirerapids", "rows", "rows", DOT_F32, 8, 1024, 1024,
     "8x3 of 16 panel 48 k 16 of 1024 by 2 group 512 pitch 32 parts 1 first 0, waits, by panels"},
    {"sapphirerapids", "rows", "rows", DOT_F32, 12, 2048, 1024,
     "12x2 of 16 panel 32 k 16 of 1024 by 2 group 504 pitch 32 parts 1 first 0, waits, by panels"},
    // in tiles: of two by two, of one by one; a as it lies where it has whole tiles and steps that
    // do not drive each other from the cache; by panels for what the second level holds
    {"sapphirerapids", "rows", "rows", DOT_BF16, 1024, 1024, 1024,
     "32x2 of 16 panel 32 k 256 of 512 by 16 group 960 pitch 272 parts 1 first 0, packs a, packs "
     "b"},
    {"sapphirerapids", "rows", "rows", DOT_BF16, 1, 40, 300,
     "16x2 of 16 panel 32 k 150 of 150 by 16 group 1488 pitch 176 parts 1 first 0, packs a, packs "
     "b, waits, by panels"},
    {"sapphirerapids", "rows", "rows", DOT_BF16, 16, 16, 32,
     "16x1 of 16 panel 16 k 16 of 16 by 16 group 16384 pitch 32 parts 1 first 0, packs b, waits, "
     "by panels"},
    {"sapphirerapids", "rows", "rows", DOT_BF16, 17, 17, 33,
     "32x2 of 16 panel 32 k 17 of 17 by 16 group 5440 pitch 48 parts 1 first 0, packs a, packs b, "
     "by panels"},
    {"sapphirerapids", "rows", "rows", DOT_BF16, 48, 33, 64,
     "32x2 of 16 panel 32 k 32 of 32 by 16 group 8192 pitch 48 parts 1 first 0, packs b, by "
     "panels"},
    {"sapphirerapids", "rows", "rows", DOT_BF16, 47, 33, 64,
     "32x2 of 16 panel 32 k 32 of 32 by 16 group 5440 pitch 48 parts 1 first 0, packs a, packs b, "
     "by panels"},
    {"sapphirerapids", "rows", "rows", DOT_BF16, 64, 100, 1000,
     "32x2 of 16 panel 32 k 256 of 500 by 16 group 960 pitch 272 parts 1 first 0, packs a, packs "
     "b, by panels"},
    {"sapphirerapids", "rows", "rows", DOT_BF16, 65, 100, 1000,
     "32x2 of 16 panel 32 k 256 of 500 by 16 group 960 pitch 272 parts 1 first 0, packs a, packs "
     "b"},
    {"sapphirerapids", "rows", "rows", DOT_BF16, 512, 64, 2048,
     "32x2 of 16 panel 32 k 256 of 1024 by 16 group 1024 pitch 272 parts 1 first 0, packs b, by "
     "panels"},
    {"sapphirerapids", "rows", "rows", DOT_BF16, 512, 65, 2048,
     "32x2 of 16 panel 32 k 256 of 1024 by 16 group 960 pitch 272 parts 1 first 0, packs a, packs "
     "b"},
    {"sapphirerapids", "columns", "rows", DOT_BF16, 512, 64, 600,
     "32x2 of 16 panel 32 k 300 of 300 by 16 group 800 pitch 320 parts 1 first 0, packs a, packs "
     "b"},
    {"sapphirerapids", "columns", "rows", DOT_BF16, 512, 64, 638,
     "32x2 of 16 panel 32 k 319 of 319 by 16 group 768 pitch 336 parts 1 first 0, packs a, packs "
     "b"},
    {"sapphirerapids", "columns", "rows", DOT_BF16, 512, 64, 640,
     "32x2 of 16 panel 32 k 160 of 320 by 16 group 1472 pitch 176 parts 1 first 0, packs a, packs "
     "b"},
    {"sapphirerapids", "columns", "rows", DOT_BF16, 512, 64, 642,
     "32x2 of 16 panel 32 k 176 of 321 by 16 group 1344 pitch 192 parts 1 first 0, packs a, packs "
     "b"},
    {"sapphirerapids", "columns", "rows", DOT_BF16, 64, 64, 672,
     "32x2 of 16 panel 32 k 176 of 336 by 16 group 1344 pitch 192 parts 1 first 0, packs a, packs "
     "b, by panels"},
    {"sapphirerapids", "rows", "rows", DOT_I8, 64, 64, 64,
     "32x2 of 16 panel 32 k 16 of 16 by 16 group 16384 pitch 32 parts 1 first 0, packs b, by "
     "panels"},
    {"sapphirerapids", "rows", "rows", DOT_I8, 7, 512, 512,
     "6x4 of 16 panel 64 k 128 of 128 by 2 group 378 pitch 144 parts 1 first 0, packs a, packs b, "
     "by panels"},
    {"sapphirerapids", "rows", "rows", DOT_I8, 8, 128, 128,
     "16x2 of 16 panel 32 k 32 of 32 by 16 group 5456 pitch 48 parts 1 first 0, packs a, packs b, "
     "waits, by panels"},
    {"sapphirerapids", "rows", "rows", DOT_I8, 8, 128, 127,
     "6x4 of 16 panel 64 k 32 of 32 by 2 group 378 pitch 48 parts 1 first 0, packs a, packs b, by "
     "panels"},
    {"sapphirerapids", "rows", "rows", DOT_BF16, 4096, 4096, 4096,
     "32x2 of 16 panel 32 k 256 of 2048 by 16 group 960 pitch 272 parts 1 first 0, packs a, packs "
     "b"},
    {"sapphirerapids", "rows", "rows", DOT_I8, 3072, 512, 3072,
     "32x2 of 16 panel 32 k 256 of 768 by 16 group 1024 pitch 272 parts 1 first 0, packs b"},
    // Columns of a that are half of the first level's cache lie where they are.
    {"haswell", "columns", "rows", DOT_F32, 64, 64, 64,
     "6x2 of 8 panel 16 k 64 of 64 by 2 group 96 pitch 80 parts 1 first 0, by panels"},
    {"haswell", "columns", "rows", DOT_F32, 65, 64, 64,
     "6x2 of 8 panel 16 k 64 of 64 by 2 group 90 pitch 80 parts 1 first 0, packs a, by panels"},
    // Few columns take half of a register, but for cells of several elements.
    {"icelake-client", "rows", "rows", DOT_I8, 64, 6, 256,
     "12x1 of 16 panel 16 k 64 of 64 by 8 group 360 pitch 80 parts 1 first 0, packs a, packs b, by "
     "panels"},
    {"icelake-client", "rows", "rows", DOT_F32, 64, 6, 256,
     "12x1 of 8 panel 8 k 256 of 256 by 8 group 504 pitch 272 parts 1 first 0, by panels"},
    // An odd number of rows is no sum of two equal first tiles and tiles of six.
    {"sapphirerapids", "rows", "rows", DOT_F32, 1003, 512, 512,
     "6x4 of 16 panel 64 k 512 of 512 by 2 group 510 pitch 528 parts 1 first 1, packs b, on the "
     "way, by panels | 5x4 of 16 panel 64 k 512 of 512 by 2 group 510 pitch 528 parts 2 first 4, "
     "packs b, on the way, by panels"},
    {"sapphirerapids", "rows", "rows", DOT_F32, 1002, 512, 512,
     "6x4 of 16 panel 64 k 512 of 512 by 2 group 510 pitch 528 parts 1 first 6, packs b, on the "
     "way, by panels | 6x4 of 16 panel 64 k 512 of 512 by 2 group 510 pitch 528 parts 2 first 6, "
     "packs b, on the way, by panels"},
    // Columns of a are packed in parts that stay in the second level, of one thread, too.
    {"sapphirerapids", "columns", "rows", DOT_F32, 4096, 2048, 2048,
     "6x4 of 16 panel 64 k 1024 of 2048 by 2 group 378 pitch 1040 parts 10 first 4, packs a, packs "
     "b, on the way, by panels"},
};
