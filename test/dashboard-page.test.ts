import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AnswerResult, PendingApproval } from '../src/approvals/index.ts';
import { appendEvents, type JournalEvent } from '../src/audit/index.ts';
import { startDashboard } from '../src/dashboard/server/start.ts';
import { hasChromium, openPage, RunningDashboard, startChromium, type Watched } from './lib/dashboard.ts';
import { callOf, findsOf } from './lib/dashboard-calls.ts';
import { livingSession, manyEvents } from './lib/dashboard-events.ts';
import { foreignWays } from './lib/foreign-page.ts';
import { Project, repository } from './lib/holdfast.ts';

describe.skipIf(!hasChromium)('in Chromium', () => {
  let browser: Browser;
  let project: Project;
  let dashboard: RunningDashboard;
  let watched: Watched;
  let page: Page;

  const journal = (): string => join(project.state, 'journal.jsonl');
  const open = async (): Promise<void> => {
    dashboard = await RunningDashboard.start(project);
    watched = await openPage(browser, dashboard.link);
    ({ page } = watched);
    await page.getByText('Live', { exact: true }).waitFor();
  };
  const go = (view: string): Promise<void> => page.getByRole('navigation').getByRole('link', { name: view }).click();

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

  test('an empty journal describes its future content, and the token has left the address', async () => {
    await open();
    expect(page.url()).toBe(`${dashboard.origin}/`);
    await page.getByText('No sessions yet').waitFor();
    for (const [view, text] of [
      ['Approvals', 'No approvals are waiting'],
      ['Sessions', 'No sessions yet'],
      ['Refusals', 'No refusals yet'],
      ['Network', 'No connections yet'],
      ['Models', 'No model calls in this period'],
      ['Staged changes', 'No staged changes'],
      ['Journal', 'No events yet'],
    ] as const) {
      await go(view);
      await page.getByText(text).waitFor();
    }
    await page.reload();
    await page.getByText('Live', { exact: true }).waitFor();
  });

  test('a used link opens nothing', async () => {
    await open();
    const context = await browser.newContext();
    const second = await context.newPage();
    const answered = second.waitForResponse((response) => response.url().endsWith('/api/enter'));
    await second.goto(dashboard.link);
    expect((await answered).status()).toBe(403);
    await second.getByText('this link was used before').waitFor();
    await context.close();
  });

  test('a refusal of a running command appears by itself, with its remedy', async () => {
    await open();
    await go('Refusals');
    await page.getByText('No refusals yet').waitFor();
    expect(project.inside('cat /etc/shadow').status).not.toBe(0);
    await page.getByText('/etc/shadow').first().waitFor();
    expect(await page.locator('.remedy').first().textContent()).toMatch(/./u);
    await go('Sessions');
    await page.getByText('exit 1').waitFor();
  });

  test('a question of a waiting command is answered here', async () => {
    project.write(
      '../home/.config/holdfast/policy.toml',
      'version = 1\n[[file]]\nname = "ask-notes"\ndecision = "ask"\npaths = ["notes"]\n',
    );
    project.write('notes/page.md', 'words\n');
    await open();
    for (const [button, status] of [
      ['Allow once', 0],
      ['Deny', 1],
    ] as const) {
      const child = project.start(['run', '--', 'rm', 'notes/page.md']);
      const ended = once(child, 'exit') as Promise<[number]>;
      const card = page.getByRole('article');
      await card.waitFor();
      await page.getByRole('navigation').getByText('1', { exact: true }).first().waitFor();
      expect(await card.textContent()).toContain('notes/page.md');
      await card.getByRole('button', { name: button, exact: true }).click();
      const [code] = await ended;
      expect(code).toBe(status);
      await card.waitFor({ state: 'detached' });
      expect(existsSync(join(project.workspace, 'notes/page.md'))).toBe(status === 1);
      project.write('notes/page.md', 'words\n');
    }
    expect(readFileSync(journal(), 'utf8')).toMatch(/"approval\.resolved"[^\n]*"dashboard"/u);
  });

  test('always shows its rule first, and asks for a code where a rule requires one', async () => {
    const approval: PendingApproval = {
      id: 'a'.repeat(12),
      hash: 'a'.repeat(64),
      session: livingSession(1),
      workspace: '/home/dev/app',
      title: 'run make deploy',
      lines: ['program: make'],
      rule: 'ask-deploy',
      file: '/home/dev/policy.toml',
      line: 3,
      message: 'deploys are looked at',
      remedy: '',
      askedAt: Date.now(),
      expiresAt: Date.now() + 60_000,
      always: { file: '/home/dev/policy.toml', text: '[[command]]\nname = "allow-deploy"' },
      confirmation: 'totp',
      waiting: 2,
    };
    const answers: object[] = [];
    const results: readonly AnswerResult[] = [{ kind: 'code-needed' }, { kind: 'code-wrong' }, { kind: 'taken' }];
    const answer = async (given: object): Promise<AnswerResult> =>
      results[answers.push(given) - 1] ?? { kind: 'unknown' };
    const served = await startDashboard({
      assets: join(repository, 'dist/dashboard'),
      ground: { paths: { state: project.state, journal: journal() }, environment: project.environment },
      approvals: () => ({ pending: () => [approval], answer, close: () => {} }),
    });
    await open();
    const { page: other, problems } = await openPage(browser, served.link());
    const card = other.getByRole('article');
    await card.getByRole('button', { name: 'Allow once' }).click();
    await card.getByText('asks for a code').waitFor();
    await card.getByRole('textbox').fill('123456');
    await card.getByRole('button', { name: 'Allow once' }).click();
    await card.getByText('The code is wrong').waitFor();
    await card.getByRole('button', { name: 'Always …' }).click();
    await card.getByText('name = "allow-deploy"').waitFor();
    expect(answers).toHaveLength(2);
    await card.getByRole('button', { name: 'Add the rule and allow' }).click();
    await expect.poll(() => answers.length).toBe(3);
    const { hash } = approval;
    expect(answers).toEqual([
      { hash, decision: 'once' },
      { hash, decision: 'once', code: '123456' },
      { hash, decision: 'always', code: '123456' },
    ]);
    expect(problems).toEqual([]);
    await served.close();
  });

  test('events are searched, opened and left by keyboard', async () => {
    appendEvents(journal(), [...manyEvents(500)]);
    await open();
    await go('Journal');
    await page.getByText('500', { exact: true }).first().waitFor();
    await page.getByRole('searchbox').fill('proxy golang');
    const list = page.getByRole('listbox', { name: 'Events, newest first' });
    await list.getByRole('option').first().getByText('proxy.golang.org').waitFor();
    await page.getByRole('searchbox').fill('nothing-has-this');
    await page.getByText('No event matches').waitFor();
    await page.getByRole('searchbox').fill('');
    await page.getByRole('combobox').selectOption({ label: 'Refusals' });
    await page.getByText('125 events').waitFor();
    await list.focus();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('complementary').getByText('"not-granted"').waitFor();
    const first = await page.getByRole('complementary').getAttribute('aria-label');
    for (const key of ['ArrowDown', 'PageDown', 'End']) await page.keyboard.press(key);
    await list.getByRole('option', { selected: true }).waitFor();
    expect(await list.getByRole('option', { selected: true }).getAttribute('aria-posinset')).toBe(
      await list.getByRole('option').last().getAttribute('aria-setsize'),
    );
    expect(await list.getAttribute('aria-activedescendant')).toBe(
      await list.getByRole('option', { selected: true }).getAttribute('id'),
    );
    await page.keyboard.press('Home');
    await page.getByRole('complementary', { name: first ?? '' }).waitFor();
    expect(await page.evaluate("document.querySelector('.list').scrollTop")).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('complementary').waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowDown');
    await page.getByRole('button', { name: 'Close' }).press('Enter');
    await page.getByRole('complementary').waitFor({ state: 'detached' });
  });

  test('model calls appear by themselves, with unknowns and remaining budget, by keyboard', async () => {
    project.write(
      '../home/.config/holdfast/policy.toml',
      'version = 1\n[[llm.budgets]]\nname = "a-day"\nlimit = "10 requests"\nover = "day"\n',
    );
    const { tokens: _, ...untold } = callOf(1);
    appendEvents(journal(), [callOf(1), callOf(29)]);
    await open();
    await go('Models');
    const usage = page.getByRole('region', { name: 'Usage' });
    await usage.getByRole('row', { name: /^local qwen3-coder 1 .*\?$/u }).waitFor();
    await usage.getByRole('row', { name: /^All 2 .* \+ \?$/u }).waitFor();
    expect(await page.getByRole('meter', { name: 'Budget a-day' }).getAttribute('aria-valuetext')).toBe(
      '2 of 10 requests',
    );
    appendEvents(journal(), [
      ...Array.from({ length: 6 }, () => ({ ...untold, usd: null, model: 'another' })),
      ...findsOf(1),
    ]);
    await usage.getByRole('row', { name: 'anthropic another 6 ? ? ? ? ? ?' }).waitFor();
    await page.getByText('over 80 %').waitFor();
    await page.getByRole('row', { name: 'keys tokenize github-token 2' }).waitFor();
    await page.getByRole('row', { name: 'dlp 1' }).waitFor();
    await page.getByRole('combobox', { name: 'Rows of the table' }).focus();
    await page.keyboard.type('By s');
    await usage.getByRole('link', { name: 's-0' }).waitFor();
    await page.getByRole('combobox', { name: 'Time' }).focus();
    await page.keyboard.type('Today');
    await page.getByText('Figures by hour').focus();
    await page.keyboard.press('Enter');
    await page
      .getByRole('region', { name: 'Figures by hour' })
      .getByRole('row', { name: /\+ \?$/u })
      .waitFor();
    for (const label of [/^Tokens by hour/u, /^Cost by hour/u])
      expect(await page.getByRole('img', { name: label }).locator('canvas').count()).toBe(1);
  });

  test('a report of a session is saved', async () => {
    const session = livingSession(7);
    appendEvents(journal(), [...manyEvents(20, session)]);
    await open();
    await go('Sessions');
    await page.getByRole('link', { name: 'claude --continue' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save report' }).click();
    expect((await download).suggestedFilename()).toBe(`holdfast-${session}.html`);
    expect(readFileSync(await (await download).path(), 'utf8')).toContain('is not granted');
  });

  test('a layer is reviewed and accepted as displayed, and another one is discarded', async () => {
    project.inside('echo staged words > page.md', ['--staged']);
    await open();
    await go('Staged changes');
    await page.getByRole('main').getByRole('link').first().click();
    await page.getByText('+staged words').waitFor();
    await page.getByRole('button', { name: 'Accept …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(existsSync(join(project.workspace, 'page.md'))).toBe(false);
    await page.getByRole('button', { name: 'Accept …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Accept' }).click();
    await page.getByText('No staged changes').waitFor();
    expect(readFileSync(join(project.workspace, 'page.md'), 'utf8')).toBe('staged words\n');
    project.inside('echo other > page.md', ['--staged']);
    await page.getByRole('main').getByRole('link').first().click();
    await page.getByRole('button', { name: 'Discard …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await page.getByText('No staged changes').waitFor();
    expect(readFileSync(join(project.workspace, 'page.md'), 'utf8')).toBe('staged words\n');
  });

  test('texts of a box stay texts: they run nothing, request nothing and change no direction', async () => {
    const hostile = [
      '<img src=x onerror=alert(1)>',
      '<script>alert(2)</script>',
      '"><svg/onload=alert(3)>',
      "javascript:alert(4)//'",
      '{{constructor.constructor("alert(5)")()}}',
      '<a href="javascript:alert(6)">press</a>',
      '![x](https://evil.example/leak)',
      '<link rel=stylesheet href=//evil.example/x.css>',
      '\u202egnp.exe\u2066',
      '\u001b]8;;https://evil.example\u0007link\u001b[2J',
      '\u0000\u200b\ufeff',
      'https://evil.example/click',
      '</pre><iframe src=//evil.example>',
      `<b>${'x'.repeat(1_000_000)}`,
    ];
    const events = hostile.flatMap((text, index): readonly JournalEvent[] => {
      const session = `${livingSession(index)}`;
      const workspace = `/home/dev/${text.slice(0, 200)}`;
      return [
        {
          type: 'session.start',
          session,
          workspace,
          argv: [text, text],
          cwd: workspace,
          backend: text.slice(0, 50),
          uid: 1000,
          policy: '',
        },
        {
          type: 'connection',
          session,
          workspace,
          front: 'connect',
          host: text.slice(0, 200),
          port: 443,
          sent: 1000 * index,
          received: 10,
          duration: 1,
        },
        { ...callOf(index), session, workspace, provider: text.slice(0, 200), model: text, agent: text },
        {
          type: 'refusal',
          session,
          workspace,
          observed: 'output',
          request: { kind: 'exec', program: text, argv: [text], context: 'direct' },
          verdict: {
            decision: 'deny',
            code: 'rule',
            rule: text.slice(0, 200),
            layer: 'user',
            file: text.slice(0, 200),
            line: 1,
            message: text,
            remedy: text,
          },
        },
      ];
    });
    appendEvents(journal(), events);
    await open();
    for (const [view, text] of [
      ['Overview', 'src=//evil.example'],
      ['Sessions', 'onerror=alert(1)'],
      ['Refusals', 'onerror=alert(1)'],
      ['Network', 'src=//evil.example'],
      ['Models', 'onerror=alert(1)'],
      ['Journal', 'src=//evil.example'],
    ] as const) {
      await go(view);
      await page.getByText(text).first().waitFor();
      expect(await page.locator('main').innerText()).not.toMatch(/\p{Cf}|(?![\n\t])\p{Cc}/u);
      expect(
        await page.locator('main :is(script, iframe, svg, link, a[href^="javascript"], a[href*="evil"])').count(),
      ).toBe(0);
    }
    await page.getByRole('option').getByRole('time').first().waitFor();
    await page.getByRole('listbox').focus();
    for (let seq = events.length; seq > 0; seq -= 1) {
      await page.keyboard.press('ArrowDown');
      await page
        .getByRole('complementary', { name: `Event ${seq}`, exact: true })
        .getByText('"type"')
        .waitFor();
    }
  });

  test('a page from another port of this machine gets nothing, although the browser sends its cookies', async () => {
    await open();
    const evil = createServer((_, response) =>
      response.setHeader('content-type', 'text/html').end('<p>evil</p>'),
    ).listen(0, '127.0.0.1');
    await once(evil, 'listening');
    const other = await page.context().newPage();
    await other.goto(`http://127.0.0.1:${(evil.address() as AddressInfo).port}/`);
    const outcomes = (await other.evaluate(foreignWays(dashboard.origin))) as Readonly<Record<string, string>>;
    expect(outcomes).toEqual(Object.fromEntries(Object.keys(outcomes).map((way) => [way, 'refused'])));
    expect(Object.keys(outcomes)).toHaveLength(8);
    // A frame of it shows the browser's own error.
    expect(await other.frames()[1]?.locator('#page').count()).toBe(0);
    evil.close();
  });

  test('when the dashboard ends, the page says so and shows no questions', async () => {
    await open();
    await dashboard[Symbol.asyncDispose]();
    await page.getByText('Not connected').waitFor();
    (watched.problems as string[]).splice(0);
  });

  test.each([
    { width: 1280, height: 860 },
    { width: 390, height: 844 },
  ])('nothing is cut off at $width pixels', async (viewport) => {
    appendEvents(journal(), [
      ...manyEvents(200),
      ...Array.from({ length: 40 }, (_, index) => callOf(index)),
      ...findsOf(1),
    ]);
    await open();
    await page.setViewportSize(viewport);
    for (const view of [
      'Overview',
      'Approvals',
      'Sessions',
      'Refusals',
      'Network',
      'Models',
      'Staged changes',
      'Journal',
    ]) {
      await go(view);
      await page.getByRole('heading', { level: 1, name: view }).waitFor();
      expect([view, await page.evaluate('document.documentElement.scrollWidth <= innerWidth')]).toEqual([view, true]);
      const unnamed = await page.evaluate(
        "[...document.querySelectorAll('button, a, input, select, summary')].filter((each) => (each.getAttribute('aria-label') ?? each.innerText ?? '').trim() === '' && each.closest('label') === null).length",
      );
      expect([view, unnamed]).toEqual([view, 0]);
    }
  });
});
