# SPDX-License-Identifier: Apache-2.0
# cmake --install: pallasc, the runtimes, their headers, and the files for find_package(Pallasc) and pkg-config.
include(CMakePackageConfigHelpers)

set(exported pallasrt_static pallasrt_shared)
if(TARGET pallasc)
  list(APPEND exported pallasc)
endif()
install(TARGETS ${exported} EXPORT PallascTargets
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES runtime/prt.h runtime/prt_npy.h runtime/prt_codegen.h runtime/prt_dtype.def runtime/prt_cpu.def
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

if(TARGET pallasc)
  install(DIRECTORY compiler/library/third_party DESTINATION ${CMAKE_INSTALL_DATADIR}/pallasc)
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Pallasc)
install(EXPORT PallascTargets NAMESPACE Pallasc:: DESTINATION ${package_dir})
configure_package_config_file(cmake/PallascConfig.cmake.in ${PROJECT_BINARY_DIR}/PallascConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/PallascConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/PallascConfig.cmake ${PROJECT_BINARY_DIR}/PallascConfigVersion.cmake cmake/PallascKernels.cmake
  DESTINATION ${package_dir})

# The .pc file finds the others from where it lies itself, so that an installation may be moved.
set(pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(PRT_PREFIX ${CMAKE_INSTALL_PREFIX})
  set(PRT_LIBDIR ${CMAKE_INSTALL_LIBDIR})
else()
  file(RELATIVE_PATH up /prefix/${pc_dir} /prefix)
  set(PRT_PREFIX "\${pcfiledir}/${up}")
  set(PRT_LIBDIR "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
endif()
if(IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  set(PRT_INCLUDEDIR ${CMAKE_INSTALL_INCLUDEDIR})
else()
  set(PRT_INCLUDEDIR "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
configure_file(cmake/pallasrt.pc.in ${PROJECT_BINARY_DIR}/pallasrt.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/pallasrt.pc DESTINATION ${pc_dir})
