#include "tepui/render/ground/biome_look.h"

#include "tepui/core/srgb.h"

namespace tepui {

namespace {

using K = GroundKind;

void set(BiomeLook& c, K kind, uint32_t one, uint32_t other) {
  c.tones[static_cast<size_t>(kind)] = {paint(one), paint(other)};
}

void set_rock(BiomeLook& c, const std::array<uint32_t, 5>& rock, const std::array<uint32_t, 3>& tints) {
  constexpr std::array<float, 5> levels = {0, 0.3f, 0.55f, 0.8f, 1};
  for (size_t i = 0; i < rock.size(); ++i) c.sequence[i] = {levels[i], paint(rock[i])};
  for (size_t i = 0; i < tints.size(); ++i) c.bed_tints[i] = paint(tints[i]);
}

/// What most of them share.
BiomeLook usual() {
  BiomeLook c{};
  set(c, K::soil, 0x6b5a45, 0x7e6d55);
  set(c, K::mud, 0x5b5145, 0x6e6354);
  set(c, K::gravel, 0x8f8a80, 0xa39d92);
  set(c, K::sand, 0xc0b294, 0xb0a286);
  set(c, K::scree, 0x8d8880, 0xa09a90);
  set(c, K::grass, 0x5a6236, 0x777648);
  set(c, K::shrub, 0x505334, 0x666342);
  set(c, K::conifer, 0x28332a, 0x3a4331);
  set(c, K::broadleaf, 0x3d4a2b, 0x565f37);
  set(c, K::ice, 0xb4cbd6, 0xd2e0e6);
  c.tones[static_cast<size_t>(K::snow)] = {{0.86f, 0.88f, 0.91f}, {0.86f, 0.88f, 0.91f}};
  c.flat_rock = paint(0x827d74);
  c.stain = paint(0x35332f);
  c.scree_from = 0.48f, c.scree_to = 0.72f, c.rock_from = 0.78f, c.rock_to = 1.15f;
  return c;
}

BiomeLook desert() {
  BiomeLook c = usual();
  c.sequence = {{{0, paint(0x7d3d2a)},
                 {0.3f, paint(0x8a4a37)},
                 {0.55f, paint(0x9f5a43)},
                 {0.945f, paint(0xae6e52)},
                 {0.965f, paint(0xc5a382)}}};
  c.bed_tints = {paint(0xd6b189), paint(0x5f2e22), paint(0x7d4a3c)};
  c.thinnest = 0.011f;
  c.spread = 0.04f;
  c.contrast = 1.25f;
  c.massive_from = 0.56f;
  c.massive_to = 0.93f;
  set(c, K::soil, 0xab7657, 0xbc9374);
  set(c, K::mud, 0x9a6a50, 0xab7d60);
  set(c, K::gravel, 0xb08a6c, 0xc0a084);
  set(c, K::grass, 0x7d7f5f, 0x938e6b);
  set(c, K::shrub, 0x66694c, 0x7c7c5c);
  set(c, K::conifer, 0x3d4630, 0x4e553a);
  set(c, K::broadleaf, 0x55622f, 0x6f7840);
  set(c, K::sand, 0xcfb593, 0xc09b79);
  set(c, K::scree, 0xb58868, 0xc2a084);
  c.seasons = 0.25f;
  c.flat_rock = paint(0xbe9d7b);
  c.stain = paint(0x43261f);
  c.stains = 0.62f;
  c.scree_from = 0.32f, c.scree_to = 0.55f, c.rock_from = 0.74f, c.rock_to = 1.05f;
  c.arid = true;
  c.open = {{.kind = K::soil},
            {.kind = K::sand,
             .amount = 0.4f,
             .from = 0.1f,
             .to = 0.8f,
             .broad = -0.9f,
             .fine = 0.5f,
             .flat = 0.2f,
             .steep = 0.5f},
            {.kind = K::grass,
             .amount = 0.75f,
             .from = 0,
             .to = 0.6f,
             .broad = 0.6f,
             .fine = 0.6f,
             .pebbles = 1.2f,
             .flat = 0.2f,
             .steep = 0.5f},
            {.kind = K::rock, .amount = 0.85f, .zone = Zone::cap},
            {.kind = K::rock, .amount = 0.85f, .zone = Zone::cap, .from = -0.3f, .to = 0.3f, .fine = 1}};
  return c;
}

BiomeLook alpine() {
  BiomeLook c = usual();
  set_rock(c, {0x716b62, 0x7c766d, 0x87827a, 0x8b8884, 0x96938f}, {0xa39a8a, 0x56524e, 0x7a6a58});
  c.thinnest = 0.02f;
  c.spread = 0.09f;
  c.contrast = 0.55f;
  c.ledges = 0.7f;
  c.dip = {0.22, 0.11};
  set(c, K::grass, 0x5a5e37, 0x77754a);
  set(c, K::sand, 0xa89d8a, 0x978c7a);
  c.scree_of_rock = 0.3f;
  c.stains = 0.45f;
  c.scree_from = 0.6f, c.scree_to = 0.85f;
  c.snow_line = 0.66f;
  c.open = {{.kind = K::grass},
            {.kind = K::soil, .amount = 0.3f, .from = 0.2f, .to = 0.8f, .broad = 0.4f, .fine = 1},
            {.kind = K::scree, .amount = 0.7f, .from = 0.15f, .to = 0.45f, .broad = 0.4f, .fine = 0.5f, .pebbles = 1},
            {.kind = K::rock, .amount = 0.8f, .from = 0.45f, .to = 0.6f, .broad = -0.4f, .fine = 0.9f, .pebbles = 0.6f},
            {.kind = K::shrub, .amount = 0.5f, .zone = Zone::woods, .from = 0, .to = 0.6f, .broad = 0.5f, .fine = 1},
            {.kind = K::conifer,
             .amount = 0.95f,
             .zone = Zone::woods,
             .from = -0.15f,
             .to = 0.12f,
             .broad = 0.7f,
             .fine = 0.6f,
             .slope = 0.5f,
             .flat = 0.8f,
             .steep = 1.05f},
            {.kind = K::scree, .amount = 0.75f, .zone = Zone::bare},
            {.kind = K::rock, .amount = 0.6f, .zone = Zone::bare, .from = 0, .to = 0.5f, .fine = 1}};
  return c;
}

BiomeLook coast() {
  BiomeLook c = usual();
  set_rock(c, {0x8e8371, 0xa39883, 0xb5ab95, 0xbbb29e, 0xaf9f83}, {0xd0c7b2, 0x746651, 0x96805f});
  c.thinnest = 0.018f;
  c.spread = 0.07f;
  c.contrast = 0.7f;
  c.dip = {0.05, -0.03};
  set(c, K::soil, 0x84694a, 0x96805c);
  set(c, K::gravel, 0xa59b88, 0xb7ae9b);
  set(c, K::grass, 0x53652f, 0x7b8048);
  set(c, K::shrub, 0x4a5a2c, 0x63693a);
  set(c, K::sand, 0xd9c9a3, 0xcbb68d);
  set(c, K::scree, 0xa3957c, 0xb6aa92);
  c.seasons = 0.6f;
  c.flat_rock = paint(0xa29881);
  c.stain = paint(0x4b4337);
  c.stains = 0.4f;
  c.scree_from = 0.65f, c.scree_to = 0.9f, c.rock_from = 0.72f, c.rock_to = 1.05f;
  c.open = {{.kind = K::grass},
            {.kind = K::soil, .amount = 0.4f, .from = 0.2f, .to = 0.8f, .broad = 0.5f, .fine = 1},
            {.kind = K::shrub, .amount = 0.8f, .from = 0.1f, .to = 0.4f, .broad = 0.6f, .fine = 0.8f, .slope = 0.3f},
            {.kind = K::rock, .amount = 0.6f, .from = 0.6f, .to = 1, .fine = 1, .slope = 0.8f}};
  return c;
}

BiomeLook karst() {
  BiomeLook c = usual();
  set_rock(c, {0xa8a294, 0xb7b2a5, 0xc3bfb4, 0xc6c3ba, 0xbdb8ad}, {0xd8d4c8, 0x8a857a, 0xb3a284});
  c.thinnest = 0.014f;
  c.spread = 0.05f;
  c.contrast = 0.6f;
  c.dip = {0.02, 0.03};
  set(c, K::soil, 0x8a4a30, 0x9c6444);
  set(c, K::gravel, 0xb0aa9c, 0xc0bbae);
  set(c, K::grass, 0x4d582f, 0x666c3e);
  set(c, K::broadleaf, 0x33451f, 0x4c5b2a);
  set(c, K::sand, 0xcfc4a8, 0xbdae8d);
  set(c, K::scree, 0xb4aea0, 0xc4bfb2);
  c.seasons = 0.7f;
  c.flat_rock = paint(0xb4afa3);
  c.stain = paint(0x3c3b38);
  c.stains = 0.6f;
  c.scree_from = 0.7f, c.scree_to = 1.0f, c.rock_from = 0.75f, c.rock_to = 1.2f;
  c.open = {{.kind = K::grass},
            {.kind = K::soil, .amount = 0.5f, .from = 0.2f, .to = 0.8f, .broad = 0.5f, .fine = 1},
            {.kind = K::broadleaf, .amount = 0.9f, .from = -0.3f, .to = 0.1f, .broad = 0.4f, .fine = 0.7f},
            {.kind = K::rock, .amount = 0.85f, .from = 0.3f, .to = 0.8f, .broad = 0.3f, .fine = 1, .slope = 0.8f}};
  return c;
}

BiomeLook temperate() {
  BiomeLook c = usual();
  set_rock(c, {0x6e6556, 0x7b7263, 0x877d6d, 0x8d8475, 0x948b7d}, {0x9d917b, 0x544c41, 0x7c6c54});
  c.contrast = 0.55f;
  c.ledges = 0.7f;
  c.dip = {0.08, -0.05};
  set(c, K::soil, 0x6a5138, 0x806548);
  set(c, K::grass, 0x566b2f, 0x788243);
  set(c, K::broadleaf, 0x33481f, 0x4c6029);
  set(c, K::sand, 0xb7a785, 0xa69573);
  set(c, K::scree, 0x857d6f, 0x978f81);
  c.flat_rock = paint(0x827a6b);
  c.scree_from = 0.6f, c.scree_to = 0.85f, c.rock_from = 0.82f, c.rock_to = 1.2f;
  c.snow_line = 1.3f;
  c.open = {{.kind = K::grass},
            {.kind = K::soil, .amount = 0.2f, .from = 0.3f, .to = 0.9f, .broad = 0.4f, .fine = 1},
            {.kind = K::shrub, .amount = 0.6f, .from = 0.15f, .to = 0.5f, .broad = 0.6f, .fine = 1},
            {.kind = K::broadleaf,
             .amount = 0.95f,
             .zone = Zone::woods,
             .from = -0.05f,
             .to = 0.15f,
             .broad = 0.8f,
             .fine = 0.55f,
             .slope = 0.6f,
             .flat = 0.85f,
             .steep = 1.1f},
            {.kind = K::conifer,
             .amount = 0.6f,
             .zone = Zone::woods,
             .from = 0.25f,
             .to = 0.6f,
             .broad = -0.8f,
             .fine = 0.6f,
             .slope = 0.7f,
             .flat = 0.85f,
             .steep = 1.1f}};
  return c;
}

BiomeLook boreal() {
  BiomeLook c = usual();
  set_rock(c, {0x6c6661, 0x77716c, 0x837c76, 0x8b857e, 0x8d8781}, {0x9c8f86, 0x524d4a, 0x86736a});
  c.contrast = 0.3f;
  c.ledges = 0.4f;
  c.massive_from = 0;
  c.massive_to = 1;
  set(c, K::soil, 0x54463a, 0x66563f);
  set(c, K::mud, 0x41392f, 0x52483b);
  set(c, K::grass, 0x6a6d44, 0x7f7c54);
  set(c, K::shrub, 0x5a5640, 0x6e654b);
  set(c, K::conifer, 0x29322a, 0x3b4335);
  set(c, K::broadleaf, 0x53662f, 0x6f7c3d);
  c.flat_rock = paint(0x87827b);
  c.scree_from = 0.6f, c.scree_to = 0.85f, c.rock_from = 0.7f, c.rock_to = 1.1f;
  c.snow_line = 1.1f;
  c.open = {{.kind = K::shrub},
            {.kind = K::grass,
             .amount = 0.7f,
             .from = -0.3f,
             .to = 0.5f,
             .broad = -0.5f,
             .fine = 0.8f,
             .flat = 0.15f,
             .steep = 0.5f},
            {.kind = K::broadleaf,
             .amount = 0.6f,
             .zone = Zone::woods,
             .from = 0.1f,
             .to = 0.5f,
             .broad = -0.6f,
             .fine = 0.9f},
            {.kind = K::conifer,
             .amount = 0.95f,
             .zone = Zone::woods,
             .from = -0.5f,
             .to = -0.15f,
             .broad = 0.6f,
             .fine = 0.6f,
             .slope = 0.3f,
             .flat = 0.8f,
             .steep = 1.05f},
            {.kind = K::rock, .amount = 0.6f, .from = 0.6f, .to = 1.0f, .fine = 1, .slope = 0.5f},
            {.kind = K::rock, .amount = 0.5f, .zone = Zone::bare, .from = -0.2f, .to = 0.5f, .fine = 1}};
  return c;
}

BiomeLook savanna() {
  BiomeLook c = usual();
  set_rock(c, {0x7d5a45, 0x8a6650, 0x96735b, 0x9c7c64, 0xa0856e}, {0xb79a7c, 0x573d30, 0x7d5c47});
  c.contrast = 0.6f;
  set(c, K::soil, 0x9a5c3a, 0xae7450);
  set(c, K::mud, 0x6a4e3b, 0x7d6049);
  set(c, K::gravel, 0x9c8068, 0xad937a);
  set(c, K::grass, 0x91835a, 0xac9b72);
  set(c, K::shrub, 0x66623f, 0x7a734e);
  set(c, K::broadleaf, 0x464d2e, 0x5d623b);
  set(c, K::sand, 0xc7a67c, 0xb8946a);
  set(c, K::scree, 0x937359, 0xa5876c);
  c.seasons = 0.7f;
  c.flat_rock = paint(0x9c7d64);
  c.stain = paint(0x3a2a22);
  c.scree_from = 0.55f, c.scree_to = 0.8f, c.rock_from = 0.75f, c.rock_to = 1.1f;
  c.open = {{.kind = K::grass},
            {.kind = K::soil, .amount = 0.6f, .from = 0, .to = 0.6f, .broad = 0.5f, .fine = 0.9f},
            {.kind = K::shrub, .amount = 0.3f, .from = 0, .to = 0.5f, .broad = 0.5f, .fine = 0.8f},
            {.kind = K::broadleaf,
             .amount = 0.55f,
             .from = -0.3f,
             .to = 0.7f,
             .broad = -0.7f,
             .fine = 0.8f,
             .slope = 0.4f,
             .flat = 0.6f,
             .steep = 0.9f}};
  return c;
}

BiomeLook volcanic() {
  BiomeLook c = usual();
  set_rock(c, {0x2e2c2a, 0x34312f, 0x3b3633, 0x453c37, 0x544238}, {0x6e4635, 0x242322, 0x504a45});
  c.contrast = 0.8f;
  c.thinnest = 0.02f;
  c.spread = 0.06f;
  set(c, K::soil, 0x453c35, 0x594b41);
  set(c, K::mud, 0x46403a, 0x554c44);
  set(c, K::gravel, 0x4c4844, 0x5c5651);
  set(c, K::grass, 0x5d6738, 0x7a8047);
  set(c, K::shrub, 0x5a6236, 0x727442);
  set(c, K::sand, 0x3f3c3a, 0x504b47);
  set(c, K::scree, 0x443e3a, 0x5c4b40);
  c.seasons = 0.4f;
  c.scree_of_rock = 0.4f;
  c.flat_rock = paint(0x302d2b);
  c.stain = paint(0x6d3b28);
  c.stains = 0.35f;
  c.scree_from = 0.35f, c.scree_to = 0.6f, c.rock_from = 0.8f, c.rock_to = 1.15f;
  c.arid = true;
  c.snow_line = 1.2f;
  c.open = {{.kind = K::sand},
            {.kind = K::rock, .amount = 0.95f, .from = -0.1f, .to = 0.15f, .broad = 0.9f, .fine = 0.5f},
            {.kind = K::scree, .amount = 0.7f, .from = 0.1f, .to = 0.5f, .broad = -0.7f, .fine = 0.8f},
            {.kind = K::grass,
             .amount = 0.6f,
             .zone = Zone::woods,
             .from = 0.1f,
             .to = 0.5f,
             .broad = -0.5f,
             .fine = 1,
             .flat = 0.25f,
             .steep = 0.6f}};
  return c;
}

BiomeLook ice() {
  BiomeLook c = usual();
  set_rock(c, {0x4a4744, 0x54504d, 0x5d5955, 0x65615d, 0x6b6763}, {0x7c756e, 0x3a3735, 0x5f5248});
  c.contrast = 0.5f;
  c.dip = {0.12, 0.07};
  set(c, K::scree, 0x5f5b57, 0x716c67);
  set(c, K::sand, 0x77726c, 0x67625d);
  c.seasons = 0;
  c.flat_rock = paint(0x5d5a56);
  c.stains = 0.3f;
  c.scree_from = 0.8f, c.scree_to = 1.0f, c.rock_from = 0.85f, c.rock_to = 1.15f;
  c.arid = true;
  c.snow_line = 0.3f;
  c.open = {{.kind = K::scree}, {.kind = K::ice, .amount = 0.9f, .flat = 0.7f, .steep = 1.2f}};
  return c;
}

BiomeLook tundra() {
  BiomeLook c = usual();
  set_rock(c, {0x625d57, 0x6c6760, 0x77716a, 0x7f7a73, 0x86817a}, {0x948b80, 0x4c4844, 0x77685a});
  c.contrast = 0.45f;
  set(c, K::soil, 0x5d4b3a, 0x70604b);
  set(c, K::mud, 0x4a4137, 0x5a5145);
  set(c, K::grass, 0x6b6845, 0x807857);
  set(c, K::shrub, 0x655545, 0x76634b);
  c.flat_rock = paint(0x7c7770);
  c.snow_line = 0.85f;
  c.scree_from = 0.4f, c.scree_to = 0.65f, c.rock_from = 0.75f, c.rock_to = 1.1f;
  c.open = {{.kind = K::shrub},
            {.kind = K::grass, .amount = 0.9f, .from = -0.1f, .to = 0.35f, .broad = 0.6f, .fine = 0.9f},
            {.kind = K::scree, .amount = 0.7f, .from = 0.3f, .to = 0.7f, .broad = -0.4f, .fine = 1, .slope = 0.7f},
            {.kind = K::scree, .amount = 0.8f, .zone = Zone::bare}};
  return c;
}

/// The plants' tones out of the time that a biome's own are of, which is summer.
struct SeasonTones {
  K kind;
  Season season;
  uint32_t one, other;
  float amount;
};
constexpr SeasonTones season_tones[] = {
    {K::grass, Season::winter, 0x8a7d5a, 0x9c8f6c, 0.75f},     {K::grass, Season::spring, 0x5b6d33, 0x7d8848, 0.5f},
    {K::grass, Season::autumn, 0x857a4e, 0x968a5c, 0.55f},     {K::shrub, Season::winter, 0x6b5d48, 0x7a6a52, 0.7f},
    {K::shrub, Season::spring, 0x5c6c33, 0x76803f, 0.35f},     {K::shrub, Season::autumn, 0x74462f, 0x8c6238, 0.6f},
    {K::broadleaf, Season::winter, 0x5f5348, 0x75675a, 0.9f},  {K::broadleaf, Season::spring, 0x66803a, 0x829348, 0.6f},
    {K::broadleaf, Season::autumn, 0x8c552a, 0xa6843f, 0.85f}, {K::conifer, Season::autumn, 0x35402a, 0x4c4e2c, 0.2f},
};

}  // namespace

Rgb paint(uint32_t hex) {
  const auto channel = [&](int shift) {
    return static_cast<float>(linear_from_srgb(static_cast<double>((hex >> shift) & 255u) / 255));
  };
  return {channel(16), channel(8), channel(0)};
}

const BiomeLook& biome_look(Biome biome) {
  static const std::array<BiomeLook, biome_count> all = {desert(), alpine(),  coast(),    karst(), temperate(),
                                                         boreal(), savanna(), volcanic(), ice(),   tundra()};
  return all[static_cast<size_t>(biome)];
}

Tones tones_of(const BiomeLook& look, GroundKind kind, Season season) {
  Tones tones = look.of(kind);
  for (const SeasonTones& s : season_tones)
    if (s.kind == kind && s.season == season) {
      tones.one = mix(tones.one, paint(s.one), s.amount * look.seasons);
      tones.other = mix(tones.other, paint(s.other), s.amount * look.seasons);
    }
  return tones;
}

}  // namespace tepui
