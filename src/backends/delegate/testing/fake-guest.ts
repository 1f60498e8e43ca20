/**
 * Replaces limactl and wsl.exe. `fake-guest.ts KIND DIRECTORY WORD…` lists from `DIRECTORY/list`. It starts the words
 * as the real program would, with `DIRECTORY/bin` as the guest's PATH and this machine as the guest.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { limaLine } from './lima-model.ts';
import { commandLineOf, readCommandLine } from './wsl-model.ts';

const [kind, directory = '', ...words] = process.argv.slice(2);
if (words[0] === 'list' || words[0] === '--list') {
  process.stdout.write(readFileSync(join(directory, 'list')));
} else {
  writeFileSync(join(directory, 'environment'), JSON.stringify(process.env));
  writeFileSync(join(directory, 'words'), JSON.stringify(words));
  process.exitCode = kind === 'lima' ? startInLima() : startInWsl();
}

function startInLima(): number {
  const [, , workdir = '', , ...rest] = words;
  return start('/bin/sh', ['-c', limaLine(rest, workdir)], '/');
}

function startInWsl(): number {
  const {
    directory: workdir = '/',
    words: [program = '', ...rest],
  } = readCommandLine(commandLineOf(words));
  return start(program, rest, workdir);
}

function start(program: string, args: readonly string[], cwd: string): number {
  const { status, signal } = spawnSync(program, [...args], {
    cwd,
    env: { PATH: `${join(directory, 'bin')}:/usr/bin:/bin`, SHELL: '/bin/sh', RECORD: join(directory, 'record') },
    stdio: 'inherit',
  });
  return signal === null ? (status ?? 255) : 128 + constants.signals[signal];
}
