# What makes the build quick, where it is installed: ccache, set so that every clone on a machine shares what one has
# compiled, and mold as the linker. Neither changes a byte of what is compiled.
find_program(TEPUI_CCACHE ccache)
find_program(TEPUI_MOLD mold)
mark_as_advanced(TEPUI_CCACHE TEPUI_MOLD)
if(TEPUI_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Paths are told relative to the clone, and precompiled headers are known by what is in them, not by their date.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=true
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${TEPUI_CCACHE})
endif()
if(TEPUI_MOLD)
  add_link_options(-fuse-ld=mold)
endif()
