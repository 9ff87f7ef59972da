// SPDX-License-Identifier: Apache-2.0
// Memory that nobody may touch, in builds that look: for base/ only. ASan reports an access; with
// POISON_WITH_JUNK it reads what is no pointer and no count, which the copies of tests/mutate have.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define HAS_POISON 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_POISON 1
#endif
#endif

#ifdef HAS_POISON
#include <sanitizer/asan_interface.h>
#define POISON(data, size)   __asan_poison_memory_region((data), (size))
#define UNPOISON(data, size) __asan_unpoison_memory_region((data), (size))
#elif defined(POISON_WITH_JUNK)
#include <string.h>
#define HAS_POISON           1
#define POISON(data, size)   memset((data), 0xa5, (size))
#define UNPOISON(data, size) memset((data), 0, (size))
#else
#define HAS_POISON           0
#define POISON(data, size)   ((void)(data), (void)(size))
#define UNPOISON(data, size) ((void)(data), (void)(size))
#endif
