// The brushes and what can be set of the one in the hand.
import { useEffect } from 'react';
import type { LineTarget } from '../brush/brushing';
import { type BrushKind, brushes, kindOf, type Setting, type Settings, turned } from '../brush/kinds';
import { type Meaning, meanings, targetOf } from '../brush/ports';
import { chooseBrush, drawLines, finish, followBrush, give, heightsOf, leaveBrush, over, press, resize, takeTarget } from '../page/brushes';
import { readStrokes } from '../page/strokes';
import { useStudio } from '../page/store';
import { Slider } from '../panels/slider';
import { parseAmount, show, stepOf } from '../panels/units';
import { Icon } from './icons';
import { rove } from './roving';
import { StrokeList } from './stroke_list';

interface Line {
  label: string;
  unit: string;
  doc: string;
  range(side: number, s: Settings, heights: [number, number]): [number, number];
}

const share: Line['range'] = () => [0, 1];
/** The settings that are numbers. Those that are shares of one are shown in per cent. */
const numbers = new Map<Setting, Line>([
  ['radius', { label: 'radius', unit: 'm', doc: 'How far the brush reaches: [ and ], or the wheel with Ctrl or Alt', range: (side) => [side * 5e-4, side * 0.2] }],
  ['strength', { label: 'strength', unit: '%', doc: 'How far a stroke goes', range: share }],
  ['hardness', { label: 'hardness', unit: '%', doc: 'Share of the radius with the full strength; the rest falls off', range: share }],
  ['amount', { label: 'amount', unit: 'm', doc: 'How far the ground goes up or down', range: (side, _, [low, high]) => [0, Math.max((high - low) / 2, side * 0.02)] }],
  ['target', { label: 'height', unit: 'm', doc: 'Where the ground goes; T takes the height under the cursor', range: (_, __, [low, high]) => [low, high] }],
  ['value', { label: 'value', unit: '', doc: 'What the layer becomes; 0 while Ctrl is held', range: share }],
  ['noise', { label: 'noise', unit: 'm', doc: 'How rough the rock becomes', range: (_, s) => [0, s.radius] }],
  ['resistance', { label: 'change', unit: '%', doc: 'How much more or less the rock resists', range: share }],
  ['rise', { label: 'rise', unit: 'm', doc: 'How high the arch stands over its feet', range: (side, s) => [0, Math.max(8 * s.radius, side * 0.1)] }],
  ['depth', { label: 'depth', unit: 'm', doc: 'How far below the surface the cave lies', range: (side, s) => [0, Math.max(8 * s.radius, side * 0.1)] }],
  ['wear', { label: 'depth', unit: 'm', doc: 'How deep the softest beds are worn', range: (_, s) => [0, 2 * s.radius] }],
]);

function NumberLine({ name, line, settings }: { name: Setting; line: Line; settings: Settings }) {
  const side = useStudio((s) => Math.max(...(s.recipe?.world.size ?? [1000, 1000])));
  const low = useStudio((s) => heightsOf(s)[0]);
  const high = useStudio((s) => heightsOf(s)[1]);
  const value = settings[name] as number;
  const range = line.range(side, settings, [low, high]);
  const cent = line.unit === '%';
  const put = (v: number) => give({ [name]: v });
  return (
    <div className="line" title={line.doc}>
      <span className="name">{line.label}</span>
      <Slider
        id={`brush.${name}`} label={`brush ${line.label}`} value={value} low={Math.min(range[0], value)} high={Math.max(range[1], value)} step={stepOf(...range, false)}
        least={name === 'target' ? null : name === 'radius' ? side * 1e-5 : 0} most={line.range === share ? 1 : null}
        text={`${show(cent ? value * 100 : value)}${line.unit ? ` ${line.unit}` : ''}`} onDrag={put} onDrop={() => {}} onDefault={() => {}}
        onType={(text) => {
          const typed = parseAmount(text.replace('%', ''), false);
          if (!typed) return false;
          put(line.range === share ? Math.min(Math.max(cent ? typed.number / 100 : typed.number, 0), 1) : name === 'target' ? typed.number : Math.max(typed.number, 0));
          return true;
        }}
      />
    </div>
  );
}

function Choice<T extends string>({ label, value, choices, onGive }: { label: string; value: T; choices: [T, string][]; onGive(value: T): void }) {
  return (
    <div className="line">
      <span className="name">{label}</span>
      <select aria-label={`brush ${label}`} value={value} onChange={(e) => onGive(e.target.value as T)}>
        {choices.map(([name, text]) => <option key={name} value={name}>{text}</option>)}
      </select>
    </div>
  );
}

function LayerLine({ layer }: { layer: string }) {
  const layers = useStudio((s) => s.land?.layers);
  return (
    <div className="line">
      <span className="name">layer</span>
      <input className="text" aria-label="brush layer" list="brush-layers" value={layer} spellCheck={false} onChange={(e) => give({ layer: e.target.value })} />
      <datalist id="brush-layers">{(layers ?? []).filter(({ name }) => name !== 'height').map(({ name }) => <option key={name} value={name} />)}</datalist>
    </div>
  );
}

function SettingLine({ name, settings }: { name: Setting; settings: Settings }) {
  const line = numbers.get(name);
  if (name === 'target' && settings.towards === 'ramp') return null;
  if (line) return <NumberLine name={name} line={line} settings={settings} />;
  switch (name) {
    case 'layer':
      return <LayerLine layer={settings.layer} />;
    case 'began':
      return <Choice label="goes to" value={settings.began ? 'began' : 'given'} choices={[['began', 'where it begins'], ['given', 'the height below']]} onGive={(v) => give({ began: v === 'began' })} />;
    case 'towards':
      return <Choice label="goes to" value={settings.towards} choices={[['height', 'the height below'], ['ramp', 'a ramp between its ends']]} onGive={(towards) => give({ towards })} />;
    case 'sink':
      return <Choice label="leads" value={settings.sink} choices={[['down', 'down'], ['ahead', 'away from the eye']]} onGive={(sink) => give({ sink })} />;
    case 'mouths':
      return <Choice label="opens" value={settings.mouths} choices={[['start', 'where it begins'], ['both', 'at both ends'], ['none', 'nowhere']]} onGive={(mouths) => give({ mouths })} />;
    default:
      return null;
  }
}

/** Keys that a brush needs: they may come with others held, as brackets do on many keyboards. */
function useBrushKeys(): void {
  useEffect(() => {
    const typing = (target: EventTarget | null) => target instanceof HTMLElement && target.matches('input:not([type=checkbox]):not([type=radio]), textarea, select');
    const key = (e: KeyboardEvent) => {
      press(e.shiftKey, e.ctrlKey || e.metaKey);
      if (e.type !== 'keydown' || typing(e.target)) return;
      if (e.key === '[' || e.key === ']') resize(e.key === ']' ? 1.12 : 1 / 1.12);
      else if (e.key === 't' && !e.ctrlKey && !e.metaKey && !e.altKey) takeTarget();
      else return;
      e.preventDefault();
    };
    const left = () => press(false, false);
    addEventListener('keydown', key);
    addEventListener('keyup', key);
    addEventListener('blur', left);
    return () => {
      removeEventListener('keydown', key);
      removeEventListener('keyup', key);
      removeEventListener('blur', left);
    };
  }, []);
}

function Corners() {
  const corners = useStudio((s) => s.brush.corners);
  const line = useStudio((s) => s.brush.line);
  const least = line?.form === 'area' ? 3 : line?.form === 'line' ? 2 : 1;
  if (corners === 0) return null;
  return (
    <p className="corners" role="status">
      {corners === 1 ? 'One corner' : `${corners} corners`}
      <button type="button" disabled={corners < least} aria-keyshortcuts="Shift+Enter" title="Shift Enter on the land" onClick={finish}>Draw it</button>
    </p>
  );
}

/** The number that every line needs. */
function LineNumber({ line, number }: { line: LineTarget; number: NonNullable<Meaning['number']> }) {
  const value = line.number ?? number.usual;
  const put = (v: number) => drawLines({ ...line, number: v });
  return (
    <div className="line">
      <span className="name">{number.label}</span>
      <Slider
        id={`line.${number.name}`} label={`line ${number.label}`} value={value} low={0} high={Math.max(20, value)} step={0.1} least={0} most={null}
        text={`${show(value)} ${number.unit}`} onDrag={put} onDrop={() => {}} onDefault={() => put(number.usual)}
        onType={(text) => {
          const typed = parseFloat(text);
          if (!(typed >= 0)) return false;
          put(typed);
          return true;
        }}
      />
    </div>
  );
}

function LineCard() {
  const line = useStudio((s) => s.brush.line);
  if (!line) return null;
  const how = { line: 'Drag, or click corner by corner and then press Shift Enter.', area: 'Drag around it, or click its corners and then press Shift Enter.', points: 'Click where each one is.' };
  const all = meanings(line.port);
  const meaning = all.find(({ name }) => name === line.meaning);
  return (
    <>
      <h2>{line.port} <i>of {line.node}</i></h2>
      {meaning ? (
        <Choice label="draw" value={meaning.name} choices={all.map(({ name, label }) => [name, label])} onGive={(name) => drawLines(targetOf(line.node, line.port, all.find((m) => m.name === name)!))} />
      ) : (
        <Choice label="draw" value={line.form} choices={[['line', 'a line'], ['area', 'an area'], ['points', 'points']]} onGive={(form) => drawLines({ ...line, form })} />
      )}
      {meaning?.number ? <LineNumber line={line} number={meaning.number} /> : null}
      <p className="note">{meaning ? `${meaning.doc}. ` : ''}{how[line.form]} Esc gives it up.</p>
    </>
  );
}

/** What keys that are held make of a brush. */
function turns(kind: BrushKind): string {
  const opposite = kind.name === 'layer' ? 'erase' : kind.opposite ? kindOf(kind.opposite).label.toLowerCase() : null;
  const smooth = kind.op === 'smooth' || kind.name === 'smooth' ? null : 'Shift to smooth';
  const held = [smooth, opposite && `Ctrl to ${opposite}`].filter((text) => text !== null);
  return held.length > 0 ? `Hold ${held.join(', ')}.` : '';
}

function Choose() {
  const on = useStudio(over);
  const chosen = useStudio((s) => (on ? s.brush[on] : null));
  const settings = useStudio((s) => (on ? s.brush.settings?.[on] : null));
  const shift = useStudio((s) => s.brush.shift);
  const ctrl = useStudio((s) => s.brush.ctrl);
  if (!on || !chosen || !settings) return <p className="note">Brushes work on land and on volumes. Show a node of such a kind: click it below.</p>;
  const kind = kindOf(chosen);
  const now = turned(kind, shift, ctrl);
  return (
    <>
      <div className="kinds" role="radiogroup" aria-label="Brush" onKeyDown={rove}>
        {brushes.filter((b) => b.over === on).map((b) => (
          <button
            key={b.name} type="button" role="radio" aria-checked={b.name === chosen} tabIndex={b.name === chosen ? 0 : -1} className={`tool${b.name === now.name ? ' on' : ''}`}
            title={b.doc} onClick={() => chooseBrush(b.name)}
          ><Icon name={b.icon} /><span>{b.label}</span></button>
        ))}
      </div>
      <p className="note">{now.doc}.</p>
      {kind.settings.map((name) => <SettingLine key={name} name={name} settings={settings} />)}
      <p className="note">{turns(kind)}</p>
    </>
  );
}

export function BrushBar() {
  useBrushKeys();
  const open = useStudio((s) => s.tool === 'brush');
  const line = useStudio((s) => s.brush.line);
  const on = useStudio(over);
  const settings = useStudio((s) => s.brush.settings);
  const recipe = useStudio((s) => s.recipe);
  const drawing = useStudio((s) => s.brush.drawing);
  const land = useStudio((s) => s.land);
  useEffect(followBrush, [open, on, settings, land]);
  useEffect(() => void readStrokes(), [recipe, drawing]);
  if (!open) return null;
  return (
    <aside className="brushes card" aria-label="Brushes">
      <button type="button" className="quiet close" aria-label="Put the brush down" onClick={leaveBrush}><Icon name="close" /></button>
      {line ? <LineCard /> : <><h2>Brush</h2><Choose /></>}
      <Corners />
      <StrokeList />
    </aside>
  );
}
