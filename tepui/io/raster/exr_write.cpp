#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfIO.h>
#include <OpenEXR/ImfOutputFile.h>
#include <OpenEXR/ImfStringAttribute.h>
#include <OpenEXR/ImfStringVectorAttribute.h>
#include <OpenEXR/ImfVecAttribute.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <optional>

#include "tepui/core/error.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/raster/exr.h"
#include "tepui/io/raster/exr_common.h"
#include "tepui/io/raster/nodata.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

constexpr int64_t block_rows = 16;  // of ZIP
constexpr int64_t written_strip_bytes = 8 << 20;
constexpr size_t longest_channel_name = 255;

/// The library swallows what goes wrong when it completes a file; this remembers it.
class OutputStream : public Imf::OStream {
 public:
  OutputStream(ByteSink& file, const std::string& path) : OStream(path.c_str()), file_(file) {}

  void write(const char data[], int bytes) override {
    guard([&] { file_.write(data, static_cast<size_t>(bytes)); });
    at_ += static_cast<uint64_t>(bytes);
  }
  uint64_t tellp() override { return at_; }
  void seekp(uint64_t to) override {
    guard([&] { file_.seek(to); });
    at_ = to;
  }

  /// Throws what went wrong, if anything did.
  void check() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  template <class Act>
  void guard(const Act& act) {
    if (error_) std::rethrow_exception(error_);
    try {
      act();
    } catch (...) {
      error_ = std::current_exception();
      throw;
    }
  }

  ByteSink& file_;
  uint64_t at_ = 0;
  std::exception_ptr error_;
};

std::string channel_name(const std::vector<Layer>& layers, size_t i) {
  return layers.size() == 1 ? "Y" : layers[i].name;
}

void place(Imf::Header& header, const Frame& frame) {
  Vec2 origin = frame.origin, step = frame.cell;
  if (frame.geo) {
    origin = frame.geo->origin;
    step = frame.geo->step;
    if (!frame.geo->crs.empty()) header.insert(exr_crs, Imf::StringAttribute(frame.geo->crs));
  }
  const double west = static_cast<double>(frame.first_x);
  const double north = static_cast<double>(frame.first_y + frame.height - 1);
  header.insert(exr_origin, Imf::V2dAttribute({origin.x + west * step.x, origin.y + north * step.y}));
  header.insert(exr_step, Imf::V2dAttribute({step.x, -step.y}));
}

Imf::Header header_for(const Frame& frame, const std::vector<Layer>& layers) {
  Imf::Header header(static_cast<int>(frame.width), static_cast<int>(frame.height), 1, Imath::V2f(0, 0), 1,
                     Imf::INCREASING_Y, Imf::ZIP_COMPRESSION);
  Imf::StringVector facts;
  for (size_t i = 0; i < layers.size(); ++i) {
    header.channels().insert(channel_name(layers, i), Imf::Channel(Imf::FLOAT));
    facts.push_back(layers[i].name);
    facts.emplace_back(layer_kind_name(layers[i].kind));
    facts.push_back(fmt::format("{}", layers[i].classes));
    facts.push_back(layers[i].unit);
  }
  header.insert(exr_layers, Imf::StringVectorAttribute(facts));
  place(header, frame);
  return header;
}

/// Rows of the file from `first` on, north first.
void fill_strip(float* to, const Grid<float>& grid, const Grid<float>* voids, int64_t first, int64_t rows) {
  const int64_t width = grid.width();
  for (int64_t i = 0; i < rows; ++i, to += width) {
    const int64_t row = grid.height() - 1 - (first + i);
    std::copy_n(grid.row(row), width, to);
    if (voids == nullptr) continue;
    for (int64_t x = 0; x < width; ++x)
      if (is_void((*voids)(x, row))) to[x] = std::numeric_limits<float>::quiet_NaN();
  }
}

void write_pixels(Imf::OutputFile& file, const std::vector<Layer>& layers, const Grid<float>* voids,
                  const Context& context) {
  const int64_t width = layers.front().grid().width(), height = layers.front().grid().height();
  const int64_t count = static_cast<int64_t>(layers.size());
  const int64_t block = width * static_cast<int64_t>(sizeof(float)) * count * block_rows;
  const int64_t strip = std::min(height, block_rows * std::max<int64_t>(1, written_strip_bytes / block));
  std::vector<float> cells(static_cast<size_t>(strip * width * count));
  for (int64_t y = 0; y < height; y += strip) {
    context.check();
    context.progress(static_cast<double>(y) / static_cast<double>(height));
    const int64_t rows = std::min(strip, height - y);
    Imf::FrameBuffer buffer;
    for (int64_t i = 0; i < count; ++i) {
      float* plane = cells.data() + i * strip * width;
      fill_strip(plane, layers[static_cast<size_t>(i)].grid(), voids, y, rows);
      buffer.insert(channel_name(layers, static_cast<size_t>(i)),
                    Imf::Slice::Make(Imf::FLOAT, plane, Imath::V2i(0, static_cast<int>(y)), width, rows));
    }
    file.setFrameBuffer(buffer);
    file.writePixels(static_cast<int>(rows));
  }
}

void check_names(const std::string& path, const std::vector<Layer>& layers) {
  for (size_t i = 0; i < layers.size(); ++i) {
    const std::string& name = layers[i].name;
    if (name.empty() || name.size() > longest_channel_name || name.find('\0') != std::string::npos)
      refuse(fmt::format("cannot write '{}': an EXR cannot have a channel '{}'", path, name));
    for (size_t j = 0; j < i; ++j)
      if (layers[j].name == name) refuse(fmt::format("cannot write '{}': two layers are called '{}'", path, name));
  }
}

}  // namespace

void check_exr(const std::string& path, const Frame& frame, size_t layers) {
  constexpr int64_t limit = std::numeric_limits<int>::max() / 2 - 1;
  if (layers < 1 || frame.width < 1 || frame.height < 1)
    refuse(fmt::format("cannot write '{}': there is nothing to write", path));
  const double block = static_cast<double>(frame.width) * sizeof(float) * block_rows * static_cast<double>(layers);
  if (frame.width > limit || frame.height > limit || block > std::numeric_limits<int>::max())
    refuse(fmt::format("cannot write '{}': an EXR of {} x {} samples and {} layers is not possible", path, frame.width,
                       frame.height, layers));
}

void write_exr(const FileTarget& to, const Terrain& terrain, const std::vector<Layer>& layers, const Context& context) {
  const Frame& frame = terrain.frame();
  check_exr(to.path(), frame, layers.size());
  check_names(to.path(), layers);
  const Grid<float>* voids = voids_of(terrain, layers);
  const double block =
      static_cast<double>(frame.width) * sizeof(float) * block_rows * static_cast<double>(layers.size());
  const Context stage = context.stage("writing", 0, 1);
  to.write([&](ByteSink& bytes) {
    OutputStream stream(bytes, to.path());
    try {
      Imf::OutputFile file(stream, header_for(frame, layers), exr_threads(block));
      write_pixels(file, layers, voids, stage);
    } catch (const Error&) {
      throw;
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {
      fail(fmt::format("cannot write '{}': {}", to.path(), error.what()));
    }
    stream.check();
  });
}

}  // namespace tepui
