// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "device/device.hpp"

namespace gridiron {

/// What an iteration may start from: the constant, the line and the parabola through the last states, each as weights
/// of the present state, the one before, and that before it. What the same weights of the injections of these states
/// leave of the next one is the residual of the guess, so that the best one is known before any of them is formed.
struct Guesses {
  static constexpr int kMost = 3;
  int count = 1;                ///< of them
  bool are_comparable = false;  ///< the states are solutions for the matrix of the step
  double weight[kMost][3] = {{1, 0, 0}};

  /// For the time t, through states of these times, the present one first.
  static Guesses through(std::span<const double> times, double t) {
    Guesses guesses;
    guesses.count = static_cast<int>(times.size());
    for (int points = 2; points <= guesses.count; ++points)
      for (int k = 0; k < points; ++k) {
        double& weight = guesses.weight[points - 1][k] = 1;
        for (int l = 0; l < points; ++l)
          if (l != k) weight *= (t - times[l]) / (times[k] - times[l]);
      }
    return guesses;
  }

  GRIDIRON_HOST_DEVICE double residual(int guess, double injected, double present, double before,
                                       double before2) const {
    const double* const c = weight[guess];
    return injected - (c[0] * present + c[1] * before + c[2] * before2);
  }
  /// Of every guess.
  GRIDIRON_HOST_DEVICE Sums<kMost> squares(double injected, double present, double before, double before2) const {
    Sums<kMost> squares;
    for (int guess = 0; guess < kMost; ++guess) {
      const double r = residual(guess, injected, present, before, before2);
      squares[guess] = r * r;
    }
    return squares;
  }

  /// The one whose residual has the least sum of squares; of equal ones that of the highest order.
  static int best(const Sums<kMost>& squares) {
    int best = kMost - 1;
    for (int guess = kMost - 2; guess >= 0; --guess)
      if (squares[guess] < squares[best]) best = guess;
    return best;
  }
};

}  // namespace gridiron
