// The graph and the list of nodes with the program itself. TEPUI is the program's path.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { drawn, launch, open } from './browser.mjs';
import { Program } from './program.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const recipe = `{
  "tepui": 1, "title": "Hills",
  "world": { "size": [1000, 800], "resolution": 65 },
  "nodes": {
    // Where it begins.
    "hills": { "op": "noise", "height": 200 },
    "land": { "op": "levelling", "in": "hills", "radius": 20 }
  },
  "outputs": { "land.tif": "land" }
}
`;

let program, browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

/** A page with the studio in it, its recipe's text, and what must hold at its end. */
async function studio(play, options = {}) {
  program = new Program(process.env.TEPUI);
  try {
    const file = join(program.folder, 'my.json');
    writeFileSync(file, recipe);
    await program.studio('my.json');
    const page = await open(browser, program, { viewport: { width: 1280, height: 720 }, ...options });
    page.setDefaultTimeout(60000);
    await drawn(page);
    const saved = async (what, holds) => {
      for (let k = 0; k < 2400 && !holds(readFileSync(file, 'utf8')); ++k) await page.waitForTimeout(25);
      assert.ok(holds(readFileSync(file, 'utf8')), `${what}:\n${readFileSync(file, 'utf8')}`);
    };
    await play(page, saved);
    assert.deepEqual(page.faults, []);
    assert.deepEqual(await page.evaluate(() => window.violations), []);
  } finally {
    await program.close();
  }
}

const card = (page, name) => page.locator(`.react-flow__node[data-id="${name}"]`);
const handle = (page, node, port) => card(page, node).locator(`.react-flow__handle[data-handleid="${port}"]`);
const middle = async (locator) => {
  const box = await locator.boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
};
async function drag(page, from, to, steps = 8) {
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to, { steps });
}
async function flawless(page, where) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run());
  assert.deepEqual(violations.map((v) => `${where}: ${v.id} ${v.nodes[0]?.html}`), []);
}
async function undone(page, saved) {
  await page.locator('.surface').focus();
  for (let k = 0; k < 60 && (await page.locator('.top').getByRole('button', { name: 'Undo' }).isEnabled()); ++k) {
    await page.keyboard.press('Control+z');
    await page.waitForTimeout(60);
  }
  await saved('all of it undone', (text) => text === recipe);
}

test('nodes are added, wired, inserted, copied, grouped, renamed and deleted by hand, and all of it is undone', () => studio(async (page, saved) => {
  await page.getByRole('button', { name: 'Nodes as a graph' }).click();
  await card(page, 'land').waitFor();
  await flawless(page, 'graph');

  // From a port to the ground: the menu has what takes land, found by its meaning.
  const [x, y] = await middle(handle(page, 'land', 'out'));
  await drag(page, [x, y], [x + 60, y + 60]);
  await page.mouse.up();
  const menu = page.getByRole('combobox', { name: 'Search operators' });
  await menu.fill('xyzzy');
  await page.getByText('No operator').waitFor();
  await menu.fill('terraces');
  await page.getByRole('option', { name: /^adjust/ }).click();
  await saved('added from a port', (text) => text.includes('"adjust": { "op": "adjust", "in": "land" }') && text.includes('"at"'));
  await page.getByRole('tab', { name: 'adjust' }).waitFor();

  // On a wire, where the menu has what fits on both sides.
  await page.locator('.react-flow__edge[data-id="land:in:0"] .react-flow__edge-interaction').dispatchEvent('dblclick', { bubbles: true });
  await menu.fill('gradation');
  await flawless(page, 'menu');
  await page.keyboard.press('Enter');
  await saved('inserted', (text) => text.includes('"gradation": { "op": "gradation", "in": "hills" }') && text.includes('"op": "levelling", "in": "gradation"'));

  // What cannot take a wire says why.
  await page.keyboard.press('f');
  await page.waitForTimeout(300);
  await drag(page, await middle(handle(page, 'land', 'out')), await middle(handle(page, 'gradation', 'in')), 12);
  await page.getByRole('status').getByText('land waits for gradation').waitFor();
  assert.ok(await card(page, 'gradation').locator('.port.barred').count() >= 2);
  await page.mouse.move(...(await middle(handle(page, 'gradation', 'rock'))), { steps: 4 });
  await page.getByText('takes geology, but land gives terrain').waitFor();
  await page.mouse.up();
  await page.keyboard.press('Escape');

  // A wire by hand.
  await drag(page, await middle(handle(page, 'hills', 'out')), await middle(handle(page, 'adjust', 'mask')), 12);
  await page.mouse.up();
  await saved('wired', (text) => /"adjust": \{[^}]*"mask": "hills"/.test(text));

  await card(page, 'gradation').click();
  await page.keyboard.press('F2');
  await page.getByLabel('Name of gradation').fill('worn');
  await page.keyboard.press('Enter');
  await saved('renamed', (text) => text.includes('"worn": { "op"') && text.includes('"in": "worn"'));
  await page.getByRole('tab', { name: 'worn' }).waitFor();
  await page.keyboard.press('Control+d');
  await saved('copied', (text) => text.includes('"worn_2"'));
  await page.waitForFunction(() => document.querySelector('.react-flow__node[data-id="worn_2"].selected'));
  await page.keyboard.press('Delete');
  await saved('deleted', (text) => !text.includes('"worn_2"'));
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+g');
  const title = page.getByLabel('Name of Group 1');
  await title.fill('All of it');
  await title.press('Enter');
  await saved('grouped', (text) => text.includes('"name": "All of it", "nodes": ["hills", "land", "adjust", "worn"]'));

  // A place is kept, and computes nothing.
  const shown = await page.evaluate(() => window.lands.length);
  const [hx, hy] = await middle(card(page, 'hills').locator('b'));
  await drag(page, [hx, hy], [hx - 30, hy - 45]);
  await page.mouse.up();
  await saved('placed', (text) => /"hills": \[-?\d+, -?\d+\]/.test(text));
  assert.equal(await page.evaluate(() => window.lands.length), shown);

  await card(page, 'worn').dblclick();
  await page.waitForFunction(() => document.querySelector('.react-flow__node[data-id="worn"] [aria-label="shown"]'));
  await card(page, 'worn').click({ button: 'right' });
  await page.getByRole('menuitem', { name: /^Delete/ }).click();
  await saved('healed', (text) => text.includes('"op": "levelling", "in": "hills"'));
  await card(page, 'worn').waitFor({ state: 'detached' });
  await undone(page, saved);
}));

test('a node without its inputs waits, and the rest goes on', () => studio(async (page, saved) => {
  await page.keyboard.press('g');
  await card(page, 'land').waitFor();
  await page.getByRole('button', { name: 'Add an operator', exact: true }).click();
  await page.keyboard.type('combine two lands');
  await page.keyboard.press('Enter');
  await page.locator('.card.unfinished').getByText('needs an input').waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);
  // A loose node that is dropped on a wire stands on it.
  await saved('added', (text) => text.includes('"combine"'));
  await page.waitForTimeout(400);
  await page.keyboard.press('f');
  await page.waitForTimeout(400);
  const path = await page.locator('.react-flow__edge[data-id="land:in:0"] .react-flow__edge-interaction').boundingBox();
  const from = await middle(card(page, 'combine').locator('b'));
  await drag(page, from, [path.x + path.width / 2, path.y + path.height / 2], 12);
  await page.locator('.react-flow__edge.over').waitFor({ state: 'attached' });
  await page.mouse.up();
  await saved('on the wire', (text) => text.includes('"op": "levelling", "in": "combine"') && /"combine": \{[^}]*"in": "hills"/.test(text));
  await undone(page, saved);
}));

test('by the keyboard alone', () => studio(async (page, saved) => {
  await page.keyboard.press('g');
  await card(page, 'land').waitFor();
  const graph = page.getByRole('application', { name: /^Graph/ });
  await graph.focus();
  await page.keyboard.press('a');
  await page.keyboard.type('noise');
  await page.keyboard.press('Enter');
  await saved('added', (text) => text.includes('"noise": { "op": "noise"'));
  await page.waitForFunction(() => document.querySelector('.react-flow__node[data-id="noise"].selected'));
  await page.waitForFunction(() => document.activeElement?.classList.contains('graph'));
  await page.keyboard.press('F2');
  await page.getByLabel('Name of noise').fill('ridges');
  await page.keyboard.press('Enter');
  await saved('renamed', (text) => text.includes('"ridges": { "op": "noise"'));
  await page.keyboard.press('t');
  await saved('tidied', (text) => /"ridges": \[/.test(text) && /"land": \[/.test(text));
  await page.waitForFunction(() => document.activeElement?.classList.contains('graph'));
  // A node with the focus: chosen by Enter, moved by arrows, shown by V.
  await card(page, 'hills').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('tab', { name: 'hills' }).waitFor();
  const placed = /"hills": \[(-?\d+), (-?\d+)\]/.exec(readFileSync(join(program.folder, 'my.json'), 'utf8'))[0];
  await page.keyboard.press('ArrowDown');
  await saved('moved', (text) => !text.includes(placed));
  await page.keyboard.press('v');
  await page.waitForFunction(() => document.querySelector('.react-flow__node[data-id="hills"] [aria-label="shown"]'));
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menu').waitFor();
  await flawless(page, 'acts');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await saved('deleted', (text) => !text.includes('"op": "noise", "height": 200'));
  await undone(page, saved);
}));

test('the list does all that the graph does', () => studio(async (page, saved) => {
  await page.getByRole('button', { name: 'Nodes as a list' }).click();
  const list = page.getByRole('region', { name: 'List of the nodes' });
  await list.waitFor();
  await flawless(page, 'list');
  const named = list.getByLabel('Name of land');
  await named.fill('moor');
  await named.press('Enter');
  await saved('renamed', (text) => text.includes('"moor": { "op": "levelling"'));
  await list.getByRole('button', { name: 'Add after moor' }).press('Enter');
  await page.keyboard.type('combine');
  await page.keyboard.press('Enter');
  await saved('added', (text) => text.includes('"combine": { "op": "combine", "in": "moor" }'));
  await list.getByLabel('with of combine', { exact: true }).selectOption('hills');
  await saved('wired', (text) => text.includes('"with": "hills"'));
  const options = await list.getByLabel('in of moor', { exact: true }).locator('option').allTextContents();
  assert.deepEqual(options, ['nothing yet', 'hills']);
  await list.getByRole('button', { name: 'Insert an operator before in of moor' }).press('Enter');
  await page.keyboard.type('adjust');
  await page.keyboard.press('Enter');
  await saved('inserted', (text) => text.includes('"adjust": { "op": "adjust", "in": "hills" }') && text.includes('"op": "levelling", "in": "adjust"'));
  const group = list.getByLabel('Group of moor');
  await group.fill('Heath');
  await group.press('Enter');
  await saved('grouped', (text) => text.includes('"name": "Heath", "nodes": ["moor"]'));
  await list.getByRole('button', { name: 'Duplicate combine' }).press('Enter');
  await saved('copied', (text) => text.includes('"combine_2"'));
  await list.getByRole('button', { name: 'Delete combine_2' }).press('Enter');
  await saved('deleted', (text) => !text.includes('"combine_2"'));
  await list.getByLabel('with of combine', { exact: true }).selectOption('');
  await list.getByText('needs an input').waitFor();
  await list.getByRole('button', { name: 'Show hills' }).press('Enter');
  await list.getByText('shown').waitFor();
  await undone(page, saved);
}));

test('the graph keeps its height, and works in a small window and at 200 %', () => studio(async (page) => {
  await page.keyboard.press('g');
  await card(page, 'land').waitFor();
  const edge = page.getByRole('separator');
  await edge.focus();
  await page.keyboard.press('ArrowUp');
  const height = await edge.getAttribute('aria-valuenow');
  await page.keyboard.press('g');
  await page.locator('.nodes').waitFor();
  await page.reload();
  await drawn(page);
  await page.keyboard.press('g');
  await card(page, 'land').waitFor();
  assert.equal(await page.getByRole('separator').getAttribute('aria-valuenow'), height);
  await page.setViewportSize({ width: 640, height: 360 });
  await page.waitForTimeout(200);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  for (const part of ['.surface', '.side', '.graph']) {
    const box = await page.locator(part).boundingBox();
    assert.ok(box.width > 150 && box.height > 60 && box.y + box.height <= 360, `${part}: ${box.width} x ${box.height}`);
  }
  await page.getByRole('button', { name: 'Add an operator', exact: true }).click();
  const menu = await page.locator('.popup').boundingBox();
  assert.ok(menu.x >= 0 && menu.y >= 0 && menu.x + menu.width <= 640 && menu.y + menu.height <= 360);
  await flawless(page, 'small');
}));
