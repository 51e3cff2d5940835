import { pause, stop } from '../page/acts';
import { change, useStudio } from '../page/store';
import { metres, show } from '../panels/units';
import { Icon } from './icons';

function Cursor() {
  const hover = useStudio((s) => s.hover);
  if (!hover) return <span className="cursor" />;
  return <span className="cursor">{show(hover[0], 5)}, {show(hover[1], 5)} <b>{metres(hover[2])}</b></span>;
}

const links = new Map([['connecting', 'connecting'], ['lost', 'not connected'], ['refused', 'not connected'], ['closed', 'ended'], ['full', 'not connected'], ['older', 'reload']]);

export function StatusBar() {
  const land = useStudio((s) => s.land);
  const solid = useStudio((s) => s.solid);
  const running = useStudio((s) => s.running);
  const paused = useStudio((s) => s.paused);
  const settled = useStudio((s) => s.settled);
  const triangles = useStudio((s) => s.triangles);
  const link = useStudio((s) => s.link);
  const step = land ? (land.step >= 1 ? `${show(land.step, 3)} m` : `${show(land.step * 100, 3)} cm`) : '';
  return (
    <footer className="status">
      <span className="what">
        {land ? <><b>{land.samples[0]} {'\u00d7'} {land.samples[1]}</b> samples of {step}{land.preview ? ', preview' : ''}</> : null}
        {solid ? <><b>{solid.triangles.toLocaleString('en')}</b> triangles{solid.preview ? ', preview' : ''}</> : null}
      </span>
      {land ? <span>{metres(land.range[0])} to {metres(land.range[1])}</span> : null}
      {triangles > 0 ? <span className="faint">{triangles.toLocaleString('en')} drawn</span> : null}
      <Cursor />
      <span className="space" />
      <span role="status" className="run">
        {links.get(link) ?? (paused ? 'paused' : running ? 'computing' : settled ? `settled in ${settled.milliseconds >= 1000 ? `${show(settled.milliseconds / 1000, 3)} s` : `${show(settled.milliseconds, 3)} ms`}` : '')}
      </span>
      <button type="button" className="quiet" aria-pressed={paused} aria-keyshortcuts="P" onClick={() => pause(!paused)}><Icon name={paused ? 'play' : 'pause'} />{paused ? 'Go on' : 'Pause'}</button>
      <button type="button" className={`quiet${running ? ' warm' : ''}`} aria-keyshortcuts="Escape" disabled={!running} onClick={stop}><Icon name="stop" />Stop</button>
      <button type="button" className="quiet" onClick={() => change({ dialog: 'text' })}>Recipe text</button>
    </footer>
  );
}
