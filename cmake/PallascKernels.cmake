# SPDX-License-Identifier: Apache-2.0
# pallasc_add_kernels(TARGET a.pk b.pk … [OPTIONS option…] [ENTRIES spec…])
# Makes the static library TARGET of the kernels in the files. Whoever links it finds the header a.h of each a.pk and gets the runtime. The
# files are compiled again when they, or the modules they import, change. ENTRIES are for --entry, OPTIONS for pallasc's command line.
function(pallasc_add_kernels target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "OPTIONS;ENTRIES")
  if(NOT arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "pallasc_add_kernels(${target}): no kernel files")
  endif()
  set(entries "")
  foreach(entry IN LISTS arg_ENTRIES)
    list(APPEND entries --entry ${entry})
  endforeach()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}.kernels)
  file(MAKE_DIRECTORY ${folder})
  set(objects "")
  set(headers "")
  foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE OUTPUT_VARIABLE path)
    cmake_path(GET path STEM LAST_ONLY name)
    set(object ${folder}/${name}.o)
    set(header ${folder}/${name}.h)
    add_custom_command(OUTPUT ${object} ${header}
      COMMAND Pallasc::pallasc ${arg_OPTIONS} ${entries} ${path} -o ${object} -h ${header} -MD -MF ${object}.d -MT ${object}
      DEPENDS ${path} Pallasc::pallasc
      DEPFILE ${object}.d
      COMMENT "Compiling kernels ${name}.pk"
      COMMAND_EXPAND_LISTS VERBATIM)
    list(APPEND objects ${object})
    list(APPEND headers ${header})
  endforeach()
  add_library(${target} STATIC ${objects} ${headers})
  set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C)
  target_include_directories(${target} INTERFACE ${folder})
  target_link_libraries(${target} PUBLIC Pallasc::pallasrt_static)
endfunction()
