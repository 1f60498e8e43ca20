import type { Page } from 'playwright-core';

/** Milliseconds. */
export const scrollFor = 4000;

interface Frames {
  /** Milliseconds from each to the next. */
  readonly frames: readonly number[];
  /** Milliseconds of those that are longer than 50. */
  readonly longTasks: readonly number[];
  /** The percentage of frames with a missing row on the screen. */
  readonly bare: number;
}

export interface Scrolled extends Frames {
  /** Milliseconds of processor time of the page's thread, for each frame. A busy machine does not change it. */
  readonly work: number;
}

/** Scrolls the list of the page by about a screen in each frame. */
export async function measureScrolling(page: Page): Promise<Scrolled> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const worked = async (): Promise<number> =>
    1000 *
    ((await session.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')?.value ??
      Number.NaN);
  const before = await worked();
  const scrolled = await scroll(page);
  return { ...scrolled, work: ((await worked()) - before) / scrolled.frames.length };
}

async function scroll(page: Page): Promise<Frames> {
  return page.evaluate<Frames>(`new Promise((resolve) => {
    const list = document.querySelector('.list');
    const [frames, longTasks] = [[], []];
    new PerformanceObserver((seen) => longTasks.push(...seen.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' });
    let bare = 0;
    const start = performance.now();
    let last = start;
    const step = (now) => {
      frames.push(now - last);
      last = now;
      bare += list.querySelector('.waiting') === null ? 0 : 1;
      list.scrollTop += 600;
      now - start < ${scrollFor} ? requestAnimationFrame(step) : resolve({ frames: frames.slice(2), longTasks, bare: (100 * bare) / frames.length });
    };
    requestAnimationFrame(step);
  })`);
}
