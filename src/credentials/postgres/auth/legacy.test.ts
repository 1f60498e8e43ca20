import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createAuthority } from '../../../egress/tls/authority.ts';
import { leafMint } from '../../../egress/tls/leaf.ts';
import { endPointDigest } from './channel-binding.ts';
import { md5Answer } from '../login/log-in.ts';

test('MD5 as PostgreSQL has it: the digest of the digest of password and user, and the salt', () => {
  const digest = (text: string | Buffer): string => createHash('md5').update(text).digest('hex');
  const salt = Buffer.from([1, 2, 3, 4]);
  expect(md5Answer({ user: 'app', password: 'secret-EXAMPLE' }, salt)).toBe(
    `md5${digest(Buffer.concat([Buffer.from(digest('secret-EXAMPLEapp')), salt]))}`,
  );
});

test('the end point is the digest of the certificate, by the algorithm of its signature', () => {
  const certificate = Buffer.from(leafMint(createAuthority()).certificateFor('db.example.com'));
  expect(endPointDigest(certificate)).toEqual(createHash('sha256').update(certificate).digest());
});

test('a text that is not a certificate has none', () => {
  const certificate = Buffer.from(leafMint(createAuthority()).certificateFor('db.example.com'));
  for (let length = 0; length < certificate.length; length += 1)
    expect(endPointDigest(certificate.subarray(0, length))).toBeUndefined();
  expect(endPointDigest(Buffer.from('30843030303030', 'hex'))).toBeUndefined();
});
