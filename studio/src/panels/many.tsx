// Values that consist of others: vectors, lists of numbers, lists of records.
import type { Fields, Json, Parameter } from '../protocol/messages';
import { useEdit } from '../page/edits';
import { useState } from 'react';
import { readAmount, parseAmount, show, writeAmount } from './units';

interface Props {
  path: string;
  label: string;
  value: Json;
}

/** A number typed, within a longer value. */
export function Typed({ label, value, length, onGive }: { label: string; value: Json; length: boolean; onGive(value: Json): void }) {
  const amount = readAmount(value);
  const text = amount ? `${show(amount.number, 6)}${amount.percent ? '%' : ''}` : String(value);
  const [typed, setTyped] = useState<string | null>(null);
  const [wrong, setWrong] = useState(false);
  const commit = () => {
    if (typed === null || typed === text) return setTyped(null);
    const next = parseAmount(typed, length);
    setWrong(!next);
    if (!next) return;
    setTyped(null);
    onGive(writeAmount(next));
  };
  return (
    <input
      className={`number${wrong ? ' wrong' : ''}`} aria-label={label} aria-invalid={wrong} value={typed ?? text} spellCheck={false}
      onChange={(e) => { setTyped(e.target.value); setWrong(false); }} onBlur={commit}
      onKeyDown={(e) => {
        if (e.key === 'Enter') commit();
        else if (e.key === 'Escape') setTyped(null);
        else if ((e.key === 'ArrowUp' || e.key === 'ArrowDown') && amount) {
          const by = (e.key === 'ArrowUp' ? 1 : -1) * (e.shiftKey ? 0.1 : 1);
          onGive(writeAmount({ ...amount, number: amount.number + by }));
          e.preventDefault();
        }
      }}
    />
  );
}

const axes = ['x', 'y', 'z', 'w'];

export function VectorField({ path, label, value }: Props) {
  const edit = useEdit<Json>(path, value);
  const parts = Array.isArray(edit.value) ? edit.value : [];
  return (
    <div className="vector" role="group" aria-label={label}>
      {parts.map((part, k) => (
        <Typed key={k} label={`${label} ${axes[k] ?? k}`} value={part} length onGive={(v) => edit.give(parts.map((p, n) => (n === k ? v : p)))} />
      ))}
    </div>
  );
}

export function ListField({ path, label, value }: Props) {
  const edit = useEdit<Json>(path, value);
  const parts = Array.isArray(edit.value) ? edit.value : [];
  return (
    <div className="list" role="group" aria-label={label}>
      {parts.map((part, k) => (
        <span key={k} className="item">
          <Typed label={`${label} ${k + 1}`} value={part} length onGive={(v) => edit.give(parts.map((p, n) => (n === k ? v : p)))} />
          <button type="button" className="quiet" aria-label={`Remove ${label} ${k + 1}`} onClick={() => edit.give(parts.filter((_, n) => n !== k))}>{'\u00d7'}</button>
        </span>
      ))}
      <button type="button" className="quiet" onClick={() => edit.give([...parts, parts.at(-1) ?? 0])}>+ Add</button>
    </div>
  );
}

const isRecord = (v: Json): v is Fields => typeof v === 'object' && v !== null && !Array.isArray(v);

export function RecordsField({ path, label, value, record }: Props & { record: Parameter[] }) {
  const edit = useEdit<Json>(path, value);
  const rows = (Array.isArray(edit.value) ? edit.value : []).filter(isRecord);
  const single = record.length === 1 ? record[0] : undefined;
  const shown = single && Array.isArray(edit.value) && !rows.length ? edit.value.map((v): Fields => ({ [single.name]: v })) : rows;
  const give = (row: number, name: string, v: Json) => edit.give(shown.map((r, n) => (n === row ? { ...r, [name]: v } : r)));
  const cell = (row: Fields, k: number, field: Parameter) => {
    const v = Object.hasOwn(row, field.name) ? row[field.name] ?? field.default : field.default;
    const name = `${field.name} of ${label} ${k + 1}`;
    if (field.choices)
      return (
        <select aria-label={name} value={String(v)} onChange={(e) => give(k, field.name, e.target.value)}>
          {field.choices.map((choice) => <option key={choice}>{choice}</option>)}
        </select>
      );
    if (field.type === 'boolean')
      return <input type="checkbox" aria-label={name} checked={v === true} onChange={(e) => give(k, field.name, e.target.checked)} />;
    if (Array.isArray(v))
      return (
        <span className="vector">
          {v.map((part, n) => (
            <Typed key={n} label={`${name} ${axes[n] ?? n}`} value={part} length onGive={(next) => give(k, field.name, v.map((p, m) => (m === n ? next : p)))} />
          ))}
        </span>
      );
    if (readAmount(v)) return <Typed label={name} value={v} length={field.type.startsWith('length')} onGive={(next) => give(k, field.name, next)} />;
    return <input aria-label={name} className="text" defaultValue={String(v)} spellCheck={false} onBlur={(e) => e.target.value !== String(v) && give(k, field.name, e.target.value)} />;
  };
  const fresh = (): Fields => Object.fromEntries(record.map((field) => [field.name, field.default]));
  return (
    <div className="records" role="group" aria-label={label}>
      <table>
        <thead>
          <tr>{record.map((field) => <th key={field.name} scope="col" title={field.doc}>{field.name}{field.unit ? <i> {field.unit}</i> : null}</th>)}<th scope="col"><span className="unseen">Remove</span></th></tr>
        </thead>
        <tbody>
          {shown.map((row, k) => (
            <tr key={k}>
              {record.map((field) => <td key={field.name}>{cell(row, k, field)}</td>)}
              <td><button type="button" className="quiet" aria-label={`Remove ${label} ${k + 1}`} onClick={() => edit.give(shown.filter((_, n) => n !== k))}>{'\u00d7'}</button></td>
            </tr>
          ))}
        </tbody>
      </table>
      <button type="button" className="quiet" onClick={() => edit.give([...shown, shown.at(-1) ?? fresh()])}>+ Add</button>
    </div>
  );
}
