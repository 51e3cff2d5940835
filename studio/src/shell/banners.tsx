// What went wrong, and what to do about it.
import { order, post } from '../page/session';
import { change, now, useStudio } from '../page/store';
import type { Json } from '../protocol/messages';
import { Icon } from './icons';

const text = (v: Json): string => (typeof v === 'string' ? v : JSON.stringify(v, null, 1) ?? '');

function ConflictBanner() {
  const conflict = useStudio((s) => s.conflict);
  if (!conflict) return null;
  const take = (which: 'mine' | 'theirs') => void order({ do: 'resolve', take: which });
  return (
    <section className="banner warn" role="alertdialog" aria-label="The file was changed outside">
      <h2>The file was changed outside, where you changed it too. Nothing is saved until you choose.</h2>
      <table>
        <thead><tr><th scope="col">place</th><th scope="col">here</th><th scope="col">in the file</th></tr></thead>
        <tbody>{conflict.places.map((place) => <tr key={place.path}><th scope="row">{place.path}</th><td><code>{text(place.mine)}</code></td><td><code>{text(place.theirs)}</code></td></tr>)}</tbody>
      </table>
      <p className="actions"><button type="button" onClick={() => take('mine')}>Keep mine</button><button type="button" onClick={() => take('theirs')}>Take the file's</button></p>
    </section>
  );
}

const links = new Map<string, [string, string]>([
  ['lost', ['The program does not answer. The land is the last one it sent.', 'Look at the terminal where tepui studio runs; this page joins it again by itself.']],
  ['refused', ['This page has no key to the program.', 'Open the address that tepui studio printed; it works once.']],
  ['older', ['This page is of another version of the program.', 'Reload it.']],
  ['full', ['Too many pages are open on this program.', 'Close one and try again.']],
  ['closed', ['The program has ended. The recipe is saved.', 'Start tepui studio again and open the address that it prints.']],
]);

function LinkBanner() {
  const link = useStudio((s) => s.link);
  const about = links.get(link);
  if (!about) return null;
  return (
    <section className="banner warn" role="alert">
      <h2>{about[0]}</h2>
      <p>{about[1]}</p>
      {link === 'older' ? <button type="button" onClick={() => location.reload()}>Reload</button> : null}
      {link === 'lost' || link === 'full' || link === 'closed' ? <button type="button" onClick={() => post({ to: 'again' })}>Try now</button> : null}
    </section>
  );
}

function ProblemBanner() {
  const problems = useStudio((s) => s.recipe?.problems);
  if (!problems?.length) return null;
  return (
    <section className="banner bad" role="alert">
      <h2>The recipe has {problems.length === 1 ? 'an error' : `${problems.length} errors`}; the land is the last good one.</h2>
      <ul>
        {problems.map((p, k) => (
          <li key={k}><b>{p.line ? `Line ${p.line}${p.column ? `, column ${p.column}` : ''}: ` : ''}{p.message}</b>{p.hint ? <span> {p.hint}</span> : null}</li>
        ))}
      </ul>
      <button type="button" onClick={() => change({ dialog: 'text' })}>Show the text</button>
      <button type="button" onClick={() => void order({ do: 'undo' })}>Undo</button>
    </section>
  );
}

function Messages() {
  const messages = useStudio((s) => s.messages);
  return (
    <div className="messages" role="status" aria-live="polite">
      {messages.map((m) => (
        <div key={m.id} className="message card">
          <p><b>{m.message}</b>{m.hint ? <span>{m.hint}</span> : null}</p>
          <button type="button" className="quiet" aria-label="Dismiss" onClick={() => change({ messages: now().messages.filter((other) => other.id !== m.id) })}><Icon name="close" /></button>
        </div>
      ))}
    </div>
  );
}

export function Banners() {
  return (
    <div className="banners">
      <LinkBanner />
      <ConflictBanner />
      <ProblemBanner />
      <Messages />
    </div>
  );
}
