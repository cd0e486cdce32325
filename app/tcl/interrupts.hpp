// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tcl.h>

#include <stop_token>

namespace gridiron {

/// From now on Ctrl-C ends the command that runs, not the process: a solve is stopped, a loop in Tcl becomes an error.
void catch_interrupts(Tcl_Interp* interp);

/// Becomes readable when Ctrl-C is pressed, until forget_interrupts().
int interrupt_descriptor();
void forget_interrupts();

/// Of the command that begins.
std::stop_token new_stop_token();

/// Whether a command runs that Ctrl-C would end.
class Interruptible {
 public:
  Interruptible();
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;
};

}  // namespace gridiron
