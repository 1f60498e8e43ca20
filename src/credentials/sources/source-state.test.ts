import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { InjectionKind } from '../../policy/credentials/injection.ts';
import { secretProblem } from './source-state.ts';

const problem = (value: string, injection: InjectionKind = 'bearer', fields = {}) =>
  secretProblem({ value, fields }, injection);
const sent: readonly InjectionKind[] = [
  'bearer',
  'header',
  'cookie',
  'basic',
  'query',
  'path',
  'git',
  'docker-registry',
  'sigv4',
  'oauth2-client',
  'oauth2-refresh',
  'postgres',
  'redis',
];
const pem = '-----BEGIN PRIVATE KEY-----\nEXAMPLE\n-----END PRIVATE KEY-----\n';

describe('a secret that is sent', () => {
  test.each(sent)('%s: has no line break, no NUL and no other control character', (injection) => {
    for (const bad of ['\r', '\n', '\r\n', '\0', '\t', '\u001B', '\u007F', '\u0085']) {
      for (const text of [`EXAMPLE${bad}`, `${bad}EXAMPLE`, `EX${bad}AMPLE`])
        expect(problem(text, injection)).toBe('it holds a line break or another control character');
    }
    expect(problem('EXAMPLE', injection)).toBeUndefined();
    expect(problem('EX AMPLE:/+=', injection)).toBeUndefined();
  });

  test.each(['bearer', 'header', 'cookie'] as const)(
    '%s: is printable ASCII if sent unencoded in a header',
    (injection) => {
      expect(problem('EXÄMPLE', injection)).toBe('it holds characters that a header cannot hold');
      expect(problem('EX\u200BAMPLE', injection)).toBe('it holds characters that a header cannot hold');
    },
  );

  test.each(['basic', 'postgres', 'redis'] as const)('%s: may be a passphrase in any language', (injection) => {
    expect(problem('pässwörd', injection)).toBeUndefined();
  });
});

test.each(['github-app', 'service-account'] as const)('the key of a %s has lines, and no NUL', (injection) => {
  expect(problem(pem, injection)).toBeUndefined();
  expect(problem(`${pem}\0`, injection)).toBe('it holds a NUL character');
});

test.each(['', ' ', '\n', '\t \n'])('%j is not one', (text) => {
  expect(problem(text)).toBe('it is empty');
  expect(problem(text, 'github-app')).toBe('it is empty');
});

test('it has at most 64 KiB, counted in bytes', () => {
  expect(problem('x'.repeat(65_536))).toBeUndefined();
  expect(problem('x'.repeat(65_537))).toBe('it is longer than 64 KiB');
  expect(problem('ä'.repeat(32_769), 'basic')).toBe('it is longer than 64 KiB');
});

test('its additions appear in headers', () => {
  expect(problem('EXAMPLE', 'sigv4', { sessionToken: 'EXAMPLE\r\nx: y' })).toBe(
    'its sessionToken holds a line break or another control character',
  );
  expect(problem('EXAMPLE', 'sigv4', { accessKeyId: 'EXAMPLE', sessionToken: '' })).toBe('its sessionToken is empty');
  expect(problem('EXAMPLE', 'sigv4', { accessKeyId: 'EXAMPLE' })).toBeUndefined();
});

test('no words say anything of it', () => {
  const words = new Set([
    'it is empty',
    'it is longer than 64 KiB',
    'it holds a line break or another control character',
    'it holds a NUL character',
    'it holds characters that a header cannot hold',
    undefined,
  ]);
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.constantFrom<InjectionKind>(...sent, 'github-app'),
      (text, injection) => {
        expect(words.has(problem(text, injection))).toBe(true);
      },
    ),
  );
});

test('an accepted value cannot end a header', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(...sent), (text, injection) => {
      if (problem(text, injection) === undefined) expect(text).not.toMatch(/[\r\n\0]/u);
    }),
  );
});
