# SPDX-License-Identifier: Apache-2.0
# Every external dependency in one place. Names are those of Debian 12 packages; ./dev setup installs them.
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(Boost 1.74 REQUIRED COMPONENTS iostreams)
find_library(GRIDIRON_ZSTD zstd REQUIRED)
find_path(GRIDIRON_PCRE2_INCLUDE pcre2.h REQUIRED)
find_library(GRIDIRON_PCRE2 pcre2-8 REQUIRED)  # --node-pattern
include(GridironBlas)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(PNG REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)  # SHA-256 of the input
find_package(CHOLMOD REQUIRED)
find_library(GRIDIRON_AMD amd REQUIRED)  # its header lies beside CHOLMOD's, as do those of BTF and CAMD
find_library(GRIDIRON_BTF btf REQUIRED)
find_library(GRIDIRON_CAMD camd REQUIRED)
find_package(SuperLU REQUIRED)
find_package(Clp REQUIRED)  # linear programs of plans
find_package(LibZip REQUIRED)

# Plots: FreeType renders DejaVu Sans (fonts-dejavu-core). Viewer: Leaflet and Chart.js (libjs-leaflet, libjs-chart.js).
# These files are embedded in the library, so nothing is needed at run time.
find_package(Freetype REQUIRED)
find_file(GRIDIRON_FONT DejaVuSans.ttf REQUIRED PATHS /usr/share/fonts
          PATH_SUFFIXES truetype/dejavu dejavu-sans-fonts dejavu TTF)
find_file(GRIDIRON_LEAFLET_JS NAMES leaflet.min.js leaflet.js REQUIRED PATHS /usr/share/javascript PATH_SUFFIXES leaflet)
find_file(GRIDIRON_LEAFLET_CSS leaflet.css REQUIRED PATHS /usr/share/javascript PATH_SUFFIXES leaflet)
find_file(GRIDIRON_CHART_JS NAMES chart.min.js chart.umd.js REQUIRED PATHS /usr/share/javascript PATH_SUFFIXES chart.js)
mark_as_advanced(GRIDIRON_PCRE2 GRIDIRON_PCRE2_INCLUDE GRIDIRON_AMD GRIDIRON_BTF
                 GRIDIRON_CAMD GRIDIRON_FONT GRIDIRON_LEAFLET_JS GRIDIRON_LEAFLET_CSS GRIDIRON_CHART_JS)

# The Tcl shell and package are built where Tcl and libedit are (tcl-dev, libedit-dev).
option(GRIDIRON_WITH_TCL "Build the Tcl shell and package where Tcl and libedit are found" ON)
set(GRIDIRON_TCL OFF)
if(GRIDIRON_WITH_TCL)
  find_package(TCL QUIET)
  find_path(GRIDIRON_EDIT_INCLUDE editline/readline.h)
  find_library(GRIDIRON_EDIT edit)
  mark_as_advanced(GRIDIRON_EDIT_INCLUDE GRIDIRON_EDIT)
  if(TCL_FOUND AND GRIDIRON_EDIT_INCLUDE AND GRIDIRON_EDIT)
    set(GRIDIRON_TCL ON)
  endif()
endif()
if(NOT GRIDIRON_TCL)
  message(STATUS "No Tcl shell and package: they need tcl-dev and libedit-dev")
endif()

# Engine hypre is built where hypre and its MPI are (libhypre-dev). Neither is linked: hypre is loaded when needed.
option(GRIDIRON_HYPRE "Build engine hypre where hypre and MPI are found" ON)
set(GRIDIRON_HAS_HYPRE OFF)
if(GRIDIRON_HYPRE)
  find_package(MPI QUIET COMPONENTS CXX)
  find_path(GRIDIRON_HYPRE_INCLUDE _hypre_parcsr_ls.h PATH_SUFFIXES hypre)
  find_library(GRIDIRON_HYPRE_LIBRARY HYPRE)
  mark_as_advanced(GRIDIRON_HYPRE_INCLUDE GRIDIRON_HYPRE_LIBRARY)
  if(MPI_CXX_FOUND AND GRIDIRON_HYPRE_INCLUDE AND GRIDIRON_HYPRE_LIBRARY)
    set(GRIDIRON_HAS_HYPRE ON)
    set(GRIDIRON_HYPRE_INCLUDES ${GRIDIRON_HYPRE_INCLUDE} ${MPI_CXX_INCLUDE_DIRS})
  endif()
endif()
if(NOT GRIDIRON_HAS_HYPRE)
  message(STATUS "No engine hypre: it needs libhypre-dev")
endif()
