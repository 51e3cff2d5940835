// A page of the studio with a stand-in for the program, and what its tests have in common.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before } from 'node:test';
import { launch, open } from './browser.mjs';
import { FakeServer } from './fake_server.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

/** Runs a body with a page of its own; at the end nothing forbidden has happened in it. */
export async function studio(body, { prepare = () => {}, args, ...options } = {}) {
  const server = new FakeServer();
  prepare(server);
  await server.start();
  const own = args ? await launch(args) : null;
  const page = await open(own ?? browser, server, options);
  try {
    await body(page, server);
    assert.deepEqual(page.faults, []);
    assert.deepEqual(await page.evaluate(() => window.violations), []);
  } finally {
    await page.context().close();
    await own?.close();
    await server.stop();
  }
}

export const last = (server, what) => server.requests.filter((request) => request.do === what).at(-1);
export async function until(what, holds) {
  for (let k = 0; k < 1200; ++k) {
    const value = await holds();
    if (value) return value;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  assert.fail(`not within 30 s: ${what}`);
}

export async function serious(page, where) {
  // What axe finds by itself; its script comes through the debugger, which no policy binds.
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  const bad = violations.filter((v) => v.impact === 'serious' || v.impact === 'critical');
  assert.deepEqual(bad.map((v) => `${where}: ${v.id}: ${v.nodes.map((n) => n.html.slice(0, 120)).join(' | ')}`), []);
}

/** Presses Tab until what has the focus is called so. */
export async function tabTo(page, name, most = 90) {
  for (let k = 0; k < most; ++k) {
    await page.keyboard.press('Tab');
    const found = await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '');
    if (found.startsWith(name)) return;
  }
  assert.fail(`no Tab leads to ${name}`);
}
