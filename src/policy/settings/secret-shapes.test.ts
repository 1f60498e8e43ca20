import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { growth, linear } from '../../../scripts/testing/work-time.ts';
import { looksSecret } from './secret-shapes.ts';

/** Joined here, so that no scanner takes this file for a leak. */
const joined = (...parts: readonly string[]): string => parts.join('');
const letters = 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0xLrUbI';

describe('secrets', () => {
  test.each([
    joined('gh', 'p_', letters),
    joined('gh', 's_', letters),
    joined('github_', 'pat_', letters, '_', letters),
    joined('glpat', '-', letters),
    joined('sk', '-', letters),
    joined('sk', '-ant-', letters),
    joined('sk', '-proj-', letters),
    joined('sk_', 'live_', letters),
    joined('rk_', 'test_', letters),
    joined('AK', 'IA', 'IOSFODNN7EXAMPLE'),
    joined('AS', 'IA', 'IOSFODNN7EXAMPLE'),
    joined('xox', 'b-', '123456789012-abc'),
    joined('xapp', '-1-A123-456-abc'),
    joined('npm', '_', letters),
    joined('pypi', '-', letters),
    joined('AI', 'za', letters.slice(0, 35)),
    joined('ya', '29.', letters),
    joined('hf', '_', letters),
    joined('gs', 'k_', letters, letters),
    joined('SG', '.', letters, '.', letters),
    joined('dop_', 'v1_', 'abcdef0123456789'.repeat(4)),
    joined('AGE-SECRET-', 'KEY-1', 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L'),
    joined('ey', 'JhbGciOiJIUzI1', '.ey', 'JzdWIiOiIxMjM0', '.', letters),
    joined('-----BEGIN ', 'PRIVATE KEY', '-----\nMIIE'),
    joined('-----BEGIN OPENSSH ', 'PRIVATE KEY', '-----'),
    'postgres://app:hunter22@db.example.com/app',
    'https://user:pass@example.com',
    'amqps://:secret@example.com',
    '--proxy=http://user:pass@proxy.example.com:3128',
    letters,
    'dGhpcyBpcyBub3QgYSByZWFsIHNlY3JldCBidXQgMTIzNDU2',
  ])('%s', (value) => {
    expect(looksSecret(value)).toBe(true);
    expect(looksSecret(` ${value}`) || value === letters || value.startsWith('dGhp')).toBe(true);
  });
});

describe('no secrets', () => {
  test.each([
    '',
    'vim',
    '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    '/home/dev/.local/share/fnm_multishells/12345_1700000000000/bin',
    '/nix/store/8k2b3d4f5g6h7j8k9l0mQWERTYUIOPA-nodejs-22.11.0',
    'en_GB.UTF-8',
    'xterm-256color',
    '-O2 -fstack-protector-strong -Wformat -Werror=format-security',
    '5b2c4b2e-8f0e-4c57-9d6e-0c4a1f6d2b3a',
    'da39a3ee5e6b4b0d3255bfef95601890afd80709',
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'https://registry.example.com/path?query=1',
    'https://example.com:8443/a@b',
    'postgres://app@db.example.com/app',
    'no_proxy,localhost,127.0.0.1,.example.com',
    'rs=0:di=01;34:ln=01;36:mh=00:pi=40;33:so=01;35:do=01;35',
    'this-is-a-very-long-name-of-some-branch-that-people-write',
    'THIS_IS_A_VERY_LONG_CONSTANT_NAME_WITH_2_NUMBERS_IN_IT_10',
    'sk-short',
    'task-sk-',
    'desk-abcdefghijklmnopqrstuvwxyz',
    '2026-11-21T21:37:38.000Z',
    'ghp_',
    '=================================================',
  ])('%s', (value) => {
    expect(looksSecret(value)).toBe(false);
  });

  test.each(['a', 'A1b', 'eyJaaaaaaaa.', 'a://', 'a:', '-----BEGIN ', 'x-', 'sk-'])(
    '%j over and over takes linear time',
    async (part) => {
      expect(await growth((size) => looksSecret(part.repeat(size / part.length)), 131_072)).toBeLessThan(linear);
    },
  );

  test('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (value) => typeof looksSecret(value) === 'boolean'),
    );
  });
});
