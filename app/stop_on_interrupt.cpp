// SPDX-License-Identifier: Apache-2.0
#include "app/stop_on_interrupt.hpp"

#include <semaphore.h>

#include <cerrno>
#include <csignal>

namespace gridiron {
namespace {

sem_t interrupted;

/// Only counts, as a stop_source must not be called from a handler; SA_RESETHAND makes the next one end the process.
void count_interrupt(int) {
  const int error = errno;
  sem_post(&interrupted);
  errno = error;
}

}  // namespace

StopOnInterrupt::StopOnInterrupt() {
  sem_init(&interrupted, 0, 0);
  watcher_ = std::jthread([this](const std::stop_token& end) {
    while (sem_wait(&interrupted) != 0) continue;
    if (!end.stop_requested()) stop_.request_stop();
  });
  struct sigaction action = {};
  action.sa_handler = count_interrupt;
  action.sa_flags = SA_RESTART | SA_RESETHAND;
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

StopOnInterrupt::~StopOnInterrupt() {
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
  watcher_.request_stop();
  sem_post(&interrupted);
  watcher_.join();
}

}  // namespace gridiron
