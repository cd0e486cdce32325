# SPDX-License-Identifier: Apache-2.0
# Makes `find_package(gridiron)` work: targets gridiron::netlist … gridiron::reports and the package configuration
# files.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/gridiron)

install(EXPORT gridiron NAMESPACE gridiron:: DESTINATION ${package_dir} FILE gridironTargets.cmake)

configure_package_config_file(cmake/gridironConfig.cmake.in gridironConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(gridironConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gridironConfig.cmake ${PROJECT_BINARY_DIR}/gridironConfigVersion.cmake
              cmake/FindCHOLMOD.cmake cmake/FindClp.cmake cmake/FindLibZip.cmake cmake/FindSuperLU.cmake
        DESTINATION ${package_dir})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

if(GRIDIRON_TESTS)
  add_test(NAME install.consumer
           COMMAND ${CMAKE_COMMAND}
             -D source_dir=${CMAKE_CURRENT_SOURCE_DIR}/tests/install
             -D gridiron_build_dir=${PROJECT_BINARY_DIR}
             -D gridiron_version=${PROJECT_VERSION}
             -D work_dir=${PROJECT_BINARY_DIR}/tests/install
             -D generator=${CMAKE_GENERATOR}
             -D build_type=${CMAKE_BUILD_TYPE}
             -D compiler=${CMAKE_CXX_COMPILER}
             -D flags=${CMAKE_CXX_FLAGS}
             -P ${CMAKE_CURRENT_SOURCE_DIR}/tests/install/run.cmake)
  set_tests_properties(install.consumer PROPERTIES TIMEOUT 600)
endif()
