#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "apps/studio/land_frames.h"
#include "apps/studio/mesh_frames.h"
#include "apps/studio/painter.h"
#include "apps/studio/probe.h"
#include "apps/studio/tasks.h"
#include "apps/studio/wire.h"
#include "tepui/graph/session.h"
#include "tepui/output/output_row.h"
#include "tepui/output/plan.h"

namespace tepui::studio {

/// How a recipe is shown.
struct View {
  std::string node;
  std::string overlay{};  ///< a layer; empty: the ground's own colours
  ColourMap colour_map = ColourMap::by_layer;
  Sun sun{};
};

/// Computes what is looked at, quickly and then in full, and sends it. Every run has a generation, and the newest wins;
/// but a preview that has begun is finished first, so that a land that is slow follows the hand, too. All of it is
/// called by one thread, the one that does the tasks.
class LandWork {
 public:
  LandWork(Wire& wire, Tasks& tasks, DiskCache* disk);

  /// From now on this.
  void show(std::shared_ptr<const Plan> plan, const View& view);
  /// What comes is another recipe: nothing is known of how long it takes.
  void begin_anew() {
    sent_ = std::make_shared<SentMesh>();
    slow_ones_ = 0;
    samples_ = fewest_samples;
    quick_ones_ = 0;
  }
  /// While the hand holds something, only previews are made.
  void hold(bool on);
  /// What is shown already gets other light or colours.
  void relight(const Sun& sun);
  void overlay(const std::string& layer, ColourMap map);
  /// Gives up what is being computed.
  void stop();
  void pause(bool on);

  /// Of the newest run.
  uint64_t generation() const { return generation_; }
  bool is_paused() const { return paused_; }
  /// What was shown last, in full or as a preview; refused where there is nothing.
  Snapshot snapshot();
  /// A page that has just come has none of the thumbnails.
  void forget_thumbnails();
  /// Looks at the clock, now and then: what turns out slow gets a preview.
  void tick();

 private:
  /// Tells the tasks what a session says, with how often it had been shown something by then.
  class Events : public SessionEvents {
   public:
    Events(LandWork& work, bool preview) : work_(work), preview_(preview) {}
    void known(const SessionNode& node, const NodeFacts& facts, bool cached) override;
    void progress(const SessionNode& node, const std::string& stage, double fraction) override;
    void warned(const SessionNode& node, const std::string& message) override;
    void settled() override;

    std::atomic<uint64_t> shows = 0;

   private:
    LandWork& work_;
    bool preview_;
  };

  /// A session that is only ever shown things by one thread.
  struct Stage {
    Stage(LandWork& work, bool preview, size_t memory, DiskCache* disk)
        : cache(memory, disk), events(work, preview), session(cache, events, {.preview = 0}) {}
    void show(SharedGraph graph, std::vector<Look> looks) {
      ++events.shows;
      session.show(std::move(graph), std::move(looks));
    }
    ValueCache cache;
    Events events;
    Session session;
  };

  void pump();
  void begin();
  void begin_full();
  void begin_preview();
  bool may_keep() const;
  void settled(bool preview, uint64_t shows);
  void paint(bool preview, Value value);
  void painted(bool preview, uint64_t bytes, const std::optional<Error>& error);
  void say_node(const std::string& name, Ordered facts, bool preview);
  void say_gone(const Error& error);
  void say_times(const Evaluation& evaluation, bool preview);
  void paint_rest(bool light, bool overlay);
  void send_thumbnails(const Snapshot& shown, const Setting& around, uint64_t generation, FrameSink& sink,
                       const Context& context);
  Setting setting() const;
  ShownLand shown_land(const Terrain& land, bool preview) const;
  void measure(double seconds);

  Wire& wire_;
  Tasks& tasks_;
  Stage quick_, full_;
  std::shared_ptr<const Plan> plan_;
  View view_;
  uint64_t generation_ = 0;
  bool wanted_ = false, held_ = false, paused_ = false;
  bool previewing_ = false;  ///< a preview is being computed or sent
  bool full_due_ = false;    ///< all of the newest run's land has still to be computed
  /// A surface of which pages have the whole is computed at once, and only what has changed of it is sent.
  bool keeping_ = false;
  int slow_ones_ = 0;  ///< so many runs are still to come before that is tried again
  std::shared_ptr<SentMesh> sent_ = std::make_shared<SentMesh>();
  std::shared_ptr<SurfaceMemory> surface_ = std::make_shared<SurfaceMemory>();
  static constexpr int64_t fewest_samples = 129;
  int64_t samples_ = fewest_samples;  ///< of the next preview
  int quick_ones_ = 0;                ///< previews in a row; below 0: so many are still to come before more are tried
  Clock::time_point began_{};
  uint64_t bytes_ = 0;
  Value value_;
  std::string value_node_;
  SharedGraph small_;  ///< of the newest preview
  std::mutex thumbnails_mutex_;
  std::map<std::string, Hash> thumbnails_;  ///< of which value each node's is that pages have
  bool rests_ = false;                      ///< all of the newest run's land has been sent
  Painter painter_;                         ///< ends before what it reads
};

}  // namespace tepui::studio
