#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes waveforms of the blocks of switching.sp for gridiron tran --waveforms: two templates, two scenarios."""
import sys

import numpy as np

time = np.arange(0, 10.001e-9, 50e-12)  # s
clock = np.where(np.arange(time.size) % 40 < 3, 0.1, 0.02)  # A: 100 mA for 150 ps of every 2 ns
idle = np.full(time.size, 0.02)

np.savez(
    sys.argv[1] if len(sys.argv) > 1 else "switching.npz",
    time=time,
    templates=np.stack([clock, idle]),
    source=["i0", "i1", "i2", "i3"],
    template=[[0, 0], [0, 1], [0, 0], [0, 1]],  # per source and scenario
    delay=[0.2e-9, 0.3e-9, 0.4e-9, 0.5e-9],  # s, the same in both scenarios
    scale=[[1, 1], [1, 1], [1, 2], [1, 1]],
    scenario=["all clocked", "half gated"],
)
