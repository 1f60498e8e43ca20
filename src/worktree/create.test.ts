import { expect, test } from 'vitest';
import { restriction } from './create.ts';

const user = 'S-1-5-21-1111111111-2222222222-3333333333-1001';

test('on Windows: generated, not run', () => {
  expect(restriction({ path: 'C:\\Users\\me\\state\\x', platform: 'windows', user })).toEqual({
    kind: 'commands',
    commands: [
      ['C:\\Windows\\System32\\icacls.exe', 'C:\\Users\\me\\state\\x', '/reset', '/T', '/L', '/Q'],
      [
        'C:\\Windows\\System32\\icacls.exe',
        'C:\\Users\\me\\state\\x',
        '/inheritance:r',
        '/grant:r',
        `*${user}:(OI)(CI)F`,
        '*S-1-5-18:(OI)(CI)F',
        '/L',
        '/Q',
      ],
      ['C:\\Windows\\System32\\icacls.exe', 'C:\\Users\\me\\state\\x', '/setowner', `*${user}`, '/L', '/Q'],
    ],
  });
});

test('elsewhere the mode', () => {
  expect(restriction({ path: '/x', platform: 'posix' })).toEqual({ kind: 'mode', path: '/x', mode: 0o700 });
});

test.each([
  '/grant',
  '',
  'C:',
  'relative',
  'C:\\a*',
  'C:\\a:stream',
  '\\\\server\\share',
  'C:\\a\nb',
  'C:/a/b',
  'C:\\a"b',
  '/reset',
])('refuses the path %j', (path) => {
  expect(() => restriction({ path, platform: 'windows', user })).toThrow(/not a path of a directory/u);
});

test.each(['', 'Everyone', 'S-1-1-0', 'S-1-5-32-545', `${user}:F`, 'me'])('refuses the user %j', (name) => {
  expect(() => restriction({ path: 'C:\\x', platform: 'windows', user: name })).toThrow(/not a user identifier/u);
});
