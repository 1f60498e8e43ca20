import { describe, expect, test } from 'vitest';
import { registryParts, registryTargets } from './registry-key.ts';

describe('the parts of a key', () => {
  test.each([
    ['HKCU\\Software\\Example', ['hkcu', 'software', 'example']],
    ['HKEY_CURRENT_USER\\Software', ['hkcu', 'software']],
    ['hkey_local_machine\\SYSTEM', ['hklm', 'system']],
    ['HKEY_CLASSES_ROOT', ['hkcr']],
    ['HKEY_USERS\\S-1-5', ['hku', 's-1-5']],
    ['HKEY_CURRENT_CONFIG\\x', ['hkcc', 'x']],
    ['\\HKLM\\\\SOFTWARE\\', ['hklm', 'software']],
    ['HKCU\\a/b', ['hkcu', 'a/b']],
    ['HKLM:\\Software', ['hklm', 'software']],
    ['Computer\\HKEY_LOCAL_MACHINE\\SAM', ['hklm', 'sam']],
    ['Registry::HKEY_LOCAL_MACHINE\\SAM', ['hklm', 'sam']],
    ['Microsoft.PowerShell.Core\\Registry::HKLM\\SAM', ['hklm', 'sam']],
    ['\\REGISTRY\\MACHINE\\SAM', ['hklm', 'sam']],
    ['\\Registry\\User\\S-1-5-18\\x', ['hku', 's-1-5-18', 'x']],
  ])('%j', (key, parts) => {
    expect(registryParts(key)).toEqual(parts);
  });

  test.each([
    '',
    '\\',
    '\\\\',
    'HKLM\\a\0b',
    'HKLM\\\ud800',
    'HKML\\Software',
    '\\\\server\\HKLM\\Software',
    'Software\\Example',
    'HK*\\Software',
    '\\REGISTRY\\A\\x',
    'Computer\\',
    'Registry::',
  ])('refuses %j', (key) => {
    expect(registryParts(key)).toBeUndefined();
  });
});

test.each([
  ['HKLM\\SYSTEM\\ControlSet001\\Services', ['HKLM\\SYSTEM\\CurrentControlSet\\Services']],
  ['HKLM\\SYSTEM\\ControlSet*\\Services', ['HKLM\\SYSTEM\\CurrentControlSet\\Services']],
  ['HKLM\\Software\\WOW6432Node\\Microsoft', ['HKLM\\Software\\Microsoft']],
  ['HKCR\\WOW6432Node\\CLSID\\x', ['HKLM\\Software\\Classes\\CLSID\\x', 'HKCU\\Software\\Classes\\CLSID\\x']],
  ['HKU\\S-1-5-21-1\\Software\\x', ['HKCU\\Software\\x']],
  ['HKU\\.DEFAULT', ['HKCU']],
  ['HKU\\S-1-5-21-1_Classes\\CLSID', ['HKCU\\Software\\Classes\\CLSID']],
  ['HKCC\\x', ['HKLM\\SYSTEM\\CurrentControlSet\\Hardware Profiles\\Current\\x']],
  ['HKCU\\Software\\x', ['HKCU\\Software\\x']],
])('%s leads to %j', (key, targets) => {
  expect(registryTargets(registryParts(key) ?? [])).toEqual(targets.map(registryParts));
});
