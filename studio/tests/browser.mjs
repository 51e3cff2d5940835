// Chromium, and a page of the studio in it that is watched for everything that must not happen.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const programs = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export function launch(args = []) {
  const executablePath = programs.find((path) => path && existsSync(path));
  return chromium.launch({ executablePath, args: ['--no-sandbox', ...args] });
}

/** What must stay empty: requests elsewhere, violations of the policy, errors on the console. */
function watch(page, origin) {
  const faults = [];
  const elsewhere = (url) => !url.startsWith(origin) && !url.startsWith(origin.replace('http', 'ws')) && !url.startsWith('blob:');
  page.on('request', (request) => elsewhere(request.url()) && faults.push(`request to ${request.url()}`));
  page.on('websocket', (socket) => elsewhere(socket.url()) && faults.push(`socket to ${socket.url()}`));
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/WebSocket|ERR_CONNECTION_REFUSED|404/.test(message.text())) faults.push(`console: ${message.text()}`);
  });
  return faults;
}

export async function open(browser, server, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1000, height: 620 }, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60000);
  await page.addInitScript(() => {
    window.violations = [];
    document.addEventListener('securitypolicyviolation', (e) => window.violations.push(`${e.violatedDirective} ${e.blockedURI}`));
    window.lands = [];
    new PerformanceObserver((list) => window.lands.push(...list.getEntries().filter((e) => e.name === 'land').map((e) => e.detail))).observe({ type: 'measure', buffered: true });
  });
  page.faults = watch(page, `http://127.0.0.1:${server.port}`);
  await page.goto(server.address);
  return page;
}

/** Waits until a land has been drawn whose generation is at least that. */
export const drawn = (page, generation = 0) => page.waitForFunction((g) => window.lands.some((land) => land.generation >= g), generation);
