import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { shortEffects } from './testing/effects.ts';

/* Claims of specifications about single options, against the real programs. A program that is not here is skipped. */
const directory = mkdtempSync(join(tmpdir(), 'questions-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const has = (program: string) => spawnSync(program, ['--version']).error === undefined;
let count = 0;

function run(files: Readonly<Record<string, string>>, argv: readonly [string, ...string[]]): readonly string[] {
  const cwd = join(directory, `${(count += 1)}`);
  mkdirSync(cwd);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  const [program, ...words] = argv;
  spawnSync(program, words, { cwd, input: '', timeout: 20_000, env: { PATH: process.env['PATH'], HOME: cwd } });
  return readdirSync(cwd).filter((name) => !(name in files));
}

describe.runIf(has('ruby'))('ruby -c only parses', () => {
  test.each(['-c', '-wc'])('%s runs no BEGIN and no library of the first line', (option) => {
    const files = {
      'a.rb': '#!/usr/bin/env ruby -r./b\nBEGIN { File.write("began", "") }\nFile.write("ran", "")\n',
      'b.rb': 'File.write("loaded", "")\n',
    };
    expect(run(files, ['ruby', option, 'a.rb'])).toEqual([]);
    expect(run(files, ['ruby', 'a.rb'])).toContain('ran');
    expect(shortEffects('ruby -c a.rb').runs).toBeUndefined();
  });

  test('perl -c runs BEGIN, and counts as running', () => {
    expect(run({ 'a.pl': 'BEGIN { open(my $f, ">", "began") }\n' }, ['perl', '-c', 'a.pl'])).toEqual(['began']);
    expect(shortEffects('perl -c a.pl').runs).toHaveLength(1);
  });
});

describe.runIf(has('ninja'))('ninja', () => {
  const files = {
    'build.ninja':
      'rule again\n command = touch ran && touch build.ninja\n generator = 1\nbuild build.ninja: again newer\n' +
      'rule copy\n command = cp $in $out\nbuild out: copy in\n',
    newer: '',
    in: 'x',
  };
  test.each(['list', 'targets', 'query', 'graph', 'commands', 'rules', 'compdb', 'inputs'])('-t %s', (part) => {
    expect(run(files, ['ninja', '-t', part, ...(part === 'query' ? ['out'] : [])])).toEqual([]);
  });

  test('-n runs nothing', () => {
    expect(run(files, ['ninja', '-n'])).toEqual([]);
    expect(run(files, ['ninja', 'out'])).toContain('out');
  });
});

test.each([
  ['rm', '-f'],
  ['rmdir', '-v'],
  ['chmod', '600'],
])('%s: a file called `-rf.tmp` is an error', (program, word) => {
  const files = { '-rf.tmp': '', 'a.tmp': '' };
  expect(run(files, [program, word, '-rf.tmp', 'a.tmp'])).toEqual([]);
  expect(existsSync(join(directory, `${count}`, 'a.tmp'))).toBe(true);
});
