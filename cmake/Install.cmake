# SPDX-License-Identifier: Apache-2.0
# cmake --install: pallasc, libpallasc, the runtimes, their headers, and the files for find_package(Pallasc) and pkg-config. cpack: the same as a package.
install(TARGETS ${pallasc_exported} EXPORT PallascTargets
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES runtime/prt.h runtime/prt_transport.h runtime/prt_npy.h runtime/prt_dtype.def runtime/prt_finding.def
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# Not part of the packages, which would need the MPI that it was built with.
foreach(transport pallasrt_mpi pallasrt_mpich)
  if(NOT TARGET ${transport})
    continue()
  endif()
  install(TARGETS ${transport} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT mpi)
endforeach()
set(CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};${PROJECT_NAME};Unspecified;/")

install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
if(PALLASC_WHEEL)
  install(TARGETS pallasc_ffi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
if(TARGET pallasc)
  install(FILES compiler/driver/api/pallasc.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(DIRECTORY compiler/library/third_party DESTINATION ${CMAKE_INSTALL_DATADIR}/pallasc)
  # The manual page and the completion are made by the program, of the table that its --help reads.
  if(NOT CMAKE_CROSSCOMPILING)
    add_custom_command(OUTPUT pallasc.1 pallasc.bash DEPENDS pallasc VERBATIM
      COMMAND pallasc --help=man > pallasc.1
      COMMAND pallasc --help=bash > pallasc.bash)
    add_custom_target(pallasc_pages ALL DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/pallasc.1 ${CMAKE_CURRENT_BINARY_DIR}/pallasc.bash)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/pallasc.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/pallasc.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME pallasc)
  endif()
endif()

install(EXPORT PallascTargets NAMESPACE Pallasc:: DESTINATION ${package_dir})
install(FILES ${PROJECT_BINARY_DIR}/pallasc-config.cmake ${PROJECT_BINARY_DIR}/pallasc-config-version.cmake cmake/PallascKernels.cmake
  DESTINATION ${package_dir})

# The .pc file finds the others from where it lies itself, so that an installation may be moved.
set(pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(PRT_PREFIX ${CMAKE_INSTALL_PREFIX})
  set(PRT_LIBDIR ${CMAKE_INSTALL_LIBDIR})
else()
  file(RELATIVE_PATH up /prefix/${pc_dir} /prefix)
  string(REGEX REPLACE "/$" "" up ${up})
  set(PRT_PREFIX "\${pcfiledir}/${up}")
  set(PRT_LIBDIR "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
endif()
if(IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  set(PRT_INCLUDEDIR ${CMAKE_INSTALL_INCLUDEDIR})
else()
  set(PRT_INCLUDEDIR "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
set(pc_names pallasrt)
if(TARGET pallasc)
  list(APPEND pc_names pallasc)
endif()
foreach(name IN LISTS pc_names)
  configure_file(cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/installed/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/installed/${name}.pc DESTINATION ${pc_dir})
endforeach()

# In the build folder: what is linked finds the shared libraries there.
set(PRT_PREFIX ${PROJECT_SOURCE_DIR})
set(PRT_LIBDIR ${PROJECT_BINARY_DIR})
set(PRT_RPATH " -Wl,-rpath,\${libdir}")
foreach(name IN LISTS pc_names)
  set(PRT_INCLUDEDIR "\${prefix}/runtime")
  if(name STREQUAL pallasc)
    set(PRT_INCLUDEDIR "\${prefix}/compiler/driver/api")
  endif()
  configure_file(cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
endforeach()

# What `cmake --install` and cpack need, without the tests.
add_custom_target(installed DEPENDS ${pallasc_exported})
foreach(made pallasrt_mpi pallasrt_mpich pallasc_pages)
  if(TARGET ${made})
    add_dependencies(installed ${made})
  endif()
endforeach()

# Where the last installation was put, beside its manifest; those of components are cpack's.
install(CODE "if(NOT CMAKE_INSTALL_COMPONENT)
  file(WRITE \"${PROJECT_BINARY_DIR}/install_destdir.txt\" \"\$ENV{DESTDIR}\")
endif()")
add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR} -P ${PROJECT_SOURCE_DIR}/cmake/Uninstall.cmake VERBATIM)

# cpack -G DEB (or TGZ) in the build folder.
set(CPACK_PACKAGE_NAME pallasc)
set(CPACK_PACKAGE_VENDOR "the authors of pallasc")
set(CPACK_PACKAGE_CONTACT "the authors of pallasc")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_COMPRESSION_TYPE zstd) # a tenth of the time that xz takes
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "gcc | c-compiler, cmake, pkg-config") # -shared runs cc
find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
if(DPKG_SHLIBDEPS)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
else()
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6, libgmp10, zlib1g, libzstd1")
endif()
set(CPACK_POST_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/InstalledSize.cmake)
include(CPack)
