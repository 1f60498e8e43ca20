import { expect, test } from 'vitest';
import { analyse } from './analyse/analyse.ts';
import { isShellBuiltin } from './shell-builtin.ts';
import type { Analysis } from './types.ts';

const place = { cwd: '/srv/project', home: '/home/dev' };

function builtinsOf(analysis: Analysis): readonly string[] {
  return analysis.invocations
    .filter((each) => isShellBuiltin(each, analysis))
    .map(({ argv: [program] }) => (program?.kind === 'static' ? program.value : ''));
}

test.each<[string, readonly string[]]>([
  ['cd x && git status', ['cd']],
  ['export A=1; test -f x || exit 1; printf %s y', ['export', 'test', 'exit', 'printf']],
  ['echo "$(pwd)"', ['echo', 'pwd']],
  ['exec ls', ['exec']],
  ['eval "cd y"', ['eval', 'cd']],
  ['command echo x', ['command', 'echo']],
  ['env echo x', []],
  ['ls | xargs echo', []],
  ['find . -exec test -f {} \\;', []],
  ['/bin/echo x', []],
  ['~/echo x', []],
  ['$E x', []],
  ['git log', []],
])('of %j the shell itself carries out %j', (text, names) => {
  expect(builtinsOf(analyse({ kind: 'argv', argv: ['sh', '-c', text] }, place))).toEqual(names);
  expect(builtinsOf(analyse({ kind: 'script', text, shell: 'sh' }, place))).toEqual(names);
});

test.each(['echo', 'cd', 'test', 'exec'])('%s as a command of its own is a program', (name) => {
  expect(builtinsOf(analyse({ kind: 'argv', argv: [name, 'x'] }, place))).toEqual([]);
});
