# SPDX-License-Identifier: Apache-2.0
# Installs the build into a fresh prefix, builds the consumer project against that prefix alone, and runs it.
file(REMOVE_RECURSE ${work_dir})

function(step)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

step(${CMAKE_COMMAND} --install ${gridiron_build_dir} --prefix ${work_dir}/prefix)
step(${CMAKE_COMMAND} -S ${source_dir} -B ${work_dir}/build -G ${generator}
     -D CMAKE_BUILD_TYPE=${build_type} -D CMAKE_CXX_COMPILER=${compiler} "-DCMAKE_CXX_FLAGS=${flags}"
     -D CMAKE_PREFIX_PATH=${work_dir}/prefix -D gridiron_version=${gridiron_version})
step(${CMAKE_COMMAND} --build ${work_dir}/build)
step(${work_dir}/build/consumer)
step(${work_dir}/prefix/bin/gridiron --version)
