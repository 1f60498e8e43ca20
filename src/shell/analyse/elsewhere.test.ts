import { describe, expect, test } from 'vitest';
import { analyse } from './analyse.ts';
import { allReasons, analysed, place, reasons } from './testing/analysed.ts';

describe('code of the project asks for nothing by itself', () => {
  test.each([
    'make',
    'cd a && make',
    'cd a; make',
    'npm test',
    'cd a; git status',
    'git -C a log',
    'make -C a',
    'node x.js',
    'cd a && node ../x.js',
    'python3 a/x.py',
    './x',
    'cd a && ../x',
    'cd a; ./x',
    'pytest a',
    'node /srv/project/x.js',
    'cd /tmp; node /srv/project/x.js',
    'sed -f a.sed b',
    'make -f /dev/null',
  ])('%s', (line) => {
    expect(reasons(analysed(line))).toEqual(['repository-code']);
  });
});

describe('code of another place is asked about', () => {
  test.each([
    'cd /tmp/x && make',
    'cd /tmp/x; make',
    'make -C /tmp/x',
    'make -C ..',
    'cd .. && make',
    'cd $X; make',
    'git -C /tmp/x log',
    'cd /tmp/x && git status',
    'cd /tmp/x && npm test',
    'node /tmp/x.js',
    'cd /tmp && node x.js',
    'cd /tmp; node x.js',
    'cd a; ../x',
    'node ../x.js',
    'node ~/x.js',
    'python3 /tmp/x.py',
    'perl /tmp/x.pl',
    'sed -f /tmp/x a',
    'awk -f /tmp/x a',
    'make -f /tmp/x',
    'cd /tmp && ./x',
    'cd $X; ./x',
    '/tmp/x',
    'cd /srv/project2 && ./x',
    'bash /srv/project2/x',
    "sh -c 'cd /tmp && ./x'",
    'env -C /tmp ./x',
    'env -C /tmp make',
    'find /tmp -name x -execdir ./x \\;',
    'cargo --manifest-path /tmp/x build || node /tmp/x',
  ])('%s', (line) => {
    expect(reasons(analysed(line))).toContain('unknown-tool');
  });

  test('and says why', () => {
    expect(allReasons(analysed('node /tmp/x.js')).map(({ message }) => message)).toEqual([
      "`node` runs the file `/tmp/x.js`, which is not the project's",
    ]);
    expect(allReasons(analysed('bash /tmp/x')).map(({ message }) => message)).toEqual([
      "`bash` runs the file `/tmp/x`, which is not the project's",
    ]);
    expect(allReasons(analysed('cd /tmp && make')).map(({ message }) => message)).toEqual([
      'runs recipes and functions of the makefile, outside of the project',
    ]);
  });

  test('what it runs is a program, and no code of the project', () => {
    const kindsOf = (line: string): readonly string[] =>
      analysed(line).invocations.flatMap(({ effects }) => effects.runs.map(({ kind }) => kind));
    expect(kindsOf('node /tmp/x.js')).toEqual(['program']);
    expect(kindsOf('bash /tmp/x')).toEqual(['program']);
    expect(kindsOf('node x.js')).toEqual(['repository-code']);
    expect(kindsOf('bash x')).toEqual(['repository-code']);
  });

  test('a project at the root of everything has all files', () => {
    expect(
      allReasons(analyse({ kind: 'argv', argv: ['node', '/tmp/x.js'] }, { ...place, cwd: '/' })).map(
        ({ kind }) => kind,
      ),
    ).toEqual(['repository-code']);
  });
});
