import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toWslGuest } from './command.ts';

const places = { distribution: 'Ubuntu-24.04', automount: { kind: 'at', root: '/mnt' } } as const;

describe('toWslGuest', () => {
  test.each([
    ['C:\\a b\\c', '/mnt/c/a b/c'],
    ['c:/a b/c', '/mnt/c/a b/c'],
    ['D:\\', '/mnt/d'],
    ['C:\\a\\', '/mnt/c/a'],
    ['\\\\?\\C:\\a', '/mnt/c/a'],
    ['\\\\wsl$\\ubuntu-24.04\\home\\me', '/home/me'],
    ['\\\\wsl.localhost\\Ubuntu-24.04', '/'],
    ['//wsl.localhost/Ubuntu-24.04/srv/x', '/srv/x'],
    ["C:\\%VAR%\\it's $(id)\\-x\\é", "/mnt/c/%VAR%/it's $(id)/-x/é"],
  ])('%j', (path, there) => {
    expect(toWslGuest(path, places)).toEqual({ kind: 'mapped', path: there, access: 'writable' });
  });

  test.each([
    '',
    'a',
    'C:',
    'C:a',
    '\\a',
    'C:\\..\\x',
    'C:\\a\\.\\b',
    'C:\\a\\\\b',
    'C:\\a.',
    'C:\\a ',
    'C:\\a:b',
    'C:\\a\nb',
    'C:\\con',
    'C:\\x\\NUL.txt',
    'C:\\com1',
    'C:\\a"b',
    'C:\\a\0',
    'CC:\\a',
    '\\\\server\\share\\x',
    '\\\\wsl$\\Debian\\home',
    '\\\\wsl$\\Ubuntu-24.04\\..\\Debian\\home',
    '\\\\wsl$',
    '\\\\wsl$.evil\\Ubuntu-24.04\\x',
    '\\\\?\\UNC\\server\\x',
    '\\\\.\\C:\\a',
    '\\\\?\\GLOBALROOT\\Device',
    '/home/me',
  ])('%j is not there', (path) => {
    expect(toWslGuest(path, places).kind).toBe('unmapped');
  });

  test('keeps to the automount of the distribution', () => {
    expect(toWslGuest('C:\\a', { ...places, automount: { kind: 'at', root: '' } })).toMatchObject({ path: '/c/a' });
    expect(toWslGuest('C:\\a', { ...places, automount: { kind: 'at', root: '/win dows' } })).toMatchObject({
      path: '/win dows/c/a',
    });
    expect(toWslGuest('C:\\a', { ...places, automount: { kind: 'none' } }).kind).toBe('unmapped');
  });
});

test('any mapped path is plain', () => {
  const root = fc.constantFrom('', '/mnt', '/win dows');
  const name = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }),
    fc.constantFrom('a b', '..', 'c', 'con', '-x', '%A%', 'a.'),
  );
  const prefix = fc.constantFrom(
    'C:',
    'z:',
    '\\\\wsl$\\ubuntu-24.04',
    '\\\\wsl.localhost\\Ubuntu-24.04\\srv',
    '\\\\server\\share',
    '',
  );
  fc.assert(
    fc.property(root, prefix, fc.array(name, { maxLength: 4 }), (at, start, names) => {
      const where = { ...places, automount: { kind: 'at', root: at } } as const;
      const there = toWslGuest([start, ...names].join('\\'), where);
      if (there.kind === 'unmapped') return;
      expect(there.path).toMatch(/^\/(?:[^/]+(?:\/[^/]+)*)?$/u);
      expect(there.path.split('/')).not.toContain('..');
    }),
  );
});
