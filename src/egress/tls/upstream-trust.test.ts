import { expect, test } from 'vitest';
import { createAuthority } from './authority.ts';
import { createUpstreamTrust } from './upstream-trust.ts';

const contextFor = (...roots: readonly string[]): unknown => createUpstreamTrust({ roots }).context();

test('sessions share a context only for the same roots', () => {
  const [one, other] = [createAuthority().certificatePem, createAuthority().certificatePem];
  expect(contextFor(one)).toBe(contextFor(one));
  expect(contextFor(other)).not.toBe(contextFor(one));
  expect(contextFor(one, other)).not.toBe(contextFor(one));
  expect(contextFor()).not.toBe(contextFor(one));
});

test('sessions share no TLS sessions', () => {
  const roots = [createAuthority().certificatePem];
  const [one, other] = [createUpstreamTrust({ roots }), createUpstreamTrust({ roots })];
  one.sessions.set('example.com', Buffer.from('ticket'));
  expect(other.sessions.get('example.com')).toBeUndefined();
});
