import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { scratchDirectory } from '../../place/testing/scratch.ts';
import { shellProgram } from './shell-program.ts';

test('every word of a call arrives as it is, behind those of the box', () => {
  const directory = scratchDirectory();
  const workspace = `${directory}/it's $HOME "here"\n`;
  writeFileSync(join(directory, 'say.cjs'), 'process.stdout.write(JSON.stringify(process.argv.slice(2)))');
  const file = join(directory, 'bash');
  writeFileSync(file, shellProgram([process.execPath, join(directory, 'say.cjs')], workspace));
  chmodSync(file, 0o700);
  const words = ['-c', `echo "$1" 'x'\n`, '--', '--workspace', '/', ''];
  expect(JSON.parse(execFileSync(file, words, { encoding: 'utf8' }))).toEqual([
    'run',
    '--no-prompt',
    '--workspace',
    workspace,
    '--',
    'bash',
    ...words,
  ]);
});
