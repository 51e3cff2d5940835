#include "tepui/render/ground/cover_table.h"

#include <algorithm>
#include <array>

namespace tepui {

namespace {

using K = GroundKind;

constexpr std::array<CoverRow, cover_row_count> rows = {{
    // name, kind, layer, laid by, hides, uneven, smooth, rough, ripples, roughness, colour
    {"rock", K::rock, "", LaidBy::nothing, 0, 0, 0, 0.06f, 0, 0.86f, 0xada398},
    {"sediment", {}, "sediment", LaidBy::depth, 0.5f, 0.6f, 0, 0, 0, 0.95f, 0xdcae62},
    {"scree", K::scree, "talus", LaidBy::depth, 0.5f, 0.6f, 0.02f, 0.32f, 0, 0.95f, 0xb39b80},
    {"soil", K::soil, "soil", LaidBy::depth, 0.4f, 0.6f, 0.05f, 0.08f, 0, 0.96f, 0x9b7b56},
    {"mud", K::mud, "mud", LaidBy::depth, 0.1f, 0.4f, 0.02f, 0.01f, 0, 0.8f, 0x7d6c58},
    {"gravel", K::gravel, "gravel", LaidBy::depth, 0.2f, 0.5f, 0.02f, 0.2f, 0, 0.92f, 0xc2bbae},
    {"sand", K::sand, "sand", LaidBy::depth, 0.25f, 0.6f, 0.02f, 0, 0.09f, 0.93f, 0xe6d396},
    {"grass", K::grass, "grass", LaidBy::share, 0, 0, 0.06f, 0.18f, 0, 0.98f, 0xa6c36f},
    {"shrub", K::shrub, "shrub", LaidBy::share, 0, 0, 0.05f, 0.3f, 0, 0.98f, 0x86a05c},
    {"conifer", K::conifer, "conifer", LaidBy::share, 0, 0, 0.05f, 0.42f, 0, 0.97f, 0x3d6b4c},
    {"broadleaf", K::broadleaf, "broadleaf", LaidBy::share, 0, 0, 0.06f, 0.4f, 0, 0.97f, 0x659645},
    {"water", {}, "water", LaidBy::water, 0.5f, 0, 0, 0, 0, 0.05f, 0x8fbbd9},
    {"ice", K::ice, "ice", LaidBy::depth, 1.0f, 0.3f, 0.04f, 0.05f, 0, 0.45f, 0xcfe3ee},
    {"snow", K::snow, "snow", LaidBy::depth, 0.2f, 0.4f, 0.025f, 0, 0.02f, 0.72f, 0xf6fafc},
}};

}  // namespace

std::span<const CoverRow, cover_row_count> cover_rows() { return rows; }

const CoverRow& row_of(GroundKind kind) {
  static const auto places = [] {
    std::array<size_t, ground_kinds> list{};
    for (size_t i = 0; i < rows.size(); ++i)
      if (rows[i].kind) list[static_cast<size_t>(*rows[i].kind)] = i;
    return list;
  }();
  return rows[places[static_cast<size_t>(kind)]];
}

std::string_view ground_kind_name(GroundKind kind) { return row_of(kind).name; }

bool is_plant(GroundKind kind) { return row_of(kind).by == LaidBy::share; }
bool is_tree(GroundKind kind) { return kind == GroundKind::conifer || kind == GroundKind::broadleaf; }

float hiding_thickness(double relief) { return static_cast<float>(std::clamp(0.004 * relief, 1e-6, 0.5)); }

}  // namespace tepui
