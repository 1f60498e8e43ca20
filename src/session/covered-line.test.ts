import { expect, test } from 'vitest';
import { coveredLine } from './covered-line.ts';

test('a line says what happened and what became of it', () => {
  const files = [
    { path: '/w/.env', effect: 'hidden', change: 'appeared', times: 2 },
    { path: '/w/a%FF', effect: 'read-only', change: 'replaced', times: 1 },
  ] as const;
  expect(files.map(coveredLine)).toEqual([
    'holdfast: a program outside made /w/.env while the command ran; holdfast hid it from the command within milliseconds',
    'holdfast: a program outside replaced /w/a%FF while the command ran; holdfast made it read-only for the command within milliseconds',
  ]);
});
