// SPDX-License-Identifier: Apache-2.0
// Cases of test_frames.c.
// one after the other; both at once
{"%a = alloc : vmem f32[8,128]\n" USE("a") "%b = alloc : vmem f32[8,128]\n" USE("b"),
 "0 32, 64 4096, 64 4096"},
    {"%a = alloc : vmem f32[8,128]\n%b = alloc : vmem f32[8,128]\n" USE("a") USE("b"),
     "0 32, 64 4096, 4352 4096"},
    // the target of a copy that is named last where it starts: until its semaphore has been waited
    // for
    {"%a = alloc : vmem f32[8,128]\ncopy.start %x, %a, %s0\n%b = alloc : vmem f32[8,128]\n" USE(
         "b") "copy.wait %s0, %x\n%c = alloc : vmem f32[8,128]\n" USE("c"),
     "0 32, 64 4096, 4352 4096, 64 4096"},
    // the source
    {"%a = alloc : vmem f32[8,128]\ncopy %x, %a\ncopy.start %a, %o, %s0\n%b = alloc : vmem "
     "f32[8,128]\n" USE("b") "copy.wait %s0, %x\n%c = alloc : vmem f32[8,128]\n" USE("c"),
     "0 32, 64 4096, 4352 4096, 64 4096"},
    // through a view; the semaphore through another one
    {"%a = alloc : vmem f32[8,128]\n%w = view %a[0 : 4, :] : vmem f32[4,128]\ncopy.start %y, %w, "
     "%s1\n%b = alloc : vmem f32[8,128]\n" USE("b") "%s2 = view %s[1] : sem dma\ncopy.wait %s2, "
                                                    "%y\n%c = alloc : vmem f32[8,128]\n" USE("c"),
     "0 32, 64 4096, 4352 4096, 64 4096"},
    // nobody waits: nothing holds it
    {"%a = alloc : vmem f32[8,128]\ncopy.start %x, %a, %s0\n%b = alloc : vmem f32[8,128]\n" USE(
         "b") "%c = alloc : vmem f32[8,128]\n" USE("c"),
     "0 32, 64 4096, 64 4096, 64 4096"},
    // in a loop around
    {"%a = alloc : vmem f32[8,128]\n%0 = const 0 : i32\n%1 = const 1 : i32\n%4 = const 4 : "
     "i32\nfor %i = %0 to %4 step %1 {\ncopy.start %x, %a, %s0\ncopy.wait %s0, %x\n}\n%b = alloc : "
     "vmem f32[8,128]\n" USE("b"),
     "0 32, 64 4096, 64 4096"},
    {"%0 = const 0 : i32\n%1 = const 1 : i32\n%4 = const 4 : i32\nfor %i = %0 to %4 step %1 {\n%a "
     "= alloc : vmem f32[8,128]\ncopy.start %x, %a, %s0\n%b = alloc : vmem f32[8,128]\n" USE(
         "b") "copy.wait %s0, %x\n}\n%c = alloc : vmem f32[8,128]\n" USE("c"),
     "0 32, 64 4096, 4352 4096, 64 4096"},
    // views keep what they are views of; sizes that are whole pages are padded
    {"%a = alloc : vmem f32[8,128]\n%w = view %a[4 : 4, :] : vmem f32[4,128]\ncopy %y, %w\n%b = "
     "alloc : vmem f32[8,128]\n" USE("b") "%u = view %o[0 : 4, :] : hbm f32[4,128]\ncopy %w, %u\n",
     "0 32, 64 4096, 4352 4096"},
    {"%a = alloc : vmem f32[3,5]\n%z = const 0.0 : f32[3,5]\nstore %z, %a[:, :]\n%b = alloc : vmem "
     "f32[8,128]\n" USE("b") "%k = load %a[0, 0] : f32\nstore %k, %o[0, 0]\n",
     "0 32, 64 60, 128 4096"},
    // a free place between is taken by what fits, and joins its neighbours
    {"%a = alloc : vmem f32[8,128]\n%b = alloc : vmem f32[4,128]\n%c = alloc : vmem "
     "f32[8,128]\n" USE("a") "copy %y, %b\n%d = alloc : vmem f32[8,128]\n" USE(
         "d") "%u = view %o[0 : 4, :] : hbm f32[4,128]\ncopy %b, %u\n%e = alloc : vmem "
              "f32[12,128]\n%zz = const 0.0 : f32[12,128]\nstore %zz, %e[:, :]\n%k = load %e[0, 0] "
              ": f32\nstore %k, %o[0, 0]\n" USE("c"),
     "0 32, 64 4096, 4352 2048, 6400 4096, 64 4096, 64 6144"},
