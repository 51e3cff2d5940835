// Pages that are not ours, in the same browser as the studio, against the program itself. TEPUI is the program's path.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { drawn, launch, open } from './browser.mjs';
import { Program } from './program.mjs';

let program, browser, server, studio, stranger, port, token;
before(async () => {
  program = new Program(process.env.TEPUI);
  program.run('new', 'mesa', '-o', 'my.json');
  program.run('set', 'my.json', 'resolution=65');
  await program.studio('my.json');
  token = new URL(program.address).hash.slice(1);
  browser = await launch();
  studio = await open(browser, program);
  await drawn(studio);

  server = createServer((_, answer) => answer.setHeader('Content-Type', 'text/html').end('<!doctype html><title>a stranger</title>'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = server.address().port;
  stranger = await studio.context().newPage();
  await stranger.goto(`http://127.0.0.1:${port}/`);
});
after(async () => {
  await browser.close();
  server.close();
  await program.close();
});

const recipe = () => readFileSync(`${program.folder}/my.json`, 'utf8');

test('the token works once, and lies neither in the address, the history, the storage nor a process list', async () => {
  const told = await studio.evaluate(() => [location.href, document.referrer, document.cookie, JSON.stringify(sessionStorage), JSON.stringify(localStorage)].join(' '));
  assert.ok(!told.includes(token));
  await studio.goBack().catch(() => {});
  assert.ok(!studio.url().includes(token));
  await studio.goto(`http://127.0.0.1:${program.port}/`);
  for (const process of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const line = readFileSync(`/proc/${process}/cmdline`, 'utf8');
      // Playwright's own words to its browser are not the program's.
      if (readlinkSync(`/proc/${process}/exe`).endsWith('tepui')) assert.ok(!line.includes(token));
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
    }
  }

  const late = await browser.newContext().then((context) => context.newPage());
  const closed = new Promise((resolve) => late.on('websocket', (socket) => socket.on('close', resolve)));
  await late.goto(program.address);
  await closed;
  assert.equal(await late.evaluate(() => performance.getEntriesByName('land').length), 0);
  await late.context().close();
});

test('a page on another port opens no socket', async () => {
  for (const words of [[], ['tepui-1']])
    assert.equal(
      await stranger.evaluate(
        ([url, protocols]) =>
          new Promise((resolve) => {
            const socket = new WebSocket(url, protocols);
            socket.onopen = () => resolve('open');
            socket.onerror = () => resolve('refused');
          }),
        [`ws://127.0.0.1:${program.port}/live`, words],
      ),
      'refused',
    );
});

test('a page on another port reads, includes and frames nothing', async () => {
  const url = `http://127.0.0.1:${program.port}`;
  const met = await stranger.evaluate(async (from) => {
    const load = (name, field, address) =>
      new Promise((resolve) => {
        const element = document.createElement(name);
        element.onload = () => resolve('loaded');
        element.onerror = () => resolve('refused');
        element[field] = address;
        document.body.append(element);
      });
    const read = (options) => fetch(`${from}/`, options).then((answer) => (answer.type === 'opaque' ? 'opaque' : 'read'), () => 'refused');
    return {
      read: await read({}),
      opaque: await read({ mode: 'no-cors' }),
      credentials: await read({ credentials: 'include' }),
      post: await read({ method: 'POST', mode: 'no-cors', body: '{"do":"undo","id":1}' }),
      script: await load('script', 'src', `${from}/page.js`),
      image: await load('img', 'src', `${from}/icon.svg`),
    };
  }, url);
  assert.deepEqual(met, { read: 'refused', opaque: 'refused', credentials: 'refused', post: 'refused', script: 'refused', image: 'refused' });

  await stranger.evaluate((from) => {
    const frame = document.createElement('iframe');
    frame.src = `${from}/`;
    document.body.append(frame);
    return new Promise((resolve) => (frame.onload = resolve));
  }, url);
  for (const frame of stranger.frames().slice(1)) assert.equal(await frame.evaluate(() => document.getElementById('root') ?? document.querySelector('canvas')).catch(() => null), null);
});

test('a form that a stranger sends changes nothing', async () => {
  const before = recipe();
  const page = await studio.context().newPage();
  await page.goto(`http://127.0.0.1:${port}/`);
  await page.evaluate((action) => {
    const form = document.createElement('form');
    form.method = 'post';
    form.enctype = 'text/plain';
    form.action = action;
    const field = document.createElement('input');
    field.name = '{"do":"set","id":1,"path":"vars.age","value":0.1,"x":"';
    field.value = '"}';
    form.append(field);
    document.body.append(form);
    form.submit();
  }, `http://127.0.0.1:${program.port}/live`).catch(() => {});
  await page.waitForTimeout(700);
  assert.equal(recipe(), before);
  await page.close();
});

test('a window that a stranger opened is out of its reach and has no session', async () => {
  const opened = studio.context().waitForEvent('page');
  await stranger.evaluate((url) => void (window.other = window.open(url)), `http://127.0.0.1:${program.port}/`);
  const page = await opened;
  await page.waitForLoadState();
  assert.equal(await page.evaluate(() => window.opener), null);
  assert.equal(await page.evaluate(() => Object.keys(sessionStorage).length), 0);
  await page.close();
});
