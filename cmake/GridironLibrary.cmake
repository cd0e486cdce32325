# SPDX-License-Identifier: Apache-2.0
# gridiron_unity(TARGET): the files of each folder are compiled a dozen at a time, which halves the time of a build from
# nothing: most of it goes into the standard library, fmt and JSON, once per unit. Not for engines, where a changed header
# is to recompile its engine only. Names in anonymous namespaces must differ within a unit.
function(gridiron_unity target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${GRIDIRON_UNITY} UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    cmake_path(GET source PARENT_PATH folder)
    string(MAKE_C_IDENTIFIER "in_${folder}" folder)
    list(APPEND of_${folder} ${source})
    list(LENGTH of_${folder} count)
    math(EXPR unit "(${count} - 1) / 12")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${unit})
  endforeach()
endfunction()

# gridiron_cuda_options(TARGET): how its .cu files are compiled. -O1 applies to host code, which only launches kernels and
# waits; it saves a quarter of nvcc's time.
function(gridiron_cuda_options target)
  target_include_directories(${target} PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CUDA>:--extended-lambda --expt-relaxed-constexpr -Xcompiler=-fopenmp,-O1>)
endfunction()

# gridiron_library(ROOM): settings common to the libraries of all rooms: alias, include root, warnings, install.
# analysis/solve is gridiron_analysis_solve, gridiron::analysis_solve for others.
function(gridiron_library room)
  string(REPLACE "/" "_" name ${room})
  set(target gridiron_${name})
  add_library(gridiron::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                              $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/gridiron>)
  gridiron_compile(${target})
  install(TARGETS ${target} EXPORT gridiron)
  if(room STREQUAL name)  # the headers of analysis include those of its rooms
    install(DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gridiron/${room}
            FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cuh" PATTERN "grammar" EXCLUDE PATTERN "generator" EXCLUDE)
  endif()
endfunction()
