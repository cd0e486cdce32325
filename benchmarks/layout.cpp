// SPDX-License-Identifier: Apache-2.0
// A generated layout against its decks, up to the circuit:
//   bench_layout INSTANCES FOLDER [REPEATS]
// writes chip.def and so on and the decks of its nets to FOLDER, and then reads them, each time in a process of its
// own, whose memory it tells. OMP_NUM_THREADS sets the threads. The least of REPEATS counts; seconds of the processor
// are those of all threads, so that other work on the machine does not count.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "layout/extract.hpp"
#include "layout/generate.hpp"
#include "layout/pg_deck.hpp"
#include "layout/read_layout.hpp"
#include "netlist/reader.hpp"
#include "support/freed_memory.hpp"

using namespace gridiron;

namespace {

struct Cost {
  double clock_s = 1e9, processor_s = 1e9;
  double megabytes = 0;  ///< peak of resident memory

  void keep_least(const Cost& other) {
    clock_s = std::min(clock_s, other.clock_s);
    processor_s = std::min(processor_s, other.processor_s);
    megabytes = std::max(megabytes, other.megabytes);
  }
};

double seconds(const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec); }

/// Of a process that does this.
Cost cost_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  std::fflush(stdout);
  const pid_t child = ::fork();
  if (child == 0) {
    try {
      work();
      give_back_freed_memory();
    } catch (const std::exception& error) {
      fmt::print(stderr, "{}\n", error.what());
      std::_Exit(1);
    }
    std::_Exit(0);
  }
  int status = 0;
  rusage usage{};
  if (::wait4(child, &status, 0, &usage) < 0 || status != 0) std::exit(1);
  const std::chrono::duration<double> clock = std::chrono::steady_clock::now() - begin;
  return {clock.count(), seconds(usage.ru_utime) + seconds(usage.ru_stime),
          static_cast<double>(usage.ru_maxrss) * 1024e-6};
}

struct Inputs {
  layout::LayoutFiles files;
  std::string vdd, vss;  ///< decks
};

layout::Chip read_chip(const Inputs& in) { return layout::read_def(in.files.def, layout::read_lef(in.files.lefs)); }

void write_deck(const Inputs& in, const std::string& net, const std::string& path) {
  layout::LayoutFiles files = in.files;
  files.nets = {net};
  const layout::Layout layout = layout::read_layout(files);
  layout::write_pg_deck(*layout.circuit, *layout.chip, layout.elements, layout::kOpenRoadDigits, path);
}

double megabytes(const std::string& path) { return static_cast<double>(std::filesystem::file_size(path)) / 1e6; }

void measure(const Inputs& in, int repeats) {
  struct Case {
    const char* name;
    double text_mb;
    std::function<void()> work;
  };
  const double def_mb = megabytes(in.files.def);
  const std::vector<Case> cases = {
      {"LEF and DEF", def_mb, [&] { read_chip(in); }},
      {"the same, to the circuit", def_mb, [&] { layout::read_layout(in.files); }},
      {"deck of VDD", megabytes(in.vdd), [&] { read_netlist(in.vdd); }},
      {"deck of VSS", megabytes(in.vss), [&] { read_netlist(in.vss); }},
  };
  std::vector<Cost> costs(cases.size());
  for (int r = 0; r < repeats; ++r)
    for (size_t c = 0; c < cases.size(); ++c) costs[c].keep_least(cost_of(cases[c].work));
  fmt::print("| read | MB of text | s | s of the processor | MB/s of the processor | MB of memory |\n");
  fmt::print("|---|---|---|---|---|---|\n");
  for (size_t c = 0; c < cases.size(); ++c)
    fmt::print("| {} | {:.1f} | {:.2f} | {:.2f} | {:.0f} | {:.0f} |\n", cases[c].name, cases[c].text_mb,
               costs[c].clock_s, costs[c].processor_s, cases[c].text_mb / costs[c].processor_s, costs[c].megabytes);
}

}  // namespace

int main(int argc, char** argv) {
  keep_freed_memory();  // as the tool does, which gives it back on all threads as well
  if (argc < 3) {
    fmt::print(stderr, "usage: bench_layout INSTANCES FOLDER [REPEATS]\n");
    return 2;
  }
  const std::filesystem::path folder = argv[2];
  std::filesystem::create_directories(folder);
  Inputs in;
  in.files.def = folder / "chip.def";
  in.files.lefs = {folder / "chip.lef"};
  in.files.powers = {folder / "chip.power.csv"};
  in.vdd = folder / "vdd.sp", in.vss = folder / "vss.sp";
  const Cost written =
      cost_of([&] { layout::generate_layout({.components = std::atoll(argv[1])}, folder / "chip.def"); });
  fmt::print("generated: {:.1f} MB in {:.2f} s of the processor, {:.0f} MB of memory\n\n", megabytes(in.files.def),
             written.processor_s, written.megabytes);
  cost_of([&] { write_deck(in, "VDD", in.vdd); });
  cost_of([&] { write_deck(in, "VSS", in.vss); });
  measure(in, argc > 3 ? std::atoi(argv[3]) : 5);
}
