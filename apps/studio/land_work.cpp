#include "apps/studio/land_work.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "apps/studio/recipe_message.h"
#include "apps/studio/thumbnail.h"
#include "tepui/core/pool.h"
#include "tepui/graph/preview.h"
#include "tepui/output/look.h"
#include "tepui/output/output_kind.h"
#include "tepui/output/recipe_look.h"

namespace tepui::studio {

namespace {

/// A preview with light and colours is there within that, or it gets fewer samples.
constexpr double slow_preview = 0.08, quick_preview = 0.012;
constexpr int quick_in_a_row = 3, rests_after_slow = 60;
/// A surface that takes longer than that gets a preview first.
constexpr auto slow_surface = std::chrono::milliseconds(800);
constexpr int rests_after_surface = 8;
constexpr int64_t preview_sizes[] = {129, 257, 513};

double seconds_since(Clock::time_point time) { return std::chrono::duration<double>(Clock::now() - time).count(); }

/// Cells along the longer side of a surface.
constexpr int64_t preview_cells = 64, surface_cells = 256;

/// The land that the value is; none of what is no land.
const Terrain* land_of(const Value& value) {
  if (value.empty()) return nullptr;
  const auto as_land = output_kind(value).as_land;
  return as_land != nullptr ? &as_land(value) : nullptr;
}

}  // namespace

void LandWork::Events::known(const SessionNode& node, const NodeFacts& facts, bool cached) {
  work_.tasks_.post([this, name = node.name, cached, bytes = facts.bytes, count = shows.load()] {
    if (count == shows) work_.say_node(name, {{"state", "done"}, {"cached", cached}, {"bytes", bytes}}, preview_);
  });
}

void LandWork::Events::progress(const SessionNode& node, const std::string& stage, double fraction) {
  work_.tasks_.post([this, name = node.name, stage, fraction, count = shows.load()] {
    if (count == shows)
      work_.say_node(name, {{"state", "working"}, {"stage", stage}, {"fraction", fraction}}, preview_);
  });
}

void LandWork::Events::warned(const SessionNode& node, const std::string& message) {
  if (preview_) return;
  work_.tasks_.post([this, name = node.name, message, count = shows.load()] {
    if (count == shows) work_.say_node(name, {{"state", "working"}, {"warning", message}}, preview_);
  });
}

void LandWork::Events::settled() {
  work_.tasks_.post([this, count = shows.load()] { work_.settled(preview_, count); });
}

LandWork::LandWork(Wire& wire, Tasks& tasks, DiskCache* disk)
    : wire_(wire),
      tasks_(tasks),
      quick_(*this, true, physical_memory() / 16, nullptr),
      full_(*this, false, physical_memory() / 4, disk),
      painter_(wire) {}

void LandWork::show(std::shared_ptr<const Plan> plan, const View& view) {
  plan_ = std::move(plan);
  view_ = view;
  wanted_ = true;
  pump();
}

void LandWork::hold(bool on) {
  held_ = on;
  if (!on && full_due_ && !wanted_ && !previewing_ && !paused_) begin_full();
}

void LandWork::pause(bool on) {
  paused_ = on;
  if (on) {
    stop();
    wanted_ = plan_ != nullptr;
  }
  pump();
}

void LandWork::stop() {
  painter_.stop();
  wanted_ = previewing_ = full_due_ = keeping_ = false;
  for (Stage* stage : {&quick_, &full_})
    if (plan_) stage->show(plan_, {});
}

void LandWork::pump() {
  if (wanted_ && !paused_ && !previewing_ && !keeping_ && plan_) begin();
}

void LandWork::begin() {
  wanted_ = rests_ = false;
  keeping_ = may_keep();
  ++generation_;
  // What pages keep has to reach them, also of a run that is not the newest any more.
  if (!keeping_) {
    wire_.begin(generation_);
    sent_ = std::make_shared<SentMesh>();
  }
  painter_.stop();
  began_ = Clock::now();
  bytes_ = 0;
  full_due_ = true;
  const int node = plan_->find_node(view_.node);
  if (node < 0) {
    full_due_ = false;
    return say_gone(Error(ErrorKind::request, "there is no node '" + view_.node + "'"));
  }
  // All that is stale stops, but what the newest land still needs may go on once the hand is off.
  small_ = preview_graph(plan_, samples_);
  if (keeping_) return begin_full();
  if (held_) full_.show(plan_, {});
  begin_preview();
}

void LandWork::begin_preview() {
  if (small_ == nullptr) return begin_full();
  previewing_ = true;
  quick_.show(small_, {Look{plan_->find_node(view_.node)}});
}

/// Whether the newest run may send what has changed alone: pages have a whole surface and nothing since. It may be
/// another node's: what a brush puts after a node is shown in its place.
bool LandWork::may_keep() const { return sent_->whole && slow_ones_ == 0; }

void LandWork::tick() {
  if (!keeping_ || paused_ || Clock::now() - began_ < slow_surface) return;
  keeping_ = false;
  slow_ones_ = rests_after_surface;
  full_due_ = true;
  if (wanted_) return pump();
  begin_preview();
}

void LandWork::begin_full() {
  full_due_ = false;
  full_.show(plan_, {Look{plan_->find_node(view_.node)}});
}

void LandWork::settled(bool preview, uint64_t shows) {
  Stage& stage = preview ? quick_ : full_;
  if (shows != stage.events.shows || (preview && !previewing_)) return;
  // The event is told before the session counts as settled.
  if (!stage.session.wait_for(std::chrono::milliseconds(50))) return;
  try {
    const Evaluation evaluation = stage.session.evaluation();
    if (evaluation.values.empty()) return;
    say_times(evaluation, preview);
    paint(preview, evaluation.values.front());
  } catch (const Error& error) {
    // Land that cannot be made with few samples may well be with more.
    if (preview) {
      previewing_ = false;
      wanted_ ? pump() : begin_full();
      return;
    }
    keeping_ = false;
    sent_ = std::make_shared<SentMesh>();
    say_node(error.place().node, {{"state", "failed"}, {"error", error_json(error)}}, false);
    say_gone(error);
    if (wanted_) pump();
  }
}

Setting LandWork::setting() const {
  Setting around{{}, plan_->world.sea_level};
  try {
    around.look = picture_from_json(json_object({}), look_of(*plan_, view_.node));
  } catch (const Error&) {
    // A look that is wrong is one of the recipe's problems.
  }
  return around;
}

ShownLand LandWork::shown_land(const Terrain& land, bool preview) const {
  const Setting around = setting();
  return {generation_, view_.node,       preview,
          land,        around.sea_level, around.look ? SkinParams(*around.look) : SkinParams()};
}

void LandWork::paint(bool preview, Value value) {
  const bool surfaces = output_kind(value).surface != nullptr && land_of(value) == nullptr;
  if (preview || !surfaces) sent_ = std::make_shared<SentMesh>();
  value_ = value;
  value_node_ = view_.node;
  const auto then = [this, preview, generation = generation_](uint64_t bytes, const std::optional<Error>& error) {
    tasks_.post([this, preview, generation, bytes, error] {
      if (generation == generation_) painted(preview, bytes, error);
    });
  };
  if (const Terrain* land = land_of(value)) {
    return painter_.start(
        generation_,
        [shown = shown_land(*land, preview), view = view_](FrameSink& sink, const Context& context) {
          send_land(shown, sink);
          send_heights(shown, sink, context);
          send_ground(shown, sink, context);
          if (!view.overlay.empty() && shown.land.find(view.overlay) != nullptr)
            send_overlay(shown, view.overlay, view.colour_map, sink, context);
        },
        then);
  }
  const auto surface = output_kind(value).surface;
  if (surface == nullptr) {
    say_gone(Error(ErrorKind::request, "the view has no place for " + value.kind().noun, "its picture is in its line"));
    return painted(preview, 0, {});
  }
  painter_.start(
      generation_,
      [value, surface, around = setting(), shown = ShownMesh{generation_, view_.node, preview}, sent = sent_,
       memory = preview ? std::make_shared<SurfaceMemory>() : surface_](FrameSink& sink, const Context& context) {
        const int64_t cells = shown.preview ? preview_cells : surface_cells;
        const Mesh mesh = surface(value, cells, around, *memory, context);
        send_mesh(mesh, shown, shown.preview ? nullptr : sent.get(), sink, context);
      },
      then);
}

void LandWork::painted(bool preview, uint64_t bytes, const std::optional<Error>& error) {
  bytes_ += bytes;
  if (error) say_gone(*error);
  if (!preview) {
    // A preview that was to bridge the time comes too late.
    keeping_ = previewing_ = full_due_ = false;
    slow_ones_ = std::max(slow_ones_ - 1, 0);
    wire_.queue(generation_,
                frame_text({{"say", "settled"},
                            {"generation", generation_},
                            {"milliseconds", seconds_since(began_) * 1000},
                            {"bytes", bytes_}}),
                false);
    if (wanted_) return pump();
    rests_ = true;
    return paint_rest(true, false);
  }
  previewing_ = false;
  measure(seconds_since(began_));
  if (wanted_) return pump();
  if (!held_) return begin_full();
}

/// The next preview has as many samples as these times allow. What was too slow once is not soon tried again: lands
/// that change their grain under the hand are worse than coarse ones.
void LandWork::measure(double seconds) {
  const auto now = std::ranges::find(preview_sizes, samples_);
  quick_ones_ = seconds < quick_preview ? quick_ones_ + 1 : std::min(quick_ones_, 0);
  if (seconds > slow_preview && now != std::begin(preview_sizes)) {
    samples_ = *(now - 1);
    quick_ones_ = -rests_after_slow;
  } else if (quick_ones_ >= quick_in_a_row && now + 1 != std::end(preview_sizes)) {
    samples_ = *(now + 1);
    quick_ones_ = 0;
  }
}

/// What comes when the hand rests.
void LandWork::paint_rest(bool light, bool overlay) {
  if (!rests_) return;
  std::optional<ShownLand> land;
  if (const Terrain* found = land_of(value_)) land = shown_land(*found, false);
  painter_.start(
      generation_,
      [this, land, view = view_, light, overlay, shown = snapshot(), around = setting(), generation = generation_](
          FrameSink& sink, const Context& context) {
        if (land && overlay && land->land.find(view.overlay) != nullptr)
          send_overlay(*land, view.overlay, view.colour_map, sink, context);
        if (land && light) send_light(*land, view.sun, sink, context);
        send_thumbnails(shown, around, generation, sink, context);
      },
      [](uint64_t, const std::optional<Error>&) {});
}

/// Of the nodes whose values are others than those that the pages have pictures of.
void LandWork::send_thumbnails(const Snapshot& shown, const Setting& around, uint64_t generation, FrameSink& sink,
                               const Context& context) {
  for (size_t i = 0; i < shown.plan->nodes.size(); ++i) {
    const Node& node = shown.plan->nodes[i];
    if (node.whole >= 0) continue;
    try {
      const Evaluation evaluation = evaluate(*shown.quick, {static_cast<int>(i)}, *shown.quick_cache, context);
      {
        const std::lock_guard lock(thumbnails_mutex_);
        if (thumbnails_[node.name] == evaluation.facts.front().hash) continue;
      }
      const std::string png = thumbnail(evaluation.values.front(), around, context);
      sink.frame(FrameKind::picture, {{"generation", generation}, {"node", node.name}}, png);
      const std::lock_guard lock(thumbnails_mutex_);
      thumbnails_[node.name] = evaluation.facts.front().hash;
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::cancelled) throw;
      // A node that cannot be computed or drawn has none.
    }
  }
}

Snapshot LandWork::snapshot() {
  if (!plan_ || value_.empty() || value_node_ != view_.node) refuse("nothing is shown yet", "wait for the land");
  return {plan_,        small_ != nullptr ? small_ : SharedGraph(plan_), view_.node, value_,
          &full_.cache, small_ != nullptr ? &quick_.cache : &full_.cache};
}

void LandWork::forget_thumbnails() {
  sent_ = std::make_shared<SentMesh>();
  const std::lock_guard lock(thumbnails_mutex_);
  thumbnails_.clear();
}

void LandWork::relight(const Sun& sun) {
  view_.sun = sun;
  paint_rest(true, false);
}

void LandWork::overlay(const std::string& layer, ColourMap map) {
  view_.overlay = layer;
  view_.colour_map = map;
  // Light that was being made is made again.
  paint_rest(true, !layer.empty());
}

void LandWork::say_node(const std::string& name, Ordered facts, bool preview) {
  Ordered node{{"say", "node"}, {"generation", generation_}, {"node", name}, {"preview", preview}};
  node.update(facts);
  wire_.say(everyone, frame_text(node), (preview ? "preview " : "node ") + name);
}

void LandWork::say_gone(const Error& error) {
  Ordered gone{{"say", "gone"}, {"generation", generation_}, {"node", view_.node}, {"why", error_json(error)}};
  wire_.say(everyone, frame_text(gone), "gone");
}

void LandWork::say_times(const Evaluation& evaluation, bool preview) {
  for (const NodeReport& node : evaluation.nodes)
    say_node(node.name,
             {{"state", "done"},
              {"cached", node.cached},
              {"milliseconds", node.seconds * 1000},
              {"bytes", node.bytes},
              {"hash", node.hash.text()}},
             preview);
}

}  // namespace tepui::studio
