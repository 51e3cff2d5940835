// The right side: the recipe's variables, or the panel of a node.
import { dice, setSun } from '../page/acts';
import { order } from '../page/session';
import { change, useStudio } from '../page/store';
import { AmountField } from '../panels/amount';
import { CurveField } from '../panels/curve';
import { IntervalField } from '../panels/interval';
import { ListField } from '../panels/many';
import { ParameterLine } from '../panels/parameter';
import { ChoiceField, SwitchField, TextField } from '../panels/plain';
import { readAmount } from '../panels/units';
import type { Json, Operator, RecipeNode, Variable } from '../protocol/messages';
import { select } from '../page/acts';
import { DrawPorts } from './draw_ports';
import { IconButton } from './icons';
import { SunDial } from './sun_dial';

const same = (a: Json, b: Json) => JSON.stringify(a) === JSON.stringify(b);

function kindOf(variable: Variable): string {
  if (variable.type) return variable.type;
  if (typeof variable.value === 'boolean') return 'boolean';
  if (typeof variable.value === 'string' && readAmount(variable.value)) return 'length';
  return typeof variable.value === 'number' ? 'number' : Array.isArray(variable.value) ? 'list' : 'text';
}

function VariableField({ variable, side }: { variable: Variable; side: number }) {
  const type = kindOf(variable);
  const path = `vars.${variable.name}`;
  const about = {
    type, unit: variable.unit ?? '', min: variable.min ?? null, max: variable.max ?? null, slider: variable.slider ?? [null, null] as [null, null],
    default: variable.default,
  };
  const common = { path, label: variable.name, value: variable.value };
  const given = !same(variable.value, variable.default);
  if (variable.choices?.length) return <ChoiceField {...common} choices={variable.choices} />;
  if (type === 'boolean') return <SwitchField {...common} />;
  if (type === 'curve') return <CurveField {...common} />;
  if (type.includes('interval')) return <IntervalField {...common} about={about} side={side} given={given} />;
  if (readAmount(variable.value)) return <AmountField {...common} about={about} side={side} given={given} />;
  if (Array.isArray(variable.value)) return <ListField {...common} />;
  return <TextField {...common} />;
}

function Variables() {
  const recipe = useStudio((s) => s.recipe);
  const sun = useStudio((s) => s.sun);
  if (!recipe) return null;
  const side = Math.max(...recipe.world.size);
  return (
    <>
      <section className="group">
        <h2>{recipe.title || recipe.name}</h2>
        <div className="line">
          <span className="name">seed</span>
          <div className="seed">
            <TextSeed seed={recipe.seed} />
            <IconButton icon="dice" label="Another seed" keys="R" onClick={dice} />
          </div>
        </div>
        {recipe.vars.map((variable) => (
          <div key={variable.name} className={`line${kindOf(variable).includes('interval') || kindOf(variable) === 'curve' ? ' wide' : ''}${same(variable.value, variable.default) ? '' : ' given'}`}>
            <span className="name" title={variable.doc ?? undefined}>{variable.name}</span>
            <VariableField variable={variable} side={side} />
            {same(variable.value, variable.default) ? null : (
              <button type="button" className="back" aria-label={`${variable.name}: back to the default`} title="Back to the default" onClick={() => void order({ do: 'reset', path: `vars.${variable.name}` })}>{'\u21ba'}</button>
            )}
          </div>
        ))}
      </section>
      <section className="group">
        <h2>Sun</h2>
        <SunDial sun={sun} onChange={setSun} />
      </section>
    </>
  );
}

function TextSeed({ seed }: { seed: number }) {
  return (
    <input
      key={seed} className="number" aria-label="seed" defaultValue={seed} inputMode="numeric"
      onBlur={(e) => /^\d+$/.test(e.target.value) && Number(e.target.value) !== seed && void order({ do: 'set', path: 'seed', value: Number(e.target.value), hold: false })}
      onKeyDown={(e) => e.key === 'Enter' && e.currentTarget.blur()}
    />
  );
}

function NodePanel({ node, operator }: { node: RecipeNode; operator: Operator | undefined }) {
  const side = useStudio((s) => Math.max(...(s.recipe?.world.size ?? [1000, 1000])));
  const path = `nodes.${node.name}`;
  const value = (name: string, fallback: Json): Json => (Object.hasOwn(node.values, name) ? node.values[name] ?? fallback : fallback);
  return (
    <section className="group">
      <h2>{node.name} <i>{node.op}</i></h2>
      {operator ? <p className="doc">{operator.doc}</p> : null}
      {node.inputs.length > 0 ? (
        <p className="ports">{node.inputs.map(({ port, from }) => {
          const source = from.split('.')[0] ?? from;
          return <button key={`${port} ${from}`} type="button" className="bound" title={`Port ${port}`} onClick={() => select(source)}><i>{port}</i> {from}</button>;
        })}</p>
      ) : null}
      <DrawPorts node={node} operator={operator} />
      {(operator?.params ?? []).map((parameter) => (
        <ParameterLine
          key={parameter.name} path={`${path}.${parameter.name}`} parameter={parameter} side={side} value={value(parameter.name, parameter.default)}
          given={Object.hasOwn(node.given, parameter.name) ? node.given[parameter.name] : undefined}
        />
      ))}
    </section>
  );
}

export function Side() {
  const recipe = useStudio((s) => s.recipe);
  const operators = useStudio((s) => s.welcome?.operators);
  const selected = useStudio((s) => s.selected);
  const node = recipe?.nodes.find((n) => n.name === selected);
  const op = node?.operator ?? node?.op.split('@')[0];
  return (
    <aside className="side" aria-label="Parameters">
      <div className="tabs" role="tablist" aria-label="Parameters of">
        <button type="button" role="tab" id="tab-recipe" aria-selected={!node} aria-controls="panel" onClick={() => change({ selected: null })}>Recipe</button>
        {node ? <button type="button" role="tab" id="tab-node" aria-selected aria-controls="panel">{node.name}</button> : null}
      </div>
      <div className="scroll" id="panel" role="tabpanel" tabIndex={0} aria-labelledby={node ? 'tab-node' : 'tab-recipe'}>
        {node ? <NodePanel key={node.name} node={node} operator={operators?.find((o) => o.name === op)} /> : <Variables />}
      </div>
    </aside>
  );
}
