/** Asks shells with little more than POSIX which programs they run: dash, and the one in busybox. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runPrograms, type Observed } from './run-programs.ts';

const names = Array.from({ length: 40 }, (_, index) => [`q${index + 1}t`, `q${index + 1}f`]).flat();

/** Names that bash does not take for a program. Such names cannot be functions. */
const misreadNames = [
  'time',
  'function',
  'coproc',
  'select',
  '[[',
  ']]',
  'let',
  'declare',
  'source',
  'C',
  'x',
  'y',
  '1',
  '10',
  '-p',
  '--',
  '{fd}',
  'a+=x',
  'a+=',
  'b[1]=x',
  ...names,
];

/** Without the shell's own language: the words of the started program. */
const recorder = String.raw`#!/bin/sh
IFS=$(printf '\1'); set -- "${'${0##*/}'}" "$@"
printf '@@%s@%s@@\0' "$holdfast_index" "$*" >&9 2>/dev/null
case $1 in *t) exit 0;; esac; exit 127
`;

const prologue = String.raw`exec 9>&1 8>&2
ulimit -f 64 -n 200 -c 0
holdfast_separator=$(printf '\1')
export holdfast_index
holdfast_record() { local IFS; IFS=$holdfast_separator; printf '@@%s@%s@@\0' "$holdfast_index" "$*" >&9; }
${names.map((name) => `${name}() { holdfast_record ${name} "$@"; return ${name.endsWith('t') ? 0 : 127}; }`).join('\n')}
`;

export function observePosix(
  programs: readonly string[],
  shell: readonly [string, ...string[]] = ['/bin/dash'],
): Promise<readonly Observed[]> {
  return runPrograms(programs, (rest, directory) => {
    const path = join(directory, 'bin');
    mkdirSync(path);
    writeFileSync(join(path, 'recorder'), recorder, { mode: 0o755 });
    for (const name of misreadNames) symlinkSync('recorder', join(path, name));
    const driver = join(directory, 'driver.sh');
    writeFileSync(driver, prologue + rest.map(oneOf).join(''));
    return { argv: [...shell, driver], input: '', env: { PATH: path } };
  });
}

function oneOf(program: string, index: number): string {
  return `holdfast_index=${index + 1}; printf '\\n%s:\\n' ${index + 1} >&8\n( ulimit -t 1; eval '${program.replaceAll("'", "'\\''")}'; wait ) </dev/null >/dev/null\n`;
}
