# SPDX-License-Identifier: Apache-2.0
# gridiron_compile(TARGET): compile options of all our targets.

# GCC 12 warns of impossible overflows where it inlines operator+ of std::string (its bug 105651) and fmt's copies of
# single characters (105329), with pages of output for any line of ours that does so. GCC 13 does not. It also
# warns of sizes and places that no array can have, where tests with constant sizes are inlined.
set(GRIDIRON_FALSE_WARNINGS
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict;-Wno-stringop-overflow;-Wno-stringop-overread;-Wno-array-bounds;-Wno-alloc-size-larger-than>)

# The headers that nearly every file includes take a third of the build time. None of ours is precompiled, so that a
# changed header recompiles only what includes it. ccache does not cache compilations with a precompiled header, and
# saves more.
if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES ccache)
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
endif()

function(gridiron_compile target)
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;${GRIDIRON_FALSE_WARNINGS}>")
  if(target MATCHES "^gridiron_analysis")  # compiled with the same options, rooms share what is precompiled
    target_precompile_headers(${target} REUSE_FROM gridiron_support)
    return()
  endif()
  target_precompile_headers(${target} PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:<algorithm$<ANGLE-R>;<cmath$<ANGLE-R>;<functional$<ANGLE-R>;<memory$<ANGLE-R>;<optional$<ANGLE-R>;<span$<ANGLE-R>;<string$<ANGLE-R>;<utility$<ANGLE-R>;<vector$<ANGLE-R>;<fmt/format.h$<ANGLE-R>>")
endfunction()
