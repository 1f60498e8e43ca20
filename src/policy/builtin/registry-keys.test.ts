import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { techniques, techniquesOf } from '../../audit/techniques/techniques-of.ts';
import { decide } from '../decide.ts';
import { registryParts } from '../normalise/registry-key.ts';
import { registryTechniques } from './find-registry-key.ts';
import type { RegistryRequest } from '../request.ts';
import { policyFrom } from '../testing/policies.ts';
import { registry } from '../testing/requests.ts';
import { registryKeys } from './registry-keys.ts';

const hives = ['HKLM', 'HKCU', 'HKCR', 'HKU', 'HKCC'];
const everythingAllowed = policyFrom({ user: `[registry]\nallow = [${hives.map((hive) => `"${hive}"`).join(', ')}]` });
const changing = ['write', 'create', 'delete'] as const;
/** A key that a pattern matches. */
const example = (pattern: string): string => pattern.replaceAll('*', 'x');

describe('the built-in keys', () => {
  test.each(registryKeys.map((entry) => [entry.key, entry] as const))('%s', (key, { denies, techniques: ids }) => {
    expect(registryParts(key)?.length).toBeGreaterThan(1);
    for (const id of ids) expect(techniques).toHaveProperty([id]);
    for (const operation of changing) {
      // Deletion of a key is refused because of the first protected key below it, which may have another reason.
      const message = operation === 'delete' ? expect.any(String) : expect.stringContaining(ids[0]);
      for (const place of [example(key), `${example(key)}\\Beneath`])
        expect(decide(everythingAllowed, registry(place, operation)), place).toMatchObject({
          decision: 'deny',
          code: 'protected-path',
          layer: 'user',
          file: 'built-in',
          message,
        });
    }
    expect(decide(everythingAllowed, registry(example(key))).decision).toBe(denies === 'everything' ? 'deny' : 'allow');
  });

  test('none is named twice', () => {
    expect(new Set(registryKeys.map(({ key }) => JSON.stringify(registryParts(key)))).size).toBe(registryKeys.length);
  });

  test('other keys are as the policy has them', () => {
    expect(decide(everythingAllowed, registry('HKCU\\Software\\Example', 'write')).decision).toBe('allow');
    expect(
      decide(everythingAllowed, registry('HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Themes', 'write'))
        .decision,
    ).toBe('allow');
  });

  test.each([
    'HKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\RunOnce\\x',
    'HKLM\\SOFTWARE\\WOW6432Node\\Microsoft\\Windows\\CurrentVersion\\Run',
    'HKU\\S-1-5-21-1-2-3-1001\\Software\\Microsoft\\Windows\\CurrentVersion\\Run',
    'Registry::HKEY_USERS\\.DEFAULT\\Software\\Microsoft\\Windows\\CurrentVersion\\Run',
    '\\REGISTRY\\MACHINE\\SYSTEM\\ControlSet002\\Services\\Example',
    'HKCR\\CLSID\\{00000000-0000-0000-0000-000000000000}\\InprocServer32',
    'HKCR\\WOW6432Node\\CLSID\\x',
    'HKU\\S-1-5-21-1_Classes\\CLSID\\x',
    'HKLM:\\SYSTEM\\CurrentControlSet\\Control\\Lsa',
    'HKLM\\System\\\\CurrentControlSet\\Control\\Lsa\\',
  ])('hold for another name of the key: %s', (key) => {
    expect(decide(everythingAllowed, registry(key, 'write'))).toMatchObject({
      decision: 'deny',
      code: 'protected-path',
    });
  });

  test.each([
    'HKLM\\SYSTEM\\CurrentControlSet',
    'HKLM\\SYSTEM',
    'HKCU\\Software\\Microsoft',
    'HKU\\S-1-5-21-1',
    'HKCR',
  ])('deleting or moving a key above removes them too: %s', (key) => {
    expect(decide(everythingAllowed, registry(key, 'delete')).decision).toBe('deny');
    expect(decide(everythingAllowed, registry(key, 'write')).decision).toBe('allow');
  });

  test('no spelling of letters gets by them', () => {
    const key = fc.constantFrom(...registryKeys.map(({ key: pattern }) => example(pattern)));
    const spelled = key.chain((text) =>
      fc
        .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
        .map((upper) =>
          [...text]
            .map((letter, index) => (upper[index] === true ? letter.toUpperCase() : letter.toLowerCase()))
            .join(''),
        ),
    );
    fc.assert(
      fc.property(
        spelled,
        fc.constantFrom(...changing),
        (text, operation) => decide(everythingAllowed, registry(text, operation)).decision === 'deny',
      ),
    );
  });
});

describe('a release', () => {
  const service = 'HKLM\\SYSTEM\\CurrentControlSet\\Services\\Example';
  const released = `release = ['${service}']`;

  test('opens nothing by itself, and leaves the rest to the rules', () => {
    expect(decide(policyFrom({ user: `[registry]\n${released}` }), registry(service, 'write'))).toMatchObject({
      decision: 'deny',
      code: 'not-granted',
    });
    const rule = `[[registry_rule]]\nname = "services"\ndecision = "ask"\nkeys = ['HKLM\\SYSTEM\\CurrentControlSet\\Services']`;
    const policy = policyFrom({ user: `[registry]\n${released}\n${rule}` });
    expect(decide(policy, registry(service, 'create'))).toMatchObject({ decision: 'ask', rule: 'services' });
    expect(
      decide(policy, registry('HKLM\\SYSTEM\\ControlSet001\\Services\\Example\\Parameters', 'write')),
    ).toMatchObject({ decision: 'ask' });
    expect(decide(policy, registry(`${service}s`, 'write'))).toMatchObject({
      decision: 'deny',
      code: 'protected-path',
    });
  });

  test('has to name every key that a name leads to', () => {
    const user = (keys: string) => policyFrom({ user: `[registry]\nallow = ['HKCR']\nrelease = [${keys}]` });
    const request: RegistryRequest = registry('HKCR\\CLSID\\x', 'write');
    expect(decide(user(`'HKCU\\Software\\Classes\\CLSID'`), request).decision).toBe('deny');
    expect(decide(user(`'HKCU\\Software\\Classes\\CLSID', 'HKLM\\Software\\Classes\\CLSID'`), request).decision).toBe(
      'allow',
    );
    expect(decide(user(`'HKCR\\CLSID'`), request).decision).toBe('allow');
  });

  test('equals the remedy’s line', () => {
    expect(decide(everythingAllowed, registry(service, 'write')).remedy).toContain(`registry.release = ['${service}']`);
  });
});

describe('denials cover every name of a key, and grants only the written one', () => {
  test.each([
    ['HKLM\\Software\\Classes\\Example', 'HKCR\\Example'],
    ['HKCR\\Example', 'HKCU\\Software\\Classes\\Example'],
    ['HKCU\\Software\\Example', 'HKU\\S-1-5-21-1\\Software\\Example'],
    ['HKU\\S-1-5-21-1\\Software\\Example', 'HKCU\\Software\\Example'],
    ['HKLM\\Software\\Example', 'HKLM\\Software\\WOW6432Node\\Example'],
    ['HKLM\\SYSTEM\\ControlSet001\\Enum', 'HKLM\\SYSTEM\\CurrentControlSet\\Enum'],
    ['HKCU', 'HKU\\S-1-5-21-1'],
  ])('%s, asked as %s', (written, asked) => {
    const everything = hives.map((hive) => `"${hive}"`).join(', ');
    for (const decision of ['deny', 'ask'] as const) {
      const policy = policyFrom({
        user: `[registry]\nallow = [${everything}]\n[[registry_rule]]\nname = "r"\ndecision = "${decision}"\nkeys = ['${written}']`,
      });
      expect(decide(policy, registry(asked))).toMatchObject({ decision, rule: 'r' });
    }
    expect(decide(policyFrom({ user: `[registry]\nallow = ['${written}']` }), registry(asked)).decision).toBe('deny');
  });

  test('a part for 32-bit programs that is refused is not the whole', () => {
    const policy = policyFrom({ user: `[registry]\nallow = ['HKLM']\ndeny = ['HKLM\\Software\\WOW6432Node']` });
    expect(decide(policy, registry('HKLM\\Software\\Example')).decision).toBe('allow');
    expect(decide(policy, registry('HKLM\\Software\\WOW6432Node\\Example')).decision).toBe('deny');
  });
});

test('docs/windows.md has each of them, with its techniques', () => {
  const rows = readFileSync('docs/windows.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `HK'));
  for (const { key, techniques: ids, reason } of registryKeys) {
    expect(
      rows.some(
        (row) => row.includes(`\`${key}\``) && row.includes(reason) && ids.every((id) => row.includes(`[${id}]`)),
      ),
      key,
    ).toBe(true);
  }
});

test('the techniques of a key', () => {
  expect(registryTechniques(registry('HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run', 'write'))).toEqual([
    'T1547.001',
  ]);
  expect(registryTechniques(registry('HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run'))).toEqual([]);
  expect(registryTechniques(registry('HKLM\\SAM'))).toEqual(['T1003.002', 'T1003.004']);
  for (const key of ['', 'nothing', 'HKCU\\Software\\Example'])
    expect(registryTechniques(registry(key, 'write'))).toEqual([]);
});

test('the journal names the technique before anything else', () => {
  const request = registry('HKLM\\SYSTEM\\ControlSet001\\Services\\x', 'create');
  const event = {
    type: 'enforcement',
    time: '2026-01-01T00:00:00.000Z',
    session: 's',
    request,
    verdict: decide(everythingAllowed, request),
  };
  expect(techniquesOf(event as unknown as Parameters<typeof techniquesOf>[0]).map(({ id }) => id)).toEqual([
    'T1543.003',
    'T1112',
  ]);
});
