// Outputs whose land is computed window by window.
#include <algorithm>

#include "tepui/core/error.h"
#include "tepui/graph/land_windows.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/file_list.h"
#include "tepui/output/hash_params.h"
#include "tepui/output/output_nodes.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

// The ports of these nodes: what the windows start from, and, of a writer, what measured the land.
constexpr size_t source_port = 0, measure_port = 1;

std::string low_of(const std::string& layer) { return "low " + layer; }
std::string high_of(const std::string& layer) { return "high " + layer; }

/// The lowest and highest cell of each layer, and the voids, of land that comes in windows.
class Measured {
 public:
  /// Samples that two windows share are counted once: by the one north or east of them.
  void add(const Terrain& part, const Frame& all, const Context& context) {
    const Frame& frame = part.frame();
    for (const Layer& layer : part.layers()) {
      const MinMax range = min_max(layer.grid(), context.told_to(nullptr));
      const auto [known, added] = ranges_.emplace(layer.name, range);
      known->second = {std::min(known->second.low, range.low), std::max(known->second.high, range.high)};
    }
    const Layer* voids = part.find("void");
    if (voids == nullptr) return;
    const int64_t width = frame.width - (frame.first_x + frame.width < all.first_x + all.width ? 1 : 0);
    const int64_t height = frame.height - (frame.first_y + frame.height < all.first_y + all.height ? 1 : 0);
    for (int64_t y = 0; y < height; ++y)
      voids_ += std::count_if(voids->grid().row(y), voids->grid().row(y) + width, is_void);
  }

  /// As a manifest is told.
  void tell(const Context& context) const {
    const auto height = ranges_.find("height");
    if (height == ranges_.end()) return;
    context.tell("low", static_cast<double>(height->second.low));
    context.tell("high", static_cast<double>(height->second.high));
    context.tell("voids", static_cast<double>(voids_));
  }
  /// As the writers of tiles read it.
  void tell_layers(const Context& context) const {
    for (const auto& [layer, range] : ranges_) {
      context.tell(low_of(layer), static_cast<double>(range.low));
      context.tell(high_of(layer), static_cast<double>(range.high));
    }
  }

 private:
  std::map<std::string, MinMax> ranges_;
  int64_t voids_ = 0;
};

std::map<std::string, MinMax> told_ranges(const std::vector<ToldNumber>& told, const Terrain& sample) {
  std::map<std::string, MinMax> ranges;
  const auto number = [&](const std::string& name) {
    const auto found = std::ranges::find(told, name, &ToldNumber::name);
    return found != told.end() ? static_cast<float>(found->value) : 0;
  };
  for (const Layer& layer : sample.layers())
    ranges[layer.name] = {number(low_of(layer.name)), number(high_of(layer.name))};
  return ranges;
}

/// The tiles that lie in the window, by more than their border.
std::vector<bool> chosen_tiles(const std::string& path, const Frame& all, Vec2 tiles, const WindowBounds& bounds) {
  const Frame part = frame_within(all, bounds);
  const auto meets = [](int64_t first, int64_t count, int64_t other, int64_t others) {
    const int64_t shared = std::min(first + count, other + others) - std::max(first, other);
    return shared > 1 || (shared == 1 && (count == 1 || others == 1));
  };
  std::vector<bool> chosen;
  for (const TileWindow& w : tile_windows(path, all, tiles))
    chosen.push_back(meets(w.first_x + all.first_x, w.width, part.first_x, part.width) &&
                     meets(w.first_y + all.first_y, w.height, part.first_y, part.height));
  return chosen;
}

Terrain window_of(LandWindows& land, const Frame& frame, const Context& context) {
  return get<Terrain>(land.window(frame, context));
}

/// One sample, which has the layers and the relief that all have.
Terrain sample_of(LandWindows& land, const Context& context) {
  return window_of(land, land.frame().window(0, 0, 1, 1), context.told_to(nullptr));
}

void hash_bounds(Hasher& hasher, const std::optional<WindowBounds>& bounds) {
  if (!bounds) return;
  for (const Length& end : {bounds->west, bounds->south, bounds->east, bounds->north})
    hasher.add(end.value).add(end.percent);
}

}  // namespace

/// A node that is given the sources of the chain; what it does beside that is `described`.
int OutputGraph::add_cut_node(const char* name, const Kind& kind, const LandCut& cut, const Hash& described,
                              CutWork work, const Position& at, CutPorts ports) {
  Operator op;
  op.name = name;
  op.output = &kind;
  op.takes_world = cut.chain.takes_world();
  op.outside = [chain = cut.chain, described](const std::vector<ParamValue>&) {
    return Hasher().add(described).add(chain.hash()).finish();
  };
  op.stands = std::move(ports.stands);
  op.run = [this, chain = cut.chain, work = std::move(work)](const OperatorCall& call, const Context& context) {
    LandWindows land(chain, call.inputs[source_port], call.world);
    Value made = work(land, call, context);
    add_reports(land);
    for (const LandChain::Step& step : chain.steps()) context.task(step.node).progress(1);
    return made;
  };
  std::vector<Reference> sources;
  for (const int source : cut.chain.sources()) sources.push_back({source, "", at});
  std::vector<std::vector<Reference>> inputs = std::move(ports.inputs);
  inputs.insert(inputs.begin(), std::move(sources));
  return add_node(std::move(op), std::move(inputs), at);
}

void OutputGraph::add_reports(const LandWindows& land) {
  const std::lock_guard lock(reports_mutex_);
  for (const NodeReport& report : land.reports()) {
    NodeReport& sum = reports_[report.name];
    sum.name = report.name;
    sum.op = report.op;
    sum.seconds += report.seconds;
    sum.windows += report.windows;
  }
}

/// As png_text tells, but for the hash, which land in windows does not have.
PngText OutputGraph::window_text() const {
  const Kind& land = kind_of<Terrain>();
  PngText text = png_text(plan_, {}, land);
  std::erase_if(text, [&](const auto& entry) { return entry.first == land.label; });
  return text;
}

void OutputGraph::add_check(const Output& output, const LandCut& cut) {
  Hasher described;
  described.add(output.name);
  for (const std::string& layer : output.layers) described.add(layer);
  hash_params(described, output.options);
  hash_bounds(described, cut.bounds);
  const auto work = [request = request_of(output), bounds = cut.bounds](LandWindows& land, const OperatorCall&,
                                                                        const Context& context) -> Value {
    const Frame part = bounds ? frame_within(land.frame(), *bounds) : land.frame();
    check_tiles(request.options.is_tiled() ? land.frame() : part, sample_of(land, context), request);
    return FileList();
  };
  checks_.push_back(
      {add_cut_node("check", kind_of<FileList>(), cut, described.finish(), work, output.at, {}), "", output.at});
}

int OutputGraph::add_outline(const Output& output, const LandCut& cut) {
  Hasher described;
  const std::optional<WindowBounds> bounds = output.options.is_tiled() ? std::nullopt : cut.bounds;
  hash_bounds(described, bounds);
  const auto work = [bounds](LandWindows& land, const OperatorCall&, const Context& context) -> Value {
    return Terrain(bounds ? frame_within(land.frame(), *bounds) : land.frame(), sample_of(land, context).relief());
  };
  return add_cut_node("outline", kind_of<Terrain>(), cut, described.finish(), work, output.at, {});
}

/// Goes once through all tiles of a land whose files depend on the heights of all of it.
int OutputGraph::add_cut_measure(const Output& output, const LandCut& cut) {
  const auto work = [name = output.name, tiles = output.options.tiles](LandWindows& land, const OperatorCall&,
                                                                       const Context& context) -> Value {
    Measured measured;
    const std::vector<TileWindow> windows = tile_windows(name, land.frame(), tiles);
    for (size_t i = 0; i < windows.size(); ++i) {
      const TileWindow& w = windows[i];
      const double share = 1 / static_cast<double>(windows.size()), begin = static_cast<double>(i) * share;
      const Context step = context.stage("measuring", begin, begin + share);
      measured.add(window_of(land, land.frame().window(w.first_x, w.first_y, w.width, w.height), step), land.frame(),
                   step);
    }
    measured.tell_layers(context);
    return FileList();
  };
  Hasher described;
  described.add(output.options.tiles.x).add(output.options.tiles.y);
  return add_cut_node("measure", kind_of<FileList>(), cut, described.finish(), work, output.at, {});
}

std::vector<FileRecord> OutputGraph::write_tiles(LandWindows& land, const Output& output, const LandCut& cut,
                                                 const OperatorCall& call, const Context& context) const {
  ExportRequest request = request_of(output);
  request.text = window_text();
  const Terrain sample = sample_of(land, context);
  Measured measured;
  LandParts parts{land.frame(), {}, {}, {}};
  parts.window = [&](const Frame& frame, const Context& step) {
    Terrain part = window_of(land, frame, step.stage("window", 0, 0.8));
    measured.add(part, land.frame(), step);
    return part;
  };
  if (!call.facts[measure_port].empty()) parts.ranges = told_ranges(call.facts[measure_port].front()->told, sample);
  if (cut.bounds) parts.chosen = chosen_tiles(request.path, land.frame(), request.options.tiles, *cut.bounds);
  std::vector<FileRecord> records = export_tiles(parts, request, context);
  for (FileRecord& record : records) record.name = tile_name(output.name, record.tile->x, record.tile->y);
  measured.tell(context);
  return records;
}

std::vector<FileRecord> OutputGraph::write_window(LandWindows& land, const Output& output, const LandCut& cut,
                                                  const Context& context) const {
  const Value part = land.window(frame_within(land.frame(), *cut.bounds), context.stage("window", 0, 0.8));
  ExportRequest request = request_of(output);
  request.text = window_text();
  std::vector<FileRecord> records =
      write_value(part, request, {{}, plan_.world.sea_level}, context.stage("writing", 0.8, 1));
  records.front().name = output.name;
  for (const ToldNumber& number : output_kind(part).measure(part, context)) context.tell(number.name, number.value);
  return records;
}

int OutputGraph::add(const Output& output, const LandCut& cut) {
  Hasher described;
  described.add("windows").add(output.name);
  for (const std::string& layer : output.layers) described.add(layer);
  hash_params(described, output.options);
  hash_bounds(described, cut.bounds);
  described.add(plan_.world.sea_level.has_value()).add(plan_.world.sea_level.value_or(0));
  for (const auto& [name, text] : window_text()) described.add(name).add(text);
  const bool tiled = output.options.is_tiled();
  const auto work = [this, output, cut, tiled](LandWindows& land, const OperatorCall& call,
                                               const Context& context) -> Value {
    prepare_places(output.files());
    return FileList(tiled ? write_tiles(land, output, cut, call, context) : write_window(land, output, cut, context));
  };
  CutPorts ports;
  ports.inputs = {{}, {}, checks_};
  if (tiled && takes_option(kind_at(output.from), output.name, "range") && !output.options.range)
    ports.inputs[measure_port - 1].push_back({add_cut_measure(output, cut), "", output.at});
  ports.stands = [this](const Value& written) {
    const std::vector<FileRecord>& records = get<FileList>(written).records();
    return keep_ && !records.empty() &&
           std::ranges::all_of(records, [this](const FileRecord& record) { return is_there(record); });
  };
  return add_cut_node("write", kind_of<FileList>(), cut, described.finish(), work, output.at, std::move(ports));
}

}  // namespace tepui
