# SPDX-License-Identifier: Apache-2.0
# GRIDIRON_BLAS: LAPACK and BLAS that run on the thread that calls them. OpenBLAS splits its sums by the number of its
# threads, so that one with threads gives other bits on another machine; and it starts them before main.
#
# CHOLMOD and SuperLU ask for libblas.so.3 and liblapack.so.3, of whatever make. Programs that use our libraries name
# these two of libopenblas-serial-dev themselves, with their folder as RUNPATH; the loader meets them first and loads a
# name once, so that they serve CHOLMOD and SuperLU as well.
set(serial_dir /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-serial)
if(EXISTS ${serial_dir}/liblapack.so)
  set(GRIDIRON_BLAS -Wl,--push-state,--no-as-needed ${serial_dir}/liblapack.so ${serial_dir}/libblas.so
                    -Wl,--pop-state)
  set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
else()
  find_library(GRIDIRON_LAPACK lapack REQUIRED)
  set(GRIDIRON_BLAS ${GRIDIRON_LAPACK})
  message(WARNING "no libopenblas-serial-dev: with ${GRIDIRON_LAPACK}, results may depend on the threads of that BLAS")
endif()
