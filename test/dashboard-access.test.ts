import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { appendEvents, type JournalEvent } from '../src/audit/index.ts';
import { accessProblems, focused, tabTo, watchShift } from './lib/access.ts';
import { hasChromium, openPage, RunningDashboard, startChromium, type Watched } from './lib/dashboard.ts';
import { callOf, findsOf } from './lib/dashboard-calls.ts';
import { livingSession, manyEvents } from './lib/dashboard-events.ts';
import { Project } from './lib/holdfast.ts';

const views = ['Overview', 'Approvals', 'Sessions', 'Refusals', 'Network', 'Models', 'Staged changes', 'Journal'];

describe.skipIf(!hasChromium)('accessibility', () => {
  let browser: Browser;
  let project: Project;
  let dashboard: RunningDashboard;
  let watched: Watched;
  let page: Page;

  const fill = (): void =>
    void appendEvents(join(project.state, 'journal.jsonl'), [
      ...manyEvents(200),
      ...Array.from({ length: 40 }, (_, index) => callOf(index)),
      ...findsOf(1),
      ...longNames(),
    ]);
  const open = async (options?: BrowserContextOptions): Promise<void> => {
    dashboard = await RunningDashboard.start(project);
    watched = await openPage(browser, dashboard.link, options);
    ({ page } = watched);
    await page.getByText('Live', { exact: true }).waitFor();
  };
  const go = async (view: string): Promise<void> => {
    await page.keyboard.press(String(views.indexOf(view) + 1));
    await page.getByRole('heading', { level: 1, name: view }).waitFor();
    await page.locator('.loading').waitFor({ state: 'detached' });
  };

  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser.close());
  beforeEach(() => {
    project = new Project();
  });
  afterEach(async () => {
    await page.context().close();
    await dashboard[Symbol.asyncDispose]();
    project[Symbol.dispose]();
    expect(watched.problems).toEqual([]);
  });

  test('axe finds nothing on any view, empty and full, in both schemes', async () => {
    await open({ colorScheme: 'dark', reducedMotion: 'reduce' });
    for (const view of views) {
      await go(view);
      expect([view, await accessProblems(page)]).toEqual([view, []]);
    }
    fill();
    project.inside('echo staged words > page.md', ['--staged']);
    for (const view of views) {
      await go(view);
      if (view === 'Staged changes') {
        await page.getByRole('main').getByRole('link').first().click();
        await page.getByText('+staged words').waitFor();
      }
      if (view === 'Journal') {
        await page.getByRole('listbox').getByRole('option').first().click();
        await page.getByRole('complementary').getByText('"type"').waitFor();
      }
      await page.emulateMedia({ colorScheme: 'dark' });
      expect([view, await accessProblems(page)]).toEqual([view, []]);
      await page.emulateMedia({ colorScheme: 'light' });
      expect([view, await accessProblems(page, ['color-contrast'])]).toEqual([view, []]);
    }
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    expect(await accessProblems(page)).toEqual([]);
  });

  test('a question is answered and a layer accepted by keyboard alone', async () => {
    project.write(
      '../home/.config/holdfast/policy.toml',
      'version = 1\n[[file]]\nname = "ask-notes"\ndecision = "ask"\npaths = ["notes"]\n',
    );
    project.write('notes/page.md', 'words\n');
    project.inside('echo staged words > page.md', ['--staged']);
    await open();
    await page.keyboard.press('Tab');
    expect(await focused(page)).toEqual({ name: 'Skip to content', ring: true });
    await page.keyboard.press('Enter');
    const child = project.start(['run', '--', 'rm', 'notes/page.md']);
    const ended = once(child, 'exit') as Promise<[number]>;
    await go('Approvals');
    await page.getByRole('article').waitFor();
    // New buttons take neither keys nor focus.
    await page.locator('button:enabled', { hasText: 'Deny' }).waitFor();
    await tabTo(page, 'Deny');
    await page.keyboard.press('Enter');
    expect((await ended)[0]).toBe(1);
    await page.getByRole('article').waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.localName')).toBe('main');

    await go('Staged changes');
    await tabTo(page, /1 path staged/u);
    await page.keyboard.press('Enter');
    await page.getByText('+staged words').waitFor();
    await tabTo(page, 'Accept …');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await focused(page)).name).toBe('Accept …');
    expect(existsSync(join(project.workspace, 'page.md'))).toBe(false);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    // A key may arrive before the `close` event of a dialog that Escape closed.
    await page.evaluate(`(async () => {
      document.querySelector('dialog').requestClose();
      await Promise.resolve().then(() => undefined);
      document.activeElement.click();
    })()`);
    await tabTo(page, 'Accept');
    await page.keyboard.press('Enter');
    await page.getByText('No staged changes').waitFor();
    expect(readFileSync(join(project.workspace, 'page.md'), 'utf8')).toBe('staged words\n');
    expect(await page.evaluate('document.activeElement.localName')).toBe('main');
  });

  test('keys open views, rows and the search, and can be turned off', async () => {
    fill();
    await open();
    await go('Sessions');
    const rows = page.getByRole('list', { name: 'Sessions' }).getByRole('link');
    await rows.first().focus();
    for (const [key, row] of [
      ['ArrowDown', 1],
      ['ArrowUp', 0],
      ['End', (await rows.count()) - 1],
      ['Home', 0],
    ] as const) {
      await page.keyboard.press(key);
      expect([key, await rows.nth(row).evaluate((link) => link === link.ownerDocument.activeElement)]).toEqual([
        key,
        true,
      ]);
    }
    await page.keyboard.press('/');
    await expect.poll(() => page.evaluate('document.activeElement.type')).toBe('search');
    await page.keyboard.type('1?');
    expect(await page.getByRole('searchbox').inputValue()).toBe('1?');
    await page.getByRole('searchbox').fill('');
    await page.getByRole('listbox').getByRole('option').first().getByRole('time').waitFor();
    await tabTo(page, 'Events, newest first');
    await page.keyboard.press('ArrowDown');
    await page.getByRole('complementary').waitFor();
    await tabTo(page, 'Close');
    await page.keyboard.press('Enter');
    await page.getByRole('complementary').waitFor({ state: 'detached' });
    expect((await focused(page)).name).toBe('Events, newest first');

    await page.keyboard.press('?');
    await page.getByRole('checkbox', { name: 'Use keys of one letter' }).press('Space');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    for (const key of ['1', '?']) await page.keyboard.press(key);
    await page.waitForTimeout(100);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('heading', { level: 1, name: 'Journal' }).waitFor();
  });

  test('the focused element shows its focus', async () => {
    fill();
    await open();
    for (const view of views) {
      await go(view);
      await page.evaluate("document.querySelector('.skip').focus()");
      const seen: string[] = [];
      for (let presses = 0; presses < 24; presses += 1) {
        await page.keyboard.press('Tab');
        if (await page.evaluate('document.activeElement === document.body')) break;
        const { name, ring } = await focused(page);
        expect([view, name, ring]).toEqual([view, name, true]);
        seen.push(name);
      }
      expect(seen.length).toBeGreaterThan(views.length);
    }
  });

  test('nothing is cut off or moves by itself, at any width, letter size or name length', async () => {
    fill();
    await open();
    for (const [viewport, letters] of [
      [{ width: 320, height: 700 }, '100%'],
      // As with a zoom of 200 % at 1280 pixels.
      [{ width: 640, height: 430 }, '100%'],
      [{ width: 1280, height: 860 }, '200%'],
      [{ width: 390, height: 844 }, '150%'],
    ] as const) {
      await page.setViewportSize(viewport);
      await page.evaluate(`document.documentElement.style.fontSize = '${letters}'`);
      await page.waitForTimeout(200);
      const shift = await watchShift(page);
      for (const view of ['overview', 'approvals', 'sessions', 'refusals', 'network', 'models', 'staged', 'journal']) {
        await page.evaluate(`location.hash = '#/${view}'`);
        await page.waitForTimeout(150);
        const isWhole = await page.evaluate('document.documentElement.scrollWidth <= innerWidth');
        expect([viewport.width, view, isWhole]).toEqual([viewport.width, view, true]);
      }
      expect(await shift()).toBeLessThan(0.1);
      const rows = page.getByRole('listbox').getByRole('option');
      expect(
        await rows.evaluateAll((all) => all.every((row) => row.scrollHeight <= row.getBoundingClientRect().height + 1)),
      ).toBe(true);
    }
  });

  test('charts follow the scheme, and nothing moves under reduced motion', async () => {
    fill();
    await open({ colorScheme: 'light', reducedMotion: 'no-preference' });
    await go('Network');
    const drawn = (): Promise<string> => page.evaluate("document.querySelector('canvas').toDataURL()");
    const motion = (): Promise<string> =>
      page.evaluate("getComputedStyle(document.querySelector('.connection'), '::before').animationName");
    const light = await drawn();
    expect(await motion()).toBe('breathe');
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await expect.poll(drawn).not.toBe(light);
    expect(await motion()).toBe('none');
  });
});

/** Unusually long names, as machines generate them. */
function longNames(): readonly JournalEvent[] {
  const name = 'a-very-long-name-without-any-space-'.repeat(8);
  const session = livingSession(9);
  const workspace = `/home/dev/${name}`;
  return [
    {
      type: 'session.start',
      session,
      workspace,
      argv: [name, name],
      cwd: workspace,
      backend: 'native',
      uid: 1000,
      policy: '',
    },
    { ...callOf(1), session, workspace, provider: name, model: name, agent: name },
    {
      type: 'connection',
      session,
      workspace,
      front: 'connect',
      host: `${name.slice(0, 60)}.${name.slice(0, 60)}.example`,
      port: 443,
      sent: 1000,
      received: 10,
      duration: 1,
    },
    {
      type: 'refusal',
      session,
      workspace,
      observed: 'output',
      request: { kind: 'file', operation: 'read', path: `${workspace}/${name}` },
      verdict: {
        decision: 'deny',
        code: 'rule',
        rule: name,
        layer: 'user',
        file: `${workspace}/policy.toml`,
        line: 1,
        message: `reading ${workspace}/${name} is refused`,
        remedy: `use --read ${workspace}/${name}`,
      },
    },
  ];
}
