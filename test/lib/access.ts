import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** axe's findings against WCAG 2.2 (A and AA) and its own good practice: rule and element, one line each. */
export async function accessProblems(page: Page, rules = everyRule): Promise<readonly string[]> {
  await page.evaluate(`globalThis.axe ?? (() => {${axe.source}})();undefined`);
  return page.evaluate<string[]>(`axe.run(document, {
    runOnly: ${JSON.stringify(rules)},
  }).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html + ' ' + failureSummary)))`);
}

const everyRule = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The focused element: its description, and whether a focus ring is visible around it. */
export async function focused(page: Page): Promise<{ readonly name: string; readonly ring: boolean }> {
  return page.evaluate(`(() => {
    const element = document.activeElement;
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    return {
      name: (element.getAttribute('aria-label') ?? element.innerText ?? '').trim().replaceAll(/\\s+/gu, ' '),
      ring: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
    };
  })()`);
}

/** Presses Tab until an element with this name has the focus. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const passed: string[] = [];
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const { name: found } = await focused(page);
    if (typeof name === 'string' ? found === name : name.test(found)) return;
    passed.push(found);
  }
  throw new Error(`Tab never came to ${String(name)}, only to ${passed.join(' | ')}`);
}

/** From now on, sums the layout shifts. A sum below 0.1 disturbs nobody. */
export async function watchShift(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`globalThis.shift = 0;
    new PerformanceObserver((list) => { for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) shift += value; })
      .observe({ type: 'layout-shift' })`);
  return () => page.evaluate('shift');
}
