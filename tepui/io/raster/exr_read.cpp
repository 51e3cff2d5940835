#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfInputPart.h>
#include <OpenEXR/ImfMultiPartInputFile.h>
#include <OpenEXR/ImfStringAttribute.h>
#include <OpenEXR/ImfStringVectorAttribute.h>
#include <OpenEXR/ImfVecAttribute.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "tepui/core/error.h"
#include "tepui/core/number.h"
#include "tepui/io/raster/exr.h"
#include "tepui/io/raster/exr_common.h"
#include "tepui/io/raster/exr_header.h"

namespace tepui {

namespace {

constexpr int64_t strip_bytes = 8 << 20;

/// Calls `act`; whatever the library throws says that the file is wrong.
template <class Act>
auto guarded(const std::string& path, const Act& act) {
  try {
    return act();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    refuse(fmt::format("'{}' is damaged: {}", path, error.what()));
  }
}

/// One channel, as a layer.
struct ExrBand {
  std::string channel;
  RasterBand band;
};

RasterBand band_of(const Imf::Header& header, const std::string& channel) {
  RasterBand band;
  band.name = channel;
  const Imf::PixelType type = header.channels()[channel].type;
  band.type = type == Imf::HALF ? "Float16" : type == Imf::UINT ? "UInt32" : "Float32";
  return band;
}

/// The layers of a file that Tepui wrote, in their order; none of any other.
std::vector<ExrBand> own_bands(const Imf::Header& header) {
  const auto* attribute = header.findTypedAttribute<Imf::StringVectorAttribute>(exr_layers);
  if (attribute == nullptr) return {};
  const Imf::StringVector& facts = attribute->value();
  std::vector<ExrBand> bands;
  for (size_t i = 0; i + 4 <= facts.size(); i += 4) {
    const std::string channel = facts.size() == 4 ? "Y" : facts[i];
    if (channel.empty() || header.channels().findChannel(channel) == nullptr) return {};
    ExrBand band{channel, band_of(header, channel)};
    band.band.name = facts[i];
    for (const LayerKind kind : {LayerKind::continuous, LayerKind::category, LayerKind::mask})
      if (layer_kind_name(kind) == facts[i + 1]) band.band.kind = kind;
    if (!band.band.kind) return {};
    const std::optional<double> classes = parse_number(facts[i + 2]);
    if (classes && *classes >= 1 && *classes <= 65536) band.band.classes = static_cast<int>(*classes);
    band.band.unit = facts[i + 3];
    band.band.scaled = true;
    for (const ExrBand& other : bands)
      if (other.channel == channel) return {};
    bands.push_back(std::move(band));
  }
  return bands;
}

std::vector<std::string> channel_names(const Imf::Header& header) {
  std::vector<std::string> names;
  for (auto i = header.channels().begin(); i != header.channels().end(); ++i) names.emplace_back(i.name());
  return names;
}

/// The channel that holds the heights of a file that some other program wrote.
std::string likely_channel(const std::string& path, const std::vector<std::string>& names,
                           std::vector<std::string>& assumed) {
  if (names.size() == 1) return names.front();
  for (const char* likely : {"height", "Height", "Z", "Y", "R"})
    for (const std::string& name : names) {
      if (name != likely) continue;
      assumed.push_back(fmt::format("'{}' has {} channels: using {} as the height; 'layer' selects another", path,
                                    names.size(), listed({name})));
      return name;
    }
  refuse(fmt::format("'{}' has {} channels that could be heights", path, names.size()),
         fmt::format("name one as 'layer': {}", listed(names)));
}

std::vector<ExrBand> choose_bands(const std::string& path, const Imf::Header& header, const std::string& layer,
                                  std::vector<std::string>& assumed) {
  std::vector<ExrBand> own = own_bands(header);
  const std::vector<std::string> names = channel_names(header);
  if (layer.empty()) {
    if (!own.empty()) return own;
    const std::string channel = likely_channel(path, names, assumed);
    return {{channel, band_of(header, channel)}};
  }
  for (const ExrBand& band : own)
    if (band.band.name == layer) return {band};
  if (std::ranges::find(names, layer) != names.end()) return {{layer, band_of(header, layer)}};
  refuse(fmt::format("'{}' has no channel {}", path, listed({layer})), fmt::format("it has {}", listed(names)));
}

std::optional<RasterPlace> own_place(const Imf::Header& header) {
  const auto* origin = header.findTypedAttribute<Imf::V2dAttribute>(exr_origin);
  const auto* step = header.findTypedAttribute<Imf::V2dAttribute>(exr_step);
  if (origin == nullptr || step == nullptr) return std::nullopt;
  const Imath::V2d at = origin->value(), by = step->value();
  for (const double number : {at.x, at.y, by.x, by.y})
    if (!std::isfinite(number)) return std::nullopt;
  if (by.x == 0 || by.y == 0) return std::nullopt;
  const auto* crs = header.findTypedAttribute<Imf::StringAttribute>(exr_crs);
  return RasterPlace{crs != nullptr ? crs->value() : "", {at.x, at.y}, {by.x, by.y}};
}

class ExrRaster : public Raster {
 public:
  ExrRaster(const std::string& path, const RasterOptions& options) : path_(path), input_(path) {
    guarded(path_, [&] {
      const ExrPart part = check_exr_headers(path_, input_);
      describe(part, options.layer);
      file_.emplace(input_, threads_, false);
      part_.emplace(*file_, 0);
    });
  }

  void read_rows(int band, int64_t first, int64_t rows, float* values, uint8_t* valid) override {
    read(band, first, rows, values, valid);
  }
  void read_rows(int band, int64_t first, int64_t rows, double* values, uint8_t* valid) override {
    read(band, first, rows, values, valid);
  }

  int64_t block_rows() const override { return strip_; }

 private:
  void describe(const ExrPart& part, const std::string& layer) {
    const Imf::Header& header = part.header;
    window_ = header.dataWindow();
    info_.format = "EXR";
    info_.width = int64_t{window_.max.x} - window_.min.x + 1;
    info_.height = int64_t{window_.max.y} - window_.min.y + 1;
    if (part.parts > 1)
      info_.assumed.push_back(fmt::format("'{}' has {} parts: only the first is read", path_, part.parts));
    for (ExrBand& chosen : choose_bands(path_, header, layer, info_.assumed)) {
      const Imf::Channel& channel = header.channels()[chosen.channel];
      if (channel.xSampling != 1 || channel.ySampling != 1)
        refuse(fmt::format("the channel {} of '{}' has samples for some pixels only", listed({chosen.channel}), path_));
      info_.bands.push_back(std::move(chosen.band));
      channels_.push_back(std::move(chosen.channel));
    }
    info_.place = own_place(header);
    if (info_.place) info_.registration = "point";
    threads_ = exr_threads(part.block_bytes);
    const int64_t blocks = std::max<int64_t>(threads_, static_cast<int64_t>(strip_bytes / part.block_bytes));
    strip_ = std::min(info_.height, part.block_rows * std::max<int64_t>(blocks, 1));
  }

  template <class T>
  void read(int band, int64_t first, int64_t rows, T* values, uint8_t* valid) {
    std::fill_n(valid, rows * info_.width, uint8_t{1});
    const bool whole_numbers = info_.bands[static_cast<size_t>(band)].type == "UInt32";
    for (int64_t at = 0; at < rows; at += strip_) {
      const int64_t count = std::min(strip_, rows - at);
      T* to = values + at * info_.width;
      if (whole_numbers)
        convert(whole_, Imf::UINT, band, first + at, count, to);
      else if constexpr (std::is_same_v<T, float>)
        read_strip(Imf::FLOAT, band, first + at, count, to);
      else
        convert(floats_, Imf::FLOAT, band, first + at, count, to);
    }
  }

  template <class S, class T>
  void convert(std::vector<S>& buffer, Imf::PixelType type, int band, int64_t first, int64_t rows, T* to) {
    buffer.resize(static_cast<size_t>(rows * info_.width));
    read_strip(type, band, first, rows, buffer.data());
    std::ranges::transform(buffer, to, [](S value) { return static_cast<T>(value); });
  }

  void read_strip(Imf::PixelType type, int band, int64_t first, int64_t rows, void* to) {
    guarded(path_, [&] {
      const int y = static_cast<int>(window_.min.y + first);
      Imf::FrameBuffer buffer;
      buffer.insert(channels_[static_cast<size_t>(band)],
                    Imf::Slice::Make(type, to, Imath::V2i(window_.min.x, y), info_.width, rows));
      part_->setFrameBuffer(buffer);
      part_->readPixels(y, static_cast<int>(y + rows - 1));
    });
  }

  std::string path_;
  ExrInput input_;
  Imath::Box2i window_;
  std::vector<std::string> channels_;
  int threads_ = 0;
  int64_t strip_ = 1;
  std::optional<Imf::MultiPartInputFile> file_;
  std::optional<Imf::InputPart> part_;
  std::vector<uint32_t> whole_;
  std::vector<float> floats_;
};

}  // namespace

std::unique_ptr<Raster> open_exr(const std::string& path, const RasterOptions& options) {
  return std::make_unique<ExrRaster>(path, options);
}

}  // namespace tepui
