// What the page knows of its brushes.
import type { StrokesAnswer } from '../protocol/messages';
import type { BrushName, Settings } from './kinds';

/** A port of a node that takes lines, and what is drawn for it. */
export interface LineTarget {
  node: string;
  port: string;
  form: 'line' | 'area' | 'points';
  /** What it is, where the port's lines say so (ports.ts), and the number that it needs. */
  meaning?: string;
  number?: number;
}

export interface Brushing {
  land: BrushName;
  volume: BrushName;
  /** What the bar says, for land and for volumes of this recipe. */
  settings: { land: Settings; volume: Settings } | null;
  /** Lines for a port are drawn instead of strokes. */
  line: LineTarget | null;
  shift: boolean;
  ctrl: boolean;
  corners: number;
  drawing: boolean;
  /** Strokes that are there: whether they are shown, of which file, which of them. */
  listed: boolean;
  file: string | null;
  rows: StrokesAnswer | null;
  hot: number | null;
}

export const noBrushing: Brushing = {
  land: 'raise', volume: 'carve', settings: null, line: null, shift: false, ctrl: false, corners: 0, drawing: false, listed: false, file: null, rows: null, hot: null,
};
