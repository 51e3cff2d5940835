// A file dropped on the page becomes a `read` node; only what it does not say is asked for.
import { type DragEvent, type FormEvent, type ReactNode, useState } from 'react';
import { ask, upload } from '../page/session';
import { change, now, useStudio } from '../page/store';
import type { Fields } from '../protocol/messages';
import { parseAmount } from '../panels/units';
import { Dialog } from './dialog';

type Received = { asks?: { name: string; label: string; unit: string }[] };

async function received(answers: Fields): Promise<void> {
  const { dropped } = now();
  if (!dropped) return;
  const { answer, error } = await ask<Received>({ do: 'received', file: dropped.file, answers });
  if (error) change({ dropped: { ...dropped, busy: false, error: { message: error.message, hint: error.hint ?? null } } });
  else if (answer?.asks?.length) change({ dropped: { ...dropped, busy: false, error: null, asks: answer.asks } });
  else change({ dropped: null });
}

export async function takeFile(file: File): Promise<void> {
  const dropped = { name: file.name, file: 0, asks: [], busy: true, error: null };
  change({ dropped });
  const { answer, error } = await upload(file);
  if (error) change({ dropped: { ...dropped, busy: false, error: { message: error.message } } });
  else {
    change({ dropped: { ...dropped, file: answer.file } });
    await received({});
  }
}

function Questions() {
  const dropped = useStudio((s) => s.dropped);
  if (!dropped) return null;
  const submit = (e: FormEvent<HTMLFormElement>) => {
    e.preventDefault();
    const answers = Object.fromEntries(
      [...new FormData(e.currentTarget)].map(([name, value]) => [name, parseAmount(String(value), false)?.number ?? String(value)]));
    change({ dropped: { ...dropped, busy: true } });
    void received(answers);
  };
  return (
    <Dialog title={`Read ${dropped.name}`} onClose={() => change({ dropped: null })}>
      <form onSubmit={submit}>
        {dropped.busy ? <p>Reading</p> : null}
        {dropped.error ? <p className="wrong" role="alert"><b>{dropped.error.message}</b> {dropped.error.hint}</p> : null}
        {dropped.asks.map((question) => (
          <label key={question.name} className="question"><span>{question.label}</span><span><input className="number" name={question.name} required />{question.unit}</span></label>
        ))}
        <p className="actions">
          {dropped.asks.length > 0 ? <button type="submit" className="main" disabled={dropped.busy}>Read</button> : null}
          <button type="button" onClick={() => change({ dropped: null })}>{dropped.asks.length > 0 || dropped.busy ? 'Cancel' : 'Close'}</button>
        </p>
      </form>
    </Dialog>
  );
}

export function DropZone({ children }: { children: ReactNode }) {
  const [over, setOver] = useState(false);
  const files = (e: DragEvent) => e.dataTransfer.types.includes('Files');
  return (
    <div
      className={`studio${over ? ' over' : ''}`}
      onDragOver={(e) => { if (files(e)) { e.preventDefault(); setOver(true); } }}
      onDragLeave={(e) => { if (e.currentTarget === e.target || !e.relatedTarget) setOver(false); }}
      onDrop={(e) => {
        if (!files(e)) return;
        e.preventDefault();
        setOver(false);
        const file = e.dataTransfer.files[0];
        if (file) void takeFile(file);
      }}
    >
      {children}
      {over ? <div className="landing" aria-hidden="true">Drop it to read it as land</div> : null}
      <Questions />
    </div>
  );
}
