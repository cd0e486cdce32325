// SPDX-License-Identifier: Apache-2.0
#include "layout/power_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "layout/power_json.hpp"
#include "netlist/names/name_table.hpp"
#include "netlist/tables/csv_rows.hpp"
#include "netlist/values/quantity.hpp"
#include "support/byte_order_mark.hpp"
#include "support/error.hpp"
#include "support/parallel.hpp"

namespace gridiron::layout {
namespace {

constexpr size_t kPiece = size_t{1} << 18;  ///< bytes

[[noreturn]] void fail(const SourceText& source, size_t offset, const std::string& message) {
  throw InputError(fmt::format("{}: {}", source.describe(offset), message));
}

std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n')); }

/// Behind blanks and lines of comments, as CSV may have them; npos: there is nothing else.
size_t first_of_content(std::string_view text) {
  size_t at = text.find_first_not_of(" \t\r\n");
  while (at != std::string_view::npos && text[at] == '#')
    at = text.find_first_not_of(" \t\r\n", std::min(text.size(), text.find('\n', at)));
  return at;
}

/// "mW" of the heading "Power Power Power Power (mW)"; empty of watts and of other lines.
std::string_view other_unit_of_heading(std::string_view line) {
  const size_t open = line.find('('), close = line.find(')', std::min(open, line.size()));
  if (close == std::string_view::npos || line.find("Power") > open) return {};
  const std::string_view unit = line.substr(open + 1, close - open - 1);
  const bool is_other = (unit.ends_with('W') && unit != "W") || (unit.ends_with("atts") && !same_name(unit, "watts"));
  return is_other ? unit : std::string_view();
}

/// What the second column of a table of powers holds.
enum class Column { none, watts, amperes };

Column column_named(std::string_view name) {
  for (const char* watts : {"power_w", "power", "watts", "w"})
    if (same_name(name, watts)) return Column::watts;
  for (const char* amperes : {"current_a", "current", "amperes", "a"})
    if (same_name(name, amperes)) return Column::amperes;
  return Column::none;
}

/// A table of two columns.
class Table {
 public:
  /// Reads up to the header. Errors: InputError.
  Table(const SourceText& source, std::string_view key, bool may_be_amperes) : source_(source), rows_(source) {
    const auto expected = [&] {
      return fmt::format("expected a header {0},power_w{1}", key,
                         may_be_amperes ? fmt::format(" or {},current_a", key) : "");
    };
    if (!rows_.next()) throw InputError(fmt::format("{}: {}", source.path(), expected()));
    const std::vector<CsvRows::Field>& fields = rows_.fields();
    if (fields.size() == 2 && same_name(fields[0].text, key)) column_ = column_named(fields[1].text);
    if (column_ == Column::none || (column_ == Column::amperes && !may_be_amperes))
      rows_.fail(fields[0].where, expected());
  }

  bool is_of_watts() const { return column_ == Column::watts; }
  size_t first_row() const { return rows_.offset(); }

  /// f(name, value, offset) of the rows on the lines from `begin` to `end`, on any thread.
  template <class F>
  void for_each_row(size_t begin, size_t end, F&& f) const {
    CsvRows rows(source_, begin, end);
    while (rows.next()) {
      const std::vector<CsvRows::Field>& fields = rows.fields();
      if (fields.size() != 2) rows.fail(fields[0].where, "expected two fields");
      const std::optional<double> value = is_of_watts() ? watts(fields[1].text) : amperes(fields[1].text);
      if (!value || !std::isfinite(*value))
        rows.fail(fields[1].where, fmt::format("expected a finite number of {}, not {:?}",
                                               is_of_watts() ? "watts" : "amperes", fields[1].text));
      f(fields[0].text, *value, static_cast<size_t>(fields[0].where - source_.text().data()));
    }
  }

 private:
  const SourceText& source_;
  CsvRows rows_;
  Column column_ = Column::none;
};

/// A line of four numbers, of which the last is the total, and a name.
struct ReportLine {
  double watts = 0;
  std::string_view name;  ///< empty for headings and for groups
};

ReportLine report_line(std::string_view line) {
  size_t next = 0;
  const auto word = [&] {
    next = std::min(line.size(), line.find_first_not_of(" \t\r", next));
    const size_t end = std::min(line.size(), line.find_first_of(" \t\r", next));
    return line.substr(std::exchange(next, end), end - next);
  };
  ReportLine out;
  for (int numbers = 0; numbers < 4; ++numbers) {
    const std::string_view field = word();
    const bool is_nan = same_name(field, "nan");
    const std::optional<double> value = quantity(field, Quantity::pure);
    if (!value && !is_nan) return {};
    out.watts = is_nan ? std::nan("") : *value;
  }
  out.name = word();
  if (out.name.ends_with('%')) out.name = {};
  return out;
}

class PowerFile {
 public:
  using ComponentOf = std::function<int32_t(std::string_view, int32_t)>;
  using Use = std::function<void(const PowersOfPiece&)>;

  PowerFile(const SourceText& source, const ComponentOf& component_of, const Use& use)
      : source_(source), component_of_(component_of), use_(use) {}

  void read_csv() const {
    const Table table(source_, "instance", true);
    in_pieces(table.first_row(), [&](size_t begin, size_t end, PowersOfPiece& piece) {
      table.for_each_row(begin, end, [&](std::string_view name, double value, size_t offset) {
        table.is_of_watts() ? give(piece, name, value, 0, offset) : give(piece, name, 0, value, offset);
      });
    });
  }

  void read_report() const {
    const int64_t instances = in_pieces(0, [&](size_t begin, size_t end, PowersOfPiece& piece) {
      for (size_t at = begin; at < end;) {
        const std::string_view line = first_line(source_.text().substr(at));
        if (const std::string_view unit = other_unit_of_heading(line); !unit.empty())
          fail(source_, at, fmt::format("powers in {}; write the report in watts", unit));
        if (const ReportLine instance = report_line(line); !instance.name.empty()) {
          if (!std::isfinite(instance.watts))
            fail(source_, at, fmt::format("the power of {} is no number", instance.name));
          give(piece, instance.name, instance.watts, 0, at + static_cast<size_t>(instance.name.data() - line.data()));
        }
        at += line.size() + 1;
      }
    });
    require_some(instances, "report_power -instances [get_cells *], or give CSV: instance,power_w");
  }

  void read_json() const {
    PowersOfPiece piece;
    const int64_t instances = read_power_json(
        source_, [&](std::string_view name, double watts, size_t offset) { give(piece, name, watts, 0, offset); });
    use_(piece);
    require_some(instances, "report_power -format json -instances [get_cells *]");
  }

 private:
  void require_some(int64_t instances, std::string_view advice) const {
    if (instances == 0)
      throw InputError(fmt::format("{}: no power of an instance in this file; write it by {}", source_.path(), advice));
  }

  /// read(begin, end, piece) of whole lines on all threads, and use_(piece) in their order. Returns how many instances
  /// there are, those included that are not in the layout.
  template <class Read>
  int64_t in_pieces(size_t begin, Read&& read) const {
    const std::string_view text = source_.text();
    std::vector<size_t> begins = {begin};
    for (size_t at = begin + kPiece; at < text.size(); at = begins.back() + kPiece) {
      const size_t line = text.find('\n', at);
      if (line == std::string_view::npos) break;
      begins.push_back(line + 1);
    }
    begins.push_back(text.size());
    int64_t instances = 0;
    parallel_in_order<PowersOfPiece>(
        std::ssize(begins) - 1,
        [&](int64_t k, PowersOfPiece& piece) {
          piece.instances.clear();
          piece.unknown.clear();
          piece.unknown_count = 0;
          read(begins[k], begins[k + 1], piece);
        },
        [&](const PowersOfPiece& piece) {
          instances += std::ssize(piece.instances) + piece.unknown_count;
          use_(piece);
        });
    return instances;
  }

  void give(PowersOfPiece& piece, std::string_view name, double watts, double amperes, size_t offset) const {
    const int32_t component = component_of_(name, piece.instances.empty() ? -1 : piece.instances.back().component);
    if (component >= 0) return piece.instances.push_back({component, watts, amperes, offset});
    if (piece.unknown_count++ == 0) piece.unknown_offset = offset;
    if (piece.unknown.size() < PowersOfPiece::kFirst) piece.unknown.emplace_back(name);
  }

  const SourceText& source_;
  const ComponentOf& component_of_;
  const Use& use_;
};

}  // namespace

void read_power_file(const SourceText& source, const std::function<int32_t(std::string_view, int32_t)>& component_of,
                     const std::function<void(const PowersOfPiece&)>& use) {
  const PowerFile file(source, component_of, use);
  const std::string_view text = without_byte_order_mark(source.text());
  const size_t first = first_of_content(text);
  if (first != std::string_view::npos && (text[first] == '[' || text[first] == '{')) return file.read_json();
  if (first != std::string_view::npos && first_line(text.substr(first)).find(',') != std::string_view::npos)
    return file.read_csv();
  file.read_report();
}

void read_cell_powers(const SourceText& source, const std::function<void(std::string_view, double, size_t)>& give) {
  const Table table(source, "cell", false);
  table.for_each_row(table.first_row(), source.text().size(), give);
}

}  // namespace gridiron::layout
