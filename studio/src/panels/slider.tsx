// A number: a track to drag and a field to type into.
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';

export interface SliderProps {
  id: string;
  label: string;
  value: number;
  low: number;
  high: number;
  /** What is refused outside. */
  least?: number | null | undefined;
  most?: number | null | undefined;
  step: number;
  text: string;
  valueText?: string;
  disabled?: boolean;
  changed?: boolean;
  onDrag(value: number): void;
  onDrop(): void;
  onType(text: string): boolean;
  onDefault(): void;
}

const clamp = (v: number, low: number, high: number) => Math.min(Math.max(v, low), high);

export function Slider(props: SliderProps) {
  const { value, low, high, step } = props;
  const track = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const grip = useRef<{ x: number; value: number } | null>(null);
  const [typed, show] = useState<string | null>(null);
  // Beside the state, because leaving the field by Enter also blurs it, before the state has changed.
  const latest = useRef<string | null>(null);
  const setTyped = (text: string | null) => {
    latest.current = text;
    show(text);
  };
  const [wrong, setWrong] = useState(false);
  const span = Math.max(high - low, 1e-12);
  const share = clamp((value - low) / span, 0, 1);

  const to = (next: number, fine: boolean) => {
    const grid = fine ? step / 10 : step;
    const whole = step >= 1 && Number.isInteger(step);
    const snapped = Math.round(next / grid) * grid;
    const kept = clamp(whole ? Math.round(snapped) : snapped, props.least ?? -Infinity, props.most ?? Infinity);
    props.onDrag(Number(kept.toPrecision(9)));
  };
  const down = (e: PointerEvent<HTMLDivElement>) => {
    if (e.button !== 0 || props.disabled) return;
    e.currentTarget.setPointerCapture(e.pointerId);
    e.currentTarget.focus();
    grip.current = { x: e.clientX, value };
  };
  const move = (e: PointerEvent<HTMLDivElement>) => {
    if (!grip.current) return;
    const width = track.current?.clientWidth ?? 100;
    const fine = e.shiftKey;
    const next = grip.current.value + ((e.clientX - grip.current.x) / width) * span * (fine ? 0.1 : 1);
    if (e.clientX === grip.current.x) return;
    grip.current = { x: e.clientX, value: clamp(next, low - span * 0.05, high + span * 0.05) };
    to(clamp(next, low, high), fine);
  };
  const up = () => {
    if (!grip.current) return;
    grip.current = null;
    props.onDrop();
  };
  const key = (e: KeyboardEvent<HTMLDivElement>) => {
    if (props.disabled || e.ctrlKey || e.metaKey || e.altKey) return;
    const by = e.shiftKey ? step / 10 : step;
    const moves = new Map<string, number>([
      ['ArrowRight', value + by], ['ArrowUp', value + by], ['ArrowLeft', value - by], ['ArrowDown', value - by],
      ['PageUp', value + 10 * step], ['PageDown', value - 10 * step], ['Home', low], ['End', high],
    ]);
    const next = moves.get(e.key);
    if (next !== undefined) to(e.key.startsWith('Arrow') ? next : clamp(next, low, high), e.shiftKey);
    else if (e.key === 'Delete' || e.key === 'Backspace') props.onDefault();
    else if (e.key === 'Enter') field.current?.select();
    else if (/^[-\d.]$/.test(e.key)) {
      setTyped(e.key);
      field.current?.focus();
    } else return;
    e.preventDefault();
    e.stopPropagation();
  };
  const commit = () => {
    const text = latest.current;
    if (text === null) return;
    const good = text.trim() === '' || text === props.text || props.onType(text);
    setWrong(!good);
    if (good) setTyped(null);
  };

  return (
    <div className={`slider${props.changed ? ' changed' : ''}${props.disabled ? ' disabled' : ''}`}>
      <div
        ref={track} className="track" role="slider" tabIndex={props.disabled ? -1 : 0} id={props.id} aria-label={props.label}
        aria-valuenow={value} aria-valuemin={Math.min(low, value)} aria-valuemax={Math.max(high, value)}
        aria-valuetext={props.valueText ?? props.text} aria-disabled={props.disabled}
        onPointerDown={down} onPointerMove={move} onPointerUp={up} onPointerCancel={up} onDoubleClick={() => props.onDefault()}
        onKeyDown={key} onKeyUp={(e) => /^(Arrow|Page|Home|End)/.test(e.key) && props.onDrop()} onBlur={() => props.onDrop()}
      >
        <div className="fill" style={{ width: `${share * 100}%` }} />
        <div className="knob" style={{ left: `${share * 100}%` }} />
      </div>
      <input
        ref={field} className={wrong ? 'wrong' : ''} aria-label={`${props.label}, typed`} aria-invalid={wrong} tabIndex={-1}
        value={typed ?? props.text} disabled={props.disabled} spellCheck={false}
        onChange={(e) => { setTyped(e.target.value); setWrong(false); }}
        onFocus={(e) => { if (typed === null) e.target.select(); }}
        onBlur={commit}
        onKeyDown={(e) => {
          if (e.key === 'Enter') { commit(); track.current?.focus(); }
          else if (e.key === 'Escape') { setTyped(null); setWrong(false); track.current?.focus(); }
          else return;
          e.preventDefault();
          e.stopPropagation();
        }}
      />
    </div>
  );
}
