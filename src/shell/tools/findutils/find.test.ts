import { describe, expect, test } from 'vitest';
import { opaqueKinds, type ShortEffects, shortEffects, toolEffects } from '../testing/effects.ts';
import { findWords } from './index.ts';

const here = '/srv/project';
const all = { reads: [`${here}/**`] };

test.each<readonly [string, ShortEffects]>([
  ['find', all],
  ['find .', all],
  ["find . -name '*.ts' -print", all],
  ['find src test -type f -size +1M', { reads: [`${here}/src/**`, `${here}/test/**`] }],
  ['find -L / -maxdepth 1', { reads: ['/**'] }],
  ['find -O3 -D exec . -empty', all],
  ['find -D tree /tmp -delete', { reads: ['/tmp/**'], deletes: ['/tmp/**'] }],
  [
    'find -H -D tree -L a b -delete',
    { reads: [`${here}/a/**`, `${here}/b/**`], deletes: [`${here}/a/**`, `${here}/b/**`] },
  ],
  ['find ~ -newer a', { reads: ['/home/dev/**', `${here}/a`] }],
  ['find . -newermt 2026-01-01', all],
  ['find . -newermm a', { reads: [`${here}/**`, `${here}/a`] }],
  ["find . ( -name a -o -name b ) ! -path './x' , -prune", all],
  ['find . -delete -delete', { ...all, deletes: [`${here}/**`] }],
  ['find . -delete', { ...all, deletes: [`${here}/**`] }],
  ['find /tmp/a /tmp/b -delete', { reads: ['/tmp/a/**', '/tmp/b/**'], deletes: ['/tmp/a/**', '/tmp/b/**'] }],
  ['find . -fprint out', { ...all, writes: [`${here}/out`] }],
  ['find . -fprint0 out', { ...all, writes: [`${here}/out`] }],
  ['find . -fls /etc/cron.d/x', { ...all, writes: ['/etc/cron.d/x'] }],
  ["find . -fprintf out '%p'", { ...all, writes: [`${here}/out`] }],
  ['find . -printf %p', all],
  ['find . -exec rm {} ;', { ...all, commands: ['rm ./*'] }],
  ['find a b -exec rm -f {} +', { reads: [`${here}/a/**`, `${here}/b/**`], commands: ['rm -f a/* b/*'] }],
  ['find / -exec cat {} ; -print', { reads: ['/**'], commands: ['cat /*'] }],
  ['find . -ok rm {} ;', { ...all, commands: ['rm ./*'] }],
  ['find src -execdir ls {} +', { reads: [`${here}/src/**`], commands: ['ls ./*'] }],
  ['find . -exec a ; -exec b {} + -exec c ;', { ...all, commands: ['a', 'b ./*', 'c'] }],
  ["find . -exec sh -c 'rm {}' ;", { ...all, commands: ['sh -c rm {}'] }],
])('%s', (line, effects) => {
  expect(shortEffects(line)).toEqual(effects);
});

describe('what find finds', () => {
  test('CVE-2026-24887 is given to the command, and is no option there', () => {
    expect(toolEffects('find . -exec rm {} ;').commands[0]?.[1]).toEqual(
      expect.objectContaining({ kind: 'glob', prefix: './' }),
    );
  });

  test('within a word may be anything, code of the shell included', () => {
    expect(toolEffects("find . -exec sh -c 'rm {}' ;").commands[0]?.[2]).toEqual(
      expect.objectContaining({ kind: 'dynamic', because: 'unreadable' }),
    );
  });

  test('is unknown where the start is', () => {
    expect(toolEffects('find "a/$x" -exec rm {} ;').commands[0]?.[1]).toEqual(
      expect.objectContaining({ kind: 'dynamic' }),
    );
  });

  test('may be anywhere for a command that runs where the file is', () => {
    expect(toolEffects('find . -execdir rm {} ;').directory).toBe('unknown');
    expect(toolEffects('find . -exec rm {} ;').directory).toBe(here);
  });
});

describe('what is not understood', () => {
  test.each<readonly [string, readonly string[]]>([
    ['find . -foo', ['unknown-option']],
    ['find -Hx .', ['unknown-option']],
    ['find -O33 .', ['unknown-option']],
    ['find x-H .', []],
    ['find . -names x', ['unknown-option']],
    ['find . -newerXY a', ['unknown-option']],
    ['find . -name', ['unknown-option']],
    ['find . -exec rm {}', ['unknown-option']],
    ['find . -exec rm + ;', []],
    ['find . -exec rm +', ['unknown-option']],
    ['find . -exec ;', ['unknown-option']],
    ['find . -name a b', ['unknown-option']],
    ['find $x', ['dynamic-word']],
    ['find "$x"', ['dynamic-word']],
    ['find "./$x"', ['dynamic-word']],
    ['find . $x', ['dynamic-word']],
    ['find . -name a $x', ['dynamic-word']],
    ['find . -name *.ts', ['dynamic-word']],
    ['find . -name "$x"', []],
    ['find . -name $x', ['dynamic-word']],
    ['find . -fprint "$x"', ['dynamic-word']],
    ['find -files0-from list -delete', ['dynamic-word']],
    ['find * -name a', ['dynamic-word']],
    ['find src/* -name a', []],
  ])('%s', (line, kinds) => {
    expect(opaqueKinds(line)).toEqual(kinds);
  });
});

test.each([...findWords].filter(([, takes]) => takes === 'nothing').map(([name]) => name))(
  '%s has no effect and no value',
  (name) => {
    expect(shortEffects(`find . ${name} -foo`)).toEqual({
      ...all,
      opaque: ['unknown-option: `-foo` of `find` is no part of an expression that is known'],
    });
  },
);

test.each([...findWords].filter(([, takes]) => takes === 'text').map(([name]) => name))(
  '%s takes one value',
  (name) => {
    expect(shortEffects(`find . ${name} -foo`)).toEqual(all);
    expect(opaqueKinds(`find . ${name}`)).toEqual(['unknown-option']);
  },
);
