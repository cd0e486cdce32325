// SPDX-License-Identifier: Apache-2.0
// Every table and figure of the papers, and how it stands beside ours.
#include "analysis/papers/paper.hpp"

namespace gridiron {
namespace {

using enum Coverage;

constexpr Exhibit kSgml[] = {
    {"Fig. 1", "the schedule of a cycle on 33 x 33", none,
     "a drawing of the method; the table of the saw has the schedule as it is carried out"},
    {"Fig. 2", "the 27-point formula", none, "a drawing of the method, without figures"},
    {"Fig. 3", "residual, diagnostic residual and L1 error against working units", partly,
     "the paper prints curves; judged is what its text says of them, and what a prototype found; the engine's cycle is "
     "held against the algorithms, whose letter converges slowly: a table has what was read otherwise"},
    {"Fig. 4", "time of a cycle against the size, on several GPUs", partly,
     "curves of GPUs; operations are counted, times of this machine stand beside them, those of an H200 in "
     "benchmarks/results/h200.md"},
    {"Fig. 5", "a grid drawn to a circle and to the outline of Mexico", partly,
     "pictures; `gridiron pde griddeform2d --shift 0.1` draws ours, and checks of the cells are in the table; a curve "
     "given by a formula stands for Mexico, whose coordinates are not at hand; curves are resampled by Catmull-Rom "
     "splines, as the paper names Z-splines of three orders without defining them"},
    {"Fig. 6", "streamlines about a trefoil vortex, 257 x 257 x 257", partly,
     "a picture; `gridiron pde trefoil3d` draws ours, and the circulation is in the table; its size is run with "
     "--large"},
    {"Fig. 7", "force lines of a capacitor, 129 x 129 x 129", partly,
     "a picture; `gridiron pde capacitor3d` draws ours, and the balance of the flow is in the table"},
};

constexpr Exhibit kGpuhmd[] = {
    {"Fig. 1", "flow of the analysis", none, "a drawing of the method, without figures"},
    {"Fig. 2", "the multigrid solve on a GPU", none, "a drawing of the method, without figures"},
    {"Fig. 3", "an irregular grid mapped to a regular one", none, "a drawing of the method, without figures"},
    {"Fig. 4", "pads and sources on fine and coarse grids", none, "a drawing of the method, without figures"},
    {"Fig. 5", "the smoother on a GPU", none, "a drawing of the method, without figures"},
    {"Fig. 6", "dummy nodes at the periphery", none, "a drawing of the method, without figures"},
    {"Fig. 7", "flow of the hybrid iteration", none, "not in the copy at hand, which ends with section VI"},
    {"Tables", "results on industrial grids", none,
     "not in the copy at hand, which ends before its results; what the abstract says of them is judged"},
};

constexpr Exhibit kAggamg[] = {
    {"Fig. 1", "an example of aggregates", none, "a drawing of the method, without figures"},
    {"Table 1", "hierarchies of CUSP and GAMPACK", whole,
     "all levels; that of CUSP by smoothed aggregation on aggregates as GAMPACK's, its last levels miss"},
    {"Fig. 2", "sparsity of coarse matrices", none, "pictures; Table 1 has their nonzeros"},
    {"Fig. 3", "time beside CUSP and classical multigrid", none,
     "bars without printed values, of programs and a GPU of 2011; today's peers are in benchmarks/results"},
    {"Fig. 4", "time beside classical multigrid, RS and pressure matrices", none,
     "bars without printed values, of a GPU of 2011, and matrices that are not to be had; its text has classical "
     "multigrid solve two times faster and set up three times slower, and more than half of aggregation's time in the "
     "solve; Table 2 has classical multigrid by hypre"},
    {"Table 2", "setup and solve of SPE10 pressure systems on one to four GPUs", partly,
     "the columns of the fewest GPUs, on a processor and another matrix; judged is the growth of iterations, by "
     "default "
     "up to 1.1 million cells, with --large to 13.5"},
    {"Fig. 5", "unknowns per second against the size, four GPUs", partly,
     "that of aggregation from Table 2, beside one H200 (benchmarks/results/h200.md, 2026-11-26); that of classical "
     "multigrid is left out"},
    {"Fig. 6", "time against the number of GPUs, 4 million unknowns", none,
     "no grid is divided among GPUs: docs/scale.md tells what that would give on two"},
};

constexpr Exhibit kPsc[] = {
    {"Fig. 1", "sparse products on a CPU", none, "rates of a CPU and its library, which say nothing of the method"},
    {"Fig. 2", "sparse products on a V100", none, "rates of a GPU and its library, which say nothing of the method"},
    {"Fig. 3", "dense products with one vector", elsewhere,
     "hardware; benchmarks/results/h200.md has the products of the method with one right-hand side"},
    {"Fig. 4", "dense products with many vectors", elsewhere,
     "hardware; benchmarks/results/h200.md has those of the method as shares of a square product"},
    {"Fig. 5", "course of errors, as a sketch", none, "a drawing, without figures"},
    {"Fig. 6", "L2 errors in 1-D by precision", partly, "curves; judged is what the text says of where errors meet"},
    {"Fig. 7", "nodal and hierarchical bases", none, "a drawing of the method, without figures"},
    {"Fig. 8", "L2 errors in half precision, with and without prehandling", elsewhere,
     "docs/psc_prehandling.png, drawn by bench_psc_pictures; the paper's solution is not specified, nor is it judged "
     "that its errors deviate at level 5 without prehandling and at 8 or 9 with it"},
    {"Fig. 9", "three types of nodes", none, "a drawing of the method, without figures"},
    {"Fig. 10", "sparsity of the prehandled matrix", none, "a picture; Table 1 has its numbers"},
    {"Table 1", "numbers of nodes, condition numbers, nonzeros on the unit square", whole,
     "h = 1/1024 and 1/512 with the largest cells with --large; two condition numbers of h0 = 1/4 take 2.1 and 34 GB"},
    {"Table 2", "storage in multiples of N", whole, "leading terms beside its estimates, and exact numbers"},
    {"Table 3", "operations in multiples of N^1.5", whole, "leading terms beside its estimates, and exact numbers"},
    {"Fig. 11", "Gflop/s of the method on a V100", elsewhere,
     "benchmarks/results/h200.md has those of an H200, measured 2026-11-22: 360 285 in half precision, h = 1/1024 with "
     "4096 right-hand sides, beside the 62 829 that its text has of a V100; with h0 = 1/16 for its 1/32, which takes "
     "half as many operations again"},
    {"Fig. 12", "unknowns per second on a V100", partly,
     "its printed figures beside those of an H200; not beside ours are its ratios with multigrid on a V100 and on a "
     "processor, 4 and 8 with one right-hand side and 600 with many"},
    {"Fig. 13", "unknowns per second of standard multigrid", partly, "beside aggamg on this machine's processor"},
    {"Fig. 14", "the two beside each other", partly, "in the table of Figs. 12 to 14"},
    {"Fig. 15", "coarsest mesh of a flow around a square", none, "a drawing; Table 4 is on it"},
    {"Fig. 16", "the same, refined once", none, "a drawing; Table 4 is on it"},
    {"Table 4", "as Table 1, on that mesh", whole,
     "L = 8 and the largest cells with --large; two condition numbers of L = 8, L0 = 0 take 8.4 GB"},
    {"Fig. 17", "Gflop/s of a V100 and an A100", none, "hardware that is not to be had"},
    {"Fig. 18", "unknowns per second of a V100 and an A100", none, "hardware that is not to be had"},
};

constexpr Exhibit kStokes[] = {
    {"Fig. 1", "the manufactured solution", elsewhere, "`gridiron pde stokes2d` draws it"},
    {"Fig. 2", "unknowns of an element", none, "a drawing of the method, without figures"},
    {"Fig. 3", "numbers of unknowns around a node", none, "a drawing of the method, without figures"},
    {"Fig. 4", "patches of Vanka relaxation", none, "a drawing of the method, without figures"},
    {"Fig. 5", "shares of kernels, Braess-Sarazin", elsewhere,
     "hardware; benchmarks/results/h200.md has ours of an H200, measured 2026-11-23: on 1024 x 1024 elements residual "
     "31 %, update 27 %, Jacobi sweeps 17 %, their right-hand side 15 %, as ours form matrices as they go; the paper's "
     "text has more than 50 % in the product of the velocities and less than 2 % in Jacobi sweeps"},
    {"Fig. 6", "shares of kernels, Vanka", elsewhere,
     "hardware; benchmarks/results/h200.md has ours of an H200, measured 2026-11-23: on 1024 x 1024 elements tuned "
     "patches 65 %, update 22 %, residual 9 %; the paper's text has more than 75 % in patches of simple Vanka and "
     "about 40 % in those of tuned Vanka"},
    {"Fig. 7", "groups of patches with one matrix", whole, "the numbers that its text gives"},
    {"Table 1", "reads, writes and operations of kernels", partly,
     "seven of its nine kernels in three rows, as ours do in one what are several there; judged is Vanka relaxation, "
     "whose "
     "kernels do the same"},
    {"Table 2", "operations per byte and rates of kernels", whole,
     "all rows; four of them beside counts of our kernels"},
    {"Fig. 8", "kernels against the size of thread blocks", none,
     "hardware; our kernels have fixed sizes of blocks, with which benchmarks/results/h200.md has their rates on an "
     "H200, measured 2026-11-23"},
    {"Fig. 9", "kernels of Vanka against the size of thread blocks", none,
     "hardware; our kernels have fixed sizes of blocks, with which benchmarks/results/h200.md has their rates on an "
     "H200, measured 2026-11-23: on 1024 x 1024 elements 18007 Gflop/s for the patches, 647 for the update"},
    {"Fig. 10", "kernels of Vanka against the size of groups", none,
     "our kernel forms patches as it goes and has no groups"},
    {"Table 3", "best parameters", none,
     "blocks of 12 x 12 threads, of 8 x 8 for Vanka on 256 x 256 elements, are for its A100; ours are fixed, and other "
     "sizes were not measured on a GPU"},
    {"Fig. 11", "roofline of all kernels", elsewhere,
     "benchmarks/results/stokes-roofline-h200.png, of an H200, measured 2026-11-23; at 1024 x 1024 elements patches "
     "have 18 007 Gflop/s and a Jacobi sweep 4611, which have 2145 inside and 753 on the paper's A100 (6 for patches "
     "at "
     "the boundary, which are not apart from the others here)"},
    {"Fig. 12", "Vanka beside Braess-Sarazin, 1024 x 1024", partly,
     "statements about iterations are judged; on an H200, measured 2026-11-23 (benchmarks/results/h200.md), Vanka with "
     "patches as in the paper takes 42.2 ms in 14 iterations, Braess-Sarazin of one sweep 35.1 ms in 18, of three "
     "sweeps 22.4 ms in 11; the paper has Vanka 10 % ahead on an A100, 23 times faster there than on one core, and "
     "Braess-Sarazin 11 times"},
    {"Fig. 13", "four preconditioners, 1024 x 1024", partly,
     "ratios of times on this machine; on an H200, measured 2026-11-23 (benchmarks/results/h200.md), Schur-Uzawa takes "
     "7.6 times as long as Vanka with patches, block-triangular 1.1 times; the paper has up to more than 3 times on "
     "its GPU"},
    {"Fig. 14", "time per element of Vanka", partly,
     "operations per element are judged, times are those of this machine's processor; on an H200, measured 2026-11-23 "
     "(benchmarks/results/h200.md), a row of elements takes 0.033 ms on 256 x 256 and 0.041 ms on 1024 x 1024 elements "
     "with patches as in the paper, the larger one 24 % slower; the paper's takes just over 1 ms on an A100, the "
     "larger one about 10 % faster"},
};

}  // namespace

std::span<const Exhibit> sgml_exhibits() { return kSgml; }
std::span<const Exhibit> gpuhmd_exhibits() { return kGpuhmd; }
std::span<const Exhibit> aggamg_exhibits() { return kAggamg; }
std::span<const Exhibit> psc_exhibits() { return kPsc; }
std::span<const Exhibit> stokes_exhibits() { return kStokes; }

}  // namespace gridiron
