#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# wheel.sh PYTHON MODULE SOURCE WORK: packs the module that the build has compiled into a wheel by pyproject.toml, and
# uses it in a new environment with numpy from PyPI, which is another version than Debian's. Status 77: no PyPI.
set -eu
python=$1 module=$2 source=$3 work=$4
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_QUIET=1
rm -rf "$work"
"$python" -m venv "$work/venv"
cd "$work"
venv/bin/pip install numpy || { echo "no numpy from PyPI: skipped"; exit 77; }
venv/bin/pip wheel --no-deps --wheel-dir dist "$source" \
  --config-settings=cmake.source-dir=python --config-settings=cmake.define.GRIDIRON_PYTHON_MODULE="$module"
venv/bin/pip install dist/gridiron-*.whl
venv/bin/python "$source/tests/python/session_test.py"
venv/bin/python "$source/tests/python/stubs_test.py"
