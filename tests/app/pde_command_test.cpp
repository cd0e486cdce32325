// SPDX-License-Identifier: Apache-2.0
// `gridiron pde`: options, exit codes, files.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <set>

#include "engines/engine.hpp"
#include "tests/app/tool.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;

class PdeCommand : public test::Tool {};

TEST_F(PdeCommand, SolvesAndWritesEveryReport) {
  const Outcome run = gridiron("pde poisson2d --size 65 --engine cholmod --set ordering=metis --out reports");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  EXPECT_THAT(run.out, HasSubstr("Problem      poisson2d"));
  for (const char* file : {"summary.txt", "report.json", "solution.png", "error.png", "solution.vtk"})
    EXPECT_TRUE(std::filesystem::exists(folder_ / "reports" / file)) << file;
  const auto report = nlohmann::json::parse(slurp(folder_ / "reports" / "report.json"));
  EXPECT_EQ(report["schema"], "gridiron.pde/1");
  EXPECT_EQ(report["unknowns"], 63 * 63);
  EXPECT_EQ(report["engine"]["parameters"]["ordering"], "metis");
  EXPECT_LT(report["error"]["linf"].get<double>(), 1e-4);
  EXPECT_GT(report["timings_s"]["total"].get<double>(), report["timings_s"]["setup"].get<double>());
}

TEST_F(PdeCommand, EveryProblemRuns) {
  for (const char* arguments :
       {"poisson3d --size 9 --engine superlu", "anisotropic2d --size 33 --epsilon 1e-3", "porous3d --size 22 --seed 4",
        "porous3d --cells 6,7,8 --threads 2", "helmholtz2d --size 17 --shift 0 --stencil 9",
        "helmholtz3d --size 9 --engine aggamg", "capacitor3d --size 9 --sign -", "capacitor3d --size 9 --sign=+",
        "griddeform2d --size 17", "griddeform2d --size 17 --shift 0.1", "trefoil3d --size 9 --stencil 27",
        "poisson2d --size 9 --sigma '1+x*y' --bc x1=neumann:exact,y0=neumann", "stokes2d --size 16 --viscosity 0.1",
        "stokes2d --size 16x8 --set relaxation=vanka", "stokes2d-sine --size 7 --engine superlu --reaction 10",
        "stokes2d-cavity --size 33 --lid smooth", "stokes2d --study 8,16"}) {
    const Outcome run = gridiron(std::string("pde ") + arguments);
    EXPECT_EQ(run.code, 0) << arguments << run.err;
  }
}

TEST_F(PdeCommand, HelpListsTheProblems) {
  const Outcome run = gridiron("pde --help");
  EXPECT_EQ(run.code, 0);
  for (const char* name : {"poisson2d",   "poisson3d",     "helmholtz2d",
                           "helmholtz3d", "anisotropic2d", "porous3d",
                           "capacitor3d", "griddeform2d",  "trefoil3d",
                           "stokes2d",    "stokes2d-sine", "stokes2d-cavity",
                           "NXxNY",       "--viscosity",   "--bc",
                           "--sigma",     "--study",       "--curve",
                           "shift -1)",   "log10",         "u = cos(pi x) cos(pi y)"})
    EXPECT_THAT(run.out, HasSubstr(name));
}

TEST_F(PdeCommand, QuietAndFormats) {
  const Outcome run = gridiron("pde poisson2d --size 9 --quiet --formats json --out reports");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.out + run.err, "");
  const std::filesystem::directory_iterator files(folder_ / "reports");
  EXPECT_EQ(std::distance(begin(files), end(files)), 2) << "and the manifest";
}

TEST_F(PdeCommand, ApplicationsLeaveTheirPicturesAndFiles) {
  write("curve.csv", "x,y\n0.3,0.3\n0.7,0.3\n0.6,0.5\n0.7,0.7\n0.3,0.7\n");
  const auto files = [&](const std::string& arguments) {
    const Outcome run = gridiron("pde " + arguments + " --out reports");
    EXPECT_EQ(run.code, 0) << run.err;
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "reports"))
      names.insert(entry.path().filename());
    std::filesystem::remove_all(folder_ / "reports");
    return names;
  };
  const std::set<std::string> always{"manifest.json", "summary.txt", "report.json", "solution.png", "solution.vtk"};
  const auto with = [&](std::set<std::string> more) {
    more.insert(always.begin(), always.end());
    return more;
  };
  EXPECT_EQ(files("griddeform2d --size 17 --curve curve.csv"), with({"mesh.png", "mesh.vtk"}));
  EXPECT_EQ(files("trefoil3d --size 9"), with({"lines.png", "lines.vtk", "sources.vtk"}));
  EXPECT_EQ(files("capacitor3d --size 9"), with({"lines.png", "lines.vtk"}));
  EXPECT_EQ(files("stokes2d --size 8"), with({"error.png", "pressure.png", "convergence.png"}));
  EXPECT_EQ(files("stokes2d-cavity --size 8"), with({"pressure.png", "convergence.png"}));
  EXPECT_EQ(files("poisson2d --size 33 --engine aggamg"), with({"error.png", "convergence.png"}));
}

TEST_F(PdeCommand, StudyGivesTableAndPlot) {
  const Outcome run = gridiron("pde poisson2d --study 33,9,17 --engine cholmod --out reports");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("error falls as h^2.0"));
  const auto report = nlohmann::json::parse(slurp(folder_ / "reports" / "study.json"));
  EXPECT_EQ(report["runs"][0]["size"], 9);
  EXPECT_EQ(report["runs"][2]["size"], 33);
  EXPECT_EQ(slurp(folder_ / "reports" / "study.txt"), run.out);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "reports" / "study.png"));
}

TEST_F(PdeCommand, SameResultForAnyThreads) {
  for (const char* threads : {"1", "3"})
    ASSERT_EQ(gridiron(std::string("pde porous3d --size 33 --quiet --threads ") + threads + " --out t" + threads).code,
              0);
  const auto numbers = [&](const char* folder) {
    const auto report = nlohmann::json::parse(slurp(folder_ / folder / "report.json"));
    return std::pair(report["check"], report["solve"]["relative_residual"]);
  };
  EXPECT_EQ(numbers("t1"), numbers("t3"));
  EXPECT_TRUE(slurp(folder_ / "t1" / "solution.png") == slurp(folder_ / "t3" / "solution.png"));
}

TEST_F(PdeCommand, MissingTheResidualIsExitFourWithAReport) {
  const Outcome run = gridiron("pde poisson2d --size 65 --rtol 1e-16 --out reports");
  EXPECT_EQ(run.code, 4) << run.out;
  EXPECT_THAT(run.err, HasSubstr("asked for 1.00e-16"));
  const auto report = nlohmann::json::parse(slurp(folder_ / "reports" / "report.json"));
  EXPECT_EQ(report["solve"]["converged"], false);
}

TEST_F(PdeCommand, FlowThatHasNotConvergedIsNotFollowed) {
  for (const char* out : {"", " --out reports"}) {
    const Outcome run =
        gridiron(std::string("pde stokes2d --size 16 --set schur_weight=3 --max-iterations 10 --quiet") + out);
    EXPECT_EQ(run.code, 4) << run.out;
    EXPECT_THAT(run.err, HasSubstr("stopped after 10 iterations"));
  }
  const auto report = nlohmann::json::parse(slurp(folder_ / "reports" / "report.json"));
  EXPECT_LT(report["timings_s"]["check"].get<double>(), 1);
}

struct Refused {
  const char *arguments, *complaint;
};

TEST_F(PdeCommand, WrongUsageIsExitTwo) {
  write("wrong.npy", "1,2\n");
  write("field", "1,2\n");
  std::string npy("\x93NUMPY\x01\x00\x3e\x00{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }", 69);
  npy.resize(72, ' ');
  write("shape.npy", npy + std::string(32, '\0'));
  for (const Refused& r : {Refused{"poison2d", "there are poisson2d"},
                           {"", "PROBLEM"},
                           {"poisson2d --size 2", "--size 2"},
                           {"poisson2d --size many", "--size"},
                           {"poisson2d --size 99999999999999999999", "choose a smaller size"},
                           {"poisson2d --size 9999999999", "choose a smaller size"},
                           {"porous3d --cells 3,4", "--cells"},
                           {"stokes2d --size 8x", "--size 8x: expected a whole number, or two as in 64x32"},
                           {"stokes2d --size 8x8x8", "expected a whole number, or two"},
                           {"stokes2d --size 8y8", "expected a whole number, or two"},
                           {"stokes2d --size 1", "needs at least 2 elements per side"},
                           {"stokes2d --size 67 --engine stokes", "67 x 67 ends at 67 x 67; choose a size such as"},
                           {"stokes2d --size 8 --viscosity 0", "--viscosity 0: expected a positive number"},
                           {"stokes2d --size 8 --viscosity nan", "--viscosity"},
                           {"stokes2d --size 8 --set relaxation=magic", "relaxation"},
                           {"stokes2d --size 8 --engine cholmod", "positive definite"},
                           {"stokes2d --size 8 --engine aggamg", "does not solve saddle-point problems"},
                           {"stokes2d-cavity --size 8 --lid round", "expected flat or smooth"},
                           {"porous3d --cells 3,4,-5", "--cells 3,4,-5"},
                           {"anisotropic2d --epsilon nan", "--epsilon"},
                           {"poisson2d --epsilon 0.5", "--epsilon"},
                           {"poisson2d --engine magic", "no engine is called"},
                           {"poisson2d --size 9 --set colour=red", "colour"},
                           {"porous3d --size 9 --seed -1", "--seed"},
                           {"poisson2d --rtol 0", "--rtol: 0: expected a number from 1e-16 to 1"},
                           {"poisson2d --rtol nan", "--rtol"},
                           {"poisson2d --size 9 --set ordering=amd --set ordering=amd", "ordering is given twice"},
                           {"poisson2d --study 9,17 --formats vtk", "unknown format 'vtk'; known are text, json, png"},
                           {"poisson2d --size 9 --sigma 1+z", "neither x, y nor a function"},
                           {"poisson2d --size 9 --sigma 1e-200", "--sigma 1e-200"},
                           {"poisson2d --size 9 --sigma '1e200*(1+x)'", "positive, from 1e-100 to 1e+100"},
                           {"poisson2d --size 9 --bc x0=dirichlet:1e300", "the right-hand side reaches 1e+300"},
                           {"poisson2d --size 9 --bc x0=neumann:1e-200,x1=neumann --sigma 1 --shift=-1e300", "matrix"},
                           {"anisotropic2d --size 9 --epsilon 1e308", "--epsilon"},
                           {"helmholtz2d --size 5 --shift 0 --bc x0=neumann:0.1", "must cancel"},
                           {"poisson2d --size 9 --shift 20 --engine cholmod", "positive definite"},
                           {"poisson2d --size 9 --sigma WRONG.NPY", "\"WRONG.NPY\" cannot be opened"},
                           {"poisson2d --size 9 --sigma field", "\"field\" is not a .npy file"},
                           {"poisson2d --formats pdf", "pdf"},
                           {"poisson2d --size 33 --bc all=neumann", "must cancel"},
                           {"poisson2d --size 9 --bc w0=neumann", "no face is called"},
                           {"poisson2d --size 9 --sigma=-1", "positive"},
                           {"poisson2d --size 9 --sigma x-0.5", "positive"},
                           {"poisson2d --size 9 --sigma missing.npy", "missing.npy"},
                           {"poisson2d --size 9 --sigma wrong.npy", "is not a .npy file"},
                           {"poisson2d --size 9 --sigma shape.npy", "has the shape (2, 2), the grid has (9, 9)"},
                           {"poisson2d --size 2 --sigma shape.npy", "--size 2"},
                           {"poisson3d --size 9 --stencil 12", "--stencil 12"},
                           {"griddeform2d --size 9 --curve missing.csv", "missing.csv"},
                           {"griddeform2d --size 9 --curve wrong.npy", "wrong.npy"},
                           {"capacitor3d --size 9 --sign 1", "--sign"},
                           {"poisson2d --study 9", "two different sizes"},
                           {"poisson2d --study 9,2", "--size 2"},
                           {"poisson2d --study 9,17 --size 9", "leave --size out"},
                           {"griddeform2d --size 9 --shift 0.1 --engine cholmod", "positive definite"},
                           {"poisson2d --device cuda --size 9", "--device cuda"},
                           {"poisson2d --engine aggamg --device cuda --size 9", "without CUDA"}}) {
    const bool asks_for_gpu = std::string_view(r.arguments).find("cuda") != std::string_view::npos;
    if (asks_for_gpu && cuda_state() == Cuda::ready) continue;
    const Outcome run = gridiron(std::string("pde ") + r.arguments + " --out reports");
    EXPECT_EQ(run.code, 2) << r.arguments;
    EXPECT_THAT(run.err, HasSubstr(r.complaint)) << r.arguments;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "reports")) << r.arguments;
  }
}

TEST_F(PdeCommand, FormatsNeedAFolder) {
  for (const char* arguments : {"poisson2d --size 9 --formats json", "poisson2d --study 5,9 --formats json"}) {
    const Outcome run = gridiron(std::string("pde ") + arguments);
    EXPECT_EQ(run.code, 2) << arguments;
    EXPECT_THAT(run.err, HasSubstr("there is no --out"));
  }
}

TEST_F(PdeCommand, AStudyTakesItsOwnFormats) {
  EXPECT_EQ(gridiron("pde poisson2d --study 5,9 --formats json --quiet --out reports").code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "reports" / "study.json"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "reports" / "study.txt"));
}

TEST_F(PdeCommand, SigmaIsReadFromAFileOfAnyName) {
  std::string npy("\x93NUMPY\x01\x00\x3e\x00{'descr': '<f8', 'fortran_order': False, 'shape': (3, 3), }", 69);
  npy.resize(72, ' ');
  const std::vector<double> twos(9, 2.0);
  npy.append(reinterpret_cast<const char*>(twos.data()), 9 * sizeof(double));
  for (const char* name : {"field.npy", "FIELD.NPY", "rock"}) {
    write(name, npy);
    const Outcome run = gridiron(std::string("pde poisson2d --size 3 --sigma ") + name);
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("Solution     not known: sigma comes from a file"));
  }
}

TEST_F(PdeCommand, MoreThreadsThanProcessorsAreNotUsed) {
  const Outcome few = shell("unset OMP_NUM_THREADS; \"$G\" pde poisson2d --size 9 --threads 4096 | grep Engine"),
                all = shell("unset OMP_NUM_THREADS; \"$G\" pde poisson2d --size 9 | grep Engine");
  EXPECT_EQ(few.out, all.out);
}

TEST_F(PdeCommand, RunningOutOfMemoryIsExitFive) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the address sanitizer needs terabytes of address space";
#endif
  const Outcome run = shell("ulimit -v 600000; OMP_NUM_THREADS=1 \"$G\" pde poisson2d --size 2001");
  EXPECT_EQ(run.code, 5) << run.err;
  EXPECT_THAT(run.err, HasSubstr("memory"));
}

TEST_F(PdeCommand, AFolderBelowAFileIsInvalid) {
  write("file", "");
  EXPECT_EQ(gridiron("pde poisson2d --size 9 --out file/reports").code, 2);
  EXPECT_EQ(gridiron("pde poisson2d --size 33 --bc all=neumann --out file/reports").code, 2) << "found before the work";
  EXPECT_EQ(gridiron("pde poisson2d --size 33 --bc all=neumann --out a/b/c").code, 2);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "a")) << "nothing was made for nothing";
}

}  // namespace
}  // namespace gridiron
