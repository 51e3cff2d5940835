# What is installed: the program with its completions and manual (component `program`), and the library as one archive
# with its headers, for find_package(tepui) and pkg-config (component `development`). cmake/package.cmake packs both.
#
# Nothing here names a module, a header or a library it needs: the modules say what they link, cmake/packages.txt how
# that is found and which Debian package has it.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Whether a target has nothing to link.
function(tepui_is_header_only target result)
  get_target_property(type ${target} TYPE)
  get_target_property(links ${target} INTERFACE_LINK_LIBRARIES)
  if(type STREQUAL "INTERFACE_LIBRARY" AND NOT links)
    set(${result} TRUE PARENT_SCOPE)
  else()
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

# The name of the pkg-config module that stands for find_package(NAME), or nothing.
function(tepui_pkgconfig_name name result)
  string(TOLOWER ${name} lower)
  foreach(candidate ${name} ${lower} lib${lower})
    execute_process(COMMAND ${PKG_CONFIG_EXECUTABLE} --exists ${candidate} RESULT_VARIABLE code)
    if(code EQUAL 0)
      set(${result} ${candidate} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(${result} "" PARENT_SCOPE)
endfunction()

# "-lembree3" for a target without a pkg-config module.
function(tepui_link_flag target result)
  foreach(configuration _RELEASE _RELWITHDEBINFO _NONE "")
    get_target_property(location ${target} IMPORTED_LOCATION${configuration})
    if(location MATCHES "/lib([^/]+)\\.(so|a)[0-9.]*$")
      set(${result} -l${CMAKE_MATCH_1} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "cannot tell how ${target} is linked without CMake")
endfunction()

# What the modules link beside each other.
get_property(modules GLOBAL PROPERTY TEPUI_MODULES)
set(libraries "")
foreach(module ${modules})
  get_target_property(links ${module} LINK_LIBRARIES)
  list(APPEND libraries ${links})
endforeach()
list(FILTER libraries EXCLUDE REGEX "^tepui(_|::)")
list(REMOVE_DUPLICATES libraries)

set(linked "")
set(find_dependencies "")
set(pkgconfig_requires "")
set(pkgconfig_libs "")
set(development_packages "")
foreach(library ${libraries})
  tepui_is_header_only(${library} header_only)
  if(header_only)
    continue()
  endif()
  string(REGEX REPLACE "^PkgConfig::|::.*" "" name ${library})
  if(NOT package_of_${name})
    message(FATAL_ERROR "${library} is linked, but cmake/packages.txt has no ${name}")
  endif()
  list(APPEND linked ${library})
  list(APPEND development_packages ${package_of_${name}})
  if(module_of_${name})
    list(APPEND find_dependencies "tepui_find_module(${name} ${module_of_${name}})")
    list(APPEND pkgconfig_requires ${module_of_${name}})
  else()
    list(APPEND find_dependencies "find_dependency(${name})")
    tepui_pkgconfig_name(${name} pkgconfig_name)
    if(pkgconfig_name)
      list(APPEND pkgconfig_requires ${pkgconfig_name})
    else()
      tepui_link_flag(${library} flag)
      string(APPEND pkgconfig_libs " ${flag}")
    endif()
  endif()
endforeach()
foreach(list find_dependencies pkgconfig_requires development_packages)
  list(REMOVE_DUPLICATES ${list})
endforeach()
list(JOIN find_dependencies "\n" find_dependencies)
list(JOIN pkgconfig_requires " " pkgconfig_requires)
list(JOIN development_packages ", " development_packages)

# The modules' objects in one archive: no link order for users to get right.
set(objects "")
foreach(module ${modules})
  list(APPEND objects $<TARGET_OBJECTS:${module}>)
endforeach()
add_library(tepui_library STATIC ${objects})
add_library(tepui::tepui ALIAS tepui_library)
set_target_properties(tepui_library PROPERTIES OUTPUT_NAME tepui EXPORT_NAME tepui LINKER_LANGUAGE CXX)
target_compile_features(tepui_library INTERFACE cxx_std_20)
target_include_directories(tepui_library INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(tepui_library PRIVATE ${linked})

# The program tells its own completions and manual.
set(told ${CMAKE_BINARY_DIR}/share)
file(MAKE_DIRECTORY ${told})
add_custom_command(
  OUTPUT ${told}/tepui.bash ${told}/_tepui ${told}/tepui.fish ${told}/tepui.1.gz
  COMMAND tepui completion bash >${told}/tepui.bash
  COMMAND tepui completion zsh >${told}/_tepui
  COMMAND tepui completion fish >${told}/tepui.fish
  COMMAND tepui manual >${told}/tepui.1
  COMMAND gzip -9 -n -f ${told}/tepui.1
  DEPENDS tepui)
add_custom_target(installable ALL DEPENDS ${told}/tepui.1.gz)
add_dependencies(installable tepui tepui_library)

install(TARGETS tepui COMPONENT program)
install(FILES ${told}/tepui.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(FILES ${told}/tepui.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME tepui COMPONENT program)
install(FILES ${told}/tepui.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright COMPONENT program)
# What differs in a Debian package: zsh looks elsewhere, and each package has its own copy of the licence.
install(FILES ${told}/_tepui DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT local)
install(FILES ${told}/_tepui DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT debian EXCLUDE_FROM_ALL)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libtepui-dev RENAME copyright COMPONENT debian_development EXCLUDE_FROM_ALL)

# A header that says so, or that needs another library's, is for the library alone.
file(GLOB_RECURSE headers RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tepui/*.h)
foreach(header ${headers})
  file(STRINGS ${header} internal REGEX "^ *# *include *<.*[./].*>|^#pragma once  // internal$")
  if(NOT internal)
    get_filename_component(folder ${header} DIRECTORY)
    install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder} COMPONENT development)
  endif()
endforeach()

set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/tepui)
set(pkgconfig_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH prefix_from_pkgconfig /${pkgconfig_folder} /)
string(REGEX REPLACE "/$" "" prefix_from_pkgconfig ${prefix_from_pkgconfig})
configure_package_config_file(cmake/tepuiConfig.cmake.in ${told}/tepuiConfig.cmake INSTALL_DESTINATION ${config_folder})
write_basic_package_version_file(${told}/tepuiConfigVersion.cmake COMPATIBILITY SameMinorVersion)
configure_file(cmake/tepui.pc.in ${told}/tepui.pc @ONLY)
install(TARGETS tepui_library EXPORT tepui COMPONENT development)
install(EXPORT tepui FILE tepuiTargets.cmake NAMESPACE tepui:: DESTINATION ${config_folder} COMPONENT development)
install(FILES ${told}/tepuiConfig.cmake ${told}/tepuiConfigVersion.cmake DESTINATION ${config_folder} COMPONENT development)
install(FILES ${told}/tepui.pc DESTINATION ${pkgconfig_folder} COMPONENT development)

include(package)
