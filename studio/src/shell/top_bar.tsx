import { useState } from 'react';
import { compare, redo, undo } from '../page/acts';
import { order } from '../page/session';
import { change, useStudio } from '../page/store';
import { Icon, IconButton } from './icons';

const states = new Map([['saved', 'saved'], ['unsaved', 'not saved'], ['saving', 'saving'], ['conflict', 'changed twice']]);

/** Gives a copy of a preset its file. */
function SaveAs({ name }: { name: string }) {
  const [typed, setTyped] = useState<string | null>(null);
  if (typed === null) return <IconButton icon="save" label="Save as" text="Save as" onClick={() => setTyped(name.endsWith('.json') ? name : `${name}.json`)} />;
  return (
    <form className="save" onSubmit={(e) => { e.preventDefault(); void order({ do: 'save', name: typed.endsWith('.json') ? typed : `${typed}.json` }); setTyped(null); }}>
      <input autoFocus className="text" aria-label="File name" value={typed} onChange={(e) => setTyped(e.target.value)} onKeyDown={(e) => e.key === 'Escape' && setTyped(null)} />
      <button type="submit">Save</button>
    </form>
  );
}

export function TopBar() {
  const recipe = useStudio((s) => s.recipe);
  const strip = useStudio((s) => s.strip);
  const comparing = useStudio((s) => s.comparing);
  const last = recipe?.history.length ?? 0;
  const step = recipe?.step ?? 0;
  const state = recipe?.state ?? 'saved';
  return (
    <header className="top">
      <span className="mark"><svg viewBox="0 0 32 32" aria-hidden="true"><path d="M3 25l5-13h3l1-4h10l1 5h2l4 12z" /></svg>Tepui</span>
      <IconButton icon="presets" label={strip ? 'Hide the presets' : 'Show the presets'} on={strip} text="Presets" onClick={() => change({ strip: !strip })} />
      <i className="rule" />
      <h1 title={recipe?.file ?? undefined}>
        <span className="file">{recipe?.file ?? recipe?.name ?? 'Opening'}</span>
        {recipe ? <span className={`state ${state}`}><b aria-hidden="true" />{recipe.file ? states.get(state) ?? state : 'a copy, not saved'}</span> : null}
      </h1>
      {recipe && !recipe.file ? <SaveAs name={recipe.name} /> : null}
      <span className="space" />
      <IconButton icon="undo" label="Undo" keys="Control+Z" disabled={step <= 0} onClick={undo} />
      <IconButton icon="redo" label="Redo" keys="Control+Shift+Z" disabled={step >= last} onClick={redo} />
      <IconButton icon="history" label="History" keys="H" onClick={() => change({ dialog: 'history' })} />
      <button
        type="button" className={`tool${comparing ? ' on' : ''}`} aria-pressed={comparing} title="Hold to see the recipe as it was opened (C)"
        aria-label="Compare, while held" onPointerDown={() => compare(true)} onPointerUp={() => compare(false)} onPointerLeave={() => compare(false)}
        onKeyDown={(e) => { if (e.key === ' ' || e.key === 'Enter') compare(true); }} onKeyUp={() => compare(false)} onBlur={() => compare(false)}
      ><Icon name="compare" /></button>
      <i className="rule" />
      <IconButton icon="still" label="Still through the path tracer" text="Still" onClick={() => change({ dialog: 'still' })} />
      <button type="button" className="main" aria-keyshortcuts="E" title="Export (E)" onClick={() => change({ dialog: 'export' })}><Icon name="export" />Export</button>
      <IconButton icon="help" label="Keys" keys="?" onClick={() => change({ dialog: 'help' })} />
    </header>
  );
}
