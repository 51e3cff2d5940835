#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tepui/graph/land_chain.h"
#include "tepui/graph/node_report.h"

namespace tepui {

/// The land of a node, window by window: a window has the very samples that the whole land has there, and takes the
/// memory of windows. Operators that look around are given as much more land as they need; what is computed whole is
/// cut. For one thread at a time; the work of a window is spread over all.
class LandWindows {
 public:
  /// `sources` are the values of the chain's sources, in order; `world` is the world's frame, where the chain takes it.
  LandWindows(LandChain chain, std::vector<Value> sources, const Frame* world);

  /// Where all of the land lies.
  const Frame& frame() const { return frames_.back(); }

  /// The samples of a window of frame().
  Value window(const Frame& window, const Context& context);

  /// All of the land on other samples of the same world: computed there where that can be, else resampled.
  Value on(const Frame& lattice, const Context& context);

  /// The samples of any frame of the same world: a window, or one of another lattice.
  Value at(const Frame& frame, const Context& context);

  /// What the steps did so far: seconds, and how many windows were computed.
  const std::vector<NodeReport>& reports() const { return reports_; }

 private:
  using Step = LandChain::Step;
  const Node& node(size_t step) const { return chain_.graph().node(chain_.steps()[step].node); }
  std::optional<Frame> frame_of(const Reference& reference) const;
  LandFrames frames_at(size_t step) const;
  Frame whole_frame(size_t step) const;
  std::optional<Frame> needed(size_t step, size_t port, const Frame& window) const;
  Frame run_on(size_t step, const Frame& window) const;
  Value compute(size_t step, const Frame& window, std::vector<Value>& values, std::vector<int>& readers,
                const Context& context);
  std::vector<Value> gather(size_t step, size_t port, const Frame& window, std::vector<Value>& values,
                            std::vector<int>& readers, const Context& context);
  Value on_own_lattice(size_t step, size_t port, size_t index, const Context& context);

  LandChain chain_;
  std::vector<Value> sources_;
  std::optional<Frame> world_;
  std::vector<Frame> frames_;  ///< of the whole land of each step; of a land that is its own source, of that
  std::vector<NodeReport> reports_;
  std::set<std::string> said_;                    ///< warnings
  std::map<std::array<size_t, 3>, Value> apart_;  ///< lands on a step's own samples, by step, port and place there
};

}  // namespace tepui
