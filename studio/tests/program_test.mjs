// The page and the program together, as people meet them. TEPUI is the program's path.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { drawn, launch, open } from './browser.mjs';
import { Program } from './program.mjs';

test('a land is drawn, changed, saved, undone, cut, exported and left, under the policy of the program', async () => {
  const program = new Program(process.env.TEPUI);
  const browser = await launch();
  try {
    program.run('new', 'mesa', '-o', 'my.json');
    const file = join(program.folder, 'my.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"resolution": 1025', '"resolution": 129 /* small */'));
    const opened = readFileSync(file, 'utf8');
    const saved = async (what, holds) => {
      for (let k = 0; k < 400 && !holds(readFileSync(file, 'utf8')); ++k) await new Promise((resolve) => setTimeout(resolve, 25));
      assert.ok(holds(readFileSync(file, 'utf8')), what);
    };
    await program.studio('my.json');
    const page = await open(browser, program);
    await drawn(page);
    assert.equal(new URL(page.url()).hash, '');

    await page.getByRole('slider', { name: 'age' }).press('ArrowRight');
    await saved('an arrow', (text) => text === opened.replace('"age": 0.65', '"age": 0.66'));
    const typed = page.getByLabel('height, typed');
    await typed.fill('350m');
    await typed.press('Enter');
    await saved('a length', (text) => text.includes('"height": 350'));
    await page.getByRole('slider', { name: 'age' }).focus();
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await saved('undone byte for byte', (text) => text === opened);
    await page.keyboard.press('h');
    await page.getByRole('dialog', { name: 'History' }).getByRole('button', { name: /^2/ }).click();
    await saved('a step of the history', (text) => text.includes('"height": 350') && text.includes('"age": 0.66'));
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Redo' }).click();
    await saved('redone', (text) => text.includes('"height": 350'));
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.waitForFunction(() => document.querySelector('[aria-label="Redo"]')?.disabled === false);
    await page.getByRole('button', { name: 'Undo' }).click();
    await saved('undone again', (text) => text === opened);

    await page.locator('canvas.surface').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'History of the point' }).waitFor();
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Shift+ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'Cross-section' }).waitFor();
    await page.getByLabel('Overlay').selectOption('height');
    await page.getByRole('complementary', { name: 'Legend' }).getByText('height').waitFor();
    await page.getByRole('button', { name: /^faults/ }).click();
    await page.getByRole('slider', { name: 'radius, from' }).waitFor();
    await page.locator('.presets img').first().waitFor();

    writeFileSync(file, opened.replace('"beds": 5', '"beds": 7'));
    await page.getByRole('tab', { name: 'Recipe' }).click();
    await page.waitForFunction(() => document.getElementById('vars.beds')?.getAttribute('aria-valuenow') === '7');
    writeFileSync(file, opened.replace('"circular_faults"', '"circular_faultz"'));
    await page.getByRole('alert').getByText('circular_faults').waitFor();
    writeFileSync(file, opened);
    await page.getByRole('alert').waitFor({ state: 'detached' });

    await page.reload();
    await drawn(page);
    await program.end();
    await page.getByRole('alert').waitFor();
    assert.deepEqual(page.faults, []);
    assert.deepEqual(await page.evaluate(() => window.violations), []);
  } finally {
    await browser.close();
    await program.close();
  }
});
