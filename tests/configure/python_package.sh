#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# python_package.sh CMAKE SOURCE FOLDER: what GridironPython.cmake decides, in a project with nothing else, when numpy
# appears and vanishes between two configurations. Exit status 77 where the package cannot be built at all.
set -eu
cmake=$1 source=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder"
cat >"$folder/CMakeLists.txt" <<TEXT
cmake_minimum_required(VERSION 3.25)
project(decides LANGUAGES CXX)
set(GRIDIRON_TESTS ON)
include($source/cmake/GridironPython.cmake)
if(GRIDIRON_BUILDS_PYTHON)
  message(STATUS "decided: built")
else()
  message(STATUS "decided: not built")
endif()
TEXT
cat >"$folder/python3" <<TEXT
#!/bin/sh
if [ "\$*" = "-c import numpy" ] && [ -e "$folder/without_numpy" ]; then exit 1; fi
exec /usr/bin/python3 "\$@"
TEXT
chmod +x "$folder/python3"

# decides BUILD WORDS [OPTION...]
decides() {
  build=$1 words=$2
  shift 2
  "$cmake" -S "$folder" -B "$folder/$build" "-DPython_EXECUTABLE=$folder/python3" "$@" >"$folder/log" 2>&1 || true
  if ! tr -s '\n ' ' ' <"$folder/log" | grep -qF -- "$words"; then
    echo "$build $*: expected '$words'"
    cat "$folder/log"
    exit 1
  fi
}

/usr/bin/python3 -c 'import numpy' || exit 77
"$cmake" -S "$folder" -B "$folder/usual" -DPython_EXECUTABLE=/usr/bin/python3 | grep -q 'decided: built' || exit 77

touch "$folder/without_numpy"
decides late 'needs numpy, for its tests'
decides late 'decided: not built'
decides wanted 'GRIDIRON_PYTHON=ON: the Python package needs numpy' -DGRIDIRON_PYTHON=ON
rm "$folder/without_numpy"
decides late 'decided: built'
decides wanted 'decided: built'
decides refused 'decided: not built' -DGRIDIRON_PYTHON=OFF
decides refused 'decided: not built'
decides sanitized 'decided: not built' -DGRIDIRON_SANITIZED=ON
decides sanitized 'decided: built' -DGRIDIRON_SANITIZED=OFF
