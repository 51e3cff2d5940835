// Two numbers that belong together; `250` is the interval of one number.
import type { Json } from '../protocol/messages';
import { useEdit } from '../page/edits';
import { type About, isLength, rangeOf, unitText } from './amount';
import { parseAmount, readAmount, show, stepOf, writeAmount } from './units';
import { Slider } from './slider';

interface Props {
  path: string;
  label: string;
  value: Json;
  about: About;
  side: number;
  given: boolean;
}

export function IntervalField({ path, label, value, about, side, given }: Props) {
  const edit = useEdit<Json>(path, value);
  const both = (Array.isArray(edit.value) ? edit.value : [edit.value, edit.value]).map(
    (end) => readAmount(end) ?? { number: 0, percent: false });
  const first = both[0] ?? { number: 0, percent: false };
  const last = both[1] ?? first;
  const next = (end: 0 | 1, text: Json): Json => {
    const mine = readAmount(text);
    const ends = [writeAmount(first), writeAmount(last)];
    ends[end] = text;
    const other = end === 0 ? last : first;
    // The other end moves along rather than being overtaken.
    if (mine && mine.percent === other.percent && (end === 0 ? mine.number > other.number : mine.number < other.number)) ends[1 - end] = text;
    return ends;
  };
  return (
    <div className="pair" role="group" aria-label={label}>
      {([0, 1] as const).map((end) => {
        const amount = end === 0 ? first : last;
        const [low, high] = rangeOf(about, amount, side);
        return (
          <Slider
            key={end} id={`${path}.${end}`} label={`${label}, ${end === 0 ? 'from' : 'to'}`} value={amount.number} low={low} high={high}
            step={stepOf(low, high, false)} changed={given} text={`${show(amount.number)}${unitText(about.unit, amount.percent)}`}
            onDrag={(number) => edit.drag(next(end, writeAmount({ ...amount, number })))}
            onDrop={edit.drop} onDefault={edit.clear}
            onType={(text) => {
              const typed = parseAmount(text, isLength(about.type));
              if (typed) edit.give(next(end, writeAmount(typed)));
              return typed !== null;
            }}
          />
        );
      })}
    </div>
  );
}
