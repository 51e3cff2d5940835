// What people can do, by button or key.
import type { Tool } from '../protocol/bridge';
import type { PointAnswer, SectionAnswer } from '../protocol/messages';
import { contourStep } from '../panels/units';
import { giveUp, leaveBrush } from './brushes';
import { ask, order, post } from './session';
import { change, now, type Point } from './store';

export const undo = (): void => void order({ do: 'undo' });
export const redo = (): void => void order({ do: 'redo' });
export const goto = (step: number): void => void order({ do: 'goto', step });

export function compare(on: boolean): void {
  if (now().comparing === on) return;
  change({ comparing: on });
  void ask({ do: 'compare', on });
}

export function stop(): void {
  change({ running: false });
  void order({ do: 'stop' });
}

export function pause(on: boolean): void {
  change({ paused: on });
  void order({ do: 'pause', on });
}

export function show(node: string, layer: string | null = null): void {
  void order({ do: 'show', node, layer });
}

export function select(node: string | null): void {
  change({ selected: node });
  if (node !== null) show(node);
}

export function take(tool: Tool): void {
  if (now().tool === 'brush') leaveBrush();
  change({ tool, points: [], section: null, point: null });
  post({ to: 'tool', tool });
  post({ to: 'mark', points: [] });
}

export function setContours(on: boolean): void {
  const range = now().land?.range ?? [0, 100];
  const contours = on ? contourStep(range[1] - range[0]) : 0;
  change({ contours });
  post({ to: 'draw', options: { contours } });
}

export function setWater(water: boolean): void {
  change({ water });
  post({ to: 'draw', options: { water } });
}

let sunSent = 0;
export function setSun(sun: [number, number], last: boolean): void {
  change({ sun });
  post({ to: 'draw', options: { sun, held: !last } });
  // Shadows are drawn anew when the hand rests.
  clearTimeout(sunSent);
  sunSent = window.setTimeout(() => void order({ do: 'light', azimuth: sun[0], elevation: sun[1] }), last ? 0 : 250);
}

export function dice(): void {
  const seed = crypto.getRandomValues(new Uint32Array(1))[0] ?? 1;
  void order({ do: 'set', path: 'seed', value: seed % 100000, hold: false });
}

/** A click on the land, or the end of a line over it. */
export async function clicked(points: Point[]): Promise<void> {
  const { tool } = now();
  const flat = points.map(([x, y]): [number, number] => [x, y]);
  post({ to: 'mark', points: flat });
  if (tool === 'look' && points[0]) {
    const point = await order<PointAnswer>({ do: 'point', x: points[0][0], y: points[0][1] });
    change({ point });
  } else if (tool === 'knife' && flat.length === 2) {
    const section = await order<SectionAnswer>({ do: 'section', line: flat, samples: 400 });
    change({ section });
  }
}

/** Escape. What the hand is drawing goes first; what is being computed stops unless a dialog is open. */
export function escape(): void {
  if (!now().dialog && giveUp()) return;
  if (!now().dialog && now().running) stop();
  dismiss();
}

function dismiss(): void {
  const state = now();
  if (state.dialog) change({ dialog: null });
  else if (state.walking) post({ to: 'walk', on: false });
  else if (state.points.length > 0 || state.tool !== 'look') take('look');
  else if (state.running) stop();
}
