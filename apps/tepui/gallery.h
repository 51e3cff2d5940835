#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/tepui/commands.h"
#include "tepui/graph/cache.h"
#include "tepui/io/raster/png.h"
#include "tepui/output/output_kind.h"
#include "tepui/output/plan.h"
#include "tepui/recipe/sweep.h"
#include "tepui/render/picture/picture.h"

namespace tepui::app {

/// Something to draw.
struct Exhibit {
  Value value;
  Setting around;
  Hash hash;  ///< of a node's value
};

/// What a figure shows: several sources, what sweeps make of one recipe, or the stages of one node. Everything is
/// checked at once, and loaded one after the other; nodes that do not change are computed once.
class Gallery {
 public:
  /// Tells the progress one task for each exhibit.
  Gallery(const FigureOptions& options, const Invocation& call);

  size_t size() const { return entries_.size(); }
  const std::string& caption(size_t i) const { return entries_[i].caption; }
  const SweepTable& table() const { return table_; }
  /// The recipe's title where all come from one.
  std::string title() const;
  /// The look of the first one's recipe; null of a file.
  Json look() const;
  /// The kind of its value, known before it is loaded; of a file land or a mesh.
  const Kind& kind(size_t i) const;

  Exhibit load(size_t i);
  /// For drawing the exhibit after it was loaded.
  Context drawing(size_t i) const { return call_.context.task(static_cast<int>(i)).stage("drawing", 0.5, 0.999); }
  void done(size_t i) const { call_.context.task(static_cast<int>(i)).progress(1); }

  /// How many nodes were computed so far, rather than found in the cache.
  int64_t computed() const { return computed_; }

  /// What the file tells of where it comes from: program, recipe, seed, sweeps.
  PngText text() const;

 private:
  struct Entry {
    std::string source;                  ///< as it was given
    std::shared_ptr<const Plan> recipe;  ///< unless it is a file
    Reference node;
    std::string caption;
  };
  Plan load(const std::string& name, const Overrides& overrides) const;
  void add(const std::string& source, const Overrides& overrides, const std::string& caption);
  void name_entries();
  void show_stages();
  Exhibit evaluate_node(size_t i);

  const FigureOptions& options_;
  const Invocation& call_;
  SweepTable table_;
  std::vector<Sweep> sweeps_;
  std::vector<Entry> entries_;
  std::unique_ptr<DiskCache> disk_;
  std::unique_ptr<ValueCache> cache_;
  int64_t computed_ = 0;
};

}  // namespace tepui::app
