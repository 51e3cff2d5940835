// What the page knows, and who looks at which part of it.
import { useSyncExternalStore } from 'react';
import type { Link, Shown, Tool } from '../protocol/bridge';
import { type Brushing, noBrushing } from '../brush/brushing';
import type {
  Conflict, Land, Legend, MeshLand, NodeReport, PointAnswer, Problem, Recipe, SectionAnswer, Welcome,
} from '../protocol/messages';

export type Point = [number, number, number];

export interface Still {
  size: [number, number];
  pass: number;
  passes: number;
}

export interface State {
  link: Link;
  wait: number;
  welcome: Welcome | null;
  recipe: Recipe | null;
  reports: ReadonlyMap<string, NodeReport>;
  thumbnails: ReadonlyMap<string, ImageBitmap>;
  land: Land | null;
  solid: MeshLand | null;
  why: string | null;
  legend: Legend | null;
  conflict: Conflict | null;
  exporting: { fraction: number; stage: string } | null;
  messages: { id: number; message: string; hint: string | null }[];
  running: boolean;
  /** Of the newest run. */
  generation: number;
  paused: boolean;
  settled: { milliseconds: number; bytes: number } | null;
  hover: Point | null;
  drawing: 'none' | 'lost' | 'drawing' | 'starting';
  software: boolean;
  walking: boolean;
  azimuth: number;
  shown: Shown | null;
  triangles: number;
  selected: string | null;
  tool: Tool;
  points: Point[];
  point: PointAnswer | null;
  section: SectionAnswer | null;
  overlay: string | null;
  colourMap: string | null;
  contours: number;
  water: boolean;
  sun: [number, number];
  comparing: boolean;
  dialog: 'export' | 'still' | 'help' | 'history' | 'text' | null;
  dropped: Dropped | null;
  brush: Brushing;
  strip: boolean;
  /** How the nodes are shown. */
  dock: 'strip' | 'graph' | 'list';
}

export interface Dropped {
  name: string;
  file: number;
  asks: { name: string; label: string; unit: string }[];
  busy: boolean;
  error: Problem | null;
}

let state: State = {
  link: 'connecting', wait: 0, welcome: null, recipe: null, reports: new Map(), thumbnails: new Map(), land: null, solid: null,
  why: null, legend: null, conflict: null, exporting: null, messages: [], running: false, generation: 0, paused: false, settled: null, hover: null,
  drawing: 'starting', software: false, walking: false, azimuth: 0, shown: null, triangles: 0, selected: null, tool: 'look', points: [],
  point: null, section: null, overlay: null, colourMap: null, contours: 0, water: true, sun: [315, 35], comparing: false, dialog: null,
  dropped: null, brush: noBrushing, strip: true, dock: 'strip',
};
const listeners = new Set<() => void>();

export const now = (): State => state;

export function change(part: Partial<State>): void {
  state = { ...state, ...part };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A part of the state; the component is drawn again when it changes. */
export function useStudio<T>(part: (state: State) => T): T {
  return useSyncExternalStore(subscribe, () => part(state));
}

let messages = 0;
export function tell(message: string, hint: string | null = null): void {
  if (state.messages.some((known) => known.message === message)) return;
  change({ messages: [...state.messages.slice(-3), { id: ++messages, message, hint }] });
}
