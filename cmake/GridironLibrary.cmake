# SPDX-License-Identifier: Apache-2.0
# gridiron_library(NAME): settings common to every room's library: alias, include root, warnings, install.
function(gridiron_library room)
  set(target gridiron_${room})
  add_library(gridiron::${room} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${room})
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                              $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/gridiron>)
  gridiron_compile(${target})
  install(TARGETS ${target} EXPORT gridiron)
  install(DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gridiron/${room}
          FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cuh" PATTERN "grammar" EXCLUDE PATTERN "generator" EXCLUDE)
endfunction()
