#pragma once  // internal

#include <cstdint>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/core/vec.h"
#include "tepui/cover/dune_kernels.h"

namespace tepui {

/// What happens at the borders.
enum class DuneBorder {
  returns,  ///< sand that the wind carries out comes in again on the other side
  repeats,  ///< the land goes on with its other side: it tiles
  open,     ///< sand that the wind carries out is gone
};

/// Sand on rock, in whole quanta; rows from south to north.
struct DuneGround {
  Grid<int32_t> rock, sand, air;
  Grid<float> share;  ///< of the wind that there is; nothing changes where it is 0. Empty: 1
  int64_t left = 0;   ///< quanta that an open border let go
};

/// How sand moves. Lengths are metres.
struct DuneRule {
  Vec2 cell{1, 1};
  double quantum = 0x1p-10;
  double scale = 1;      ///< cells of which a dune is made: what lengths below are counted in
  double repose = 0.65;  ///< tangent of the angle of rest
  DuneBorder border = DuneBorder::returns;

  static constexpr double lift = 0.1;  ///< depth that the wind lifts from level sand in a round
  static constexpr double most = 8;    ///< times as much is the most that it lifts
  static constexpr double hop = 3;     ///< length of a hop
  /// How far back the wind knows the ground, and how many times more it lifts for each length that the ground stands
  /// above its mean there. Near and far together make the lift lead the ground by what makes waves grow.
  static constexpr double memory[3] = {8, 24, 72}, gain[3] = {0.15, 0.3, 0.3};
  static constexpr double shadow = 0.26794919243112270;    ///< tangent of 15 degrees: no wind below, behind a crest
  static constexpr double standing = 0.70020753820970978;  ///< of 35 degrees: before a wall the wind stands below this
  static constexpr double turning = 1.7320508075688773;    ///< of 60 degrees: and turns back below this
  static constexpr double face = 0.25;                     ///< tangent of the slope that it climbs
  static constexpr float stop_on_sand = 0.9f, stop_on_rock = 0.2f;
  static constexpr float haste = 0.25f, creep = 0.02f, pressed = 0.5f;
  static constexpr int64_t rounds_a_sweep = 2;
  /// Sand falls down a slip face at once within so many rows; where they begin changes from round to round.
  static constexpr int64_t rows_of_fall = 96;
  static int64_t first_row_of_fall(int64_t k) { return k * 37 % rows_of_fall; }
};

/// A spell of wind: `rounds` rounds, counted from `first`, with the wind towards `toward` (unit length, x east). A calm
/// one lifts nothing: what is in the air comes down.
struct WindSpell {
  Vec2 toward{1, 0};
  int64_t first = 0, rounds = 1;
  bool calm = false;
};

/// Where a spell's rows lie: they follow each other as the wind goes.
struct WindTurn {
  bool across = false;  ///< x and y change places
  bool back = false;    ///< then rows are counted from the last one
  double x = 0, y = 1;  ///< of the wind in cells, y being the larger
};
WindTurn wind_turn(const DuneRule& rule, Vec2 toward);

/// How the air gets from a row to the next one, by rows of a turn.
struct WindRows {
  Slant shadow, standing, turning;  ///< lines of sight; the last two go against the wind
  UpwindMean mean[3];
  float lift = 0, most = 0, level = 0;
};
WindRows wind_rows(const DuneRule& rule, const WindTurn& turn, bool calm);
/// Of round k: whole cells of a turn, whose mean over rounds is the hop.
struct HopCells {
  int64_t x = 0, y = 0;
};
HopCells hop_cells(const DuneRule& rule, const WindTurn& turn, int64_t k);
SlideRule slide_rule(const DuneRule& rule, bool across, bool calm);
/// How many quanta a cell may stand above the next one down the wind, and above those beside that.
struct FallSteps {
  int32_t straight = 1, aslant = 1;
};
FallSteps fall_steps(const DuneRule& rule, bool across);
/// Rows before the first that are swept to know the wind there.
int64_t rows_before(const DuneRule& rule, int64_t rows);

/// Sand in the wind, after Werner 1995, with shares of slabs in place of whole ones drawn by chance: in a round every
/// cell lifts a slab, everything in the air makes one hop, a share of what arrives comes to rest, and slopes slide. All
/// cells do so at once, so that any number of threads gives the same bits; the sum of sand, air and `left` never
/// changes.
class DuneField {
 public:
  DuneField(DuneGround ground, const DuneRule& rule);

  void blow(const WindSpell& spell, const Context& context);
  /// Lets what is too steep slide for so many rounds, without wind.
  void slide(int64_t rounds, const Context& context);
  /// All that is in the air falls where it is; the ground as it is now.
  DuneGround finish();

 private:
  /// A map of rows with room around it.
  template <class T>
  struct Rows {
    Grid<T> cells;
    T* row(int64_t y) { return cells.row(y + 1) + dune_pad; }
    const T* row(int64_t y) const { return cells.row(y + 1) + dune_pad; }
  };
  template <class T>
  Rows<T> rows_of(T value) const;
  template <class T>
  void turn_rows(Rows<T>& rows, bool across, bool back) const;
  void turn_to(const WindTurn& turn);
  void size_rows();

  void look_before_walls(const WindRows& wind);
  void sweep(const WindRows& wind);
  void hop(const HopCells& hop, int64_t first_row, const Context& context);
  void fall(int64_t begin, int64_t end);
  void close_ends(int32_t* row) const;
  void close_top();
  void slide_once(const SlideRule& rule, bool blows, const Context& context);
  /// Continues a row beyond its ends.
  void extend(float* row) const;
  void carry(int64_t y, const HopCells& hop);

  DuneRule rule_;
  int64_t width_ = 0, height_ = 0;  ///< of the turn
  bool across_ = false, back_ = false, has_share_ = false, rugged_ = false;
  Rows<int32_t> rock_, sand_, air_, next_air_, top_;
  Rows<float> share_, wind_, far_, near_;
  std::vector<int64_t> left_;  ///< by row, of a hop
  int64_t left_sum_ = 0;
};

}  // namespace tepui
