# SPDX-License-Identifier: Apache-2.0
"""What the tests share."""
import functools
import os
import tempfile
from pathlib import Path

import gridiron

TOOL = os.environ["GRIDIRON_BINARY"]
EXAMPLES = Path(__file__).parents[2] / "examples"


@functools.cache
def deck() -> str:
    """A generated grid of two nets, large enough for an engine to have levels."""
    folder = tempfile.TemporaryDirectory()
    deck.folder = folder  # removed at exit
    path = Path(folder.name) / "grid.sp"
    gridiron.generate(path, style="ibm", nodes=20000, seed=3)
    return str(path)
