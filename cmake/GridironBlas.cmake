# SPDX-License-Identifier: Apache-2.0
# GRIDIRON_BLAS: a LAPACK and BLAS that several threads may call at once.
#
# Debian has OpenBLAS in several builds behind the names libblas.so.3 and liblapack.so.3, which CHOLMOD and SuperLU ask
# for. The single-threaded build has no locks either: two solvers in two threads get wrong results from it. So programs
# that use our libraries link the threaded build explicitly, with its folder as RUNPATH; the loader finds it first and
# loads each name only once, so that it serves CHOLMOD and SuperLU as well. The number of threads is set at run time
# (linalg/one_thread.hpp).
set(openblas_dir /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-pthread)
if(EXISTS ${openblas_dir}/liblapack.so)
  set(GRIDIRON_BLAS -Wl,--push-state,--no-as-needed ${openblas_dir}/liblapack.so ${openblas_dir}/libblas.so
                    -Wl,--pop-state)
  set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
else()
  find_library(GRIDIRON_LAPACK lapack REQUIRED)
  set(GRIDIRON_BLAS ${GRIDIRON_LAPACK})
endif()
