# SPDX-License-Identifier: Apache-2.0
# Solves bridge.mtx with ENGINE and compares the solutions with those that bridge_rhs.mtx was constructed from.
execute_process(COMMAND ${PROGRAM} ${FOLDER}/bridge.mtx ${ENGINE} ${FOLDER}/bridge_rhs.mtx ${ANSWER}
                COMMAND_ERROR_IS_FATAL ANY)
file(STRINGS ${ANSWER} lines)
list(POP_FRONT lines banner size)
if(NOT banner STREQUAL "%%MatrixMarket matrix array real general" OR NOT size STREQUAL "4 2")
  message(FATAL_ERROR "${ANSWER} begins with '${banner}' and '${size}'")
endif()
foreach(expected 1 2 3 4 1 1 1 1)
  list(POP_FRONT lines value)
  math(EXPR below "${expected} - 1")
  if(NOT value MATCHES "^${expected}([.]00000[0-9]*)?$" AND NOT value MATCHES "^${below}[.]99999[0-9]*$")
    message(FATAL_ERROR "${ENGINE}: ${value} instead of ${expected}")
  endif()
endforeach()
