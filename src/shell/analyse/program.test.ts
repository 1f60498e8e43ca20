import { describe, expect, test } from 'vitest';
import { words } from '../tools/testing/words.ts';
import { programOfWord } from './read-program.ts';
import { analysed, commandNamed, place, reasons } from './testing/analysed.ts';

const kindOf = (text: string): string => {
  const program = programOfWord(words(text)[0], place);
  if (program.kind === 'named') return `${program.name}${program.spec === undefined ? '?' : ''}`;
  return program.kind === 'file' ? `${program.within} ${program.path ?? '?'}` : program.kind;
};

describe('programOf', () => {
  test.each([
    ['', 'none'],
    ['$X', 'dynamic'],
    ['r*', 'dynamic'],
    ['rm', 'rm'],
    ['no-such-program', 'no-such-program?'],
    ['/bin/rm', 'rm'],
    ['/usr/bin/rm', 'rm'],
    ['/sbin/rm', 'rm'],
    ['/usr/sbin/rm', 'rm'],
    ['/usr/local/bin/rm', 'rm'],
    ['/usr/local/sbin/rm', 'rm'],
    ['/opt/homebrew/bin/rm', 'rm'],
    ['/nix/store/abc-coreutils-9.1/bin/rm', 'rm'],
    ['/run/current-system/sw/bin/rm', 'rm'],
    ['/usr//bin//rm', 'rm'],
    ['//bin/rm', 'rm'],
    ['/bin/no-such-program', 'no-such-program?'],
    ['/lib64/ld-linux-x86-64.so.2', 'ld-linux-x86-64.so.2'],
    ['/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2', 'ld-linux-x86-64.so.2'],
    ['/lib/ld-musl-x86_64.so.1', 'ld-musl-x86_64.so.1'],
    ['/lib64/ld64.so.2', 'ld64.so.2'],
    // Paths that may lead to any program.
    ['/proc/self/root/bin/sh', 'elsewhere /proc/self/root/bin/sh'],
    ['/bin/../tmp/rm', 'elsewhere /tmp/rm'],
    ['/bin/./rm', 'elsewhere /bin/rm'],
    ['/tmp/rm', 'elsewhere /tmp/rm'],
    ['/tmp/bin/rm', 'elsewhere /tmp/bin/rm'],
    ['/lib64/rm', 'elsewhere /lib64/rm'],
    ['/lib/ld65.so.2', 'elsewhere /lib/ld65.so.2'],
    ['/tmp/ld-linux-x86-64.so.2', 'elsewhere /tmp/ld-linux-x86-64.so.2'],
    ['~/bin/rm', 'elsewhere /home/dev/bin/rm'],
    ['../rm', 'elsewhere /srv/rm'],
    // A program of the project.
    ['./rm', 'project /srv/project/rm'],
    ['bin/rm', 'project /srv/project/bin/rm'],
    ['node_modules/.bin/git', 'project /srv/project/node_modules/.bin/git'],
    ['/srv/project/git', 'project /srv/project/git'],
    ['./../project/git', 'project /srv/project/git'],
  ])('%j is %s', (text, kind) => {
    expect(kindOf(text)).toBe(kind);
  });

  test('a relative path without a directory is nobody knows whose', () => {
    expect(programOfWord(words('./x')[0], { ...place, cwd: 'unknown' })).toEqual({
      kind: 'file',
      path: undefined,
      within: 'elsewhere',
    });
    expect(programOfWord(words('/srv/project/x')[0], { ...place, cwd: 'unknown' })).toMatchObject({
      within: 'elsewhere',
    });
  });

  test.each([
    ['/srv/project/x', 'unknown', 'project'],
    ['../x', '/srv/project/sub', 'project'],
    ['./x', '/tmp', 'elsewhere'],
    ['./x', '/srv/project2', 'elsewhere'],
    ['./x', '/srv', 'elsewhere'],
    ['./x', 'unknown', 'elsewhere'],
  ])('%s in %s is %s where the project is known', (text, cwd, within) => {
    expect(programOfWord(words(text)[0], { ...place, cwd, project: '/srv/project' })).toMatchObject({ within });
  });
});

describe('commands by the kind of their program', () => {
  test('a file of the project is repository code, and its arguments are its own', () => {
    const { tool, effects } = commandNamed(analysed('./rm -rf /'), './rm');
    expect(tool).toBeUndefined();
    expect(effects).toMatchObject({
      writes: [],
      runs: [{ what: '/srv/project/rm', kind: 'repository-code' }],
      opaque: [{ kind: 'repository-code' }],
    });
  });

  test('a file of somewhere else is a tool that nothing is known of', () => {
    expect(commandNamed(analysed('/tmp/rm x'), '/tmp/rm').effects).toMatchObject({
      writes: [],
      runs: [{ what: '/tmp/rm', kind: 'program' }],
      opaque: [{ kind: 'unknown-tool' }],
    });
  });

  test('a program of the system is what its name says', () => {
    expect(commandNamed(analysed('/bin/rm x'), '/bin/rm')).toMatchObject({
      tool: 'rm',
      effects: { writes: [{ path: '/srv/project/x' }], opaque: [] },
    });
  });

  test.each([
    ['no-such-program x', ['unknown-tool']],
    ['$X', ['dynamic-program']],
    ['"$X" y', ['dynamic-program']],
    ['$(id) y', ['dynamic-program']],
    ['r? x', ['dynamic-program']],
    ['{rm,-rf,x}', ['dynamic-program']],
    ["'' x", ['unknown-tool']],
    ["'rm x'", ['unknown-tool']],
  ])('%s: %j', (text, kinds) => {
    expect(reasons(analysed(text))).toEqual(expect.arrayContaining(kinds));
  });
});
