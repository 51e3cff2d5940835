# Flags every target of ours is built with. Contraction is off because a fused multiply-add changes bits (ARCHITECTURE.md, determinism).
add_library(tepui_flags INTERFACE)
target_compile_options(tepui_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Werror -ffp-contract=off -fno-fast-math)
target_include_directories(tepui_flags INTERFACE ${PROJECT_SOURCE_DIR})
# Four SIMD levels: none (SCALAR), SSE4, AVX2, AVX-512 (AVX3). The two left out add build time and no speed here.
# Under sanitizers one is enough: that levels give the same bits is a law that the plain build tests. Beside plain
# modules all levels must be known, because they share one table of them.
set(TEPUI_SIMD_LEFT_OUT HWY_SSSE3|HWY_AVX3_DL)
if(TEPUI_SANITIZE AND NOT TEPUI_PLAIN_FROM)
  string(APPEND TEPUI_SIMD_LEFT_OUT |HWY_SSE4|HWY_AVX3)
endif()
target_compile_definitions(tepui_flags INTERFACE HWY_DISABLED_TARGETS=\(${TEPUI_SIMD_LEFT_OUT}\))
if(TEPUI_SANITIZE)
  # Null pointers and accesses beyond an object end in the address sanitizer, too; to watch them twice costs minutes.
  target_compile_options(tepui_flags INTERFACE -fsanitize=address,undefined -fno-sanitize=null,object-size
    -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(tepui_flags INTERFACE -fsanitize=address,undefined)
endif()
if(TEPUI_FUZZ)
  target_compile_options(tepui_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
