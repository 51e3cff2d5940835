// A number of the recipe, with its unit, as a slider.
import type { Json } from '../protocol/messages';
import { useEdit } from '../page/edits';
import { type Amount, parseAmount, readAmount, show, stepOf, writeAmount } from './units';
import { Slider } from './slider';

export interface About {
  type: string;
  unit: string;
  min: number | null;
  max: number | null;
  slider: [number | null, number | null];
  default: Json;
}

export const isLength = (type: string): boolean => type.startsWith('length');

/** The range of a slider, for what it shows now. */
export function rangeOf(about: About, value: Amount, side: number): [number, number] {
  const [a, b] = about.slider;
  let low = a ?? about.min ?? 0;
  let high = b ?? about.max ?? 1;
  const fallback = readAmount(about.default);
  if (value.percent) {
    low = (low / side) * 100;
    high = Math.min((high / side) * 100, 100);
    if (high <= low || high < 1e-6) high = 100;
    if (about.min === null || about.min < 0) low = Math.max(low, -100);
  } else if (!(high - low < 1e8)) {
    const about0 = Math.max(Math.abs(value.number), fallback && !fallback.percent ? Math.abs(fallback.number) : 0, 1);
    low = about.min !== null && about.min > -1e8 ? about.min : -2 * about0;
    high = about.max !== null && about.max < 1e8 ? about.max : 4 * about0;
  }
  // A default that lies at the end leaves room beyond it.
  if (fallback && fallback.percent === value.percent && fallback.number >= 0.95 * high) high = Math.min(2 * fallback.number, value.percent ? 100 : about.max ?? Infinity);
  return [Math.min(low, value.number), Math.max(high, value.number)];
}

const signs = new Map([['deg', '°'], ['percent', '%']]);

export function unitText(unit: string, percent: boolean): string {
  if (percent) return ' %';
  if (!unit) return '';
  const sign = signs.get(unit);
  return sign ?? ` ${unit}`;
}

interface Props {
  path: string;
  label: string;
  value: Json;
  about: About;
  /** Metres of the world's longer side. */
  side: number;
  given: boolean;
}

export function AmountField({ path, label, value, about, side, given }: Props) {
  const edit = useEdit<Json>(path, value);
  const amount = readAmount(edit.value) ?? readAmount(about.default) ?? { number: 0, percent: false };
  const [low, high] = rangeOf(about, amount, side);
  const whole = about.type === 'integer' || about.type === 'seed';
  return (
    <Slider
      id={path} label={label} value={amount.number} low={low} high={high} step={stepOf(low, high, whole)} changed={given}
      least={amount.percent ? null : about.min} most={amount.percent ? null : about.max}
      text={`${show(amount.number)}${unitText(about.unit, amount.percent)}`}
      onDrag={(number) => edit.drag(writeAmount({ ...amount, number }))}
      onDrop={edit.drop}
      onDefault={edit.clear}
      onType={(text) => {
        const typed = parseAmount(text, isLength(about.type));
        if (typed) edit.give(writeAmount(whole ? { ...typed, number: Math.round(typed.number) } : typed));
        return typed !== null;
      }}
    />
  );
}
