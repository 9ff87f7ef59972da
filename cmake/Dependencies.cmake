# SPDX-License-Identifier: Apache-2.0
# What the compiler is built with. All that is missing is named at once.
set(missing "")
macro(need found what)
  if(NOT ${found})
    list(APPEND missing "${what}")
  endif()
endmacro()

find_package(FLEX 2.6 QUIET)
need(FLEX_FOUND "flex 2.6")
find_package(BISON 3.8 QUIET)
need(BISON_FOUND "bison 3.8")

# LLVM 19 or newer, found through llvm-config (Debian puts each version into a folder of its own).
find_program(LLVM_CONFIG NAMES llvm-config-19 llvm-config-20 llvm-config-21 llvm-config-22 llvm-config
             HINTS /usr/lib/llvm-19/bin /usr/lib/llvm-22/bin)
need(LLVM_CONFIG "LLVM 19 (llvm-config)")
# Of LLVM, and of the module zlib.
find_library(ZLIB_LIBRARY z)
need(ZLIB_LIBRARY "zlib")
find_library(GMP_LIBRARY gmp)
need(GMP_LIBRARY "GMP")
# The names of characters; static if it can be, as every start would pay for a shared library.
find_library(UNISTRING_LIBRARY NAMES libunistring.a unistring)
need(UNISTRING_LIBRARY "libunistring")
# Regular expressions, of code points.
find_library(PCRE2_LIBRARY NAMES libpcre2-32.a pcre2-32)
need(PCRE2_LIBRARY "PCRE2 (pcre2-32)")
# Hash functions.
find_library(NETTLE_LIBRARY NAMES libnettle.a nettle)
need(NETTLE_LIBRARY "Nettle")
# LAPACK, as OpenBLAS has it, for one thread. As LLVM: pallasc and libpallasc take in what they need of it, tests share it.
set(blas_places openblas-serial openblas-openmp openblas-pthread)
find_library(LAPACK_ARCHIVE NAMES libopenblas.a PATH_SUFFIXES ${blas_places})
find_library(LAPACK_SHARED NAMES openblas lapack PATH_SUFFIXES ${blas_places})
need(LAPACK_SHARED "OpenBLAS or LAPACK")
if(missing)
  list(JOIN missing ", " missing)
  message(FATAL_ERROR "pallasc's compiler needs what is not here: ${missing}. On Debian, as root or with sudo, "
                      "${PROJECT_SOURCE_DIR}/cmake/tools installs all of it. -DPALLASC_COMPILER=OFF builds the runtime alone")
endif()

execute_process(COMMAND ${LLVM_CONFIG} --version OUTPUT_VARIABLE LLVM_VERSION OUTPUT_STRIP_TRAILING_WHITESPACE)
if(LLVM_VERSION VERSION_LESS 19)
  message(FATAL_ERROR "pallasc needs LLVM 19 or newer; ${LLVM_CONFIG} is ${LLVM_VERSION}")
endif()
execute_process(COMMAND ${LLVM_CONFIG} --includedir OUTPUT_VARIABLE LLVM_INCLUDE OUTPUT_STRIP_TRAILING_WHITESPACE)
execute_process(COMMAND ${LLVM_CONFIG} --libdir OUTPUT_VARIABLE LLVM_LIBDIR OUTPUT_STRIP_TRAILING_WHITESPACE)
add_library(pallasc_llvm_headers INTERFACE)
target_include_directories(pallasc_llvm_headers SYSTEM INTERFACE ${LLVM_INCLUDE})

# LLVM's libraries with what they need, or "" if they are not installed in that way.
function(llvm_libraries out how)
  execute_process(COMMAND ${LLVM_CONFIG} ${how} --libfiles ${ARGN} OUTPUT_VARIABLE files RESULT_VARIABLE status ERROR_QUIET
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  separate_arguments(files)
  if(NOT status EQUAL 0)
    set(files "")
  endif()
  foreach(file IN LISTS files)
    if(NOT EXISTS ${file})
      set(files "")
    endif()
  endforeach()
  set(${out} "${files}" PARENT_SCOPE)
endfunction()

# pallasc itself takes LLVM in: it starts in 3 ms, against 15 with the shared library. Tests and sanitized builds share it, for the link's sake.
llvm_libraries(shared --link-shared)
llvm_libraries(static --link-static x86 orcjit orcdebugging passes)
find_library(ZSTD_FOR_LLVM NAMES zstd libzstd.so.1)
if(static AND ZLIB_LIBRARY AND ZSTD_FOR_LLVM AND (PALLASC_STATIC_LLVM OR NOT shared))
  add_library(pallasc_llvm_static INTERFACE)
  target_link_libraries(pallasc_llvm_static INTERFACE pallasc_llvm_headers ${static} ${ZLIB_LIBRARY} ${ZSTD_FOR_LLVM} rt dl m)
  # LLVM's C++ runtime too. The program's own symbols would otherwise keep all of LLVM: what compiled code calls is exported by name.
  target_link_options(pallasc_llvm_static INTERFACE -static-libgcc -Wl,--gc-sections -Wl,--as-needed)
  target_link_libraries(pallasc_llvm_static INTERFACE -Wl,-Bstatic stdc++ -Wl,-Bdynamic)
endif()
add_library(pallasc_llvm INTERFACE)
if(shared)
  target_link_libraries(pallasc_llvm INTERFACE pallasc_llvm_headers ${shared})
  target_link_options(pallasc_llvm INTERFACE -Wl,-rpath,${LLVM_LIBDIR})
elseif(static)
  target_link_libraries(pallasc_llvm INTERFACE pallasc_llvm_static)
else()
  message(FATAL_ERROR "${LLVM_CONFIG} has no libraries")
endif()
if(TARGET pallasc_llvm_static)
  message(STATUS "LLVM ${LLVM_VERSION} in ${LLVM_LIBDIR}, static in pallasc")
else()
  message(STATUS "LLVM ${LLVM_VERSION} in ${LLVM_LIBDIR}, shared")
endif()

get_filename_component(lapack_folder ${LAPACK_SHARED} DIRECTORY)
add_library(pallasc_lapack INTERFACE)
target_link_libraries(pallasc_lapack INTERFACE ${LAPACK_SHARED})
target_link_options(pallasc_lapack INTERFACE -Wl,-rpath,${lapack_folder})
add_library(pallasc_lapack_static INTERFACE)
if(LAPACK_ARCHIVE)
  target_link_libraries(pallasc_lapack_static INTERFACE ${LAPACK_ARCHIVE} m)
else()
  target_link_libraries(pallasc_lapack_static INTERFACE pallasc_lapack)
endif()
