// The brush in the hand: what it is, and its strokes on their way to the program.
import type { LineTarget } from '../brush/brushing';
import { type BrushKind, type BrushName, type Over, type Settings, firstSettings, kindOf, turned } from '../brush/kinds';
import { propertiesOf } from '../brush/ports';
import { type Form, type PathPoint, type Point, strokeLine } from '../brush/shape';
import type { Ghost } from '../protocol/bridge';
import type { Json, Refusal, Request, StrokeAnswer } from '../protocol/messages';
import { overlay as showLayer } from './overlay';
import { ask, onHand, post } from './session';
import { change, now, type State, tell } from './store';

/** What is shown that a brush can work on; null for planets, meshes and pictures of other things. */
export function over(state: State): Over | null {
  const kind = state.recipe?.nodes.find((node) => node.name === state.recipe?.shown.node)?.kind;
  if (state.land && (kind === undefined || kind === 'terrain')) return 'land';
  return state.solid && kind === 'volume' ? 'volume' : null;
}

const sideOf = (state: State): number => Math.max(...(state.recipe?.world.size ?? [1000, 1000]));
export function heightsOf(state: State): [number, number] {
  return state.land?.range ?? (state.solid ? [state.solid.box[0][2], state.solid.box[1][2]] : [0, 100]);
}

/** The settings of a world, made when its first brush is taken. */
function settingsOf(state: State): { land: Settings; volume: Settings } {
  if (state.brush.settings) return state.brush.settings;
  const [low, high] = heightsOf(state);
  const of = (kind: Over) => ({ ...firstSettings(sideOf(state), high - low, kind), target: Number(((low + high) / 2).toPrecision(3)) });
  return { land: of('land'), volume: of('volume') };
}

/** The brush that is chosen, as the keys that are held turn it. */
export function current(state: State): { kind: BrushKind; settings: Settings } | null {
  const on = over(state);
  if (state.tool !== 'brush' || state.brush.line || !on || !state.brush.settings) return null;
  return { kind: kindOf(state.brush[on]), settings: state.brush.settings[on] };
}

function formOf(state: State): { form: Form; radius: number; hardness: number } | null {
  if (state.tool !== 'brush') return null;
  if (state.brush.line) return { form: { form: state.brush.line.form }, radius: sideOf(state) / 250, hardness: 0 };
  const brush = current(state);
  if (!brush) return null;
  const kind = turned(brush.kind, state.brush.shift, state.brush.ctrl);
  return { form: kind.form(brush.settings), radius: brush.settings.radius, hardness: brush.settings.hardness };
}

let told = '';
/** The worker hears of a brush that has changed. */
function tellWorker(): void {
  const brush = formOf(now());
  const text = JSON.stringify(brush);
  if (text === told) return;
  told = text;
  post({ to: 'brush', brush });
}

function changeBrush(part: Partial<State['brush']>): void {
  change({ brush: { ...now().brush, ...part } });
  tellWorker();
}

/** A layer that was painted and cannot be seen yet. */
let painted: string | null = null;

/** Called whenever what is shown may have changed. */
export function followBrush(): void {
  const { land, overlay } = now();
  if (painted !== null && land?.layers.some(({ name }) => name === painted)) {
    if (overlay === null) void showLayer(painted, null);
    painted = null;
  }
  if (now().tool === 'brush' && !now().brush.settings && over(now())) changeBrush({ settings: settingsOf(now()) });
  tellWorker();
}

function hold(line: LineTarget | null): void {
  if (now().drawing === 'none') return tell('Brushes need a view that this browser cannot draw.', 'It has no WebGL2.');
  change({ tool: 'brush', points: [], section: null, point: null, brush: { ...now().brush, line, settings: over(now()) ? settingsOf(now()) : null } });
  post({ to: 'mark', points: [] });
  tellWorker();
}

export function toggleBrush(): void {
  if (now().tool === 'brush') leaveBrush();
  else hold(null);
}

export function leaveBrush(): void {
  change({ tool: 'look', brush: { ...now().brush, line: null, corners: 0 } });
  tellWorker();
}

export const chooseBrush = (name: BrushName): void => changeBrush(kindOf(name).over === 'land' ? { land: name } : { volume: name });
export const drawLines = (line: LineTarget): void => hold(line);
export const press = (shift: boolean, ctrl: boolean): void => {
  if (now().tool === 'brush' && (shift !== now().brush.shift || ctrl !== now().brush.ctrl)) changeBrush({ shift, ctrl });
};

export function give(part: Partial<Settings>): void {
  const on = over(now());
  const { settings } = now().brush;
  if (on && settings) changeBrush({ settings: { ...settings, [on]: { ...settings[on], ...part } } });
}

/** The radius by a factor. */
export function resize(factor: number): void {
  const brush = current(now());
  if (!brush) return;
  const radius = Math.min(Math.max(brush.settings.radius * factor, sideOf(now()) * 2e-4), sideOf(now()));
  give({ radius: Number(radius.toPrecision(3)) });
}

/** The height under the cursor becomes what 'Level' and 'Set height' go to. */
export function takeTarget(): void {
  const { hover } = now();
  if (hover) give({ target: Number(hover[2].toFixed(2)), began: false, towards: 'height' });
}

export const finish = (): void => post({ to: 'stroke', act: 'finish' });

/** Escape: whatever is being drawn is given up; false if nothing is. */
export function giveUp(): boolean {
  const { tool, brush } = now();
  if (tool !== 'brush' || !(brush.drawing || brush.corners > 0)) return false;
  post({ to: 'stroke', act: 'drop' });
  return true;
}

/** One movement of the hand from where it touches to where it leaves: one stroke, one step of the history. */
interface Drag {
  request: Request;
  form: Form;
  radius: number;
  /** What is to be sent next; older paths are forgotten. */
  next: { line: number[][]; last: boolean } | null;
  /** What was sent last. */
  sent: string;
  held: boolean;
  /** The heights of a line's points are kept. */
  high?: boolean;
  /** The layer that it paints. */
  layer: string | null;
  dropped: boolean;
  wake: () => void;
}

let drag: Drag | null = null;
/** Strokes are sent one drag after the other. */
let before: Promise<void> = Promise.resolve();
const gap = 60;

function begin(shift: boolean, ctrl: boolean): Drag | null {
  const state = now();
  const { line } = state.brush;
  const chosen = current(state);
  if (line) {
    const request = { do: 'stroke', onto: { node: line.node, port: line.port }, closed: line.form === 'area', properties: propertiesOf(line) };
    return { request, high: line.meaning === 'height', form: { form: line.form }, radius: sideOf(state) / 2500, next: null, sent: '', held: false, layer: null, dropped: false, wake: () => {} };
  }
  if (!chosen) return null;
  const kind = turned(chosen.kind, shift, ctrl);
  // With Ctrl, a layer is taken away.
  const settings = ctrl && kind.name === 'layer' ? { ...chosen.settings, value: 0 } : chosen.settings;
  const request = { do: 'stroke', op: kind.op, closed: false, properties: kind.properties(settings) };
  const layer = kind.name === 'layer' ? settings.layer : null;
  return { request, form: kind.form(settings), radius: settings.radius, next: null, sent: '', held: false, layer, dropped: false, wake: () => {} };
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

function refused(error: Refusal): void {
  tell(error.message, error.hint ?? null);
  post({ to: 'stroke', act: 'drop' });
}

/** Sends a drag's strokes, never more than one at a time and the newest alone, until the hand has left. */
async function send(mine: Drag): Promise<void> {
  // What the drag before this one made is shown by now.
  const shown = now().recipe?.shown.node ?? '';
  const request: Request = mine.request['onto'] === undefined ? { ...mine.request, after: shown } : mine.request;
  while (!mine.dropped) {
    if (!mine.next) {
      await new Promise<void>((resolve) => (mine.wake = resolve));
      continue;
    }
    const { line, last } = mine.next;
    mine.next = null;
    const text = JSON.stringify(line);
    if (last) post({ to: 'ghost', until: now().generation });
    if (text === mine.sent) {
      if (last) break;
      continue;
    }
    mine.sent = text;
    const began = performance.now();
    const { error } = await ask<StrokeAnswer>({ ...request, line: line as Json, hold: !last || mine.held });
    if (error) {
      mine.dropped = true;
      refused(error);
      break;
    }
    mine.held ||= !last;
    if (last) break;
    const took = performance.now() - began;
    await pause(Math.max(gap - took, Math.min(took, 300)));
  }
  if (!mine.dropped) painted = mine.layer;
  if (!mine.held) return;
  await ask({ do: 'release' });
  if (mine.dropped) await ask({ do: 'undo' });
}

function path(act: 'draw' | 'end' | 'drop', points: PathPoint[], shift: boolean, ctrl: boolean, ahead: Point): void {
  if (act === 'drop') {
    if (drag) {
      drag.dropped = true;
      drag.wake();
    }
    drag = null;
    changeBrush({ drawing: false });
    return;
  }
  if (!drag) {
    drag = begin(shift, ctrl);
    if (!drag) return;
    changeBrush({ drawing: true });
    const mine = drag;
    before = before.then(() => send(mine));
  }
  const flat = drag.form.form === 'line' || drag.form.form === 'area' || drag.form.form === 'points';
  const line = strokeLine(points, drag.form, drag.radius, ahead).map((p) => (flat && !drag!.high && now().land ? p.slice(0, 2) : p));
  // A line or an area is sent when it is done.
  if (act === 'end' || !flat) drag.next = { line, last: act === 'end' };
  drag.wake();
  if (act === 'end') {
    drag = null;
    changeBrush({ drawing: false });
  }
}

let ghostListener: ((ghost: Ghost) => void) | null = null;
export function onGhost(listener: ((ghost: Ghost) => void) | null): void {
  ghostListener = listener;
}

onHand((message) => {
  if (message.from === 'ghost') ghostListener?.(message.ghost);
  else if (message.from === 'corners') {
    if (message.count !== now().brush.corners) changeBrush({ corners: message.count });
  } else path(message.act, message.points, message.shift, message.ctrl, message.ahead);
});
