import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');
const [light = '', dark = ''] = css.split('@media (prefers-color-scheme: dark)');

/** Text on its background: 4.5 to 1 (WCAG 2.2, 1.4.3). */
const texts: readonly (readonly [text: string, grounds: readonly string[]])[] = [
  ['text', ['ground', 'surface', 'raised', 'added', 'removed']],
  ['muted', ['ground', 'surface', 'raised']],
  ['accent', ['ground', 'surface', 'raised', 'accent-ground']],
  ['allowed', ['surface', 'allowed-ground']],
  ['waiting', ['surface', 'waiting-ground']],
  ['staged', ['surface', 'staged-ground']],
  ['refused', ['ground', 'surface', 'raised', 'refused-ground']],
  ['on-strong', ['allowed', 'waiting']],
];

/** Edges of fields and buttons, focus rings, and bars: 3 to 1 (1.4.11). */
const shapes: readonly (readonly [shape: string, grounds: readonly string[]])[] = [
  ['edge', ['ground', 'surface', 'raised']],
  ['accent', ['ground', 'surface', 'raised', 'accent-ground', 'waiting-ground']],
  ...['allowed', 'waiting', 'refused'].map((fill) => [fill, ['raised']] as const),
  ...[1, 2, 3, 4, 5, 6, 7].map((series) => [`series-${series}`, ['surface']] as const),
];

describe.each([
  ['light', coloursIn(light)],
  ['dark', new Map([...coloursIn(light), ...coloursIn(dark)])],
])('%s', (_, colours) => {
  const contrast = (one: string, other: string): number => {
    const [low = 0, high = 0] = [luminance(colours, one), luminance(colours, other)].toSorted((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };

  test.each(pairs(texts))('--%s can be read on --%s', (text, ground) => {
    expect(contrast(text, ground)).toBeGreaterThanOrEqual(4.5);
  });

  test.each(pairs(shapes))('--%s can be seen on --%s', (shape, ground) => {
    expect(contrast(shape, ground)).toBeGreaterThanOrEqual(3);
  });
});

test('both schemes have every colour, and no other file has any', () => {
  const isShared = (name: string): boolean => /^(?:space|size|round)-/u.test(name);
  expect([...coloursIn(dark).keys()].toSorted()).toEqual(
    [...coloursIn(light).keys()].filter((name) => !isShared(name)).toSorted(),
  );
  for (const file of ['base', 'frame', 'parts', 'tables', 'views', 'narrow'])
    expect(readFileSync(join(import.meta.dirname, `${file}.css`), 'utf8')).not.toMatch(
      /:[^;{]*(?:#[0-9a-f]{3,8}\b(?! calc)|rgb)/u,
    );
});

function pairs(table: readonly (readonly [string, readonly string[]])[]): readonly (readonly [string, string])[] {
  return table.flatMap(([one, others]) => others.map((other) => [one, other] as const));
}

function coloursIn(text: string): ReadonlyMap<string, string> {
  return new Map(
    Array.from(text.matchAll(/--([\w-]+): (#[0-9a-f]{6});/gu), ([, name = '', value = '']) => [name, value]),
  );
}

/** Relative luminance, as WCAG defines it. */
function luminance(colours: ReadonlyMap<string, string>, name: string): number {
  const value = colours.get(name);
  if (value === undefined) throw new Error(`--${name} is no colour`);
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(value.slice(at, at + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
