// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Marks functions that kernels may call: see device/device.hpp.
#if defined(__CUDACC__)
#define GRIDIRON_HOST_DEVICE __host__ __device__
#else
#define GRIDIRON_HOST_DEVICE
#endif
