import { describe, expect, test } from 'vitest';
import { commandNamed, analysed, place } from './testing/analysed.ts';
import { words } from '../tools/testing/words.ts';
import { plainText } from '../tools/words.ts';
import { mayMove, moveOf } from './directory.ts';

/** The directory of the command `here`. */
const whereOf = (text: string): string => commandNamed(analysed(text), 'here').cwd;

describe('a directory that is certain', () => {
  test.each(
    [
      ['here', '/srv/project'],
      ['cd a && here', '/srv/project/a'],
      ['cd a/b/../c && here', '/srv/project/a/c'],
      ['cd .. && here', '/srv'],
      ['cd /tmp && here', '/tmp'],
      ['cd && here', '/home/dev'],
      ['cd ~ && here', '/home/dev'],
      ['cd ~/a && here', '/home/dev/a'],
      ['cd -- a && here', '/srv/project/a'],
      ['cd -L a && here', '/srv/project/a'],
      ['cd -P a && here', '/srv/project/a'],
      ['cd a && cd b && here', '/srv/project/a/b'],
      ['cd a && ls && here', '/srv/project/a'],
      ['ls && cd a && here', '/srv/project/a'],
      ['pushd a && here', '/srv/project/a'],
      ['cd a || exit 1; here', '/srv/project/a'],
      ['cd a || exit\nhere', '/srv/project/a'],
      ['cd a || return 1; here', '/srv/project/a'],
      ['command cd a && here', '/srv/project/a'],
      ['builtin cd a && here', '/srv/project/a'],
      ["eval 'cd a' && here", '/srv/project/a'],
      ["eval 'cd a && here'", '/srv/project/a'],
      // The directory stays the same, whether `cd` fails or not.
      ['cd /srv/project; here', '/srv/project'],
      ['cd .; here', '/srv/project'],
      // Another shell changes its directory, not this one.
      ['(cd a); here', '/srv/project'],
      ['(cd a && ls); here', '/srv/project'],
      ['x=$(cd a && pwd); here', '/srv/project'],
      ['cd a | cat; here', '/srv/project'],
      ['cd a & here', '/srv/project'],
      ["sh -c 'cd a'; here", '/srv/project'],
      ['env cd a; here', '/srv/project'],
      ['cat <(cd a); here', '/srv/project'],
      // A copy starts in the directory of its shell.
      ['cd a && (here)', '/srv/project/a'],
      ['(cd a && here)', '/srv/project/a'],
      ['cd a && rm $(here)', '/srv/project/a'],
      ['echo $(here | cat)', '/srv/project'],
      ['echo $(ls | here)', '/srv/project'],
      ['x=$(here | cat)', '/srv/project'],
      ['cd a && x=$(here | cat)', '/srv/project/a'],
      ['diff <(here | cat) b', '/srv/project'],
      ['cd a && diff <(ls | cat) <(here | cat)', '/srv/project/a'],
      ['for f in $(here | cat); do ls; done', '/srv/project'],
      ['cd a && (here | cat)', '/srv/project/a'],
      ['(here | cat) | cat', '/srv/project'],
      ['x=$(cd a && here | cat)', '/srv/project/a'],
      ['echo $( (here) | cat )', '/srv/project'],
      ['cd "$(here)" && ls', '/srv/project'],
      ['cd a && cd "$(here)"', '/srv/project/a'],
      ['cd a && ls | here', '/srv/project/a'],
      ['cd a && ls | cat | here', '/srv/project/a'],
      ["cd a && sh -c 'here'", '/srv/project/a'],
      ["sh -c 'cd a && here'", '/srv/project/a'],
      ['cd a && (cd b; ls); cd a', undefined],
      ['env -C a here', '/srv/project/a'],
      ['env -C /tmp timeout 5 here', '/tmp'],
    ].filter((row): row is [string, string] => row[1] !== undefined),
  )('%s: %s', (text, cwd) => {
    expect(whereOf(text)).toBe(cwd);
  });
});

describe('a directory that is not certain is unknown', () => {
  test.each([
    'cd a; here',
    'cd a\nhere',
    'cd a || here',
    'cd a && ls; here',
    'x=$(cd a; here | cat)',
    'echo $( (cd a; here) | cat )',
    'cd a; x=$(here | cat)',
    'cd a; diff <(here | cat) b',
    'cd $X && echo $(here | cat)',
    'cd a; (here | cat)',
    'cd a || echo no; here',
    'ls || cd a && here',
    'cd $X && here',
    'cd "$(mktemp -d)" && here',
    'cd * && here',
    'cd - && here',
    'cd "" && here',
    'cd a b && here',
    'cd -P a/.. && here',
    'cd ~other && here',
    'pushd && here',
    'pushd -n a && here',
    '! cd a && here',
    '! cd a || here',
    'time ! cd a && here',
    '! { cd a; } && here',
    '! eval "cd a" && here',
    'true || eval "cd a" && here',
    'true || command cd a && here',
    'if true; then eval "cd a"; fi; here',
    'pushd +1 && here',
    'popd && here',
    'if cd a; then here; fi',
    'if true; then cd a; fi; here',
    'for i in 1 2; do cd a; done; here',
    // The second iteration runs one directory deeper.
    'for i in 1 2; do here; cd a; done',
    'while true; do here && cd a; done',
    'f() { cd a; }; f; here',
    '$X a && here',
    'eval "$X"; here',
    '. ./functions.sh && here',
    'source functions.sh; here',
    '(cd a; here)',
    'cd a; (here)',
    'cd a; ls | here',
    'cd a; rm $(here)',
    "trap 'cd a' DEBUG; here",
    '{ cd a; }; here',
    "eval 'cd a'; here",
    'command cd a; here',
    'env -C $X here',
  ])('%s', (text) => {
    expect(whereOf(text)).toBe('unknown');
  });
});

describe('paths below a directory', () => {
  test('are relative to where the command runs', () => {
    expect(commandNamed(analysed('cd a && rm b'), 'rm').effects.writes).toMatchObject([{ path: '/srv/project/a/b' }]);
  });

  test('are not known where that is not known, and the command is opaque', () => {
    const { effects } = commandNamed(analysed('cd $X; rm b'), 'rm');
    expect(effects.writes).toMatchObject([{ path: undefined, text: 'b' }]);
    expect(effects.opaque).toMatchObject([{ kind: 'dynamic-word' }]);
  });

  test.each([
    ['cd a; rm b', ['/srv/project/b', '/srv/project/a/b']],
    ['cd a\nrm b', ['/srv/project/b', '/srv/project/a/b']],
    ['cd a && ls; rm b', ['/srv/project/b', '/srv/project/a/b']],
    ['cd a || rm b', ['/srv/project/b', '/srv/project/a/b']],
    ['cd /; rm b', ['/srv/project/b', '/b']],
    ['cd a; (rm b)', ['/srv/project/b', '/srv/project/a/b']],
    ['cd a; ls | rm b', ['/srv/project/b', '/srv/project/a/b']],
    ['cd a; rm b | cat', ['/srv/project/b', '/srv/project/a/b']],
    ['cd a; echo $(rm b)', ['/srv/project/b', '/srv/project/a/b']],
    ["eval 'cd a'; rm b", ['/srv/project/b', '/srv/project/a/b']],
    ['cd a && cd b; rm b', ['/srv/project/b', '/srv/project/a/b', '/srv/project/a/b/b']],
    ['cd a; cd /c; rm b', ['/srv/project/b', '/srv/project/a/b', '/c/b']],
    ['cd a; cd /c && rm b', ['/c/b']],
    [
      'cd 1 && cd 2 && cd 3; rm b',
      ['/srv/project/b', '/srv/project/1/b', '/srv/project/1/2/b', '/srv/project/1/2/3/b'],
    ],
    ['cd a; rm b /b', ['/srv/project/b', '/b', '/srv/project/a/b']],
  ])('%j: either the shell has moved or it has not, and %j are told', (line, paths) => {
    const { writes, opaque } = commandNamed(analysed(line), 'rm').effects;
    expect(writes.map(({ path }) => path)).toEqual(paths);
    expect(opaque).toEqual([]);
  });

  test.each([
    'cd a; cd b; rm b',
    'cd a; cd b && rm b',
    'cd $X; cd a; rm b',
    'cd a && cd $X; rm b',
    'cd a; popd; rm b',
    'cd 1 && cd 2 && cd 3 && cd 4; rm b',
    'cd a; (cd b; rm b)',
    "cd a; sh -c 'rm b'",
    'cd a; env rm b',
    'ls || cd a; rm b',
    'for i in 1 2; do rm b; cd a; done',
    '(cd $X; rm b)',
  ])('%s: nobody tells all directories', (line) => {
    const { writes, opaque } = commandNamed(analysed(line), 'rm').effects;
    expect(writes).toMatchObject([{ path: undefined }]);
    expect(opaque).toMatchObject([{ kind: 'dynamic-word' }]);
  });

  test.each([
    ['cd a; find b -exec rm b \\;', 'rm'],
    ['cd a; true; find b ! -name c -exec rm {} +', 'rm'],
    ['cd a || find . -execdir rm {} \\;', 'rm'],
    ['cd a; fd -x rm b', 'rm'],
    ['cd a; env rm b', 'rm'],
  ])('%j: what the command runs in its turn is told once, and its directory is not known', (line, program) => {
    const found = analysed(line).invocations.filter(({ argv: [word] }) => plainText(word) === program);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ relation: 'wrapped', cwd: 'unknown' });
  });

  test('a redirect is told for both directories as well', () => {
    expect(commandNamed(analysed('cd a; ls /b > c'), 'ls').effects).toMatchObject({
      reads: [{ path: '/b' }],
      writes: [{ path: '/srv/project/c' }, { path: '/srv/project/a/c' }],
      opaque: [],
    });
  });

  test('that are absolute are known everywhere', () => {
    expect(commandNamed(analysed('cd $X; rm /b'), 'rm').effects).toMatchObject({
      writes: [{ path: '/b' }],
      opaque: [],
    });
  });
});

describe('moveOf', () => {
  test.each([
    ['cd', '', { kind: 'to', path: '/home/dev' }],
    ['cd', 'a', { kind: 'to', path: '/srv/project/a' }],
    ['cd', '-LP@ a', { kind: 'to', path: '/srv/project/a' }],
    ['cd', '-- -P', { kind: 'to', path: '/srv/project/-P' }],
    ['cd', '-- -a', { kind: 'to', path: '/srv/project/-a' }],
    ['cd', '-- -', { kind: 'anywhere' }],
    ['cd', '--', { kind: 'to', path: '/home/dev' }],
    ['cd', '-P', { kind: 'to', path: '/home/dev' }],
    ['cd', 'a -P', { kind: 'anywhere' }],
    ['cd', '-eP a/..', { kind: 'anywhere' }],
    ['cd', '-Lx a', { kind: 'anywhere' }],
    ['cd', '-Lx', { kind: 'to', path: '/srv/project/-Lx' }],
    ['cd', '-P a/..', { kind: 'anywhere' }],
    ['cd', 'a/..', { kind: 'to', path: '/srv/project' }],
    ['cd', '-Pe a', { kind: 'to', path: '/srv/project/a' }],
    ['cd', '-', { kind: 'anywhere' }],
    ['cd', '$X', { kind: 'anywhere' }],
    ['pushd', 'a', { kind: 'to', path: '/srv/project/a' }],
    ['pushd', '-n a', { kind: 'anywhere' }],
    ['pushd', '-- a', { kind: 'to', path: '/srv/project/a' }],
    ['pushd', '', { kind: 'anywhere' }],
    ['popd', '', { kind: 'anywhere' }],
  ] as const)('%s %s', (program, line, move) => {
    expect(moveOf(program, words(line), place)).toEqual(move);
  });

  test('is relative to nothing where the directory is not known', () => {
    expect(moveOf('cd', words('a'), { ...place, cwd: 'unknown' })).toEqual({ kind: 'anywhere' });
    expect(moveOf('cd', words('/a'), { ...place, cwd: 'unknown' })).toEqual({ kind: 'to', path: '/a' });
  });
});

describe('mayMove', () => {
  test.each([
    ['cd a', true],
    ['pushd a', true],
    ['popd', true],
    ['eval x', true],
    ['. x', true],
    ['$X', true],
    ['command cd', true],
    ['command -p cd', true],
    ['builtin $X', true],
    ['command ls', false],
    ['command', false],
    ['ls', false],
    ['', false],
  ])('%s: %s', (line, expected) => {
    expect(mayMove(words(line))).toBe(expected);
  });
});
