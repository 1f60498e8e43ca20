import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { appendEvents } from '../src/audit/index.ts';
import { hasChromium, RunningDashboard, startChromium } from '../test/lib/dashboard.ts';
import { manyEvents } from '../test/lib/dashboard-events.ts';
import { type Answered, callCount, measureUsage } from './lib/model-usage.ts';
import { type Report, titles } from './lib/report.ts';
import { measureScrolling, scrollFor, type Scrolled } from './lib/scrolling.ts';
import { makeScratch } from './lib/scratch.ts';
import { summarise } from './lib/stats.ts';
import { table } from './lib/table.ts';

const eventCount = 100_000;
const rounds = 5;

interface Opened {
  /** The first visible paint, as the browser reports it. */
  readonly text: number;
  readonly overview: number;
  readonly whole: number;
  /** On a separate page. */
  readonly rows: number;
  readonly deep: number;
}

/**
 * A journal of 100,000 events in a real browser: the time until something is visible, the time until it is readable,
 * and its scrolling.
 */
export async function dashboard(): Promise<Report> {
  if (!hasChromium) return { title: 'dashboard', parts: ['absent: Chromium is not installed'], budgets: [] };
  const { environment, workspace } = makeScratch();
  appendEvents(join(environment['XDG_STATE_HOME'] ?? '', 'holdfast/journal.jsonl'), [...manyEvents(eventCount)]);
  const browser = await startChromium();
  const opened: Opened[] = [];
  let scrolled: Scrolled = { frames: [], longTasks: [], bare: 0, work: Number.NaN };
  let search = Number.NaN;
  const open = async (view: View, measure: (page: Page) => Promise<void>): Promise<void> => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.addInitScript(watchElements(view));
    await using running = await RunningDashboard.start({ workspace, environment });
    await page.goto(running.link);
    await measure(page);
    await context.close();
  };
  for (let round = 0; round < rounds; round += 1) {
    const figures: Partial<Opened>[] = [];
    await open('overview', async (page) => void figures.push(await measureOverview(page)));
    await open('journal', async (page) => {
      figures.push(await measureRows(page));
      if (round === rounds - 1) [search, scrolled] = [await measureSearch(page), await measureScrolling(page)];
    });
    opened.push(Object.assign({}, ...figures) as Opened);
  }
  await browser.close();
  return report({ opened, scrolled, search, answered: await measureUsage() });
}

type View = 'overview' | 'journal';

/**
 * Opens the view as soon as it is reachable, and notes the time of each part: milliseconds since the browser followed
 * the link.
 */
function watchElements(view: View): string {
  return `{
    const seen = (globalThis.seen = {});
    const parts = { way: 'nav', overview: '.tile', refusals: '.row-title', whole: '.connection.live', rows: '.event-title' };
    const look = () => {
      for (const [name, selector] of Object.entries(parts)) if (seen[name] === undefined && document.querySelector(selector) !== null) seen[name] = performance.now();
      if (seen.way !== undefined && location.hash === '') location.hash = '#/${view}';
      requestAnimationFrame(look);
    };
    look();
  }`;
}

/** The server has just started, and has not read anything yet. */
async function measureOverview(page: Page): Promise<Pick<Opened, 'text' | 'overview' | 'whole'>> {
  await page.getByText('Live', { exact: true }).waitFor({ timeout: 60_000 });
  await page.locator('.row-title').first().waitFor();
  const { refusals = Number.NaN, whole = Number.NaN } = await page.evaluate<Readonly<Record<string, number>>>('seen');
  return {
    text: await page.evaluate<number>("performance.getEntriesByName('first-contentful-paint')[0].startTime"),
    overview: refusals,
    whole,
  };
}

/** Until the newest is readable, and then some from the middle. */
async function measureRows(page: Page): Promise<Pick<Opened, 'rows' | 'deep'>> {
  await page.locator('.event-title').first().waitFor();
  const rows = await page.evaluate<number>('seen.rows');
  const jump = performance.now();
  await page.evaluate(
    "document.querySelector('.list').scrollTop = document.querySelector('.list-all').clientHeight / 2",
  );
  await page.locator(`.list-row[aria-posinset="${eventCount / 2}"] .event-title`).waitFor();
  return { rows, deep: performance.now() - jump };
}

/** Milliseconds from the last key to the answer. The first query builds the index. */
async function measureSearch(page: Page): Promise<number> {
  const found = page.locator('.found');
  for (const words of ['golang', 'crates']) {
    await page.getByRole('searchbox').fill(words);
    await found.getByText('5,000+').waitFor({ timeout: 120_000 });
  }
  const start = performance.now();
  await page.getByRole('searchbox').fill('packages 4242');
  await found.getByText(/^\d events?$/u).waitFor();
  const taken = performance.now() - start;
  await page.getByRole('searchbox').fill('');
  await found.getByText('100,000').waitFor();
  return taken;
}

interface Measured {
  readonly opened: readonly Opened[];
  readonly scrolled: Scrolled;
  readonly search: number;
  readonly answered: Answered;
}

function report({ opened, scrolled: { frames, longTasks, bare, work }, search, answered }: Measured): Report {
  const of = (key: keyof Opened): number => summarise(opened.map((each) => each[key])).median;
  const { median, p90 } = summarise(frames);
  const late = (100 * frames.filter((frame) => frame > lateFrame).length) / frames.length;
  return {
    title: `dashboard: a journal of ${eventCount.toLocaleString('en')} events in Chromium`,
    parts: [
      table(titles('since the link was followed, medians', ['ms']), [
        ['first text (it says that the page opens)', of('text').toFixed(0)],
        ['overview with figures and refusals, of what was read by then', of('overview').toFixed(0)],
        ['overview of the whole journal', of('whole').toFixed(0)],
        ['first rows of the journal', of('rows').toFixed(0)],
        ['rows of its middle, from the jump on', of('deep').toFixed(0)],
        ['search for two words, 200 of them waiting for more letters', search.toFixed(0)],
      ]),
      `scrolling by 600 pixels a frame for ${scrollFor / 1000} s: ${(1000 / median).toFixed(1)} frames a second, p90 ${p90.toFixed(1)} ms, longest ${Math.max(...frames).toFixed(1)} ms, ${late.toFixed(1)} % late; ${longTasks.length} tasks over 50 ms; rows missing in ${bare.toFixed(1)} % of the frames; ${work.toFixed(1)} ms of processor time a frame`,
      table(titles(`${callCount.toLocaleString('en')} calls of models in 30 days`, ['ms']), [
        ['all of the journal read', answered.read.toFixed(0)],
        ['sums by model, agent, session, repository or day: the slowest', answered.first.toFixed(0)],
        ['the same after another call', answered.again.toFixed(0)],
      ]),
    ],
    budgets: [
      { claim: 'overview that can be read', measured: of('overview'), limit: 1000, unit: 'ms', direction: 'at-most' },
      { claim: 'first rows of the journal', measured: of('rows'), limit: 1000, unit: 'ms', direction: 'at-most' },
      { claim: 'a frame while scrolling', measured: median, limit: 17, unit: 'ms', direction: 'at-most' },
      { claim: 'processor time of a frame', measured: work, limit: 10, unit: 'ms', direction: 'at-most' },
      { claim: 'sums of a month of calls', measured: answered.first, limit: 300, unit: 'ms', direction: 'at-most' },
      { claim: 'late frames', measured: late, limit: 5, unit: '%', direction: 'at-most' },
    ],
  };
}

/** A frame that has missed its turn at 60 a second. */
const lateFrame = 25;
