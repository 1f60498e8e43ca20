import { expect, test } from 'vitest';
import { parseOptions } from './options.ts';

test('without options everything runs', () => {
  expect(parseOptions([])).toEqual({
    backends: ['native', 'bubblewrap', 'landlock', 'gvisor', 'microvm'],
    users: ['root', 'user'],
    only: [],
    extent: 'whole',
    cases: Infinity,
    output: 'lines',
    attacks: undefined,
  });
});

test('lists are split at commas and may be repeated', () => {
  expect(
    parseOptions([
      '--only',
      'git-*,fs-*',
      '--only',
      'tworun-*',
      '--backend',
      'bubblewrap',
      '--user',
      'user,root',
      '--json',
      '--sample',
      '--cases',
      '2',
    ]),
  ).toMatchObject({
    only: ['git-*', 'fs-*', 'tworun-*'],
    backends: ['bubblewrap'],
    users: ['user', 'root'],
    output: 'json',
    extent: 'sample',
    cases: 2,
  });
});

test.each([
  [['--backend', 'none']],
  [['--user', 'nobody']],
  [['--what']],
  [['stray']],
  [['--cases', '0']],
  [['--cases', 'all']],
])('%j is refused', (argv) => {
  expect(() => parseOptions(argv)).toThrow(expect.objectContaining({ code: 'HF_USAGE' }));
});
