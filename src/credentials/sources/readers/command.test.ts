import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rounds } from '../../../../scripts/testing/extent.ts';
import type { InjectionKind } from '../../../policy/credentials/injection.ts';
import { parseAnswer } from './parse-answer.ts';

const now = Date.parse('2026-01-01T00:00:00Z');
const later = Date.parse('2026-01-01T01:00:00Z');
const parse = (answer: unknown, injection: InjectionKind = 'bearer') =>
  parseAnswer(typeof answer === 'string' ? answer : JSON.stringify(answer), injection, now);
const aws = { Version: 1, AccessKeyId: 'AKIAEXAMPLE', SecretAccessKey: 'EXAMPLE-secret' };
const exec = (status: unknown) => ({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status });

describe('a text', () => {
  test.each([
    ['EXAMPLE', 'EXAMPLE'],
    ['EXAMPLE\n', 'EXAMPLE'],
    ['EXAMPLE\r\n', 'EXAMPLE'],
    ['EXAMPLE\n\n', 'EXAMPLE\n'],
    [' EXAMPLE ', ' EXAMPLE '],
    ['{EXAMPLE', '{EXAMPLE'],
    ['"EXAMPLE"', '"EXAMPLE"'],
    ['[1]', '[1]'],
    ['{"a": ', '{"a": '],
  ])('%j is the secret %j', (text, value) => {
    expect(parse(text)).toEqual({ kind: 'answer', value, fields: {} });
  });
});

describe('AWS credentials', () => {
  test.each([
    ['for good', aws, { value: 'EXAMPLE-secret', fields: { accessKeyId: 'AKIAEXAMPLE' } }],
    [
      'with a session',
      { ...aws, SessionToken: 'EXAMPLE-session', Expiration: '2026-01-01T01:00:00Z' },
      {
        value: 'EXAMPLE-secret',
        fields: { accessKeyId: 'AKIAEXAMPLE', sessionToken: 'EXAMPLE-session' },
        expires: later,
      },
    ],
    [
      'with nulls',
      { ...aws, SessionToken: null, Expiration: null },
      { value: 'EXAMPLE-secret', fields: { accessKeyId: 'AKIAEXAMPLE' } },
    ],
    [
      'in another zone',
      { ...aws, Expiration: '2026-01-01T03:00:00+02:00' },
      { value: 'EXAMPLE-secret', fields: { accessKeyId: 'AKIAEXAMPLE' }, expires: later },
    ],
  ])('%s', (_, answer, expected) => {
    expect(parse(answer, 'sigv4')).toEqual({ kind: 'answer', ...expected });
  });

  test.each([
    ['another version', { ...aws, Version: 2 }],
    ['a version that is text', { ...aws, Version: '1' }],
    ['no key', { Version: 1, AccessKeyId: 'AKIAEXAMPLE' }],
    ['no key ID', { Version: 1, SecretAccessKey: 'EXAMPLE' }],
    ['a session that is not text', { ...aws, SessionToken: 1 }],
    ['an expiry without a zone', { ...aws, Expiration: '2026-01-01T01:00:00' }],
    ['an expiry that is none', { ...aws, Expiration: 'tomorrow' }],
    ['an expiry in the past', { ...aws, Expiration: '2025-01-01T01:00:00Z' }],
  ])('with %s are refused', (_, answer) => {
    expect(parse(answer, 'sigv4')).toMatchObject({ kind: 'unavailable' });
  });
});

describe('a Kubernetes ExecCredential', () => {
  test('gives its token and when it expires', () => {
    expect(parse(exec({ token: 'EXAMPLE', expirationTimestamp: '2026-01-01T01:00:00Z' }))).toEqual({
      kind: 'answer',
      value: 'EXAMPLE',
      fields: {},
      expires: later,
    });
    expect(parse(exec({ token: 'EXAMPLE' }))).toEqual({ kind: 'answer', value: 'EXAMPLE', fields: {} });
  });

  test.each([[undefined], [null], [{}], [{ clientCertificateData: 'EXAMPLE' }], [{ token: 1 }], [[]]])(
    'without a token, as with status %j, is refused',
    (status) => {
      expect(parse(exec(status))).toMatchObject({
        kind: 'unavailable',
        why: 'it answered with an ExecCredential that holds no token',
      });
    },
  );
});

describe('a token', () => {
  test.each([
    [{ token: 'EXAMPLE' }, undefined],
    [{ access_token: 'EXAMPLE' }, undefined],
    [{ access_token: 'EXAMPLE', expires_in: 3600 }, later],
    [{ access_token: 'EXAMPLE', expires_in: '3600' }, later],
    [{ access_token: 'EXAMPLE', expires_in: null, token_type: 'Bearer' }, undefined],
    [{ token: 'EXAMPLE', expiry: '2026-01-01T01:00:00.5Z' }, later + 500],
    [{ token: 'EXAMPLE', expiration: '2026-01-01 01:00:00+00:00' }, later],
    [{ token: 'EXAMPLE', expiration: later / 1000 }, later],
  ])('%j', (answer, expires) => {
    expect(parse(answer)).toEqual({
      kind: 'answer',
      value: 'EXAMPLE',
      fields: {},
      ...(expires === undefined ? {} : { expires }),
    });
  });

  test.each([
    [{ token: 1 }],
    [{ token: null }],
    [{ token: 'EXAMPLE', expires_in: 'soon' }],
    [{ token: 'EXAMPLE', expires_in: -1 }],
    [{ token: 'EXAMPLE', expires_in: 0 }],
    [{ token: 'EXAMPLE', expiry: {} }],
    [{ password: 'EXAMPLE' }],
    [{}],
  ])('%j is refused', (answer) => {
    expect(parse(answer)).toMatchObject({ kind: 'unavailable' });
  });
});

test.each(['service-account', 'github-app'] as const)('the key of a %s is taken as it is', (injection) => {
  const key = '{"type":"service_account","private_key":"EXAMPLE","token":"x"}';
  expect(parse(key, injection)).toEqual({ kind: 'answer', value: key, fields: {} });
});

describe('any answer of a command', () => {
  const member = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.constant(null),
    fc.boolean(),
    fc.constant('2026-01-01T01:00:00Z'),
  );
  const names = fc.constantFrom(
    'token',
    'access_token',
    'expires_in',
    'expiry',
    'expiration',
    'kind',
    'status',
    'Version',
    'AccessKeyId',
    'SecretAccessKey',
    'SessionToken',
    'Expiration',
  );
  const document = fc.dictionary(names, fc.oneof(member, fc.dictionary(names, member)));

  test('it is an answer with texts and a time to come, or is refused with nothing of it in the words', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          document.map((value) => JSON.stringify(value)),
          fc.json(),
          fc.string({ unit: 'binary' }),
        ),
        (text) => {
          const answer = parseAnswer(text, 'bearer', now);
          if (answer.kind !== 'answer') expect(fixedWords.has(answer.why)).toBe(true);
          else {
            expect([answer.value, ...Object.values(answer.fields)].every((value) => typeof value === 'string')).toBe(
              true,
            );
            expect(answer.expires ?? Infinity).toBeGreaterThan(now);
          }
        },
      ),
      { numRuns: rounds(2000) },
    );
  });

  const fixedWords = new Set([
    'it answered with JSON that holds no token',
    'it answered with AWS credentials that are not of version 1',
    'it answered with a session token that is not a string',
    'it answered with an ExecCredential that holds no token',
    'it answered with a token that is not a string',
    'it answered with an expiry time that cannot be parsed',
    'it answered with a secret that has expired already',
  ]);
});
