#include "tepui/cover/dune_field.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tepui/core/parallel.h"

namespace tepui {

namespace {

/// A row of the sweep reads so many cells beyond its ends.
constexpr int64_t sweep_reach = 6;

int64_t grain_of(int64_t width) { return std::max<int64_t>(1, 32768 / std::max<int64_t>(width, 1)); }

/// k times an irrational number, without its whole part: what a plane is filled evenly with (R2 of Roberts 2018).
double part(int64_t k, uint64_t step) { return static_cast<double>((static_cast<uint64_t>(k) * step) >> 11) * 0x1p-53; }

int64_t wrapped(int64_t i, int64_t n) { return ((i % n) + n) % n; }

}  // namespace

WindTurn wind_turn(const DuneRule& rule, Vec2 toward) {
  WindTurn turn;
  turn.x = toward.x / rule.cell.x, turn.y = toward.y / rule.cell.y;
  turn.across = std::abs(turn.x) > std::abs(turn.y);
  if (turn.across) std::swap(turn.x, turn.y);
  turn.back = turn.y < 0;
  turn.y = std::abs(turn.y);
  return turn;
}

WindRows wind_rows(const DuneRule& rule, const WindTurn& turn, bool calm) {
  const double cell_x = turn.across ? rule.cell.y : rule.cell.x, cell_y = turn.across ? rule.cell.x : rule.cell.y;
  const double aside = turn.x / turn.y;
  const double step = std::sqrt(aside * aside * cell_x * cell_x + cell_y * cell_y);
  const auto slant = [&](double tangent, bool against) {
    Slant s;
    s.side = static_cast<float>(std::abs(aside));
    s.step = (aside > 0) == against ? 1 : -1;
    s.drop = static_cast<float>(tangent * step / rule.quantum);
    return s;
  };
  WindRows rows;
  rows.shadow = slant(DuneRule::shadow, false);
  rows.standing = slant(DuneRule::standing, true);
  rows.turning = slant(DuneRule::turning, true);
  const double lift = calm ? 0 : DuneRule::lift * rule.scale / rule.quantum;
  for (int k = 0; k < 3; ++k) {
    rows.mean[k].fresh = static_cast<float>(1 / (1 + DuneRule::memory[k] * rule.scale / step));
    rows.mean[k].gain = static_cast<float>(lift * DuneRule::gain[k] * rule.quantum / rule.scale);
  }
  rows.lift = static_cast<float>(lift);
  rows.most = static_cast<float>(lift * DuneRule::most);
  rows.level = static_cast<float>(0.01 * rule.scale / rule.quantum);
  return rows;
}

HopCells hop_cells(const DuneRule& rule, const WindTurn& turn, int64_t k) {
  const double length = DuneRule::hop * rule.scale;
  return {static_cast<int64_t>(std::floor(length * turn.x + part(k, 0xc13fa9a902a6328f))),
          static_cast<int64_t>(std::floor(length * turn.y + part(k, 0x91e10da5c79e7b1d)))};
}

SlideRule slide_rule(const DuneRule& rule, bool across, bool calm) {
  SlideRule slide;
  slide.rest = static_cast<float>(0.97 * rule.repose / rule.quantum);
  slide.per_x = static_cast<float>(1 / (across ? rule.cell.y : rule.cell.x));
  slide.per_y = static_cast<float>(1 / (across ? rule.cell.x : rule.cell.y));
  slide.haste = DuneRule::haste;
  slide.creep = calm ? 0 : DuneRule::creep;
  slide.face = static_cast<float>(DuneRule::face * (across ? rule.cell.x : rule.cell.y) / rule.quantum);
  slide.pressed = DuneRule::pressed;
  return slide;
}

FallSteps fall_steps(const DuneRule& rule, bool across) {
  const double x = across ? rule.cell.y : rule.cell.x, y = across ? rule.cell.x : rule.cell.y;
  const auto quanta = [&](double way) {
    return static_cast<int32_t>(std::clamp(std::floor(rule.repose * way / rule.quantum), 1.0, 0x1p28));
  };
  return {quanta(y), quanta(std::sqrt(x * x + y * y))};
}

int64_t rows_before(const DuneRule& rule, int64_t rows) {
  return rule.border == DuneBorder::open ? 0 : std::min<int64_t>(rows, 256);
}

DuneField::DuneField(DuneGround ground, const DuneRule& rule)
    : rule_(rule),
      width_(ground.rock.width()),
      height_(ground.rock.height()),
      has_share_(!ground.share.empty()),
      left_sum_(ground.left) {
  const auto [low, high] = std::ranges::minmax(ground.rock.cells());
  rugged_ = low < high;
  const auto take = [&]<class T>(const Grid<T>& from) {
    Rows<T> rows = rows_of(T(0));
    for (int64_t y = 0; y < height_; ++y) std::copy_n(from.row(y), width_, rows.row(y));
    return rows;
  };
  rock_ = take(ground.rock), sand_ = take(ground.sand), air_ = take(ground.air);
  if (has_share_) share_ = take(ground.share);
  size_rows();
}

template <class T>
DuneField::Rows<T> DuneField::rows_of(T value) const {
  const int64_t whole = (width_ + dune_pad - 1) / dune_pad * dune_pad;
  return {Grid<T>(whole + 2 * dune_pad, height_ + 2, value)};
}

void DuneField::size_rows() {
  next_air_ = rows_of(int32_t{0}), top_ = rows_of(dune_wall), wind_ = rows_of(0.0f);
  if (rugged_) far_ = rows_of(0.0f), near_ = rows_of(0.0f);
  left_.assign(static_cast<size_t>(height_), 0);
}

/// From rows that lie as `width_` and `height_` say.
template <class T>
void DuneField::turn_rows(Rows<T>& rows, bool across, bool back) const {
  if (across) {
    Grid<T> turned((height_ + dune_pad - 1) / dune_pad * dune_pad + 2 * dune_pad, width_ + 2, T(0));
    constexpr int64_t block = 32;
    for (int64_t y0 = 0; y0 < height_; y0 += block)
      for (int64_t x = 0; x < width_; ++x)
        for (int64_t y = y0; y < std::min(y0 + block, height_); ++y) turned.row(x + 1)[y + dune_pad] = rows.row(y)[x];
    rows.cells = std::move(turned);
  }
  if (back) {
    const int64_t count = across ? width_ : height_;
    for (int64_t y = 0; y < count / 2; ++y)
      std::swap_ranges(rows.cells.row(y + 1), rows.cells.row(y + 1) + rows.cells.width(), rows.cells.row(count - y));
  }
}

void DuneField::turn_to(const WindTurn& turn) {
  if (turn.across == across_ && turn.back == back_) return;
  const auto all = [&](bool across, bool back) {
    turn_rows(rock_, across, back), turn_rows(sand_, across, back), turn_rows(air_, across, back);
    if (has_share_) turn_rows(share_, across, back);
  };
  if (turn.across != across_) {
    if (back_) all(false, true);
    all(true, turn.back);
    std::swap(width_, height_);
    size_rows();
  } else {
    all(false, true);
  }
  across_ = turn.across, back_ = turn.back;
}

void DuneField::extend(float* row) const {
  const int64_t n = width_;
  const bool repeats = rule_.border == DuneBorder::repeats;
  for (int64_t i = 1; i <= sweep_reach; ++i) {
    row[-i] = repeats ? row[wrapped(-i, n)] : row[0];
    row[n - 1 + i] = repeats ? row[(i - 1) % n] : row[n - 1];
  }
}

/// Walls that stand across the wind.
void DuneField::look_before_walls(const WindRows& wind) {
  if (!rugged_) return;
  for (const bool near : {false, true}) {
    Rows<float>& lines = near ? near_ : far_;
    const Slant& slant = near ? wind.turning : wind.standing;
    for (int64_t y = height_ - 1; y >= 0; --y) {
      if (y + 1 < height_)
        cast_row(lines.row(y + 1), rock_.row(y), nullptr, slant, width_, lines.row(y));
      else
        for (int64_t x = 0; x < width_; ++x) lines.row(y)[x] = static_cast<float>(rock_.row(y)[x]);
      extend(lines.row(y));
    }
  }
}

/// Where there is wind and how much, from the first row to the last.
void DuneField::sweep(const WindRows& wind) {
  const auto length = static_cast<size_t>(rock_.cells.width() + 2 * dune_pad);
  std::vector<float> buffers[10];
  for (std::vector<float>& buffer : buffers) buffer.assign(length, 0.0f);
  const auto row = [&](int i) { return buffers[i].data() + dune_pad; };
  float *line = row(0), *line_before = row(1), *rise = row(2), *smooth = row(3);
  float *mean[3] = {row(4), row(5), row(6)}, *mean_before[3] = {row(7), row(8), row(9)};
  const int64_t before = rows_before(rule_, height_), n = width_;
  const bool repeats = rule_.border == DuneBorder::repeats;
  for (int64_t i = -before; i < height_; ++i) {
    const int64_t y = wrapped(i, height_);
    std::swap(line, line_before), std::swap(mean, mean_before);
    // Before the border of a land that does not repeat there are the dunes of the other side on level rock.
    const int32_t *rock = rock_.row(repeats ? y : std::max<int64_t>(i, 0)), *sand = sand_.row(y);
    std::fill_n(rise, n, 0.0f);
    if (i == -before) {
      for (int64_t x = 0; x < n; ++x) line[x] = static_cast<float>(rock[x] + sand[x]);
      for (float* m : mean) std::copy_n(line, n, m);
    } else {
      cast_row(line_before, rock, sand, wind.shadow, n, line);
      for (int k = 0; k < 3; ++k) mean_row(mean_before[k], line, wind.shadow, wind.mean[k], n, mean[k], rise);
    }
    extend(line), extend(rise);
    for (float* m : mean) extend(m);
    if (i < 0) continue;
    smooth_rise(rise, smooth, n);
    wind_row({rock, sand, line, rise, rugged_ ? far_.row(y) : nullptr, rugged_ ? near_.row(y) : nullptr, wind.lift,
              wind.most, wind.level},
             n, wind_.row(y));
  }
}

/// What is in the air of a row goes on.
void DuneField::carry(int64_t y, const HopCells& hop) {
  const int64_t n = width_;
  const int32_t* from = air_.row(y);
  const bool open = rule_.border == DuneBorder::open;
  if (!open) {
    int32_t* to = next_air_.row((y + hop.y) % height_);
    const int64_t aside = wrapped(hop.x, n);
    std::copy_n(from, n - aside, to + aside);
    std::copy_n(from + n - aside, aside, to);
    return;
  }
  const bool inside = y + hop.y < height_;
  const int64_t first = std::clamp<int64_t>(-hop.x, 0, n), last = std::clamp<int64_t>(n - hop.x, first, n);
  int64_t left = 0;
  for (int64_t x = 0; x < n; ++x)
    if (!inside || x < first || x >= last) left += from[x];
  left_[static_cast<size_t>(y)] = left;
  if (!inside) return;
  int32_t* to = next_air_.row(y + hop.y);
  std::fill_n(to, n, 0);
  std::copy(from + first, from + last, to + first + hop.x);
}

void DuneField::hop(const HopCells& hop, int64_t first_row, const Context& context) {
  constexpr int64_t rows = DuneRule::rows_of_fall;
  parallel_chunks((height_ - first_row + 2 * rows - 1) / rows, 1, context, [&](int64_t chunk, int64_t) {
    const int64_t begin = std::max<int64_t>(0, first_row + (chunk - 1) * rows);
    const int64_t end = std::min(height_, first_row + chunk * rows);
    for (int64_t y = begin; y < end; ++y) {
      hop_row(
          {rock_.row(y), wind_.row(y), has_share_ ? share_.row(y) : nullptr, sand_.row(y), air_.row(y), top_.row(y)},
          width_, {DuneRule::stop_on_sand, DuneRule::stop_on_rock});
      carry(y, hop);
      close_ends(top_.row(y));
    }
    fall(begin, end);
  });
  if (rule_.border == DuneBorder::open) {
    for (int64_t y = 0; y < std::min(hop.y, height_); ++y) std::fill_n(next_air_.row(y), width_, 0);
    for (const int64_t left : left_) left_sum_ += left;
  }
  std::swap(air_, next_air_);
  close_top();
}

/// Sand falls down slopes behind crests, from row to row.
void DuneField::fall(int64_t begin, int64_t end) {
  const int64_t stride = top_.cells.width(), n = width_;
  std::vector<int32_t> room(static_cast<size_t>(3 * stride), 0);
  int32_t* const parts[3] = {room.data() + dune_pad, room.data() + stride + dune_pad,
                             room.data() + 2 * stride + dune_pad};
  const bool repeats = rule_.border == DuneBorder::repeats;
  const FallSteps steps = fall_steps(rule_, across_);
  for (int64_t y = begin; y + 1 < end; ++y) {
    const FallRow row{top_.row(y), sand_.row(y), stride, steps.straight, steps.aslant};
    fall_row(row, n, parts);
    parts[0][n] = repeats ? parts[0][0] : 0;
    parts[2][-1] = repeats ? parts[2][n - 1] : 0;
    land_row(row, n, parts);
    close_ends(top_.row(y)), close_ends(top_.row(y + 1));
    std::fill_n(sand_.row(y) + n, dune_pad, 0);
  }
}

/// The heights beyond both ends of a row.
void DuneField::close_ends(int32_t* row) const {
  const bool repeats = rule_.border == DuneBorder::repeats;
  const int32_t first = row[0], last = row[width_ - 1];
  row[-1] = repeats ? last : dune_wall;
  row[width_] = repeats ? first : dune_wall;
}

/// The heights around the land.
void DuneField::close_top() {
  if (rule_.border != DuneBorder::repeats) return;
  std::copy_n(top_.row(height_ - 1) - 1, width_ + 2, top_.row(-1) - 1);
  std::copy_n(top_.row(0) - 1, width_ + 2, top_.row(height_) - 1);
}

void DuneField::slide_once(const SlideRule& rule, bool blows, const Context& context) {
  const bool repeats = rule_.border == DuneBorder::repeats;
  const int64_t stride = top_.cells.width(), n = width_;
  parallel_chunks(height_, grain_of(width_), context, [&](int64_t begin, int64_t end) {
    std::vector<float> room(static_cast<size_t>(3 * stride), 0.0f);
    float* loose[3] = {room.data() + dune_pad, room.data() + stride + dune_pad, room.data() + 2 * stride + dune_pad};
    const auto fill = [&](int64_t y, float* row) {
      if (!repeats && (y < 0 || y >= height_)) {
        std::fill_n(row - 1, n + 2, 0.0f);
        return;
      }
      const int64_t own = wrapped(y, height_);
      loose_row({top_.row(own), rock_.row(own), blows ? wind_.row(own) : nullptr, stride}, n, rule, row);
      const float first = row[0], last = row[n - 1];
      row[-1] = repeats ? last : 0.0f;
      row[n] = repeats ? first : 0.0f;
    };
    fill(begin - 1, loose[0]);
    fill(begin, loose[1]);
    for (int64_t y = begin; y < end; ++y) {
      fill(y + 1, loose[2]);
      slide_row(top_.row(y), stride, loose, n, sand_.row(y));
      std::fill_n(sand_.row(y) + n, dune_pad, 0);
      std::rotate(loose, loose + 1, loose + 3);
    }
  });
}

void DuneField::blow(const WindSpell& spell, const Context& context) {
  const WindTurn turn = wind_turn(rule_, spell.toward);
  turn_to(turn);
  const WindRows wind = wind_rows(rule_, turn, spell.calm);
  const SlideRule rule = slide_rule(rule_, across_, spell.calm);
  const Context quiet = context.told_to(nullptr);
  look_before_walls(wind);
  for (int64_t k = 0; k < spell.rounds; ++k) {
    context.check();
    if (k % DuneRule::rounds_a_sweep == 0) sweep(wind);
    const int64_t round = spell.first + k;
    hop(hop_cells(rule_, turn, round), DuneRule::first_row_of_fall(round), quiet);
    slide_once(rule, !spell.calm, quiet);
    context.progress(static_cast<double>(k + 1) / static_cast<double>(spell.rounds));
  }
}

void DuneField::slide(int64_t rounds, const Context& context) {
  const Context quiet = context.told_to(nullptr);
  const SlideRule rule = slide_rule(rule_, across_, true);
  for (int64_t k = 0; k < rounds; ++k) {
    context.check();
    for (int64_t y = 0; y < height_; ++y) {
      for (int64_t x = 0; x < width_; ++x)
        top_.row(y)[x] = has_share_ && !(share_.row(y)[x] > 0) ? dune_wall : rock_.row(y)[x] + sand_.row(y)[x];
      close_ends(top_.row(y));
    }
    close_top();
    slide_once(rule, false, quiet);
  }
}

DuneGround DuneField::finish() {
  WindTurn as_land;
  turn_to(as_land);
  DuneGround ground;
  const auto give = [&](const Rows<int32_t>& rows) {
    Grid<int32_t> out(width_, height_);
    for (int64_t y = 0; y < height_; ++y) std::copy_n(rows.row(y), width_, out.row(y));
    return out;
  };
  for (int64_t y = 0; y < height_; ++y)
    for (int64_t x = 0; x < width_; ++x) sand_.row(y)[x] += std::exchange(air_.row(y)[x], 0);
  ground.rock = give(rock_), ground.sand = give(sand_), ground.air = give(air_);
  if (has_share_) {
    ground.share = Grid<float>(width_, height_);
    for (int64_t y = 0; y < height_; ++y) std::copy_n(share_.row(y), width_, ground.share.row(y));
  }
  ground.left = left_sum_;
  return ground;
}

}  // namespace tepui
