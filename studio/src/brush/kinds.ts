// The brushes: what each is called, what its bar shows, and what is sent of it.
import type { Fields } from '../protocol/messages';
import type { Form, Mouths, Sink } from './shape';

export type Over = 'land' | 'volume';
export type BrushName =
  | 'raise' | 'lower' | 'level' | 'set' | 'smooth' | 'layer'
  | 'build' | 'carve' | 'round' | 'harden' | 'weaken' | 'arch' | 'cave' | 'strata' | 'sea';

/** What the bar can change. Lengths are metres. */
export interface Settings {
  radius: number;
  strength: number;
  hardness: number;
  amount: number;
  target: number;
  towards: 'height' | 'ramp';
  began: boolean;
  layer: string;
  value: number;
  noise: number;
  resistance: number;
  rise: number;
  depth: number;
  wear: number;
  mouths: Mouths;
  sink: Sink;
}
export type Setting = keyof Settings;

export interface BrushKind {
  name: BrushName;
  over: Over;
  label: string;
  doc: string;
  icon: string;
  /** What the ghost is drawn like: it adds, takes away, or neither. */
  tint: 'more' | 'less' | 'even';
  op: 'paint' | 'sculpt' | 'smooth' | 'strata_erosion' | 'sea_erosion' | 'rock_body';
  /** While Ctrl is held. */
  opposite?: BrushName;
  settings: Setting[];
  form(s: Settings): Form;
  properties(s: Settings): Fields;
}

/** Rock ends where the field is this; deep inside it is twice as much, and nothing far outside. */
const threshold = 7.5;
const path = (): Form => ({ form: 'path' });

function paint(name: BrushName, label: string, doc: string, icon: string, tint: BrushKind['tint'], more: Setting[], own: (s: Settings) => Fields,
  rest: Partial<BrushKind> = {}): BrushKind {
  return {
    name, over: 'land', label, doc, icon, tint, op: 'paint', settings: ['radius', 'strength', 'hardness', ...more], form: path,
    properties: (s) => ({ tool: name, radius: s.radius, hardness: s.hardness, strength: s.strength, ...own(s) }), ...rest,
  };
}

/** Share of its falloff by which a stroke of twice the threshold moves the surface of whole rock: (1 - u^2)^3 = 1/2. */
export const reach = Math.sqrt(1 - Math.cbrt(0.5));

/** A stroke that moves the surface by `strength` times the radius; below a tenth it only scrapes. */
function rock(s: Settings, sign: 1 | -1, strength: number): Fields {
  const energy = (threshold / (1 - (reach * strength) ** 2) ** 3) * Math.min(10 * strength, 1);
  return {
    radius: 0, falloff: Number((s.radius / reach).toPrecision(4)), energy: Number((sign * energy).toPrecision(4)),
    ...(s.noise > 0 ? { noise: s.noise, noise_scale: 1.5 * s.radius } : {}),
  };
}

export const brushes: readonly BrushKind[] = [
  paint('raise', 'Raise', 'The ground goes up', 'raise', 'more', ['amount'], (s) => ({ amount: s.amount }), { opposite: 'lower' }),
  paint('lower', 'Lower', 'The ground goes down', 'lower', 'less', ['amount'], (s) => ({ amount: s.amount }), { opposite: 'raise' }),
  paint('level', 'Level', 'The ground goes to the height at which the stroke begins, or to one that you give', 'level', 'even', ['began', 'target'],
    (s) => (s.began ? {} : { target: s.target })),
  paint('set', 'Set height', 'The ground goes to a height, or rises evenly from the beginning of the stroke to its end: a road, a dam', 'set', 'even',
    ['towards', 'target'], (s) => (s.towards === 'ramp' ? {} : { target: s.target }), { form: (s) => ({ form: s.towards === 'ramp' ? 'ramp' : 'path' }) }),
  paint('smooth', 'Smooth', 'The ground goes to its mean around each place', 'smooth', 'even', [], () => ({})),
  paint('layer', 'Layer', 'A layer, such as a mask, goes to a value', 'layers', 'even', ['layer', 'value'], (s) => ({ layer: s.layer, value: s.value })),
  {
    name: 'build', over: 'volume', label: 'Raise', doc: 'Rock grows', icon: 'raise', tint: 'more', op: 'sculpt', opposite: 'carve',
    settings: ['radius', 'strength', 'noise'], form: path, properties: (s) => rock(s, 1, s.strength),
  },
  {
    name: 'carve', over: 'volume', label: 'Carve', doc: 'Rock is taken away', icon: 'lower', tint: 'less', op: 'sculpt', opposite: 'build',
    settings: ['radius', 'strength', 'noise'], form: path, properties: (s) => rock(s, -1, s.strength),
  },
  {
    name: 'round', over: 'volume', label: 'Smooth', doc: 'Edges and roughness of rock go', icon: 'smooth', tint: 'even', op: 'smooth',
    settings: ['radius', 'strength'], form: path, properties: (s) => ({ radius: s.radius, strength: s.strength }),
  },
  {
    name: 'harden', over: 'volume', label: 'Harden', doc: 'The rock resists erosion more', icon: 'harden', tint: 'more', op: 'rock_body', opposite: 'weaken',
    settings: ['radius', 'resistance'], form: path, properties: (s) => ({ radius: s.radius, resistance: s.resistance }),
  },
  {
    name: 'weaken', over: 'volume', label: 'Weaken', doc: 'The rock resists erosion less', icon: 'weaken', tint: 'less', op: 'rock_body', opposite: 'harden',
    settings: ['radius', 'resistance'], form: path, properties: (s) => ({ radius: s.radius, resistance: -s.resistance }),
  },
  {
    name: 'arch', over: 'volume', label: 'Arch', doc: 'Drag from one foot to the other', icon: 'arch', tint: 'more', op: 'sculpt',
    settings: ['radius', 'rise', 'noise'], form: (s) => ({ form: 'arch', rise: s.rise, sunk: s.radius }), properties: (s) => ({ name: 'arch', ...rock(s, 1, 1) }),
  },
  {
    name: 'cave', over: 'volume', label: 'Cave', doc: 'A gallery below the path that you draw', icon: 'cave', tint: 'less', op: 'sculpt',
    settings: ['radius', 'depth', 'sink', 'mouths', 'noise'], form: (s) => ({ form: 'cave', depth: s.depth, mouths: s.mouths, sink: s.sink }),
    properties: (s) => ({ name: 'cave', ...rock(s, -1, 1) }),
  },
  {
    name: 'strata', over: 'volume', label: 'Erode beds', doc: 'Erosion by the beds of the rock, here alone', icon: 'strata', tint: 'less', op: 'strata_erosion',
    settings: ['radius', 'wear'], form: path, properties: (s) => ({ radius: s.radius, depth: s.wear }),
  },
  {
    name: 'sea', over: 'volume', label: 'Erode by sea', doc: 'Erosion by waves, here alone', icon: 'water', tint: 'less', op: 'sea_erosion',
    settings: ['radius'], form: path, properties: (s) => ({ radius: s.radius }),
  },
];

const byName = new Map(brushes.map((kind) => [kind.name, kind]));
export const kindOf = (name: BrushName): BrushKind => byName.get(name)!;

/** The brush that a hand with Shift or Ctrl held has instead. */
export function turned(kind: BrushKind, shift: boolean, ctrl: boolean): BrushKind {
  if (shift) return kindOf(kind.over === 'land' ? 'smooth' : 'round');
  return ctrl && kind.opposite ? kindOf(kind.opposite) : kind;
}

const round = (v: number): number => Number(v.toPrecision(1));

/** What suits a world of that side and relief, in metres. */
export function firstSettings(side: number, relief: number, over: Over): Settings {
  const radius = round(side * (over === 'land' ? 0.05 : 0.02));
  return {
    radius, strength: over === 'land' ? 0.7 : 1, hardness: 0, amount: round(Math.max(relief, side * 0.02) * 0.1), target: 0, towards: 'height', began: true,
    layer: 'mask', value: 1, noise: 0, resistance: 0.3, rise: 2 * radius, depth: 2 * radius, wear: round(radius / 3), mouths: 'start', sink: 'down',
  };
}
