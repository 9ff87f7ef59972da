// SPDX-License-Identifier: Apache-2.0
float sum_at(const float *x, const float *y, int i);
