# SPDX-License-Identifier: Apache-2.0
# What find_package(Pallasc) gives, without an installation: for a project that has this one inside (add_subdirectory, FetchContent), and in
# the build folder (-DPallasc_DIR=…/build).
include(CMakePackageConfigHelpers)

set(pallasc_exported pallasrt_static pallasrt_shared)
if(TARGET pallasc)
  list(APPEND pallasc_exported pallasc libpallasc)
  add_library(Pallasc::libpallasc ALIAS libpallasc)
  add_executable(Pallasc::pallasc ALIAS pallasc)
elseif(NOT PROJECT_IS_TOP_LEVEL AND NOT TARGET Pallasc::pallasc)
  # The runtime alone, as for another machine: the kernels are compiled by a pallasc of this one.
  find_program(PALLASC_EXECUTABLE pallasc DOC "The pallasc that compiles kernels, without PALLASC_COMPILER")
  if(NOT PALLASC_EXECUTABLE)
    message(FATAL_ERROR "With PALLASC_COMPILER=OFF a pallasc that is there already compiles the kernels, and there is none in PATH: "
                        "name it with -DPALLASC_EXECUTABLE=…/pallasc, or build it with -DPALLASC_COMPILER=ON")
  endif()
  add_executable(Pallasc::pallasc IMPORTED GLOBAL)
  set_target_properties(Pallasc::pallasc PROPERTIES IMPORTED_LOCATION ${PALLASC_EXECUTABLE})
endif()
foreach(kind static shared)
  add_library(Pallasc::pallasrt_${kind} ALIAS pallasrt_${kind})
endforeach()
include(${CMAKE_CURRENT_LIST_DIR}/PallascKernels.cmake)

export(TARGETS ${pallasc_exported} NAMESPACE Pallasc:: FILE ${PROJECT_BINARY_DIR}/PallascTargets.cmake)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Pallasc)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/pallasc-config.cmake.in ${PROJECT_BINARY_DIR}/pallasc-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/pallasc-config-version.cmake COMPATIBILITY SameMinorVersion)
configure_file(${CMAKE_CURRENT_LIST_DIR}/PallascKernels.cmake ${PROJECT_BINARY_DIR}/PallascKernels.cmake COPYONLY)
