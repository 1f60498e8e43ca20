import { describe, expect, test } from 'vitest';
import { field } from '../../http/fields.ts';
import { newProxySecret, proxyGuard } from '../guard.ts';
import { isAuthorised } from './credentials.ts';

const secret = newProxySecret();
const guard = proxyGuard(secret);
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const sent = (...values: readonly string[]): boolean => isAuthorised(values.map((value) => field('Proxy-Authorization', value)), guard);

describe('a client is admitted', () => {
  test.each(['Basic', 'basic', 'BASIC', 'Basic  '])('with %j and the secret', (scheme) => {
    expect(sent(`${scheme} ${base64(`holdfast:${secret}`)}`)).toBe(true);
  });

  test('also in the URL-safe alphabet and without padding', () => {
    expect(sent(`Basic ${Buffer.from(`holdfast:${secret}`).toString('base64url')}`)).toBe(true);
  });
});

describe('a client is not admitted', () => {
  test.each([
    ['with nothing', []],
    ['with another scheme', [`Bearer ${secret}`]],
    ['with the bare secret', [`Basic ${secret}`]],
    ['with the secret in the clear', [`Basic holdfast:${secret}`]],
    ['with another user', [`Basic ${base64(`root:${secret}`)}`]],
    ['without a user', [`Basic ${base64(`:${secret}`)}`]],
    ['without a colon', [`Basic ${base64(`holdfast${secret}`)}`]],
    ['with a longer secret', [`Basic ${base64(`holdfast:${secret}x`)}`]],
    ['with a shorter secret', [`Basic ${base64(`holdfast:${secret.slice(0, -1)}`)}`]],
    ['with an empty secret', [`Basic ${base64('holdfast:')}`]],
    ['with a NUL behind it', [`Basic ${base64(`holdfast:${secret}\0`)}`]],
    ['with it twice', [`Basic ${base64(`holdfast:${secret}`)}`, `Basic ${base64(`holdfast:${secret}`)}`]],
    ['with one right and one wrong', [`Basic ${base64(`holdfast:${secret}`)}`, 'Basic eA==']],
    ['with a list', [`Basic ${base64(`holdfast:${secret}`)}, Basic eA==`]],
    ['with far too much', [`Basic ${'A'.repeat(5000)}`]],
  ])('%s', (_, values) => {
    expect(sent(...values)).toBe(false);
  });

  test('by a field for somebody else', () => {
    expect(isAuthorised([field('Authorization', `Basic ${base64(`holdfast:${secret}`)}`)], guard)).toBe(false);
  });
});
