// The page in Chromium against a stand-in for the program. `node page_test.mjs`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawn } from './browser.mjs';
import { FakeServer } from './fake_server.mjs';
import { last, serious, studio, tabTo, until } from './with_page.mjs';

test('a land is drawn, the token leaves the address, and nothing is asked of anyone else', () => studio(async (page, server) => {
  await drawn(page);
  assert.equal(new URL(page.url()).hash, '');
  assert.ok(!(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).includes(server.token));
  const colours = await page.locator('.view').screenshot().then((picture) => page.evaluate(async (bytes) => {
    const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    canvas.drawImage(bitmap, 0, 0);
    const { data } = canvas.getImageData(0, 0, bitmap.width, bitmap.height);
    const seen = new Set();
    for (let k = 0; k < data.length; k += 4) seen.add((data[k] >> 4) * 256 + (data[k + 1] >> 4) * 16 + (data[k + 2] >> 4));
    return seen.size;
  }, [...picture]));
  assert.ok(colours > 60, `${colours} colours`);
}));

test('Trusted Types refuse scripts made of text', () => studio(async (page) => {
  await drawn(page);
  const refused = await page.evaluate(() => {
    try {
      new Worker('/other.js');
      return false;
    } catch (error) {
      return error instanceof TypeError;
    }
  });
  assert.ok(refused);
  await page.evaluate(() => (window.violations = []));
  page.faults.length = 0;
}));

test('a tour by keyboard alone', () => studio(async (page, server) => {
  await drawn(page);
  await tabTo(page, 'The land');
  for (const key of ['ArrowLeft', 'Shift+ArrowUp', '+', '-', '1', '2', '3', '4', 'f', 'Home']) await page.keyboard.press(key);
  // A point's history, a cross-section, a measure.
  await page.keyboard.press('Enter');
  await page.getByRole('complementary', { name: 'History of the point' }).waitFor();
  assert.equal(typeof last(server, 'point').x, 'number');
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Shift+ArrowUp');
  await page.keyboard.press('Enter');
  await page.getByRole('complementary', { name: 'Cross-section' }).waitFor();
  assert.equal(last(server, 'section').line.length, 2);
  await page.keyboard.press('m');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Enter');
  await page.getByRole('complementary', { name: 'Measure' }).waitFor();
  await page.keyboard.press('Escape');
  // On foot and back.
  await page.keyboard.down('w');
  await page.getByRole('button', { name: 'Back to the air' }).waitFor();
  await page.keyboard.up('w');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Walk at 1.8 m' }).waitFor();

  // Sliders: arrows, fine, default, typed.
  await tabTo(page, 'age');
  await page.keyboard.press('ArrowRight');
  await until('an arrow sets', () => last(server, 'set')?.value === 0.66);
  await until('the key released ends the step', () => last(server, 'release'));
  await page.keyboard.press('Shift+ArrowRight');
  await until('Shift is fine', () => last(server, 'set')?.value === 0.661);
  await page.keyboard.press('Delete');
  await until('Delete resets', () => last(server, 'reset')?.path === 'vars.age');
  await tabTo(page, 'height');
  for (const [typed, value] of [['350m', 350], ['10%', '10%'], ['2 km', 2000]]) {
    await page.keyboard.press('Enter');
    await page.keyboard.type(typed);
    await page.keyboard.press('Enter');
    await until(`${typed} is understood`, () => last(server, 'set')?.value === value);
  }
  await page.keyboard.press('Control+z');
  await until('undo', () => last(server, 'undo'));
  await page.keyboard.press('Control+Shift+z');
  await until('redo', () => last(server, 'redo'));

  // Nodes, history, compare, pause, export.
  await tabTo(page, 'massif');
  await page.keyboard.press('Enter');
  await until('a node is shown', () => last(server, 'show')?.node === 'massif');
  await page.getByRole('tab', { name: 'massif' }).waitFor();
  await page.keyboard.press('h');
  await page.getByRole('dialog', { name: 'History' }).waitFor();
  await tabTo(page, '0', 5);
  await page.keyboard.press('Enter');
  await until('a step of the history', () => last(server, 'goto')?.step === 0);
  await page.keyboard.press('Escape');
  await page.keyboard.down('c');
  await until('compare', () => last(server, 'compare')?.on === true);
  await page.keyboard.up('c');
  await until('compare ends', () => last(server, 'compare')?.on === false);
  await page.keyboard.press('p');
  await until('pause', () => last(server, 'pause')?.on === true);
  await page.keyboard.press('p');
  await page.keyboard.press('e');
  await page.getByRole('radio', { name: 'unreal' }).waitFor({ state: 'attached' });
  await tabTo(page, 'Export', 8);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Copy Scale Z' }).waitFor();
  assert.equal(last(server, 'export').size, 505);
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
}));

test('axe finds nothing serious on any screen', () => studio(async (page, server) => {
  await drawn(page);
  await serious(page, 'first screen');
  await page.getByRole('button', { name: /^land/ }).click();
  await serious(page, 'a panel of every type');
  await page.getByLabel('Overlay').selectOption('material');
  await page.getByRole('complementary', { name: 'Legend' }).waitFor();
  await page.locator('canvas.surface').click();
  await page.getByRole('complementary', { name: 'History of the point' }).waitFor();
  server.problems = [{ message: 'unknown key "heigth"', hint: 'did you mean "height"?', line: 2, column: 3, path: 'nodes.land.heigth' }];
  server.recipe();
  server.say({ say: 'conflict', places: [{ path: 'vars.age', mine: 0.5, theirs: 0.7 }] });
  server.say({ say: 'failed', message: 'The disk is full', hint: 'make room' });
  await page.getByRole('alertdialog').waitFor();
  await serious(page, 'overlay, point, error, conflict, message');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
  await page.getByRole('button', { name: 'Copy Scale Z' }).waitFor();
  await serious(page, 'export');
}));

test('every type of parameter has a field that edits it', () => studio(async (page, server) => {
  await drawn(page);
  await page.getByRole('button', { name: /^land/ }).click();
  const panel = page.getByRole('tabpanel');
  const sets = async (key, value) => assert.deepEqual((await until(key, () => {
    const request = last(server, 'set');
    return request?.path === `nodes.land.${key}` && JSON.stringify(request.value) === JSON.stringify(value) && request;
  })).value, value);
  await panel.getByLabel('choice').selectOption('two');
  await sets('choice', 'two');
  await panel.getByLabel('switch').uncheck();
  await sets('switch', false);
  await panel.getByLabel('text', { exact: true }).fill('snow');
  await page.keyboard.press('Enter');
  await sets('text', 'snow');
  await panel.getByLabel('file', { exact: true }).fill('alps.tif');
  await page.keyboard.press('Enter');
  await sets('file', 'alps.tif');
  await panel.getByLabel('place z').fill('12');
  await page.keyboard.press('Enter');
  await sets('place', [50, 50, 12]);
  await panel.getByLabel('list 1', { exact: true }).fill('180');
  await page.keyboard.press('Enter');
  await sets('list', [180, 90]);
  await panel.getByLabel('top of beds 1').fill('5%');
  await page.keyboard.press('Enter');
  await sets('beds', [{ rock: 'lime', top: '5%', hard: true }]);
  await panel.getByLabel('lengths, from, typed').fill('30%');
  await page.keyboard.press('Enter');
  await sets('lengths', ['30%', '30%']);
  await panel.getByLabel('Point 2 of curve').press('ArrowUp');
  await sets('curve', [[0, 0], [0.4, 0.21], [0.6, 0.8], [1, 1]]);
  await panel.getByRole('button', { name: 'auto' }).click();
  await sets('levels', [0, 100]);
  await panel.getByLabel('colour', { exact: true }).fill('#102030');
  await sets('colour', '#102030');
}));

test('text of others stays text', () => studio(async (page, server) => {
  await drawn(page);
  const html = '<img src=x onerror="window.owned=1"><script>window.owned=1</script>';
  server.title = html;
  server.extra = [
    { name: '__proto__', op: html, inputs: [{ port: html, from: 'land' }], given: {}, values: {}, kind: 'terrain' },
    { name: 'constructor', op: 'everything', inputs: [], given: {}, values: {}, kind: 'terrain' },
  ];
  server.vars.set('toString', html);
  server.problems = [{ message: html, hint: html, line: 1 }];
  server.recipe();
  server.say({ say: 'node', generation: server.generation, node: '__proto__', state: 'failed', error: { message: html, hint: html } });
  server.say({ say: 'failed', message: html, hint: html });
  server.say({ say: 'conflict', places: [{ path: '__proto__.x', mine: html, theirs: { ['__proto__']: html } }] });
  await page.getByRole('heading', { name: html }).waitFor();
  await page.getByRole('button', { name: /^__proto__/ }).click();
  await until('it is shown', () => last(server, 'show')?.node === '__proto__');
  await page.getByRole('button', { name: /^constructor/ }).click();
  await page.getByRole('tab', { name: 'constructor' }).waitFor();
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
  await page.getByText('2 files').waitFor();
  await page.getByText('<b>weights</b>.png').waitFor();
  assert.equal(await page.evaluate(() => window.owned ?? null), null);
  assert.equal(await page.evaluate(() => ({}).x ?? null), null);
  assert.equal(await page.locator('img[src=x]').count(), 0);
}));

test('the newest generation wins, and every byte is credited', () => studio(async (page, server) => {
  await drawn(page, 1);
  server.land(9, 257, true);
  await drawn(page, 9);
  server.land(8, 129, false);
  server.land(10, 129, false);
  await drawn(page, 10);
  assert.ok(!(await page.evaluate(() => window.lands.map((land) => land.generation))).includes(8));
  const before = server.credited;
  server.overlay('material');
  await until('credit', () => server.credited > before + 250000);
  // Frames that are no frames are dropped.
  for (const bytes of [[], [1], [1, 0, 0, 0, 255, 255, 255, 255], [1, 0, 0, 0, 4, 0, 0, 0, 123, 123, 123, 123]]) server.send(Buffer.from(bytes));
  server.land(11, 129, false);
  await drawn(page, 11);
}));

test('dragging holds, coalesces, and releases', () => studio(async (page, server) => {
  await drawn(page);
  const box = await page.getByRole('slider', { name: 'age' }).boundingBox();
  await page.mouse.move(box.x + box.width * 0.65, box.y + 10);
  await page.mouse.down();
  for (let k = 0; k < 20; ++k) await page.mouse.move(box.x + box.width * (0.65 - k * 0.02), box.y + 10);
  await page.mouse.up();
  await until('release', () => last(server, 'release'));
  const sets = server.requests.filter((request) => request.do === 'set');
  assert.ok(sets.every((request) => request.hold === true) && sets.length >= 1);
  assert.ok(Math.abs(sets.at(-1).value - 0.27) < 0.02, `${sets.at(-1).value}`);
  assert.ok(server.requests.indexOf(last(server, 'release')) > server.requests.indexOf(sets.at(-1)));
  await page.getByRole('slider', { name: 'age' }).dblclick();
  await until('a double click resets', () => last(server, 'reset')?.path === 'vars.age');
}));

test('a program that dies leaves the land, grey, and is joined again', () => studio(async (page, server) => {
  await drawn(page);
  const { port } = server;
  await server.stop();
  await page.getByRole('alert').getByText('does not answer').waitFor();
  const again = new FakeServer();
  again.token = 'used up';
  again.generation = 50;
  await again.start(port);
  await drawn(page, 51);
  assert.equal(await page.getByRole('alert').count(), 0);
  await page.reload();
  await drawn(page, 51);
  await again.stop();
  await server.start();
}));

for (const [what, change, text] of [
  ['a wrong token', (server) => (server.address = server.address.replace(/T/g, 'W')), 'no key'],
  ['a page of another build', (server) => (server.page = 'other'), 'another version'],
])
  test(`${what} is said`, () => studio(async (page) => {
    await page.getByRole('alert').getByText(text).waitFor();
  }, {
    prepare: (server) => {
      const start = server.start.bind(server);
      server.start = async () => {
        await start();
        change(server);
      };
    },
  }));

test('a conflict asks, shows both sides, and is answered', () => studio(async (page, server) => {
  await drawn(page);
  server.state = 'conflict';
  server.recipe();
  server.say({ say: 'conflict', places: [{ path: 'vars.age', mine: 0.25, theirs: 0.75 }] });
  const banner = page.getByRole('alertdialog');
  await banner.getByText('0.25').waitFor();
  await banner.getByText('0.75').waitFor();
  await banner.getByRole('button', { name: "Take the file's" }).click();
  await until('the answer', () => last(server, 'resolve')?.take === 'theirs');
  await banner.waitFor({ state: 'detached' });
}));

test('a refusal is shown with its hint, and the slider returns', () => studio(async (page, server) => {
  await drawn(page);
  server.refuse = (message) => (message.do === 'set' ? { message: 'age must be at most 1', hint: 'use 0.9' } : null);
  const typed = page.getByLabel('age, typed');
  await typed.fill('7');
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('age must be at most 1').waitFor();
  await until('the old value', async () => (await typed.inputValue()) === '0.65');
}));

test('a dropped file is sent whole, and only what it does not say is asked', () => studio(async (page, server) => {
  await drawn(page);
  await page.keyboard.press('?');
  await page.locator('input[type=file]').setInputFiles({ name: '<i>alps</i>.raw', mimeType: '', buffer: Buffer.alloc(1_300_001, 7) });
  await page.getByLabel('Metres a sample').fill('30m');
  await page.keyboard.press('Enter');
  await until('the answer', () => last(server, 'received')?.answers.step === 30);
  assert.equal(server.uploaded, 1_300_001);
  assert.equal(last(server, 'receive').name, '<i>alps</i>.raw');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}));

test('a still appears pass by pass', () => studio(async (page, server) => {
  await drawn(page);
  await page.getByRole('button', { name: 'Still through' }).click();
  await page.getByRole('button', { name: 'Draw' }).click();
  await page.getByText('pass 2 of 2').waitFor();
  const { camera } = last(server, 'still');
  assert.ok([...camera.eye, ...camera.target].every(Number.isFinite) && camera.field_of_view > 0);
}));

test('motion is reduced for those who ask, and turns the land for the others until they touch it', async () => {
  const north = (page) => page.locator('.compass g').getAttribute('transform');
  const rests = async (page) => {
    const first = await north(page);
    await page.waitForTimeout(1500);
    assert.equal(await north(page), first);
  };
  await studio(async (page) => {
    await drawn(page);
    await page.waitForTimeout(500);
    await rests(page);
  });
  await studio(async (page) => {
    await drawn(page);
    const first = await north(page);
    await until('it turns', async () => (await north(page)) !== first);
    await page.locator('canvas.surface').click();
    await page.waitForTimeout(1000);
    await rests(page);
  }, { reducedMotion: 'no-preference' });
});

test('at 200 % nothing is out of reach', () => studio(async (page) => {
  await drawn(page);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  for (const name of ['age', 'beds', 'Sun']) {
    const slider = page.getByRole('slider', { name, exact: true });
    await slider.scrollIntoViewIfNeeded();
    const box = await slider.boundingBox();
    assert.ok(box && box.width > 20 && box.x >= 0 && box.x + box.width <= 640, name);
  }
}, { viewport: { width: 640, height: 480 } }));

test('without WebGL2 the program draws, and buttons turn the land', () => studio(async (page, server) => {
  await until('a picture is asked for', () => last(server, 'still'));
  const { eye } = last(server, 'still').camera;
  await page.getByRole('button', { name: 'Turn left' }).click();
  await until('another', () => last(server, 'still').camera.eye[0] !== eye[0]);
  await page.getByRole('slider', { name: 'age' }).press('ArrowRight');
  await until('all else works', () => last(server, 'set'));
}, { args: ['--disable-gpu', '--disable-software-rasterizer'] }));

test('a lost context comes back', () => studio(async (page, server) => {
  await drawn(page);
  const worker = page.workers()[0];
  await worker.evaluate(() => (self.extension = self.drawing.getExtension('WEBGL_lose_context')).loseContext());
  await page.getByText('dropped the picture').waitFor();
  await worker.evaluate(() => self.extension.restoreContext());
  await page.getByText('dropped the picture').waitFor({ state: 'detached' });
  server.compute();
  await drawn(page, server.generation);
}, {
  // The worker keeps its context where the test can take it away.
  prepare: (server) => (server.prelude = 'const get = OffscreenCanvas.prototype.getContext; OffscreenCanvas.prototype.getContext =' +
    ' function (...how) { const gl = get.apply(this, how); if (this.width > 1) self.drawing = gl; return gl; };\n'),
}));
