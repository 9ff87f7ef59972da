# SPDX-License-Identifier: Apache-2.0
option(PALLASC_COMPILER "Build the compiler (needs LLVM, flex, bison, GMP, libunistring, PCRE2, Nettle, OpenBLAS, zlib)" ON)
option(PALLASC_TESTS "Build the unit tests (needs Check)" ${PROJECT_IS_TOP_LEVEL})
option(PALLASC_INSTALL "Make the targets install and package" ${PROJECT_IS_TOP_LEVEL})
option(PALLASC_STATIC_LLVM "Link LLVM into pallasc if it is there as static libraries" ON)
option(PALLASC_MPI "Build the transport over MPI if there is an MPI" ON)
option(PALLASC_WHEEL "Lay the installation out as a Python wheel has it: no links, all of it in one folder" OFF)
option(PALLASC_FUZZ "Build the libFuzzer targets (needs clang)" OFF)
set(PALLASC_SANITIZE "" CACHE STRING "Sanitizers to build with, for instance address,undefined or thread")

if(NOT CMAKE_BUILD_TYPE AND PROJECT_IS_TOP_LEVEL)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Kind of build" FORCE)
elseif(NOT CMAKE_BUILD_TYPE) # the project around this one keeps its own
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

if(CMAKE_BUILD_TYPE STREQUAL "Debug" AND PALLASC_SANITIZE STREQUAL "" AND PROJECT_IS_TOP_LEVEL)
  set(PALLASC_SANITIZE "address,undefined")
endif()

# One interface target carries the flags of our own code; generated code turns warnings off.
# As a part of another project, whose flags stand before these, ours has no warnings that its -Werror could make errors.
add_library(pallasc_flags INTERFACE)
if(PROJECT_IS_TOP_LEVEL)
  target_compile_options(pallasc_flags INTERFACE -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion)
else()
  target_compile_options(pallasc_flags INTERFACE -w)
endif()
target_compile_options(pallasc_flags INTERFACE -fno-math-errno -ffp-contract=off)
# What __FILE__ names is a path inside of this project: a program says nothing of the folder that it was built in.
target_compile_options(pallasc_flags INTERFACE -fmacro-prefix-map=${PROJECT_BINARY_DIR}/= -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
if(PALLASC_FUZZ)
  target_compile_options(pallasc_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(PALLASC_SANITIZE)
  target_compile_options(pallasc_flags INTERFACE -fsanitize=${PALLASC_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(pallasc_flags INTERFACE -fsanitize=${PALLASC_SANITIZE})
endif()
