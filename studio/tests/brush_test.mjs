// Brushes of the page in Chromium against a stand-in for the program.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawn } from './browser.mjs';
import { last, serious, studio, tabTo, until } from './with_page.mjs';

const strokes = (server) => server.requests.filter((request) => request.do === 'stroke');

/** Where the view is, from above, with the brushes open. */
async function brushes(page) {
  await drawn(page);
  await page.keyboard.press('1');
  await page.keyboard.press('b');
  await page.getByRole('complementary', { name: 'Brushes' }).waitFor();
  await page.waitForTimeout(200);
  const box = await page.locator('canvas.surface').boundingBox();
  return (share, down) => [box.x + box.width * share, box.y + box.height * down];
}

async function drag(page, from, to, steps = 12, begin = true) {
  await page.mouse.move(...from);
  if (begin) await page.mouse.down();
  for (let k = 1; k <= steps; ++k) {
    await page.mouse.move(from[0] + ((to[0] - from[0]) * k) / steps, from[1] + ((to[1] - from[1]) * k) / steps);
    await page.waitForTimeout(15);
  }
}

test('a drag is one stroke: one request at a time, the newest alone, one step of the history', () => studio(async (page, server) => {
  const at = await brushes(page);
  server.stalled = [];
  await drag(page, at(0.45, 0.35), at(0.6, 0.5), 20);
  await until('a stroke goes out while the hand still draws', () => strokes(server).length > 0);
  await drag(page, at(0.6, 0.5), at(0.7, 0.6), 10, false);
  assert.equal(strokes(server).length, 1, 'none before the first one is answered');
  const stalled = server.stalled;
  server.stalled = null;
  for (const answer of stalled) answer();
  await until('then the newest', () => strokes(server).length > 1);
  assert.ok(strokes(server).every(({ hold }) => hold === true));
  await page.mouse.up();
  await until('the hand has left', () => last(server, 'release'));
  const sent = strokes(server);
  assert.ok(sent.length <= 3, `${sent.length}, where two would do`);
  assert.deepEqual(server.history, ['stroke on paint']);
  assert.equal(server.strokes.length, 1);
  const { line, after, op, properties, closed } = sent.at(-1);
  assert.deepEqual([after, op, closed, properties.tool], ['land', 'paint', false, 'raise']);
  assert.ok(line.length >= 2 && line.length < 12, `a straight path has ${line.length} points`);
  assert.ok(line.every((p) => p.length === 3 && p.every(Number.isFinite)), 'a mouse has no pressure');
  // North is up: to the right and down is east and south.
  assert.ok(line.at(-1)[0] > line[0][0] + 100 && line.at(-1)[1] < line[0][1] - 100, JSON.stringify(line));
  assert.ok(server.requests.indexOf(last(server, 'release')) > server.requests.indexOf(sent.at(-1)));
  // The ghost goes when the land has come.
  await until('no ghost is left', async () => (await page.locator('.ghost .band').getAttribute('d')) === '');
}));

test('a hand that rests before it leaves sends nothing twice, and its ghost goes with the whole land', () => studio(async (page, server) => {
  const at = await brushes(page);
  await drag(page, at(0.5, 0.4), at(0.7, 0.5));
  const end = await until('all of it is sent', async () => {
    const count = strokes(server).length;
    await page.waitForTimeout(500);
    return count > 0 && strokes(server).length === count && count;
  });
  assert.notEqual(await page.locator('.ghost .band').getAttribute('d'), '');
  await page.mouse.up();
  await until('the hand has left', () => last(server, 'release'));
  assert.equal(strokes(server).length, end);
  await until('no ghost is left', async () => (await page.locator('.ghost .band').getAttribute('d')) === '');
}));

test('a stroke that is drawn while the one before is on its way goes behind what that one makes', () => studio(async (page, server) => {
  const at = await brushes(page);
  server.stalled = [];
  await page.mouse.click(...at(0.5, 0.4));
  await until('the first', () => strokes(server).length === 1);
  await page.mouse.click(...at(0.6, 0.4));
  await page.mouse.click(...at(0.7, 0.4));
  await page.waitForTimeout(200);
  assert.equal(strokes(server).length, 1);
  const stalled = server.stalled;
  server.stalled = null;
  for (const answer of stalled) answer();
  await until('the others', () => server.strokes.length === 3);
  assert.deepEqual(strokes(server).map(({ after }) => after), ['land', 'paint', 'paint']);
}));

test('the ghost follows the hand before the program has answered', () => studio(async (page, server) => {
  const at = await brushes(page);
  server.mute = true;
  await page.mouse.move(...at(0.6, 0.5));
  const ring = page.locator('.ghost .ring');
  await until('a ring', async () => ((await ring.getAttribute('d')) ?? '').length > 200);
  const middle = async () => {
    const numbers = (await ring.getAttribute('d')).match(/[\d.]+/g).map(Number);
    return [0, 1].map((axis) => numbers.filter((_, k) => k % 2 === axis).reduce((a, b) => a + b, 0) / (numbers.length / 2));
  };
  const box = await page.locator('canvas.surface').boundingBox();
  const [x, y] = await middle();
  assert.ok(Math.hypot(x + box.x - at(0.6, 0.5)[0], y + box.y - at(0.6, 0.5)[1]) < 25, `${x} ${y}`);
  const wide = async () => (await ring.getAttribute('d')).match(/[\d.]+/g).map(Number).filter((_, k) => k % 2 === 0).reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [1e9, -1e9]);
  const [west, east] = await wide();
  await page.keyboard.press(']');
  await page.keyboard.press(']');
  await until('] makes it larger', async () => ((b) => b[1] - b[0] > 1.15 * (east - west))(await wide()));
  await page.keyboard.down('Alt');
  await page.mouse.wheel(0, 300);
  await page.keyboard.up('Alt');
  await until('Alt and the wheel smaller', async () => ((b) => b[1] - b[0] < 1.24 * (east - west))(await wide()));
  await drag(page, at(0.5, 0.4), at(0.6, 0.5));
  await until('a band', async () => ((await page.locator('.ghost .band').getAttribute('d')) ?? '').length > 300);
  await page.mouse.up();
}));

test('a click is a dab, keys turn the brush, and the camera is left to other buttons', () => studio(async (page, server) => {
  const at = await brushes(page);
  const click = async (...keys) => {
    const before = strokes(server).length;
    for (const key of keys) await page.keyboard.down(key);
    await page.mouse.click(...at(0.6, 0.5));
    for (const key of keys) await page.keyboard.up(key);
    await until('a dab', () => strokes(server).length > before);
    return strokes(server).at(-1);
  };
  const dab = await click();
  assert.equal(dab.line.length, 1);
  assert.equal(dab.hold, false);
  assert.equal(dab.properties.tool, 'raise');
  assert.equal((await click('Control')).properties.tool, 'lower');
  assert.equal((await click('Shift')).properties.tool, 'smooth');
  await page.getByRole('radio', { name: 'Layer' }).click();
  await page.getByLabel('brush layer').fill('woods');
  assert.deepEqual([(await click()).properties.layer, (await click()).properties.value], ['woods', 1]);
  assert.equal((await click('Control')).properties.value, 0);

  const count = strokes(server).length;
  const north = () => page.locator('.compass g').getAttribute('transform');
  const first = await north();
  await page.mouse.move(...at(0.6, 0.5));
  await page.mouse.down({ button: 'middle' });
  await page.mouse.move(...at(0.7, 0.5), { steps: 5 });
  await page.mouse.up({ button: 'middle' });
  const second = await until('the middle button turns', async () => (await north()) !== first && (await north()));
  await page.locator('canvas.surface').focus();
  await page.keyboard.down(' ');
  await page.mouse.down();
  await page.mouse.move(...at(0.6, 0.5), { steps: 5 });
  await page.mouse.up();
  await page.keyboard.up(' ');
  await until('so does the space bar', async () => (await north()) !== second);
  assert.equal(strokes(server).length, count);
  await page.getByLabel('Put the brush down').click();
  await page.mouse.click(...at(0.6, 0.5));
  await until('without a brush, a click asks', () => last(server, 'point'));
  assert.equal(strokes(server).length, count);
}));

test('Esc while drawing takes the stroke back', () => studio(async (page, server) => {
  const at = await brushes(page);
  await drag(page, at(0.5, 0.4), at(0.7, 0.5));
  await until('it was on its way', () => strokes(server).length > 0);
  await page.keyboard.press('Escape');
  await until('released, then undone', () => last(server, 'undo'));
  assert.ok(server.requests.indexOf(last(server, 'undo')) > server.requests.indexOf(last(server, 'release')));
  const count = strokes(server).length;
  await page.mouse.move(...at(0.5, 0.6), { steps: 4 });
  await page.mouse.up();
  await page.waitForTimeout(200);
  assert.equal(strokes(server).length, count, 'what follows draws nothing');
  assert.equal(server.requests.filter(({ do: what }) => what === 'undo').length, 1);
}));

test('a pen presses, and its pressure is kept', () => studio(async (page, server) => {
  const at = await brushes(page);
  const pen = await page.context().newCDPSession(page);
  const move = (type, [x, y], force) => pen.send('Input.dispatchMouseEvent', { type, x, y, button: 'left', buttons: 1, clickCount: 1, pointerType: 'pen', force });
  await move('mousePressed', at(0.45, 0.4), 0.1);
  for (let k = 1; k <= 10; ++k) await move('mouseMoved', at(0.45 + 0.02 * k, 0.4), 0.1 + 0.08 * (k < 6 ? k : 10 - k));
  await move('mouseReleased', at(0.65, 0.4), 0);
  const { line } = await until('a stroke', () => last(server, 'release') && last(server, 'stroke'));
  assert.ok(line.every((p) => p.length === 4 && p[3] >= 0 && p[3] <= 1), JSON.stringify(line));
  const pressures = line.map((p) => p[3]);
  assert.ok(Math.max(...pressures) > 0.4 && pressures[0] < 0.2 && pressures.length > 2, `${pressures}: hardest in the middle`);
}));

test('one finger paints, two turn and zoom and paint nothing', () => studio(async (page, server) => {
  const at = await brushes(page);
  const touch = await page.context().newCDPSession(page);
  const fingers = (type, ...points) => touch.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  await fingers('touchStart', at(0.5, 0.5));
  for (let k = 1; k < 8; ++k) await fingers('touchMove', at(0.5 + 0.02 * k, 0.5));
  await fingers('touchEnd');
  await until('a stroke', () => server.strokes.length === 1 && last(server, 'release'));
  assert.ok(last(server, 'stroke').line.length >= 2);

  const eye = async () => {
    await page.getByRole('button', { name: 'Still through' }).click();
    const before = server.requests.length;
    await page.getByRole('button', { name: 'Draw', exact: true }).click();
    await until('a picture', () => server.requests.slice(before).some(({ do: what }) => what === 'still'));
    await page.keyboard.press('Escape');
    return last(server, 'still').camera.eye;
  };
  const before = await eye();
  const north = await page.locator('.compass g').getAttribute('transform');
  await fingers('touchStart', at(0.5, 0.5));
  await fingers('touchStart', at(0.5, 0.5), at(0.6, 0.5));
  for (let k = 1; k <= 8; ++k) await fingers('touchMove', at(0.5 - 0.005 * k, 0.5), at(0.6 + 0.015 * k, 0.5));
  await fingers('touchEnd');
  await until('the land turns', async () => (await page.locator('.compass g').getAttribute('transform')) !== north);
  const after = await eye();
  assert.ok(after[2] < 0.9 * before[2], `nearer: ${before} to ${after}`);
  await page.waitForTimeout(150);
  assert.equal(server.strokes.length, 1, 'two fingers paint nothing');
}, { hasTouch: true }));

test('strokes by the keyboard alone', () => studio(async (page, server) => {
  await brushes(page);
  await tabTo(page, 'Raise');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  assert.equal(await page.getByRole('radio', { name: 'Lower' }).getAttribute('aria-checked'), 'true');
  await tabTo(page, 'brush radius');
  await page.keyboard.type('60m');
  await page.keyboard.press('Enter');
  await tabTo(page, 'The land');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Enter');
  await page.getByText('2 corners').waitFor();
  await page.keyboard.press('Shift+Enter');
  const { line, properties } = await until('a stroke', () => last(server, 'stroke'));
  assert.deepEqual([properties.tool, properties.radius], ['lower', 60]);
  assert.ok(line.length >= 2 && Math.hypot(line.at(-1)[0] - line[0][0], line.at(-1)[1] - line[0][1]) > 50, JSON.stringify(line));
  await page.getByText('2 corners').waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await page.getByText('One corner').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('One corner').waitFor({ state: 'detached' });
  assert.equal(strokes(server).length, 1);
}));

test('strokes that are there are listed, shown, pointed at and taken out', () => studio(async (page, server) => {
  server.strokes = Array.from({ length: 620 }, (_, k) => ({ line: [[100 + k, 100, 0], [100 + k, 900, 0]], closed: false, properties: { tool: 'raise', radius: k, amount: 1 } }));
  await brushes(page);
  await page.getByLabel(/Show the strokes/).check();
  await page.getByText('121 to 620 of 620').waitFor();
  const list = page.getByRole('list', { name: 'Strokes' });
  assert.equal(await list.getByRole('listitem').count(), 500);
  await page.getByRole('button', { name: 'Older' }).click();
  await page.getByText('1 to 500 of 620').waitFor();
  const row = list.getByRole('listitem').first();
  await row.hover();
  await until('it is pointed at', async () => (await row.getAttribute('class')) === 'hot');
  await page.getByRole('button', { name: 'Take out stroke 500' }).click();
  await until('it is taken out', () => last(server, 'unstroke')?.stroke === 499);
  await page.getByText('of 619').waitFor();
  await serious(page, 'brushes and strokes');
}));

test('lines, areas and points are drawn for the ports of a node', () => studio(async (page, server) => {
  server.extra = [{ name: 'rivers', op: 'stream_power', inputs: [{ port: 'in', from: 'land' }], given: {}, values: {}, kind: 'terrain' }];
  const at = await brushes(page);
  await page.getByRole('button', { name: /^rivers/ }).click();
  await page.getByRole('button', { name: 'Draw guides' }).click();
  await drag(page, at(0.5, 0.3), at(0.6, 0.6));
  await page.waitForTimeout(250);
  assert.equal(strokes(server).length, 0, 'a line is sent when it is done');
  await page.mouse.up();
  const river = await until('a line', () => last(server, 'stroke'));
  assert.deepEqual([river.onto, river.closed, river.hold, river.after], [{ node: 'rivers', port: 'guides' }, false, false, undefined]);
  assert.deepEqual(river.properties, { guide: 'river' });
  assert.ok(river.line.length >= 2 && river.line.every((p) => p.length === 2));
  await page.getByLabel('brush draw').selectOption('height');
  await drag(page, at(0.5, 0.3), at(0.6, 0.6));
  await page.mouse.up();
  const heights = await until('heights', () => strokes(server)[1]);
  assert.deepEqual(heights.properties, { guide: 'height' });
  assert.ok(heights.line.every((p) => p.length === 3));
  await page.getByLabel('brush draw').selectOption('inflow');
  await page.getByLabel('line discharge, typed').fill('2.5');
  await page.keyboard.press('Enter');
  await page.mouse.click(...at(0.6, 0.5));
  const inflow = await until('an inflow', () => strokes(server)[2]);
  assert.deepEqual([inflow.properties, inflow.line.length], [{ guide: 'inflow', discharge: 2.5 }, 1]);

  await page.getByRole('button', { name: 'Draw region' }).click();
  for (const corner of [[0.5, 0.3], [0.6, 0.3], [0.6, 0.6]]) await page.mouse.click(...at(...corner));
  await page.getByText('3 corners').waitFor();
  await page.getByRole('button', { name: 'Draw it' }).click();
  const region = await until('an area', () => strokes(server)[3]);
  assert.deepEqual([region.onto.port, region.closed, region.line.length], ['region', true, 3]);
  await page.getByLabel('brush draw').selectOption('points');
  await page.mouse.click(...at(0.55, 0.5));
  const point = await until('a point', () => strokes(server)[4]);
  assert.deepEqual([point.closed, point.line.length], [false, 1]);
  await serious(page, 'drawing for a port');
}));

test('a stroke that is refused says why and leaves no ghost', () => studio(async (page, server) => {
  const at = await brushes(page);
  server.refuse = (message) => (message.do === 'stroke' ? { message: 'This land takes no strokes', hint: 'show another node' } : null);
  await drag(page, at(0.5, 0.4), at(0.7, 0.5));
  await page.getByRole('status').getByText('takes no strokes').waitFor();
  await page.mouse.up();
  await until('no ghost', async () => (await page.locator('.ghost .band').getAttribute('d')) === '');
  assert.equal(last(server, 'undo'), undefined, 'nothing is there to be undone');
  server.refuse = undefined;
  await page.mouse.click(...at(0.6, 0.5));
  await until('the next one goes', () => server.strokes.length === 1);
}));

test('at 200 % every setting of a brush is in reach', () => studio(async (page) => {
  await brushes(page);
  for (const name of ['brush radius', 'brush strength', 'brush hardness', 'brush amount']) {
    const slider = page.getByRole('slider', { name, exact: true });
    await slider.scrollIntoViewIfNeeded();
    const box = await slider.boundingBox();
    assert.ok(box && box.width > 20 && box.x >= 0 && box.x + box.width <= 640 && box.y >= 0 && box.y + box.height <= 480, name);
  }
}, { viewport: { width: 640, height: 480 } }));
