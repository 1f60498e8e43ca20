import { expect, test } from 'vitest';
import { registryParts } from './registry-key.ts';

test.each([
  ['HKCU\\Software\\Example', ['hkcu', 'software', 'example']],
  ['HKEY_CURRENT_USER\\Software', ['hkcu', 'software']],
  ['hkey_local_machine\\SYSTEM', ['hklm', 'system']],
  ['HKEY_CLASSES_ROOT', ['hkcr']],
  ['HKEY_USERS\\S-1-5', ['hku', 's-1-5']],
  ['HKEY_CURRENT_CONFIG\\x', ['hkcc', 'x']],
  ['\\HKLM\\\\SOFTWARE\\', ['hklm', 'software']],
  ['HKCU\\a/b', ['hkcu', 'a/b']],
])('%j', (key, parts) => {
  expect(registryParts(key)).toEqual(parts);
});

test.each(['', '\\', '\\\\', 'HKLM\\a\0b', 'HKLM\\\ud800'])('refuses %j', (key) => {
  expect(registryParts(key)).toBeUndefined();
});
