import { goto } from '../page/acts';
import { change, useStudio } from '../page/store';
import { takeFile } from './drop';
import { Dialog } from './dialog';
import { ExportDialog } from './export_dialog';
import { shortcuts } from './keys';
import { StillDialog } from './still_dialog';

const close = () => change({ dialog: null });

function History() {
  const recipe = useStudio((s) => s.recipe);
  return (
    <Dialog title="History" beside onClose={close}>
      <ol className="steps" start={0}>
        {['as it was opened', ...(recipe?.history ?? []).map((step) => step.label)].map((label, k) => (
          <li key={k}><button type="button" aria-current={k === recipe?.step ? 'step' : undefined} onClick={() => goto(k)}><i>{k}</i>{label}</button></li>
        ))}
      </ol>
    </Dialog>
  );
}

function Help() {
  return (
    <Dialog title="Keys" onClose={close}>
      <dl className="keys">{shortcuts.map(([keys, what]) => <div key={keys}><dt>{keys}</dt><dd>{what}</dd></div>)}</dl>
      <p>Drop a file of heights on the page, or <label className="link">choose one<input type="file" className="unseen" onChange={(e) => { const file = e.target.files?.[0]; if (file) { close(); void takeFile(file); } }} /></label>, to read it as land.</p>
      <p><a href="/licences.txt" target="_blank" rel="noreferrer">Licences</a></p>
    </Dialog>
  );
}

function Text() {
  const recipe = useStudio((s) => s.recipe);
  const wrong = new Set(recipe?.problems.map((p) => p.line ?? 0));
  return (
    <Dialog title={recipe?.file ?? recipe?.name ?? 'Recipe'} wide onClose={close}>
      <pre className="recipe" tabIndex={0} role="region" aria-label="The recipe's text">
        {(recipe?.text ?? '').split('\n').map((line, k) => <span key={k} className={wrong.has(k + 1) ? 'wrong' : ''}><i aria-hidden="true">{k + 1}</i>{line}{'\n'}</span>)}
      </pre>
    </Dialog>
  );
}

export function Dialogs() {
  const dialog = useStudio((s) => s.dialog);
  switch (dialog) {
    case 'export':
      return <ExportDialog onClose={close} />;
    case 'still':
      return <StillDialog onClose={close} />;
    case 'history':
      return <History />;
    case 'help':
      return <Help />;
    case 'text':
      return <Text />;
    default:
      return null;
  }
}
