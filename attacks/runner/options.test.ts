import { expect, test } from 'vitest';
import { parseOptions } from './options.ts';

test('without options everything runs', () => {
  expect(parseOptions([])).toEqual({ backends: ['native', 'bubblewrap', 'landlock', 'gvisor', 'microvm'], users: ['root', 'user'], only: [], extent: 'whole', output: 'lines', attacks: undefined });
});

test('lists are split at commas and may be repeated', () => {
  expect(parseOptions(['--only', 'git-*,fs-*', '--only', 'tworun-*', '--backend', 'bubblewrap', '--user', 'user,root', '--json', '--sample'])).toMatchObject({
    only: ['git-*', 'fs-*', 'tworun-*'],
    backends: ['bubblewrap'],
    users: ['user', 'root'],
    output: 'json',
    extent: 'sample',
  });
});

test.each([[['--backend', 'none']], [['--user', 'nobody']], [['--what']], [['stray']]])('%j is refused', (argv) => {
  expect(() => parseOptions(argv)).toThrow(expect.objectContaining({ code: 'HF_USAGE' }));
});
