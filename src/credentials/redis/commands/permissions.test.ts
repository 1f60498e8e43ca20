import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redisCommands } from './command.ts';
import { createNameIndex, type PermissionOptions, permissionsOf } from './permissions.ts';

/** Why a command is denied, `allowed`, or `unknown`. */
function verdict(name: string, options: Partial<PermissionOptions>): string {
  const { known } = permissionsOf({ credential: 'cache', mode: 'read-write', ...options });
  const permission = known.find(({ command }) => command.name === name);
  if (permission === undefined) return 'unknown';
  return permission.denied === undefined
    ? 'allowed'
    : (/cache: (.*)\r\n$/u.exec(permission.denied.toString())?.[1] ?? '');
}

const beyond = 'it reaches beyond the data';

test.each<[name: string, options: Partial<PermissionOptions>, said: string]>([
  ['GET', {}, 'allowed'],
  ['SET', {}, 'allowed'],
  ['EVAL', {}, 'name it in commands to allow it'],
  ['CONFIG|GET', {}, beyond],
  ['MIGRATE', {}, beyond],
  ['CLIENT|KILL', {}, beyond],
  ['GET', { mode: 'read-only' }, 'allowed'],
  ['SET', { mode: 'read-only' }, 'it is read-only'],
  ['EVAL', { mode: 'read-only' }, 'it is read-only'],
  ['EVAL_RO', { mode: 'read-only' }, 'it is read-only'],
  ['PUBLISH', { mode: 'read-only' }, 'it is read-only'],
  ['SORT', { mode: 'read-only' }, 'it is read-only'],
  ['GETEX', { mode: 'read-only' }, 'it is read-only'],
  ['GET', { commands: ['SET'] }, 'it is not in commands'],
  ['SET', { commands: ['set'] }, 'allowed'],
  ['PING', { commands: [] }, 'allowed'],
  ['AUTH', { commands: [] }, 'allowed'],
  ['GET', { commands: [] }, 'it is not in commands'],
  ['SET', { commands: ['@READ'] }, 'it is not in commands'],
  ['GET', { commands: ['@read', 'EVAL'] }, 'allowed'],
  ['EVAL', { commands: ['@read', 'EVAL'] }, 'allowed'],
  ['EVAL', { commands: ['@read', '@write', '@special'] }, 'name it in commands to allow it'],
  ['EVAL', { mode: 'read-only', commands: ['EVAL'] }, 'it is read-only'],
  ['SET', { mode: 'read-only', commands: ['SET', '@write'] }, 'it is read-only'],
  ['OBJECT|ENCODING', { commands: ['OBJECT'] }, 'allowed'],
  ['OBJECT|ENCODING', { commands: ['object  encoding'] }, 'allowed'],
  ['OBJECT|FREQ', { commands: ['OBJECT|ENCODING'] }, 'it is not in commands'],
  ['CONFIG|GET', { commands: ['CONFIG GET', 'CONFIG'] }, beyond],
  ['SHUTDOWN', { commands: ['SHUTDOWN', '@never'] }, beyond],
  ['JSON.GET', {}, 'unknown'],
  ['JSON.GET', { commands: ['JSON.GET'] }, 'allowed'],
  ['JSON.GET', { mode: 'read-only', commands: ['JSON.GET'] }, 'unknown'],
  ['CONFIG', { commands: ['CONFIG'] }, 'unknown'],
])('%s with %j: %s', (name, options, said) => {
  expect(verdict(name, options)).toBe(said);
});

describe('the replacement of a denied command', () => {
  const longest = 'c'.repeat(40);
  const replacements = (['read-only', 'read-write'] as const).flatMap((mode) => {
    const { known, unknown } = permissionsOf({ credential: longest, mode, commands: [] });
    return [unknown, ...known.flatMap(({ denied }) => denied ?? [])];
  });

  test('is a name that no server has, without arguments', () => {
    expect(replacements.length).toBeGreaterThan(redisCommands.length / 2);
    for (const each of replacements) expect(each.toString()).toMatch(/^\*1\r\n\$\d+\r\nholdfast: [ -~]+\r\n$/u);
  });

  test('is shown whole by the server: 128 characters', () => {
    for (const each of replacements) expect(each.toString().split('\r\n')[2]?.length).toBeLessThanOrEqual(128);
  });
});

const names = new Map(['GET', 'SET', 'GETEX', 'SORT_RO', 'JSON.GET', 'NO-EVICT'].map((name) => [name, name]));
const index = createNameIndex(names);
const find = (text: string): string | undefined => {
  const bytes = Buffer.from(`--${text}--`, 'latin1');
  return index.find(bytes, 2, bytes.length - 2);
};

test.each([
  ['GET', 'GET'],
  ['get', 'GET'],
  ['gEtEx', 'GETEX'],
  ['sort_ro', 'SORT_RO'],
  ['json.get', 'JSON.GET'],
  ['no-evict', 'NO-EVICT'],
])('%s is found', (text, name) => {
  expect(find(text)).toBe(name);
});

test.each([
  '',
  'GE',
  'GETE',
  'GET ',
  ' GET',
  'GET\0',
  'G\0T',
  'SORT?RO',
  'SORT\x7fRO',
  'JSON\x0eGET',
  'NO\rEVICT',
  'ſET',
  'gét',
])('%j is not', (text) => {
  expect(find(text)).toBeUndefined();
});

test('the name is found in any case, and nothing else is', () => {
  const near = fc
    .tuple(fc.constantFrom(...names.keys()), fc.nat(8), fc.nat(255))
    .map(([name, at, octet]) => name.slice(0, at) + String.fromCharCode(octet) + name.slice(at + 1));
  fc.assert(
    fc.property(near, (text) => {
      const upper = text.replaceAll(/[a-z]/gu, (letter) => letter.toUpperCase());
      expect(find(text)).toBe(names.get(upper));
    }),
  );
});
