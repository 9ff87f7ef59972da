# SPDX-License-Identifier: Apache-2.0
find_package(FLEX 2.6 REQUIRED)
find_package(BISON 3.8 REQUIRED)

# LLVM 19 or newer, found through llvm-config (Debian puts each version into a folder of its own).
find_program(LLVM_CONFIG NAMES llvm-config-19 llvm-config-20 llvm-config-21 llvm-config-22 llvm-config
             HINTS /usr/lib/llvm-19/bin /usr/lib/llvm-22/bin REQUIRED)
execute_process(COMMAND ${LLVM_CONFIG} --version OUTPUT_VARIABLE LLVM_VERSION OUTPUT_STRIP_TRAILING_WHITESPACE)
if(LLVM_VERSION VERSION_LESS 19)
  message(FATAL_ERROR "pallasc needs LLVM 19 or newer; ${LLVM_CONFIG} is ${LLVM_VERSION}")
endif()
execute_process(COMMAND ${LLVM_CONFIG} --includedir OUTPUT_VARIABLE LLVM_INCLUDE OUTPUT_STRIP_TRAILING_WHITESPACE)
execute_process(COMMAND ${LLVM_CONFIG} --libdir OUTPUT_VARIABLE LLVM_LIBDIR OUTPUT_STRIP_TRAILING_WHITESPACE)
execute_process(COMMAND ${LLVM_CONFIG} --link-shared --libs OUTPUT_VARIABLE LLVM_LIBS OUTPUT_STRIP_TRAILING_WHITESPACE)
message(STATUS "LLVM ${LLVM_VERSION} in ${LLVM_LIBDIR}")
add_library(pallasc_llvm INTERFACE)
target_include_directories(pallasc_llvm SYSTEM INTERFACE ${LLVM_INCLUDE})
target_link_directories(pallasc_llvm INTERFACE ${LLVM_LIBDIR})
separate_arguments(LLVM_LIBS)
target_link_libraries(pallasc_llvm INTERFACE ${LLVM_LIBS})

find_library(GMP_LIBRARY gmp REQUIRED)
