import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { renderUnicodeTables } from '../../../scripts/unicode-tables/render.ts';
import { rangeBounds } from './code-point-set.ts';
import * as tables from './tables.ts';

test('scripts/unicode-tables.ts writes these tables from the pinned data', { timeout: 60_000 }, async () => {
  expect(readFileSync(new URL('tables.ts', import.meta.url), 'utf8')).toBe(await renderUnicodeTables());
});

test('the version is that of the pinned package', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  expect(Object.keys(manifest.devDependencies)).toContain(`@unicode/unicode-${tables.unicodeVersion}`);
});

/** Sizes as the Unicode Standard 17.0 tells them. */
describe.each([
  ['defaultIgnorable', tables.defaultIgnorable, 4174],
  ['bidiControl', tables.bidiControl, 12],
  ['variationSelector', tables.variationSelector, 260],
  ['noncharacter', tables.noncharacter, 66],
  ['control', tables.control, 65],
  ['separator', tables.separator, 2],
  ['blank', tables.blank, 16],
  ['privateUse', tables.privateUse, 137_468],
] as const)('%s', (_name, written, size) => {
  const bounds = rangeBounds(written);

  test('has as many code points as the standard says', () => {
    let count = 0;
    for (let index = 0; index < bounds.length; index += 2) count += bounds[index + 1]! - bounds[index]! + 1;
    expect(count).toBe(size);
  });

  test('is sorted, without adjacent ranges', () => {
    for (let index = 2; index < bounds.length; index += 2)
      expect(bounds[index]!).toBeGreaterThan(bounds[index - 1]! + 1);
  });
});

test('there are three flags of tags, with England', () => {
  expect(tables.flagTags.split(' ')).toEqual(['gbeng', 'gbsct', 'gbwls']);
});

test.each(['1f468+1f469+1f467', '1f469m+1f4bb', '2764+1f525', '1f3f4+2620', '1faf1m+1faf2m'])(
  '%s is a joined emoji',
  (sequence) => {
    expect(tables.joinedEmoji.split(' ')).toContain(sequence);
  },
);

test.each(['1faf1+1faf2', '1f468+1f468+1f468', '1f600+1f600'])('%s is not a joined emoji', (sequence) => {
  expect(tables.joinedEmoji.split(' ')).not.toContain(sequence);
});
