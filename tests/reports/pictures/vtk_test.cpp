// SPDX-License-Identifier: Apache-2.0
// VTK files: their bytes checked by hand, and the result of VTK's own reader.
#include "reports/pictures/vtk.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstring>
#include <sstream>

#include "reports/pde_report.hpp"
#include "tests/reports/sample.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string slurp(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

double big_endian_double(const std::string& bytes, size_t at) {
  std::array<char, 8> reversed;
  for (int i = 0; i < 8; ++i) reversed[7 - i] = bytes.at(at + i);
  return std::bit_cast<double>(reversed);
}

PdeResult solved(const char* name, int64_t size) {
  PdeOptions options;
  options.problem = name;
  options.choices.size = size;
  options.wants_fields = true;
  return solve_pde(options);
}

TEST(Vtk, GridByHand) {
  const test::TemporaryDirectory directory;
  const PdeResult result = solved("poisson2d", 3);
  write_vtk_grid(directory.path() / "u.vtk", result);
  const std::string bytes = slurp(directory.path() / "u.vtk");
  EXPECT_THAT(bytes, StartsWith("# vtk DataFile Version 3.0\nGridiron poisson2d\nBINARY\nDATASET STRUCTURED_POINTS\n"
                                "DIMENSIONS 3 3 1\nORIGIN 0 0 0\nSPACING 0.5 0.5 1\nPOINT_DATA 9\n"
                                "SCALARS u double 1\nLOOKUP_TABLE default\n"));
  const size_t values = bytes.find("default\n") + 8;
  EXPECT_EQ(big_endian_double(bytes, values), 0);
  EXPECT_EQ(big_endian_double(bytes, values + 4 * 8), result.solution[0]);
  EXPECT_EQ(bytes.substr(values + 9 * 8, 15), "\nSCALARS error ");
}

TEST(Vtk, CellsAndLinesByHand) {
  const test::TemporaryDirectory directory;
  write_vtk_grid(directory.path() / "rock.vtk", solved("porous3d", 11));
  EXPECT_THAT(slurp(directory.path() / "rock.vtk"), HasSubstr("DIMENSIONS 4 12 5\n"));
  EXPECT_THAT(slurp(directory.path() / "rock.vtk"), HasSubstr("CELL_DATA 132\n"));
  write_vtk_lines(directory.path() / "lines.vtk", {{{{0, 0, 0}, {1, 2, 3}}, {5, 6}}, {{{7, 8, 9}}, {10}}}, "speed");
  const std::string bytes = slurp(directory.path() / "lines.vtk");
  EXPECT_THAT(bytes, HasSubstr("POINTS 3 double\n"));
  const size_t lines = bytes.find("LINES 2 5\n") + 10;
  EXPECT_EQ(bytes.substr(lines, 20), std::string("\0\0\0\2\0\0\0\0\0\0\0\1\0\0\0\1\0\0\0\2", 20));
}

/// Reads the files with python3-vtk9 and compares the contents; skipped if that is not installed.
TEST(Vtk, OpensInVtk) {
  const std::string python = "/usr/bin/python3";
  if (std::system((python + " -c 'import vtkmodules.vtkIOLegacy' 2>/dev/null").c_str()) != 0)
    GTEST_SKIP() << "python3-vtk9 is not installed";
  const test::TemporaryDirectory directory;
  const auto folder = [&](const char* name, int64_t size) {
    write_pde_reports(solved(name, size), directory.path() / name, {"vtk"});
  };
  folder("poisson2d", 9);
  folder("porous3d", 22);
  folder("griddeform2d", 9);
  folder("trefoil3d", 9);
  folder("capacitor3d", 9);
  std::ofstream(directory.path() / "check.py") << R"py(
import sys
from vtkmodules.vtkIOLegacy import vtkDataSetReader

def read(path):
    reader = vtkDataSetReader()
    reader.SetFileName(path)
    reader.ReadAllScalarsOn()
    reader.ReadAllVectorsOn()
    reader.Update()
    data = reader.GetOutput()
    text = f"{path} {data.GetClassName()} {data.GetNumberOfPoints()} points {data.GetNumberOfCells()} cells"
    for place in data.GetPointData(), data.GetCellData():
        for i in range(place.GetNumberOfArrays()):
            array = place.GetArray(i)
            text += f" {array.GetName()}:{array.GetNumberOfComponents()}x{array.GetNumberOfTuples()}"
    return text, data

for path in sys.argv[1:]:
    print(read(path)[0])
u = read("poisson2d/solution.vtk")[1].GetPointData().GetArray("u")
print("middle", repr(u.GetValue(4 * 9 + 4)))
gradient = read("capacitor3d/solution.vtk")[1].GetPointData().GetArray("gradient")
print("upwards", min(gradient.GetTuple(i)[2] for i in range(gradient.GetNumberOfTuples())) > 0)
)py";
  const std::string command = "cd '" + directory.path().string() + "' && " + python +
                              " check.py poisson2d/solution.vtk porous3d/solution.vtk griddeform2d/mesh.vtk "
                              "trefoil3d/solution.vtk trefoil3d/sources.vtk capacitor3d/lines.vtk > out 2> err";
  EXPECT_EQ(std::system(command.c_str()), 0) << slurp(directory.path() / "err");
  EXPECT_EQ(slurp(directory.path() / "err"), "");
  const std::string out = slurp(directory.path() / "out");
  EXPECT_THAT(out, HasSubstr("poisson2d/solution.vtk vtkStructuredPoints 81 points 64 cells u:1x81 error:1x81\n"));
  EXPECT_THAT(out, HasSubstr("porous3d/solution.vtk vtkStructuredPoints 1610 points 1188 cells u:1x1188 "));
  EXPECT_THAT(out, HasSubstr("griddeform2d/mesh.vtk vtkStructuredGrid 81 points 64 cells area:1x64\n"));
  EXPECT_THAT(out, HasSubstr("trefoil3d/solution.vtk vtkStructuredPoints 729 points 512 cells potential_x:1x729 "
                             "potential_y:1x729 potential_z:1x729 velocity:3x729\n"));
  EXPECT_THAT(out, HasSubstr("trefoil3d/sources.vtk vtkPolyData 513 points 1 cells speed:1x513\n"));
  EXPECT_THAT(out, HasSubstr("capacitor3d/lines.vtk vtkPolyData "));
  EXPECT_THAT(out, HasSubstr(" 81 cells field_strength:1x"));
  const double middle = solved("poisson2d", 9).solution[3 * 7 + 3];
  EXPECT_THAT(out, HasSubstr(fmt::format("middle {}\n", middle)));
  EXPECT_THAT(out, HasSubstr("upwards True\n"));
}

}  // namespace
}  // namespace gridiron
