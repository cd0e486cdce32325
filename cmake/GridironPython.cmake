# SPDX-License-Identifier: Apache-2.0
# GRIDIRON_PYTHON: whether the Python package is built. Of the libraries for this, pybind11 is the one in Debian 12; pip
# finds it too.
find_package(Python 3.9 QUIET COMPONENTS Interpreter Development.Module)
set(PYBIND11_FINDPYTHON ON)
find_package(pybind11 2.10 CONFIG QUIET)
if(Python_Development.Module_FOUND AND pybind11_FOUND)
  execute_process(COMMAND ${Python_EXECUTABLE} -c "import numpy" RESULT_VARIABLE without_numpy ERROR_QUIET)
else()
  set(without_numpy TRUE)
endif()
if(without_numpy AND NOT GRIDIRON_PYTHON)
  message(STATUS "No Python package: it needs pybind11, and a Python (-DPython_EXECUTABLE=…) with its headers and numpy")
  set(GRIDIRON_PYTHON_FOUND OFF)
else()
  set(GRIDIRON_PYTHON_FOUND ON)
endif()
option(GRIDIRON_PYTHON "Build the Python package" ${GRIDIRON_PYTHON_FOUND})
