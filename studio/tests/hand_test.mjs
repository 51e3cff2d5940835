// Brushes with the program itself: what the hand draws lies in files beside the recipe. TEPUI is the program's path.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { drawn, launch, open } from './browser.mjs';
import { Program } from './program.mjs';
import { serious, until } from './with_page.mjs';

/** A preset as a small recipe of one's own, open in the page with the brushes taken. */
async function sculpting(preset, change, body) {
  const program = new Program(process.env.TEPUI);
  const browser = await launch();
  try {
    program.run('new', preset, '-o', 'my.json');
    const file = join(program.folder, 'my.json');
    writeFileSync(file, change(readFileSync(file, 'utf8')));
    const hand = {
      text: () => readFileSync(file, 'utf8'),
      /** The strokes of all files of lines beside the recipe; a file that has just been made may be empty for a moment. */
      strokes: () => readdirSync(program.folder).filter((name) => name.endsWith('.geojson'))
        .map((name) => readFileSync(join(program.folder, name), 'utf8')).flatMap((text) => (text ? JSON.parse(text).features : [])),
    };
    await program.studio('my.json');
    const page = await open(browser, program, { hasTouch: true });
    await drawn(page);
    const opened = hand.text();
    const before = JSON.stringify(hand.strokes());
    hand.at = async (share, down) => {
      const box = await page.locator('canvas.surface').boundingBox();
      return [box.x + box.width * share, box.y + box.height * down];
    };
    hand.drag = async (from, to) => {
      const [a, b] = [await hand.at(...from), await hand.at(...to)];
      await page.mouse.move(...a);
      await page.mouse.down();
      for (let k = 1; k <= 10; ++k) await page.mouse.move(a[0] + ((b[0] - a[0]) * k) / 10, a[1] + ((b[1] - a[1]) * k) / 10);
      await page.mouse.up();
    };
    /** Undoes everything: the recipe and its folder are as they were. */
    hand.undone = async () => {
      const undo = page.getByRole('button', { name: 'Undo' });
      await until('the recipe has its first bytes', async () => {
        // A button that is disabled does nothing.
        await undo.evaluate((button) => button.click());
        await page.waitForTimeout(150);
        return (await undo.isDisabled()) && hand.text() === opened;
      });
      await until('the strokes are gone', () => JSON.stringify(hand.strokes()) === before);
    };
    await body(page, hand);
    assert.deepEqual(page.faults, []);
    assert.deepEqual(await page.evaluate(() => window.violations), []);
  } finally {
    await browser.close();
    await program.close();
  }
}

const small = (text) => text.replace('"resolution": 1025', '"resolution": 129');

test('land is painted by mouse, pen, finger and keyboard, survives another seed, and is undone', () => sculpting('mesa', small, async (page, hand) => {
  await page.keyboard.press('1');
  await page.keyboard.press('b');
  await page.getByRole('complementary', { name: 'Brushes' }).waitFor();
  await hand.drag([0.5, 0.4], [0.7, 0.5]);
  await until('a stroke in a file', () => hand.strokes().length === 1);
  const [first] = hand.strokes();
  assert.deepEqual([first.geometry.type, first.properties.tool], ['LineString', 'raise']);
  await until('a node that paints', () => /"op": "paint"/.test(hand.text()));

  const wire = await page.context().newCDPSession(page);
  const pen = (type, [x, y], force) => wire.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', buttons: 1, clickCount: 1, pointerType: 'pen', force });
  await pen('mousePressed', await hand.at(0.5, 0.6), 0.2);
  for (let k = 1; k <= 8; ++k) await pen('mouseMoved', await hand.at(0.5 + 0.02 * k, 0.6), 0.2 + 0.1 * k);
  await pen('mouseReleased', await hand.at(0.66, 0.6), 0);
  await until('a second one', () => hand.strokes().length === 2);
  assert.match(JSON.stringify(hand.strokes()[1]), /pressure/);

  const fingers = async (type, ...points) => wire.send('Input.dispatchTouchEvent', { type, touchPoints: (await Promise.all(points.map((p) => hand.at(...p)))).map(([x, y], id) => ({ x, y, id })) });
  await fingers('touchStart', [0.55, 0.3]);
  for (let k = 1; k < 6; ++k) await fingers('touchMove', [0.55 + 0.02 * k, 0.3]);
  await fingers('touchEnd');
  await until('a third one', () => hand.strokes().length === 3);

  await page.locator('canvas.surface').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Shift+Enter');
  await until('a fourth one', () => hand.strokes().length === 4);
  const made = JSON.stringify(hand.strokes());

  await page.getByRole('textbox', { name: 'seed' }).fill('77');
  await page.keyboard.press('Enter');
  await until('another seed', () => /"seed": 77/.test(hand.text()));
  assert.equal(JSON.stringify(hand.strokes()), made, 'strokes stay');
  await page.getByRole('complementary', { name: 'Brushes' }).getByLabel(/Show the strokes/).check();
  await page.getByRole('button', { name: 'Take out stroke 2' }).click();
  await until('one is taken out', () => hand.strokes().length === 3);
  assert.equal(JSON.stringify(hand.strokes()), JSON.stringify(JSON.parse(made).filter((_, k) => k !== 1)));
  await hand.undone();
}));

test('rivers and regions are drawn for the ports of a node', () => sculpting('painted_valley', small, async (page, hand) => {
  await page.keyboard.press('1');
  await page.getByRole('button', { name: /^rivers/ }).click();
  await page.getByRole('button', { name: 'Draw guides' }).click();
  const before = hand.strokes().length;
  await hand.drag([0.5, 0.3], [0.6, 0.7]);
  await until('a line', () => hand.strokes().length === before + 1);
  await until('a wire', () => /"guides": /.test(hand.text()));
  await hand.undone();
}));

test('a volume is carved, and one drag is one step', () => sculpting('arch_mesa', (text) => text.replace('"resolution": 641', '"resolution": 65'), async (page, hand) => {
  await page.getByRole('button', { name: /^carved/ }).click();
  await page.keyboard.press('b');
  await page.getByRole('radio', { name: 'Carve' }).waitFor();
  await serious(page, 'brushes on volumes');
  await hand.drag([0.5, 0.45], [0.6, 0.5]);
  await until('a stroke in a file', () => hand.strokes().length === 1);
  const [stroke] = hand.strokes();
  assert.ok(stroke.properties.energy < 0 && stroke.properties.falloff > 0);
  assert.ok(stroke.geometry.coordinates.every((p) => p.length === 3), 'on the rock');
  await page.keyboard.press('h');
  await page.getByRole('dialog', { name: 'History' }).getByRole('button', { name: /^1/ }).waitFor();
  assert.equal(await page.getByRole('dialog', { name: 'History' }).getByRole('listitem').count(), 2);
  await page.keyboard.press('Escape');
  await hand.undone();
}));
