// docs/ten_minutes.md, step by step. TEPUI is the program's path.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { drawn, launch, open } from './browser.mjs';
import { Program } from './program.mjs';

test('a world in ten minutes: a preset, a river, a hill, a cave, Unreal', async () => {
  const program = new Program(process.env.TEPUI);
  const browser = await launch();
  try {
    const file = join(program.folder, 'valley.json');
    const recipe = () => readFileSync(file, 'utf8');
    await program.studio('badlands');
    const page = await open(browser, program, { viewport: { width: 1280, height: 720 } });
    page.setDefaultTimeout(60000);
    await drawn(page);
    const saved = async (what, holds) => {
      for (let k = 0; k < 2400 && !holds(recipe()); ++k) await page.waitForTimeout(25);
      assert.ok(holds(recipe()), `${what}:\n${recipe()}`);
    };
    const strokes = (name) => JSON.parse(readFileSync(join(program.folder, new RegExp(`"${name}": \\{[^\n]*"file": "([^"]*)"`).exec(recipe())[1]), 'utf8')).features;
    const drag = async (...places) => {
      const area = await page.locator('canvas.surface').boundingBox();
      const at = ([x, y]) => [area.x + x * area.width, area.y + y * area.height];
      await page.mouse.move(...at(places[0]));
      await page.mouse.down();
      for (const place of places.slice(1)) await page.mouse.move(...at(place), { steps: 8 });
      await page.mouse.up();
    };

    // 1. Begin with a land.
    await page.getByRole('button', { name: 'Save as' }).click();
    await page.getByLabel('File name').fill('valley');
    await page.keyboard.press('Enter');
    for (let k = 0; k < 400 && !readdirSync(program.folder).includes('valley.json'); ++k) await page.waitForTimeout(25);
    // Smaller than the reader's, so that a slow machine keeps up.
    writeFileSync(file, recipe().replace('"resolution": 1025', '"resolution": 129'));

    // 2. Try its sliders.
    await page.getByRole('slider', { name: 'age' }).press('ArrowRight');
    await saved('a slider', (text) => text.includes('"resolution": 129') && !text.includes('"age": 0.5,'));

    // 3. Draw a river.
    await page.keyboard.press('3');
    await page.getByRole('button', { name: /^valleys/ }).click();
    await page.getByRole('button', { name: 'Draw guides' }).click();
    await drag([0.45, 0.5], [0.55, 0.5], [0.65, 0.5]);
    await saved('a river', (text) => /"valleys": \{[^\n]*"guides": "/.test(text));
    const [, guides] = /"valleys": \{[^\n]*"guides": "([^"]*)"/.exec(recipe());
    const [river] = strokes(guides);
    assert.equal(river.properties.guide, 'river');
    assert.equal(river.geometry.type, 'LineString');

    // 4. Raise a hill.
    await page.getByRole('button', { name: /^land/ }).first().click();
    await page.getByRole('button', { name: /^land/ }).first().getByRole('img', { name: 'shown' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('b');
    await page.getByRole('radio', { name: 'Raise' }).click();
    await drag([0.5, 0.55], [0.6, 0.55]);
    await saved('a hill', (text) => /"op": "paint"/.test(text));
    const [, painted, hill] = /"([^"]*)": \{[^\n]*"op": "paint"[^\n]*"strokes": "([^"]*)"/.exec(recipe());
    assert.equal(strokes(hill)[0].properties.tool, 'raise');

    // 5. Make it rock.
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    const card = (name) => page.locator(`.react-flow__node[data-id="${name}"]`);
    const handle = async (node, port) => {
      const box = await card(node).locator(`.react-flow__handle[data-handleid="${port}"]`).boundingBox();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    await card(painted).waitFor();
    await page.keyboard.press('f');
    await page.waitForTimeout(500);
    const from = await handle(painted, 'out');
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move(from[0] + 30, from[1] + 40, { steps: 8 });
    await page.mouse.up();
    await page.getByRole('combobox', { name: 'Search operators' }).fill('solid');
    await page.getByRole('option', { name: /^implicitize/ }).click();
    await saved('a solid', (text) => text.includes(`"op": "implicitize", "in": "${painted}"`));
    await card('implicitize').waitFor();
    await page.waitForTimeout(500);
    await page.mouse.move(...(await handle('clay', 'out')));
    await page.mouse.down();
    await page.mouse.move(...(await handle('implicitize', 'rock')), { steps: 12 });
    await page.mouse.up();
    await saved('beds', (text) => /"op": "implicitize"[^\n]*"rock": "clay"/.test(text));
    await card('implicitize').focus();
    await page.keyboard.press('v');
    await page.waitForFunction(() => document.querySelector('.status')?.textContent.includes('triangles'));

    // 6. Dig a cave.
    await page.locator('canvas.surface').focus();
    await page.keyboard.press('b');
    await page.getByRole('radio', { name: 'Cave' }).click();
    await drag([0.5, 0.5], [0.55, 0.5]);
    await saved('a cave', (text) => /"op": "sculpt"/.test(text));
    const [, cave] = /"op": "sculpt"[^\n]*"along": "([^"]*)"/.exec(recipe());
    assert.ok(strokes(cave)[0].properties.energy < 0);

    // 7. Take it to Unreal.
    await page.keyboard.press('Escape');
    await page.locator('canvas.surface').focus();
    await page.keyboard.press('e');
    const dialog = page.getByRole('dialog', { name: 'Export' });
    await dialog.getByRole('button', { name: 'Export', exact: true }).click();
    await dialog.getByText('valley_parts.glb').waitFor();
    const made = readdirSync(join(program.folder, 'exports', 'unreal'));
    for (const name of ['valley.png', 'valley_holes.png', 'valley_parts.glb']) assert.ok(made.includes(name), name);

    // The terminal makes the same world of the file.
    await page.keyboard.press('Escape');
    program.run('check', 'valley.json');
    assert.deepEqual(page.faults, []);
    assert.deepEqual(await page.evaluate(() => window.violations), []);
  } finally {
    await browser.close();
    await program.close();
  }
});
