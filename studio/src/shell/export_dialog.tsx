// Files for engines and GIS, and the numbers that have to be typed there.
import { useEffect, useState } from 'react';
import { ask, order } from '../page/session';
import { change, now, useStudio } from '../page/store';
import { askTargets } from '../page/targets';
import type { ExportAnswer, Refusal, Target } from '../protocol/messages';
import { Copy } from './copy';
import { Dialog } from './dialog';

/** The legal size that is nearest to the land's. */
function nearest(sizes: readonly number[], wanted: number): number {
  return sizes.reduce((best, size) => (Math.abs(size - wanted) < Math.abs(best - wanted) ? size : best), sizes[0] ?? wanted);
}

/** A value as it is typed: lists part by part, without the noise of binary fractions. */
function parts(value: string | number | boolean): string[] {
  let read: unknown = value;
  try {
    if (typeof value === 'string') read = JSON.parse(value);
  } catch {
    return [String(value)];
  }
  const one = (v: unknown) => (typeof v === 'number' ? String(Number(v.toPrecision(9))) : typeof v === 'boolean' ? (v ? 'yes' : 'no') : String(v));
  return Array.isArray(read) ? read.map(one) : [typeof read === 'object' ? String(value) : one(read)];
}

function Numbers({ numbers }: { numbers: ExportAnswer['numbers'] }) {
  return (
    <table>
      <caption>To type there</caption>
      <tbody>
        {numbers.map(({ label, value }) => {
          const shown = parts(value);
          return (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{shown.map((part, k) => <span key={k} className="part">{shown.length > 1 ? <i>{'XYZW'[k]}</i> : null}{part}<Copy text={part} label={shown.length > 1 ? `${label} ${'XYZW'[k] ?? k}` : label} /></span>)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function OneLiner() {
  const [text, setText] = useState<string | null>(null);
  const get = async () => setText((await order<{ text: string }>({ do: 'one_liner' }))?.text ?? null);
  if (text === null) return <button type="button" onClick={() => void get()}>As one line for the terminal</button>;
  return <p className="oneliner"><code tabIndex={0}>{text}</code><Copy text={text} label="the line" /></p>;
}

export function ExportDialog({ onClose }: { onClose(): void }) {
  const [targets, setTargets] = useState<Target[] | null>(null);
  const [target, setTarget] = useState('');
  const [size, setSize] = useState(0);
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState<ExportAnswer | null>(null);
  const [wrong, setWrong] = useState<Refusal | null>(null);
  const exporting = useStudio((s) => s.exporting);
  const resolution = useStudio((s) => s.recipe?.world.resolution ?? 1025);

  const choose = (list: Target[], name: string) => {
    setTarget(name);
    setDone(null);
    setSize(nearest(list.find((t) => t.name === name)?.sizes ?? [], resolution));
  };
  useEffect(() => {
    void askTargets().then(({ targets: list, error }) => {
      setWrong(error);
      setTargets(list);
      if (list?.[0]) choose(list, list[0].name);
    });
    return () => change({ exporting: null });
  }, []);
  const run = async () => {
    setBusy(true);
    setWrong(null);
    setDone(null);
    change({ exporting: { fraction: 0, stage: '' } });
    const { answer, error } = await ask<ExportAnswer>({ do: 'export', target, size });
    setBusy(false);
    change({ exporting: null });
    if (error) setWrong(error);
    else setDone(answer);
  };
  const sizes = targets?.find((t) => t.name === target)?.sizes ?? [];
  return (
    <Dialog title="Export" wide onClose={onClose}>
      <div className="export">
        <div className="targets" role="radiogroup" aria-label="For">
          {targets || wrong ? null : <p role="status" className="note">Asking the program what it can write</p>}
          {(targets ?? []).map((t) => (
            <label key={t.name}><input type="radio" name="target" checked={t.name === target} onChange={() => targets && choose(targets, t.name)} /><span>{t.label || t.name}</span></label>
          ))}
        </div>
        <div className="chosen">
          {sizes.length > 0 ? (
            <label className="line"><span className="name">samples</span>
              <select value={size} onChange={(e) => setSize(Number(e.target.value))}>
                {sizes.map((s) => <option key={s} value={s}>{s} {'\u00d7'} {s}{s === nearest(sizes, resolution) ? ', nearest' : ''}</option>)}
              </select>
            </label>
          ) : null}
          <p className="actions">
            <button type="button" className="main" disabled={busy || !target} onClick={() => void run()}>{busy ? 'Writing' : 'Export'}</button>
            {busy ? <button type="button" onClick={() => void order({ do: 'stop' })}>Stop</button> : null}
            <OneLiner />
          </p>
          {exporting ? <p role="status"><progress value={exporting.fraction} max={1} aria-label="Export" /> {exporting.stage}</p> : null}
          {wrong ? <p className="wrong" role="alert"><b>{wrong.message}</b> {wrong.hint}</p> : null}
          {done ? (
            <div className="result">
              <p>Written to <code>{done.folder}</code> <button type="button" onClick={() => void order({ do: 'folder' })}>Open the folder</button></p>
              {done.numbers.length > 0 ? (
                <Numbers numbers={done.numbers} />
              ) : null}
              <details open><summary>{done.files.length} files</summary><ul>{done.files.map((file) => <li key={file}><code>{file}</code></li>)}</ul></details>
            </div>
          ) : null}
        </div>
      </div>
      <p className="note">Files are written below the recipe's folder{now().recipe?.file ? '' : '; save the recipe first to choose where'}.</p>
    </Dialog>
  );
}
