import { expect, test } from 'vitest';
import { coveredFiles } from './covered.ts';

const name = (path: string, change: 'appeared' | 'replaced', effect: 'hidden' | 'read-only' = 'hidden') => ({
  path: Buffer.from(path, 'latin1'),
  effect,
  change,
});

test('each path is told once, as it was met first', () => {
  const names = [name('/w/.env', 'appeared'), name('/w/a\xff', 'replaced', 'read-only'), name('/w/.env', 'replaced')];
  expect(coveredFiles(names)).toEqual([
    { path: '/w/.env', effect: 'hidden', change: 'appeared', times: 2 },
    { path: '/w/a%FF', effect: 'read-only', change: 'replaced', times: 1 },
  ]);
});
