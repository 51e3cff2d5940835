// Numbers as people write them: 350m, 2 km, 10%, 35 deg.
import type { Json } from '../protocol/messages';

export interface Amount {
  number: number;
  /** Of the world's longer side. */
  percent: boolean;
}

export function readAmount(value: Json): Amount | null {
  if (typeof value === 'number') return { number: value, percent: false };
  if (typeof value !== 'string') return null;
  return parseAmount(value, true);
}

export function writeAmount({ number, percent }: Amount): Json {
  return percent ? `${tidy(number)}%` : tidy(number);
}

const factors = new Map<string, number>([
  ['', 1], ['m', 1], ['km', 1000], ['cm', 0.01], ['mm', 0.001], ['deg', 1], ['°', 1], ['a', 1], ['yr', 1], ['ka', 1000], ['%', 1],
]);

/** Null if the text is no number with a unit that is known. */
export function parseAmount(text: string, length: boolean): Amount | null {
  const found = /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*([a-z°%]*)\s*$/i.exec(text.replace(',', '.').replace('\u2212', '-'));
  if (!found) return null;
  const unit = (found[2] ?? '').toLowerCase();
  const factor = factors.get(unit);
  if (factor === undefined) return null;
  if (unit === '%') return length ? { number: Number(found[1]), percent: true } : { number: Number(found[1]) / 100, percent: false };
  return { number: Number(found[1]) * factor, percent: false };
}

/** Without the noise of binary fractions. */
export function tidy(number: number): number {
  return Number(number.toPrecision(9));
}

export function show(number: number, digits = 4): string {
  if (!Number.isFinite(number)) return '-';
  const size = Math.abs(number);
  if (size < 1e-9) return '0';
  if (size >= 1e7 || (size > 0 && size < 1e-4)) return number.toExponential(2);
  const text = Number(number.toPrecision(Math.max(digits, Math.ceil(Math.log10(size + 1))))).toString();
  return text.replace('-', '\u2212');
}

export function metres(number: number | null | undefined): string {
  if (number === null || number === undefined || !Number.isFinite(number)) return '-';
  return Math.abs(number) >= 10000 ? `${show(number / 1000, 4)} km` : `${show(number, 4)} m`;
}

/** A step that is a round number, about a hundredth of the range. */
export function stepOf(low: number, high: number, whole: boolean): number {
  const rough = Math.max((high - low) / 100, 1e-9);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = rough / power < 2 ? power : rough / power < 5 ? 2 * power : 5 * power;
  return whole ? Math.max(1, Math.round(step)) : step;
}

/** The interval of contours for a relief: some twenty of them. */
export function contourStep(relief: number): number {
  const rough = Math.max(relief / 24, 0.01);
  const power = 10 ** Math.floor(Math.log10(rough));
  return rough / power < 2 ? 2 * power : rough / power < 5 ? 5 * power : 10 * power;
}
