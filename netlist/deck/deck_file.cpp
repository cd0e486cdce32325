// SPDX-License-Identifier: Apache-2.0
#include "netlist/deck/deck_file.hpp"

#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include "support/output_file.hpp"

namespace gridiron {
namespace io = boost::iostreams;

class DeckFile::Stream {
 public:
  explicit Stream(const OutputPath& path) : file_(path) {
    const std::string extension = path.path().extension().string();
    if (extension == ".gz") chain_.push(io::gzip_compressor(io::gzip_params(io::gzip::best_speed)));
    if (extension == ".bz2") chain_.push(io::bzip2_compressor());
    if (extension == ".xz") chain_.push(io::lzma_compressor(io::lzma_params(io::lzma::best_speed)));
    is_filtered_ = chain_.size() > 0;
    chain_.push(Sink{&file_});            // which knows .zst itself
    chain_.exceptions(std::ios::badbit);  // those of the file pass through
  }
  void write(std::string_view text) {
    if (is_filtered_)
      chain_.write(text.data(), static_cast<std::streamsize>(text.size()));
    else
      file_.write(text);  // without the small buffers of the chain
  }
  void commit() {
    chain_.reset();
    file_.commit();
  }

 private:
  struct Sink {
    using char_type = char;
    using category = io::sink_tag;
    OutputFile* file;
    std::streamsize write(const char* text, std::streamsize size) {
      file->write({text, static_cast<size_t>(size)});
      return size;
    }
  };

  OutputFile file_;
  io::filtering_ostream chain_;
  bool is_filtered_ = false;
};

DeckFile::DeckFile(const OutputPath& path) : stream_(std::make_unique<Stream>(path)) {}
DeckFile::~DeckFile() = default;
void DeckFile::write(std::string_view text) { stream_->write(text); }
void DeckFile::commit() { stream_->commit(); }

}  // namespace gridiron
