/**
 * Makes the pictures of docs/dashboard.md and docs/llm-usage.md from a real dashboard, with events of an invented day,
 * in the named directory (default: docs). The scene is `/home/dev`, which must not exist before and is removed
 * afterwards. A picture of more than 150 KB is an error.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import type { Page } from 'playwright-core';
import { appendEvents, type JournalEvent } from '../src/audit/index.ts';
import { openPage, RunningDashboard, startChromium } from '../test/lib/dashboard.ts';
import { callOf, findsOf } from '../test/lib/dashboard-calls.ts';
import { livingSession, manyEvents } from '../test/lib/dashboard-events.ts';
import { binary } from '../test/lib/holdfast.ts';

const hour = 3_600_000;
const largest = 150_000;
const budgets =
  '[[llm.budgets]]\nname = "a-day"\nlimit = "13 USD"\nover = "day"\n[[llm.budgets]]\nname = "a-month"\nlimit = "150 USD"\nover = "month"\n';
const into = process.argv[2] ?? 'docs';
const views = (process.argv[3] ?? 'overview,staged,models').split(',');
const looks = {
  light: { viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
  narrow: { viewport: { width: 390, height: 844 }, colorScheme: 'light' },
} as const;
const wanted = (process.argv[4] ?? 'light,dark').split(',') as readonly (keyof typeof looks)[];

const home = '/home/dev';
const project = {
  workspace: join(home, 'app'),
  environment: { HOME: home, PATH: process.env['PATH'], LANG: 'C.UTF-8' },
};
mkdirSync(home);
process.once('exit', () => rmSync(home, { recursive: true, force: true }));
write('app/migrations/0007-accounts.sql', 'alter table accounts add column plan text;\n');
write(
  'app/src/plan.ts',
  "export interface Plan {\n  readonly name: string;\n}\n\nexport function isFree({ name }: Plan): boolean {\n  return name === 'free';\n}\n",
);
spawnSync('git', ['init', '-q', project.workspace]);
writeMonth();
writeDay();
stageSomething();
write(
  '.config/holdfast/policy.toml',
  'version = 1\n[[file]]\nname = "ask-migrations"\ndecision = "ask"\npaths = ["migrations"]\nreason = "migrations are looked at before they change"\n' +
    budgets,
);
const browser = await startChromium();
for (const look of wanted) await pictures(look);
await browser.close();

async function pictures(look: keyof typeof looks): Promise<void> {
  await using dashboard = await RunningDashboard.start(project);
  const { page, problems } = await openPage(browser, dashboard.link, looks[look]);
  const waiting = spawn(binary, ['run', '--', 'rm', 'migrations/0007-accounts.sql'], {
    cwd: project.workspace,
    env: project.environment,
    stdio: 'ignore',
  });
  const ended = once(waiting, 'exit');
  await page.getByRole('article').waitFor();
  await page.waitForTimeout(800);
  for (const view of views) {
    await page.evaluate(`location.hash = '#/${view}'`);
    await page.waitForTimeout(400);
    if (view === 'staged') await page.getByRole('main').getByRole('link').first().click();
    if (view === 'models') await page.getByLabel('Time').selectOption('30d');
    await page.waitForTimeout(600);
    await takePicture(page, `dashboard-${view}${look === 'light' ? '' : `-${look}`}.webp`, looks[look].viewport.width);
  }
  await page.evaluate("location.hash = '#/approvals'");
  await page.getByRole('button', { name: 'Deny' }).click();
  await ended;
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

/** In WebP, which Playwright does not write. The page of models is longer than the screen. */
async function takePicture(page: Page, name: string, width: number): Promise<void> {
  const client = await page.context().newCDPSession(page);
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  const { data } = await client.send('Page.captureScreenshot', {
    format: 'webp',
    quality: 92,
    captureBeyondViewport: name.includes('models'),
    ...(name.includes('models') ? { clip: { x: 0, y: 0, width, height, scale: 1 } } : {}),
  });
  const picture = Buffer.from(data, 'base64');
  if (picture.length > largest) throw new Error(`${name} has ${picture.length} bytes, and ${largest} are allowed`);
  writeFileSync(join(into, name), picture);
}

/** Traffic that rises and falls over the last hours. */
function writeDay(): void {
  const journal = join(home, '.local/state/holdfast/journal.jsonl');
  const events = [...manyEvents(1600, livingSession(3))];
  const now = Date.now();
  for (let index = 0; index < 96; index += 1) {
    const time = now - (6 * hour * (96 - index)) / 96;
    const busy = 0.25 + Math.abs(Math.sin(index / 11)) * (1 + 0.5 * Math.sin(index / 3));
    const batch = events
      .slice(index * 16, index * 16 + 16)
      .map(
        (event): JournalEvent =>
          event.type === 'connection'
            ? { ...event, received: Math.round(event.received * busy), sent: Math.round(event.sent * busy) }
            : event,
      );
    appendEvents(journal, batch, { clock: () => ({ time, uptime: time, boot: 'a' }) });
  }
}

/** Calls of models on the previous working days, and some that rules blocked here. */
function writeMonth(): void {
  const journal = join(home, '.local/state/holdfast/journal.jsonl');
  const now = Date.now();
  for (let day = 29, index = 0; day > 0; day -= 1) {
    const count = [0, 6].includes(new Date(now - day * 24 * hour).getUTCDay())
      ? 12
      : 150 + Math.round(90 * Math.sin(day * 2));
    const calls = Array.from({ length: count }, () => callOf((index += 1)));
    appendEvents(journal, [...calls, ...findsOf(day)], {
      clock: () => ({ time: now - day * 24 * hour, uptime: now - day * 24 * hour, boot: 'a' }),
    });
  }
  appendEvents(
    journal,
    Array.from({ length: 240 }, (_, index) => callOf(index, livingSession(3))),
    { clock: () => ({ time: now - 6.5 * hour, uptime: now - 6.5 * hour, boot: 'a' }) },
  );
}

function stageSomething(): void {
  const edit =
    "sed -i 's/readonly name: string;/readonly name: PlanName;\\n  readonly seats: number;/' src/plan.ts && printf \"export type PlanName = 'free' | 'team';\\n\" > src/plan-name.ts && mkdir docs && echo '# Plans' > docs/plans.md";
  spawnSync(binary, ['run', '--staged', '--', 'sh', '-c', edit], { cwd: project.workspace, env: project.environment });
}

function write(path: string, content: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), content);
}
