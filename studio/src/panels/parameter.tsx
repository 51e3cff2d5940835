// One line of a panel: the field that belongs to a parameter's type.
import type { Json, Parameter } from '../protocol/messages';
import { set, reset } from '../page/edits';
import { AmountField } from './amount';
import { CurveField } from './curve';
import { IntervalField } from './interval';
import { ListField, RecordsField, VectorField } from './many';
import { ChoiceField, ColourField, SwitchField, TextField } from './plain';

interface Props {
  path: string;
  parameter: Parameter;
  value: Json;
  /** As the recipe has it; undefined if the default holds. */
  given: Json | undefined;
  side: number;
}

/** What a parameter that is chosen automatically becomes when it is taken in hand. */
function firstValue({ type, slider, min, record }: Parameter): Json {
  const low = slider[0] ?? min ?? 0;
  const high = slider[1] !== null && slider[1] < 1e8 ? slider[1] : Math.max(low, 0) + 1;
  const middle = type === 'integer' ? Math.round((low + high) / 2) : Number(((Math.max(low, -1e6) + high) / 2).toPrecision(3));
  if (type.includes('interval')) return [Math.max(low, -1e6), high];
  if (type === 'list') return [middle];
  if (type === 'records') return [Object.fromEntries((record ?? []).map((field) => [field.name, field.default]))];
  if (type === 'vec2') return [middle, middle];
  if (type === 'vec3') return [middle, middle, middle];
  if (type === 'text' || type === 'file') return '';
  return middle;
}

const wide = new Set(['curve', 'records', 'list', 'interval', 'length interval', 'vec2', 'vec3']);

function Field({ path, parameter: p, value, given, side }: Props) {
  const about = { path, label: p.name, value };
  switch (p.type) {
    case 'number':
    case 'length':
    case 'angle':
    case 'integer':
    case 'seed':
      return <AmountField {...about} about={p} side={side} given={given !== undefined} />;
    case 'interval':
    case 'length interval':
      return <IntervalField {...about} about={p} side={side} given={given !== undefined} />;
    case 'boolean':
      return <SwitchField {...about} />;
    case 'choice':
      return <ChoiceField {...about} choices={p.choices ?? []} />;
    case 'curve':
      return <CurveField {...about} />;
    case 'colour':
      return <ColourField {...about} />;
    case 'records':
      return <RecordsField {...about} record={p.record ?? []} />;
    case 'list':
      return <ListField {...about} />;
    case 'vec2':
    case 'vec3':
      return <VectorField {...about} />;
    case 'file':
      return <TextField {...about} hint="a file beside the recipe" />;
    default:
      return <TextField {...about} />;
  }
}

export function ParameterLine(props: Props) {
  const { path, parameter, value, given } = props;
  const variable = typeof given === 'string' && given.startsWith('$') ? given.slice(1) : null;
  const automatic = parameter.automatic === true && value === 'auto';
  return (
    <div className={`line${wide.has(parameter.type) && !automatic ? ' wide' : ''}${given !== undefined ? ' given' : ''}`}>
      <span className="name" title={parameter.doc}>{parameter.name}</span>
      {variable !== null ? (
        <button type="button" className="bound" title={`Set by the variable ${variable}`} onClick={() => document.getElementById(`vars.${variable}`)?.focus()}>
          <b>{variable}</b> {typeof value === 'object' ? '' : String(value)}
        </button>
      ) : automatic ? (
        <button type="button" className="bound" title="Chosen automatically; click to choose it yourself" onClick={() => void set(path, firstValue(parameter))}>auto</button>
      ) : (
        <Field {...props} />
      )}
      {given !== undefined && variable === null ? (
        <button type="button" className="back" title="Back to the default" aria-label={`${parameter.name}: back to the default`} onClick={() => void reset(path)}>{'\u21ba'}</button>
      ) : null}
    </div>
  );
}
