// What the page and the program say to each other as JSON: PROTOCOL.md as types.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Fields = { [key: string]: Json };

export interface Parameter {
  name: string;
  type: string;
  default: Json;
  min: number | null;
  max: number | null;
  slider: [number | null, number | null];
  unit: string;
  doc: string;
  choices?: string[];
  automatic?: boolean;
  record?: Parameter[];
}

export interface Operator {
  name: string;
  module: string;
  doc: string;
  citation: string;
  output: string;
  inputs: { name: string; type: string; optional: boolean; list: boolean }[];
  params: Parameter[];
}

export interface Preset {
  name: string;
  title: string;
  thumbnail: string | null;
}

export interface Variable {
  name: string;
  value: Json;
  default: Json;
  type?: string | null;
  min?: number | null;
  max?: number | null;
  slider?: [number | null, number | null] | null;
  unit?: string | null;
  doc?: string | null;
  choices?: string[] | null;
}

export interface RecipeNode {
  name: string;
  op: string;
  /** Its name in the registry. */
  operator?: string;
  inputs: { port: string; from: string }[];
  given: Fields;
  values: Fields;
  kind: string;
  /** The files that it is written to. */
  outputs?: string[];
  /** A brush made it. */
  brush?: boolean;
}

/** A file of strokes, and what reads it. */
export interface StrokeFile {
  lines: string;
  file: string;
  count: number;
  feeds: { node: string; port: string }[];
}

export interface StrokeAnswer {
  node: string;
  lines: string;
  stroke: number;
  made: boolean;
}

export interface StrokesAnswer {
  total: number;
  from: number;
  strokes: { line: number[][]; closed: boolean; properties: Fields }[];
}

export interface Problem {
  message: string;
  hint?: string | null;
  line?: number | null;
  column?: number | null;
  path?: string | null;
}

export interface Recipe {
  say: 'recipe';
  generation: number;
  text: string;
  title: string;
  name: string;
  file: string | null;
  state: 'saved' | 'unsaved' | 'saving' | 'conflict';
  seed: number;
  world: { size: [number, number]; resolution: number; sea_level: number | null };
  vars: Variable[];
  nodes: RecipeNode[];
  look?: { sun?: [number, number]; haze?: number };
  outputs: string[];
  shown: { node: string; layer: string | null };
  history: { label: string }[];
  step: number;
  strokes?: StrokeFile[];
  paused?: boolean;
  comparing?: boolean;
  problems: Problem[];
  /** Of nodes that nothing needs; all else is computed without them. */
  unfinished?: Problem[];
  ui?: { at: { [node: string]: [number, number] }; groups: NodeGroup[] };
}

export interface NodeGroup {
  name: string;
  nodes: string[];
  colour: string | null;
}

export interface Welcome {
  say: 'welcome';
  key: string;
  program: string;
  name: string;
  operators: Operator[];
  presets: Preset[];
  colour_maps: string[];
}

export type NodeState = 'waiting' | 'working' | 'done' | 'failed' | 'stale';

export interface NodeReport {
  say: 'node';
  generation: number;
  node: string;
  state: NodeState;
  fraction?: number | null;
  stage?: string | null;
  milliseconds?: number | null;
  cached?: boolean;
  warning?: string | null;
  error?: Problem | string | null;
  preview?: boolean;
}

export interface Land {
  say: 'land';
  generation: number;
  node: string;
  preview: boolean;
  size: [number, number];
  origin: [number, number];
  samples: [number, number];
  step: number;
  range: [number, number];
  sea_level: number | null;
  layers: { name: string; unit: string }[];
  tiles: number;
}

export interface MeshLand {
  say: 'mesh';
  generation: number;
  node: string;
  preview: boolean;
  /** Blocks that do not follow stay as they are. */
  keeps?: boolean;
  blocks: number;
  triangles: number;
  box: [[number, number, number], [number, number, number]];
}

export interface Legend {
  say: 'legend';
  layer: string;
  unit: string;
  range?: [number, number] | null;
  colours?: string[];
  classes?: { value: number; name: string; colour: string }[];
}

export interface Conflict {
  say: 'conflict';
  places: { path: string; mine: Json; theirs: Json }[];
}

export type Said =
  | Welcome
  | Recipe
  | NodeReport
  | Land
  | MeshLand
  | Legend
  | Conflict
  | { say: 'gone'; generation: number; node: string; why: string | Problem }
  | { say: 'settled'; generation: number; milliseconds: number; bytes: number }
  | { say: 'exporting'; fraction: number; stage: string }
  | { say: 'failed'; message: string; hint?: string | null }
  | { say: 'closing' };

export interface PointAnswer {
  height: number;
  layers: { [name: string]: number | string | null };
  history: { node: string; op: string; height: number | null; change: number | null }[];
}

export interface SectionAnswer {
  distance: number[];
  height: number[];
  rocks: { name: string; colour: string }[];
  columns: [number, number, number][][];
  water: (number | null)[];
  /** Of a volume: between its columns' runs is air. */
  solid?: boolean;
}

export interface Target {
  name: string;
  label: string;
  sizes: number[];
}

export interface ExportAnswer {
  folder: string;
  files: string[];
  numbers: { label: string; value: string | number | boolean }[];
}

export interface Camera {
  eye: [number, number, number];
  target: [number, number, number];
  up: [number, number, number];
  field_of_view: number;
}

/** A request without its number, which the link adds. */
export interface Request {
  do: string;
  [key: string]: Json;
}

export interface Refusal {
  message: string;
  hint?: string | null;
  path?: string | null;
}

/** What someone should read: a message and what would be right. */
export function sentence(problem: string | Problem | Refusal): string {
  if (typeof problem === 'string') return problem;
  return problem.hint ? `${problem.message}: ${problem.hint}` : problem.message;
}
