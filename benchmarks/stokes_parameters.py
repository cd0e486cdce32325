#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Iterations of Braess-Sarazin relaxation over its parameters omega and t, as a table and a picture.

    stokes_parameters.py GRIDIRON OUT_DIR [--sweeps 1|3] [--jacobi W] [--size N] [--relaxation vanka]

writes parameters.csv (omega, t, iterations to 1e-8 of V(1,1); 99: not within 60) and parameters.png, a grey picture
with omega to the right and t upwards, one square per pair, dark where few iterations are taken. With --relaxation
vanka only omega varies.
"""
import argparse
import json
import pathlib
import struct
import subprocess
import tempfile
import zlib


def iterations(tool, size, settings):
    with tempfile.TemporaryDirectory() as out:
        command = [tool, "pde", "stokes2d", "--size", str(size), "--threads", "1", "--quiet", "--formats", "json",
                   "--max-iterations", "60", "--out", out, "--set", "pre=1", "--set", "post=1"]
        for key, value in settings.items():
            command += ["--set", f"{key}={value}"]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode == 4:
            return 99
        if run.returncode != 0:
            raise SystemExit(run.stderr)
        return json.loads((pathlib.Path(out) / "report.json").read_text())["solve"]["iterations"]


def write_png(path, width, pixels):
    """Eight-bit grey pixels, rows from the top."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + pixels[i:i + width] for i in range(0, len(pixels), width))
    header = struct.pack(">IIBBBBB", width, len(pixels) // width, 8, 0, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) +
                     chunk(b"IEND", b""))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--sweeps", type=int, default=3)
    parser.add_argument("--jacobi", type=float, default=0.93)
    parser.add_argument("--size", type=int, default=32)
    parser.add_argument("--relaxation", default="braess-sarazin")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    is_vanka = arguments.relaxation == "vanka"
    omegas = [round(0.5 + 0.05 * k, 2) for k in range(15)]
    ts = [1.0] if is_vanka else [round(0.8 + 0.05 * k, 2) for k in range(15)]
    table = {}
    for omega in omegas:
        for t in ts:
            settings = {"relaxation": arguments.relaxation}
            if is_vanka:
                settings["vanka_weight"] = omega
            else:
                settings.update(schur_weight=omega, schur_scale=t, schur_sweeps=arguments.sweeps,
                                schur_jacobi=arguments.jacobi)
            table[omega, t] = iterations(arguments.tool, arguments.size, settings)
    rows = ["omega,t,iterations"] + [f"{omega},{t},{count}" for (omega, t), count in table.items()]
    (arguments.out / "parameters.csv").write_text("\n".join(rows) + "\n")
    least = min(table.values())
    square = 24
    pixels = bytearray()
    for t in reversed(ts):
        line = bytearray()
        for omega in omegas:
            line += bytes([min(255, 16 * (table[omega, t] - least))]) * square
        pixels += line * square
    write_png(arguments.out / "parameters.png", square * len(omegas), bytes(pixels))
    best = min(table, key=table.get)
    print(f"least iterations: {least} at omega = {best[0]}, t = {best[1]}")


if __name__ == "__main__":
    main()
