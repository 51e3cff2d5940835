# What nearly every source includes, compiled once. Sources include what they use all the same.
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/precompiled.cpp CONTENT "")
add_library(tepui_precompiled OBJECT ${CMAKE_BINARY_DIR}/precompiled.cpp)
target_link_libraries(tepui_precompiled PRIVATE tepui_flags fmt::fmt)
target_precompile_headers(tepui_precompiled PRIVATE <algorithm> <array> <cmath> <filesystem> <functional> <map> <memory> <optional> <span> <string> <variant> <vector> <fmt/format.h>)

# The Python module is a shared library that the modules are linked into. As nobody can put other functions in the place of
# theirs, code that can lie anywhere is as fast as code that cannot.
function(tepui_anywhere target)
  if(TEPUI_PYTHON)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_compile_options(${target} PRIVATE -fno-semantic-interposition)
  endif()
endfunction()
tepui_anywhere(tepui_precompiled)

# tepui_precompile(TARGET)  has the target include that, which takes the same flags.
function(tepui_precompile target)
  target_precompile_headers(${target} REUSE_FROM tepui_precompiled)
  tepui_anywhere(${target})
endfunction()

# tepui_plain(TARGET PATH LINKS)  takes a library from the build in TEPUI_PLAIN_FROM instead of compiling it here.
function(tepui_plain target path)
  add_library(${target} STATIC IMPORTED GLOBAL)
  set_target_properties(${target} PROPERTIES IMPORTED_LOCATION ${TEPUI_PLAIN_FROM}/${path}/lib${target}.a)
  target_link_libraries(${target} INTERFACE ${ARGN})
endfunction()

# tepui_module(NAME READS ROOMS room... DEPENDS other...)  a folder of the library: every .cpp in it and in its rooms, linked to
# the modules it may use. READS marks a module through which bytes from outside pass: sanitizers always watch it. The
# modules' order is in tepui/CMakeLists.txt, that of a module's rooms in its own list;
# tests/house/check_layers.py fails on an include that looks upward.
function(tepui_module name)
  cmake_parse_arguments(MODULE "READS" "" "ROOMS;DEPENDS;LIBRARIES" ${ARGN})
  list(TRANSFORM MODULE_DEPENDS PREPEND tepui::)
  if(TEPUI_PLAIN_FROM AND NOT MODULE_READS)
    tepui_plain(tepui_${name} library/${name} tepui_flags ${MODULE_DEPENDS} fmt::fmt ${MODULE_LIBRARIES})
    add_library(tepui::${name} ALIAS tepui_${name})
    return()
  endif()
  set(sources "")
  foreach(room . ${MODULE_ROOMS})
    file(GLOB found CONFIGURE_DEPENDS ${room}/*.cpp)
    list(APPEND sources ${found})
  endforeach()
  add_library(tepui_${name} STATIC ${sources})
  add_library(tepui::${name} ALIAS tepui_${name})
  target_link_libraries(tepui_${name} PUBLIC tepui_flags ${MODULE_DEPENDS} PRIVATE fmt::fmt ${MODULE_LIBRARIES})
  tepui_precompile(tepui_${name})
  if(TEPUI_PLAIN_FROM)
    # Nobody edits and compiles in this configuration again and again: what sources share is compiled once for several.
    set_target_properties(tepui_${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
    target_compile_options(tepui_${name} PRIVATE -Wno-subobject-linkage)
    foreach(source ${sources})
      file(STRINGS ${source} kernel REGEX "foreach_target" LIMIT_COUNT 1)
      if(kernel)
        set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
      endif()
    endforeach()
  endif()
  set_property(GLOBAL APPEND PROPERTY TEPUI_MODULES tepui_${name})
endfunction()

# tepui_embed(MODULE FUNCTION HEADER files...)  builds files of the tree, told relative to its root, into a module: the function
# that HEADER declares gives them by their names.
function(tepui_embed module function header)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE paths)
  string(REPLACE ";" "|" files "${ARGN}")
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -DHEADER=${header} -DFUNCTION=${function} "-DFILES=${files}" -DOUTPUT=${output} -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${paths} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
    VERBATIM)
  target_sources(tepui_${module} PRIVATE ${output})
endfunction()

# tepui_tests(NAME READERS IN_TREE LIBRARIES ... PLAIN_ONLY ...)  one test program per folder of tests/: every *_test.cpp
# in it. Those that read files of the tree run in its root, with IN_TREE; the others run where they cannot see any, so
# that `make check` knows what they depend on (tests/house/run_changed.py).
# All of them are `unit_tests`, and those that face bytes from outside, with READERS, are `reader_tests`: `make test` runs
# the latter under sanitizers, too, `make test-full` all. There a quarter of the random cases is
# run, and not what PLAIN_ONLY names: long tests of how results compare, whose every step others take, too. Elsewhere
# these are a test NAME_long, which `make check` leaves out.
add_custom_target(unit_tests)
add_custom_target(reader_tests)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/nowhere)
function(tepui_tests name)
  cmake_parse_arguments(TESTS "READERS;IN_TREE" "" "LIBRARIES;PLAIN_ONLY" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*_test.cpp)
  if(NOT sources OR (TEPUI_PLAIN_FROM AND NOT TESTS_READERS))
    return()
  endif()
  add_executable(test_${name} ${sources})
  # Several are compiled at a time and share what they instantiate: each is in a namespace of its own name.
  set_target_properties(test_${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 7)
  target_link_libraries(test_${name} PRIVATE tepui_test_support ${TESTS_LIBRARIES})
  target_precompile_headers(test_${name} REUSE_FROM tepui_test_support)
  set(folder ${CMAKE_BINARY_DIR}/nowhere)
  if(TESTS_IN_TREE)
    set(folder ${PROJECT_SOURCE_DIR})
  endif()
  add_test(NAME ${name} COMMAND test_${name} WORKING_DIRECTORY ${folder})
  # The same random cases every time; other ones with RC_PARAMS="seed=N max_success=1000" and the test program by hand.
  # Only what fails is told: a report that is cut short then still tells it.
  set(cases "seed=1")
  if(TEPUI_SANITIZE)
    set(cases "seed=1 max_success=25")
  endif()
  set(environment GTEST_BRIEF=1 "RC_PARAMS=${cases}")
  set(labels unit)
  if(TESTS_READERS)
    list(APPEND labels reader)
    add_dependencies(reader_tests test_${name})
  endif()
  list(JOIN TESTS_PLAIN_ONLY : long)
  set_tests_properties(${name} PROPERTIES LABELS "${labels}" ENVIRONMENT "${environment};GTEST_FILTER=-${long}")
  if(TESTS_PLAIN_ONLY AND NOT TEPUI_SANITIZE)
    add_test(NAME ${name}_long COMMAND test_${name} WORKING_DIRECTORY ${folder})
    set_tests_properties(${name}_long PROPERTIES LABELS "unit;slow" ENVIRONMENT "${environment};GTEST_FILTER=${long}")
  endif()
  add_dependencies(unit_tests test_${name})
endfunction()
