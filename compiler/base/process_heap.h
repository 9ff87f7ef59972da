// SPDX-License-Identifier: Apache-2.0
// What malloc gives, for a program that may say so of its whole process.
#pragma once

// The heap grows by megabytes, in large pages: for the begin of main. Nothing but time depends on
// it.
void process_heap_use_large_pages(void);
