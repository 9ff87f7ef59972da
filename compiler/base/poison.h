// SPDX-License-Identifier: Apache-2.0
// Memory that nobody may touch, in builds that look: for base/ only.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define ASAN_POISONS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ASAN_POISONS 1
#endif
#endif

#ifdef ASAN_POISONS
#include <sanitizer/asan_interface.h>
#define POISON(data, size)   __asan_poison_memory_region((data), (size))
#define UNPOISON(data, size) __asan_unpoison_memory_region((data), (size))
#else
#define ASAN_POISONS         0
#define POISON(data, size)   ((void)(data), (void)(size))
#define UNPOISON(data, size) ((void)(data), (void)(size))
#endif
