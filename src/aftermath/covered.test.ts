import { expect, test } from 'vitest';
import { coveredFiles, coveredLine } from './covered.ts';

const name = (path: string, change: 'appeared' | 'replaced', effect: 'hidden' | 'read-only' = 'hidden') => ({
  path: Buffer.from(path, 'latin1'),
  effect,
  change,
});

test('each path is reported once, as first seen', () => {
  const names = [name('/w/.env', 'appeared'), name('/w/a\xff', 'replaced', 'read-only'), name('/w/.env', 'replaced')];
  expect(coveredFiles(names)).toEqual([
    { path: '/w/.env', effect: 'hidden', change: 'appeared', times: 2 },
    { path: '/w/a%FF', effect: 'read-only', change: 'replaced', times: 1 },
  ]);
  expect(coveredFiles(names).map(coveredLine)).toEqual([
    'a program outside made /w/.env while the command ran; holdfast hid it from the command within milliseconds',
    'a program outside replaced /w/a%FF while the command ran; holdfast made it read-only for the command within milliseconds',
  ]);
});
