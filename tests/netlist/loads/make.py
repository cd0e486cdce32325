# SPDX-License-Identifier: Apache-2.0
# Generates the .npz files in this folder (NumPy 2.4).
import numpy as np

names = np.array(["i1", "I2", "x1.iµ"])
loads = np.array([[1e-3, 2e-3, 3e-3, 4e-3], [0.5, -0.25, 0.125, 1e-12], [0.0, 1.0, 2.0, 3.0]])
np.savez("c_order.npz", loads=loads, names=names)
np.savez_compressed("fortran_deflated.npz", loads=np.asfortranarray(loads), names=names)
np.savez("one_vector_float32.npz", loads=loads[:, 1].astype(np.float32), names=names)
np.savez("bytes.npz", loads=loads[:2], names=np.array([b"i1", b"I2"]))
np.savez("objects.npz", loads=loads, names=np.array(["i1", "I2", "i3"], dtype=object))
np.savez("integers.npz", loads=np.ones((3, 4), dtype=np.int64), names=names)
np.savez("big_endian.npz", loads=loads.astype(">f8"), names=names)
