// SPDX-License-Identifier: Apache-2.0
// What `package require gridiron` loads.
#include "app/tcl/tcl_commands.hpp"

extern "C" __attribute__((visibility("default"))) int Gridiron_Init(Tcl_Interp* interp) {
  return gridiron::add_session_commands(interp);
}
