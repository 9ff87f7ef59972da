// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any bytes as a .npy file. It is read, or refused with a message; what was read can be
// written and read again.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "prt_npy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  int fd = memfd_create("fuzz", 0);
  if (fd < 0 || write(fd, data, size) != (ssize_t)size) abort();
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  prt_array array = {0};
  if (prt_npy_read(path, NULL, &array) == PRT_OK)
    prt_array_free(&array);
  else if (!*prt_error_message())
    abort();
  close(fd);
  return 0;
}
