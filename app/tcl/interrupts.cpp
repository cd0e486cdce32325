// SPDX-License-Identifier: Apache-2.0
// The signal's handler only counts: neither stop_source nor Tcl may be called from one. A thread that waits for the
// semaphore does the rest.
#include "app/tcl/interrupts.hpp"

#include <semaphore.h>
#include <sys/eventfd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <mutex>
#include <thread>

namespace gridiron {
namespace {

sem_t interrupts;
int presses = -1;  // an eventfd that counts them for the line editor
std::mutex stop_mutex;
std::stop_source stop;
std::atomic<bool> is_running = false;

void on_signal(int) {
  const int error = errno;
  sem_post(&interrupts);
  eventfd_write(presses, 1);
  errno = error;
}

/// Called by Tcl between two commands.
int on_mark(ClientData, Tcl_Interp* interp, int code) {
  if (!interp || code != TCL_OK || !is_running) return code;
  Tcl_SetObjResult(interp, Tcl_NewStringObj("stopped", -1));
  Tcl_SetErrorCode(interp, "GRIDIRON", "stopped", "", static_cast<char*>(nullptr));
  return TCL_ERROR;
}

[[noreturn]] void watch(Tcl_AsyncHandler mark) {
  for (;;) {
    while (sem_wait(&interrupts) != 0) continue;
    if (!is_running) continue;
    const std::lock_guard lock(stop_mutex);
    stop.request_stop();
    Tcl_AsyncMark(mark);
  }
}

}  // namespace

void catch_interrupts(Tcl_Interp*) {
  sem_init(&interrupts, 0, 0);
  presses = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  std::thread(watch, Tcl_AsyncCreate(on_mark, nullptr)).detach();
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
}

int interrupt_descriptor() { return presses; }

void forget_interrupts() {
  eventfd_t count = 0;
  eventfd_read(presses, &count);
}

std::stop_token new_stop_token() {
  const std::lock_guard lock(stop_mutex);
  if (stop.stop_requested()) stop = {};
  return stop.get_token();
}

Interruptible::Interruptible() {
  new_stop_token();
  is_running = true;
}
Interruptible::~Interruptible() { is_running = false; }

}  // namespace gridiron
