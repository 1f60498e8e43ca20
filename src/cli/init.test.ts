import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { scratchDirectory } from '../place/testing/scratch.ts';
import { hookProgram } from './init.ts';

test('settings start the program that keeps the time, and none are written without it', () => {
  const root = scratchDirectory();
  const launcher = join(root, 'native/build/holdfast-launch');
  expect(() => hookProgram({ root, launcher })).toThrow(
    expect.objectContaining({ code: 'HF_LAUNCHER_MISSING', remedy: expect.stringContaining(`make -C ${root}/native`) }),
  );
  mkdirSync(join(root, 'native/build'), { recursive: true });
  writeFileSync(join(root, 'native/build/holdfast-hook'), '');
  expect(hookProgram({ root, launcher }).slice(0, 2)).toEqual([
    join(root, 'native/build/holdfast-hook'),
    process.execPath,
  ]);
});
