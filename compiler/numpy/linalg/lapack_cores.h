// SPDX-License-Identifier: Apache-2.0
// Which kernels LAPACK's library takes.
#pragma once

// OpenBLAS chooses kernels by the CPU's model, and takes those of 2004 for one that is younger than
// itself. Where this CPU can do more than what was chosen, kernels are chosen by what it can do.
// The environment changes for a moment (OPENBLAS_CORETYPE; where it is set, it stays in force), so
// it is for a program that has no other threads yet.
void lapack_fit_cpu(void);
