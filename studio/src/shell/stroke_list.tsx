// Strokes that are there: shown over the land, pointed at, taken out.
import type { Fields, StrokeFile } from '../protocol/messages';
import { reach } from '../brush/kinds';
import { chooseFile, fileOf, listStrokes, pointAt, readStrokes, removeStroke } from '../page/strokes';
import { useStudio } from '../page/store';
import { show } from '../panels/units';
import { Icon } from './icons';

const none: StrokeFile[] = [];

/** What a stroke does, in a few words. */
function words({ line, closed, properties }: { line: number[][]; closed: boolean; properties: Fields }): string {
  const { energy, falloff, radius } = properties;
  const what = properties['name'] ?? properties['tool'] ?? (typeof energy === 'number' ? (energy > 0 ? 'raise' : 'carve') : closed ? 'area' : line.length > 1 ? 'line' : 'point');
  const reached = radius || (typeof falloff === 'number' ? falloff * reach : null);
  return `${String(what)}${typeof reached === 'number' ? `, ${show(reached, 2)} m` : ''}`;
}

function Rows({ file }: { file: StrokeFile }) {
  const rows = useStudio((s) => s.brush.rows);
  const hot = useStudio((s) => s.brush.hot);
  if (!rows) return null;
  const last = rows.from + rows.strokes.length;
  return (
    <>
      <ol className="strokes" tabIndex={0} aria-label="Strokes, the newest first" onPointerLeave={() => pointAt(null)}>
        {rows.strokes.map((stroke, k) => ({ stroke, index: rows.from + k })).reverse().map(({ stroke, index }) => (
          <li key={index} className={index === hot ? 'hot' : ''} onPointerEnter={() => pointAt(index)} onFocus={() => pointAt(index)}>
            <span><i>{index + 1}</i> {words(stroke)}</span>
            <button type="button" className="quiet" aria-label={`Take out stroke ${index + 1}`} onClick={() => removeStroke(file.lines, index)}><Icon name="close" /></button>
          </li>
        ))}
      </ol>
      {rows.total > rows.strokes.length ? (
        <p className="turn">
          <button type="button" className="quiet" disabled={rows.from === 0} onClick={() => void readStrokes(Math.max(0, rows.from - 500))}>Older</button>
          <i>{rows.from + 1} to {last} of {rows.total}</i>
          <button type="button" className="quiet" disabled={last >= rows.total} onClick={() => void readStrokes(rows.from + 500)}>Newer</button>
        </p>
      ) : null}
    </>
  );
}

export function StrokeList() {
  const files = useStudio((s) => s.recipe?.strokes ?? none);
  const listed = useStudio((s) => s.brush.listed);
  const chosen = useStudio((s) => s.brush.file);
  const file = fileOf(files, chosen);
  if (!file) return null;
  return (
    <div className="listed">
      <label><input type="checkbox" className="switch" checked={listed} onChange={(e) => listStrokes(e.target.checked)} /> Show the strokes <i>{file.count}</i></label>
      {listed && files.length > 1 ? (
        <select aria-label="File of strokes" value={file.lines} onChange={(e) => chooseFile(e.target.value)}>
          {files.map((f) => <option key={f.lines} value={f.lines}>{f.feeds.map((feed) => feed.node).join(', ') || f.lines}: {f.count}</option>)}
        </select>
      ) : null}
      {listed ? <Rows file={file} /> : null}
    </div>
  );
}
