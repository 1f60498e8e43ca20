import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { appendEvents } from '../src/audit/index.ts';
import { everyEvent } from '../src/audit/testing/every-event.ts';
import { hostileTexts } from '../src/audit/testing/hostile-texts.ts';
import { hasChromium, startChromium } from './lib/dashboard.ts';
import { Project } from './lib/holdfast.ts';

if (!hasChromium)
  console.warn('SKIPPED: reports in a browser, because Chromium is not installed (Debian: apt-get install chromium)');

/**
 * A page of `holdfast audit report`, opened from its file. `problems` has all its requests, dialogs, messages and
 * errors.
 */
async function openReport(
  browser: Browser,
  texts: readonly string[],
  planted = '',
): Promise<{ readonly page: Page; readonly problems: readonly string[] }> {
  const project = new Project();
  onTestFinished(() => project[Symbol.dispose]());
  appendEvents(
    join(project.state, 'journal.jsonl'),
    texts.flatMap((text) => everyEvent('s-1', text)),
  );
  const { status, stderr } = project.holdfast(['audit', 'report', '--format', 'html', '--output', 'report.html']);
  expect(status, stderr).toBe(0);
  const path = join(project.workspace, 'report.html');
  writeFileSync(path, readFileSync(path, 'utf8').replace('<body>', `<body>${planted}`));
  const file = pathToFileURL(path).href;
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  const problems: string[] = [];
  page.on('request', (request) => void (request.url() === file || problems.push(`request to ${request.url()}`)));
  page.on('dialog', (dialog) => void (problems.push(`dialog ${dialog.message()}`), dialog.dismiss()));
  page.on('console', (message) => void problems.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => void problems.push(error.message));
  page.on('framenavigated', (frame) => void (frame.url() === file || problems.push(`went to ${frame.url()}`)));
  await page.goto(file);
  await page.waitForLoadState('networkidle');
  return { page, problems };
}

describe.skipIf(!hasChromium)('a report in Chromium', { timeout: 120_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser.close());

  test('hostile events in a report run nothing, request nothing and navigate nowhere', async () => {
    const { page, problems } = await openReport(browser, hostileTexts);
    expect(await page.title()).toBe('Holdfast session s-1');
    expect(await page.locator('a, area, button, input, iframe, script, img, object, embed, form').count()).toBe(0);
    await page.mouse.move(300, 300);
    await page.keyboard.press('Tab');
    expect(problems).toEqual([]);
    expect(await page.locator('body').innerText()).toContain('<script>document.title = "ran"</script>');
  });

  test('has its styled layout, and shows its timeline', async () => {
    const { page, problems } = await openReport(browser, ['name']);
    expect(problems).toEqual([]);
    expect(await page.evaluate("getComputedStyle(document.querySelector('article.refused')).borderLeftWidth")).toBe(
      '4px',
    );
    const box = await page.locator('svg').boundingBox();
    expect(box?.width).toBeGreaterThan(500);
    expect(box?.height).toBeGreaterThan(80);
    expect(await page.locator('svg path.mark').count()).toBeGreaterThan(4);
  });

  test('an injected report runs nothing and reaches no host, because of its policy', async () => {
    const asked: string[] = [];
    const canary = createServer((request, response) => void (asked.push(request.url ?? ''), response.end())).listen(
      0,
      '127.0.0.1',
    );
    await once(canary, 'listening');
    onTestFinished(() => void canary.close());
    const origin = `http://127.0.0.1:${(canary.address() as AddressInfo).port}`;
    const planted = `<script>document.title = 'ran'</script><img src="${origin}/img" onerror="document.title = 'ran'"><style>body { background: url(${origin}/css) }</style><iframe src="${origin}/frame"></iframe><link rel="stylesheet" href="${origin}/link"><object data="${origin}/object"></object>`;
    const { page, problems } = await openReport(browser, ['name'], planted);
    expect(await page.locator('script').count()).toBe(1);
    expect(await page.title()).toBe('Holdfast session s-1');
    expect(asked).toEqual([]);
    expect(problems.some((problem) => problem.includes('Content Security Policy'))).toBe(true);
  });
});
