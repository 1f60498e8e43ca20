import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { analysedWords } from '../../analyse/testing/analysed.ts';
import { plainText } from '../words.ts';

/**
 * What real wrappers run, beside what the tables say: a wrapper that took one word more would run another program than
 * was judged.
 */
const scratch = mkdtempSync(join(tmpdir(), 'holdfast-wrappers-'));
afterAll(() => rmSync(scratch, { recursive: true }));

/** Prints its words, and where it is in the row. Words that a wrapper might take for its own come first. */
const printed = ['/usr/bin/printf', '<%s>', '-c', '--', 'A=1', '-n', '5', '--help', 'x'] as const;
const output = '<-c><--><A=1><-n><5><--help><x>';

/** The wrappers that run the program at the end of the row. */
function lastProgram(argv: readonly string[]): readonly (string | undefined)[] | undefined {
  return analysedWords(...argv)
    .invocations.at(-1)
    ?.argv.map(plainText);
}

const wrappers: readonly string[] = [
  'env',
  'env A=1 B=2',
  'env -i',
  'env -i -u HOME A=1',
  'env -u HOME --',
  'env --unset=HOME -C / --',
  'env -iuHOME',
  'nice',
  'nice -n 5',
  'nice -n5',
  'nice --adjustment=5',
  'nice -5',
  'ionice -c 3',
  'ionice -c3 -t',
  'nohup',
  'nohup --',
  'timeout 5',
  'timeout -s KILL 5',
  'timeout -sKILL -k 1 5',
  'timeout --kill-after=1 --foreground --preserve-status 5s',
  'timeout -- 5',
  'setsid -w',
  'setsid --wait --',
  'stdbuf -oL',
  'stdbuf -o L -e0 -i 0',
  'stdbuf --output=L --',
  'chrt -o 0',
  'chrt --other --reset-on-fork 0',
  'taskset 1',
  'taskset -c 0',
  'taskset --cpu-list 0',
  'flock lock',
  'flock -n lock',
  'flock -w 5 -E 3 lock',
  'flock --nonblock --close lock',
  'env nice -n 5 timeout 5 stdbuf -oL nohup',
  'nice env A=1 nice timeout -k 1 5 env -i',
];

/** As for the output: only what the last program printed. */
function run(argv: readonly string[], input = ''): { readonly stdout: string; readonly isThere: boolean } {
  const [program = '', ...rest] = argv;
  const { stdout, error } = spawnSync(program, rest, {
    cwd: scratch,
    encoding: 'utf8',
    input,
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', HOME: scratch, SHLVL: '2' },
  });
  return { stdout, isThere: error === undefined };
}

describe('real wrappers run the words that the tables say', () => {
  test.each(wrappers)('%s', (wrapper) => {
    const argv = [...wrapper.split(' '), ...printed];
    expect(lastProgram(argv)).toEqual(printed);
    const { stdout, isThere } = run(argv);
    if (isThere) expect(stdout).toBe(output);
  });

  test.each([
    ['xargs', 'y'],
    ['xargs -0', 'y'],
    ['xargs -n 1 -P 1 -r', 'y'],
    ['xargs -t', 'y'],
    ['xargs -d , -x', 'y'],
    ['xargs -L 1', 'y'],
    ['xargs -s 4000 -e', 'y'],
    ['xargs --max-args=1 --no-run-if-empty', 'y'],
    ['xargs --', 'y'],
  ])('%s, with a word of its input', (wrapper, input) => {
    const argv = [...wrapper.split(' '), ...printed];
    expect(lastProgram(argv)).toEqual([...printed, undefined]);
    expect(run(argv, input).stdout).toBe(`${output}<y>`);
  });

  test.each(['xargs -I x', 'xargs -Ix', 'xargs -i', 'xargs -i{} -t'])(
    '%s, with the input in place of a word',
    (wrapper) => {
      const placeholder = wrapper.includes('x', 5) && wrapper.includes('-I') ? 'x' : '{}';
      const argv = [...wrapper.split(' '), '/usr/bin/printf', '<%s>', placeholder, 'a'];
      expect(lastProgram(argv)).toEqual(['/usr/bin/printf', '<%s>', undefined, 'a']);
      expect(run(argv, 'y').stdout).toBe('<y><a>');
    },
  );

  test.each([
    ['flock lock -c'],
    ['sh -c'],
    ['bash -c'],
    ['bash -ec'],
    ['bash +x -o pipefail -c'],
    ['sh -e -c'],
    ['dash -ec'],
    ['env sh -c'],
    ['timeout 5 bash --norc -c'],
    ['nice sh -uc'],
  ])('%s, with a text', (wrapper) => {
    const argv = [...wrapper.split(' '), "/usr/bin/printf '<%s>' a"];
    expect(lastProgram(argv)).toEqual(['/usr/bin/printf', '<%s>', 'a']);
    const { stdout, isThere } = run(argv);
    if (isThere) expect(stdout).toBe('<a>');
  });

  test.each([["env -S '/usr/bin/printf <%s>' a", ['env', '-S', '/usr/bin/printf <%s>', 'a']]])(
    '%s is not plain words, and not taken apart',
    (_, argv) => {
      expect(analysedWords(...argv).invocations).toHaveLength(1);
      expect(run(argv).stdout).toBe('<a>');
    },
  );
});
