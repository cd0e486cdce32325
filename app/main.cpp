// SPDX-License-Identifier: Apache-2.0
#include <omp.h>

#include "app/analysis_options.hpp"
#include "app/command_line.hpp"

int main(int argc, char** argv) {
  gridiron::use_threads(omp_get_max_threads());  // OMP_NUM_THREADS may ask for any number
  return gridiron::run_command_line(argc, argv);
}
