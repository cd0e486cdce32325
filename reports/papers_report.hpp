// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "analysis/papers/paper.hpp"
#include "reports/formats.hpp"
#include "support/output_path.hpp"

namespace gridiron {

/// The tables of a paper for a terminal: ours, and the paper's beside it; MISSED marks figures outside their tolerance.
std::string papers_text(const PaperResult& result);

/// The same for all papers as a page of Markdown, and as a page of HTML that needs no other file.
std::string papers_markdown(std::span<const PaperResult> results);
std::string papers_html(std::span<const PaperResult> results);

/// The same for programs: schema gridiron.papers/1, a line per figure, and one per table or figure of the papers.
std::string papers_json(std::span<const PaperResult> results);
std::string papers_csv(std::span<const PaperResult> results);
std::string paper_exhibits_csv(std::span<const PaperResult> results);

inline constexpr std::string_view kPaperFormats[] = {"text", "markdown", "html", "json", "csv"};

/// papers.txt, .md, .html, .json and .csv, and papers_exhibits.csv, below `directory` (made if absent), those in
/// `formats`. Errors: InputError where that is a file or below one, ResourceError.
void write_papers(std::span<const PaperResult> results, const OutputPath& directory, const Formats& formats);

}  // namespace gridiron
