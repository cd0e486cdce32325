# SPDX-License-Identifier: Apache-2.0
# Finds SuperLU (header slu_ddefs.h, library superlu) and defines the target SuperLU::SuperLU.
find_path(SuperLU_INCLUDE_DIR slu_ddefs.h PATH_SUFFIXES superlu)
find_library(SuperLU_LIBRARY superlu)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SuperLU REQUIRED_VARS SuperLU_LIBRARY SuperLU_INCLUDE_DIR)
if(SuperLU_FOUND AND NOT TARGET SuperLU::SuperLU)
  add_library(SuperLU::SuperLU UNKNOWN IMPORTED)
  set_target_properties(SuperLU::SuperLU PROPERTIES IMPORTED_LOCATION "${SuperLU_LIBRARY}"
                                                INTERFACE_INCLUDE_DIRECTORIES "${SuperLU_INCLUDE_DIR}")
endif()
mark_as_advanced(SuperLU_INCLUDE_DIR SuperLU_LIBRARY)
