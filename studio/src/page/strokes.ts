// The strokes that are there already: which files, which strokes, and where they lie.
import type { StrokeFile, StrokesAnswer } from '../protocol/messages';
import { ask, order, post } from './session';
import { change, now } from './store';

const page = 500;
const part = (brush: Partial<ReturnType<typeof now>['brush']>): void => change({ brush: { ...now().brush, ...brush } });

export function fileOf(files: readonly StrokeFile[], chosen: string | null): StrokeFile | undefined {
  const shown = now().recipe?.shown.node;
  return files.find((file) => file.lines === chosen) ?? files.find((file) => file.feeds.some((feed) => feed.node === shown)) ?? files.at(-1);
}

function draw(): void {
  const { rows, hot, listed } = now().brush;
  const lines = listed && rows ? rows.strokes.map(({ line, closed }, k) => ({ index: rows.from + k, line, closed })) : [];
  post({ to: 'drawn', lines, hot });
}

let asked = '';
/** Where someone turned the pages to; null shows the newest. */
let turned: number | null = null;
/** Reads the strokes of the file that is listed, where they may have changed. */
export async function readStrokes(from?: number): Promise<void> {
  const { recipe, brush } = now();
  // A stroke under the hand changes all the time.
  if (brush.drawing) return;
  const file = brush.listed && recipe ? fileOf(recipe.strokes ?? [], brush.file) : undefined;
  if (from !== undefined) turned = from;
  const newest = Math.max(0, (file?.count ?? 0) - page);
  const first = Math.min(turned ?? newest, newest);
  const text = file ? `${file.lines} ${file.count} ${first} ${recipe?.step} ${recipe?.generation}` : '';
  if (text === asked) return;
  asked = text;
  if (!file) {
    part({ rows: null, hot: null });
    return draw();
  }
  const { answer } = await ask<StrokesAnswer>({ do: 'strokes', lines: file.lines, from: first });
  if (asked !== text) return;
  part({ rows: answer, hot: null });
  draw();
}

export function listStrokes(listed: boolean): void {
  part({ listed });
  turned = null;
  asked = '?';
  void readStrokes();
}

export function chooseFile(file: string): void {
  part({ file });
  turned = null;
  void readStrokes();
}

export function pointAt(hot: number | null): void {
  if (now().brush.hot === hot) return;
  part({ hot });
  draw();
}

export const removeStroke = (lines: string, stroke: number): void => void order({ do: 'unstroke', lines, stroke });
