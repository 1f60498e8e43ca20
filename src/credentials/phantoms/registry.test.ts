import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PhantomShape } from '../../policy/credentials/injection.ts';
import type { Credential } from '../../policy/credentials/types.ts';
import { credentialOf } from '../inject/testing/context.ts';
import { sessionTag } from './decode-around.ts';
import { createPhantomRegistry, githubChecksum } from './registry.ts';
import { jwtExample, vendorExamples } from './testing/vendor-examples.ts';

const main = credentialOf({ injection: { kind: 'bearer' } });
const named = (
  name: string,
  parts: Partial<Pick<Credential, 'group' | 'shape' | 'usualShape' | 'injection'>> = {},
): Credential => credentialOf({ injection: { kind: 'bearer' }, name, ...parts });

/** How many characters at the beginning two texts have in common. */
function inCommon(a: string, b: string): number {
  let count = 0;
  while (count < a.length && a[count] === b[count]) count += 1;
  return count;
}

describe('a phantom', () => {
  test.each(vendorExamples)('looks like that of $vendor', ({ like, looks }) => {
    for (let turn = 0; turn < 20; turn += 1) expect(createPhantomRegistry().mint(main, like)).toMatch(looks);
  });

  test.each(vendorExamples.filter(({ like }) => like !== ''))(
    'of $vendor has no more in common with the real one than its prefix, and 128 bits of its own',
    ({ like }) => {
      const registries = Array.from({ length: 30 }, () => createPhantomRegistry());
      const phantoms = registries.map((registry) => registry.mint(main, like));
      const prefix = phantoms.reduce(
        (shared, phantom) => shared.slice(0, inCommon(shared, phantom)),
        phantoms[0] ?? '',
      );
      for (const phantom of phantoms) expect(inCommon(phantom, like)).toBeLessThanOrEqual(prefix.length);
      // Within one session the beginning and the tag are the same; each place after them that varies counts for what it
      // was drawn from.
      const [registry] = registries;
      const own = Array.from({ length: 150 }, (_, index) => registry?.mint(named(`other-${index}`), like) ?? '');
      const common = own.reduce((shared, phantom) => shared.slice(0, inCommon(shared, phantom)), own[0] ?? '').length;
      const seen = Array.from(
        { length: (own[0]?.length ?? 0) - common },
        (_, at) => new Set(own.map((phantom) => phantom[common + at])).size,
      );
      const checksum = /^(?:gh[ps]_|npm_)/u.test(like) ? 6 : 0;
      const bits = seen.slice(0, seen.length - checksum).reduce((sum, count) => sum + Math.log2(count), 0);
      // The sign before the tag is drawn as well, and 150 samples do not show every sign of a large alphabet.
      expect(bits).toBeGreaterThan(126);
    },
  );

  test('differs in each session, and for each credential and role', () => {
    const all = new Set<string>();
    for (let session = 0; session < 50; session += 1) {
      const registry = createPhantomRegistry();
      for (let index = 0; index < 20; index += 1) {
        all.add(registry.mint(named(`c${index}`), 'EXAMPLE-EXAMPLE'));
        all.add(registry.mintFor(named(`c${index}`), 'access', 'EXAMPLE-EXAMPLE'));
      }
    }
    expect(all.size).toBe(2000);
  });

  test('is the same for one credential, and for all of its group, whatever the secret is by then', () => {
    const registry = createPhantomRegistry();
    const phantom = registry.mint(named('github'), 'ghp_EXAMPLEexampleEXAMPLEexampleEXAMPLEe');
    expect(registry.mint(named('github'), undefined)).toBe(phantom);
    expect(registry.mint(named('github.git', { group: 'github' }), 'another')).toBe(phantom);
    expect(registry.mint(named('gitlab'), undefined)).not.toBe(phantom);
  });

  test('is the same for the same key of a session, so that nothing else has to be kept', () => {
    const key = Buffer.alloc(32, 1);
    expect(createPhantomRegistry({ key }).mint(main, 'x')).toBe(createPhantomRegistry({ key }).mint(main, 'x'));
  });

  test('never begins with a hyphen', () => {
    const shape = { prefix: '', alphabet: 'base64url', length: 40, checksum: 'none' } as const;
    for (let turn = 0; turn < 500; turn += 1)
      expect(createPhantomRegistry().mint(named('main', { shape }), undefined)).toMatch(/^[0-9A-Za-z]/u);
  });

  test('of any example fits a header, has no blank, and is never the example', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ maxLength: 60 }), fc.constantFrom(...vendorExamples.map(({ like }) => like))),
        (like) => {
          const phantom = createPhantomRegistry().mint(main, like);
          expect(phantom).toMatch(/^[!-~]+$/u);
          expect(phantom).not.toBe(like);
        },
      ),
    );
  });

  test('of a token keeps its header and claims with another signature', () => {
    const phantom = createPhantomRegistry().mint(main, jwtExample);
    expect(phantom.split('.').slice(0, 2)).toEqual(jwtExample.split('.').slice(0, 2));
    expect(Buffer.from(phantom.split('.')[2] ?? '', 'base64url').toString('base64url')).toBe(phantom.split('.')[2]);
  });

  test.each([
    [
      'its shape',
      { shape: { prefix: 'ex_', alphabet: 'hex', length: 50, checksum: 'none' } },
      'EXAMPLE',
      /^ex_[0-9a-f]{50}$/u,
    ],
    [
      'its shape, with a checksum',
      { shape: { prefix: 'ghp_', alphabet: 'base62', length: 36, checksum: 'github-crc32' } },
      undefined,
      /^ghp_[0-9A-Za-z]{36}$/u,
    ],
    [
      'its shape, longer where it has to be',
      { shape: { prefix: 'k', alphabet: 'upper-base32', length: 5, checksum: 'none' } },
      undefined,
      /^k[A-Z2-7]{34}$/u,
    ],
    [
      'its shape, a UUID',
      { shape: { prefix: '', alphabet: 'uuid', length: 36, checksum: 'none' } },
      undefined,
      /^[0-9a-f]{8}-[0-9a-f-]{27}-[0-9a-f]{10}$/u,
    ],
    [
      'its shape, a token',
      { shape: { prefix: '', alphabet: 'jwt', length: 0, checksum: 'none' } },
      undefined,
      /^eyJ[\w-]+\.[\w-]+\.[\w-]{43}$/u,
    ],
    [
      'what is usual, where there is no example',
      { usualShape: { prefix: 'u_', alphabet: 'base62', length: 44, checksum: 'none' } },
      undefined,
      /^u_[0-9A-Za-z]{44}$/u,
    ],
    [
      'its example, where there is one',
      { usualShape: { prefix: 'u_', alphabet: 'base62', length: 44, checksum: 'none' } },
      `v${'1'.repeat(45)}`,
      /^[0-9a-z]{46}$/u,
    ],
  ] satisfies readonly (readonly [
    string,
    { readonly shape?: PhantomShape; readonly usualShape?: PhantomShape },
    string | undefined,
    RegExp,
  ])[])('looks like %s', (...row) => {
    const [, parts, like, looks] = row;
    expect(createPhantomRegistry().mint(named('main', parts), like)).toMatch(looks);
  });
});

describe('checksums', () => {
  test('are those of GitHub', () => {
    // The example that GitHub gives to those who look for leaked keys, and npm's own.
    expect(githubChecksum('zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ')).toBe('0mLq17');
    for (const like of ['ghp_EXAMPLEexampleEXAMPLEexampleEXAMPLEe', 'npm_EXAMPLEexampleEXAMPLEexampleEXAMPLEe']) {
      const phantom = createPhantomRegistry().mint(main, like);
      expect(githubChecksum(phantom.slice(4, -6))).toBe(phantom.slice(-6));
    }
  });
});

describe('the registry', () => {
  test('knows a lone phantom, and its owner', () => {
    const registry = createPhantomRegistry();
    const phantom = registry.mint(named('a'), undefined);
    const token = registry.mintFor(named('a'), 'access', 'EXAMPLE');
    expect(registry.lookUp(phantom)).toEqual({ credential: 'a', role: 'secret', state: 'good' });
    expect(registry.lookUp(token)).toEqual({ credential: 'a', role: 'access', state: 'good' });
    for (const other of [
      '',
      phantom.slice(1),
      phantom.slice(0, -1),
      `${phantom}x`,
      ` ${phantom}`,
      phantom.toUpperCase(),
      createPhantomRegistry().mint(named('a'), undefined),
    ])
      expect(registry.lookUp(other)).toBeUndefined();
  });

  test('makes those good for nothing that are revoked, for good', () => {
    const registry = createPhantomRegistry();
    const [a, access, b] = [
      registry.mint(named('a'), undefined),
      registry.mintFor(named('a'), 'access', ''),
      registry.mint(named('b'), undefined),
    ];
    registry.revoke('a');
    expect([a, access, b].map((phantom) => registry.lookUp(phantom)?.state)).toEqual(['revoked', 'revoked', 'good']);
    const later = registry.mintFor(named('a'), 'later login', 'EXAMPLE');
    expect(registry.mint(named('a'), undefined)).toBe(a);
    expect([a, later].map((phantom) => registry.lookUp(phantom)?.state)).toEqual(['revoked', 'revoked']);
    registry.revoke();
    expect([a, b, registry.mint(named('c'), undefined)].map((phantom) => registry.lookUp(phantom)?.state)).toEqual([
      'revoked',
      'revoked',
      'revoked',
    ]);
    expect(registry.findIn(Buffer.from(`${a} ${b}`)).map(({ credential, state }) => [credential, state])).toEqual([
      ['a', 'revoked'],
      ['b', 'revoked'],
    ]);
  });

  test('shows no phantom, no example and no key to who prints it', () => {
    const key = Buffer.alloc(32, 'K');
    const registry = createPhantomRegistry({ key });
    const phantom = registry.mint(main, 'ghp_EXAMPLEexampleEXAMPLEexampleEXAMPLEe');
    const shown =
      inspect(registry, { depth: Number.POSITIVE_INFINITY, showHidden: true }) +
      JSON.stringify(registry) +
      String(registry);
    for (const text of [phantom, phantom.slice(4, 14), 'EXAMPLE', 'KKKK', '4b4b4b']) expect(shown).not.toContain(text);
  });

  test('lets a server of ours verify the phantom of a database by SCRAM, and no other', () => {
    const registry = createPhantomRegistry();
    const database = named('db', { injection: { kind: 'postgres', mode: 'read-only', tls: 'disable' } });
    expect(registry.scram(database)).toBeUndefined();
    const phantom = registry.mint(database, 'hunter2');
    const verifier = registry.scram(database);
    if (verifier === undefined) throw new Error('There is none.');
    const salted = pbkdf2Sync(phantom, verifier.salt, verifier.iterations, 32, 'sha256');
    const clientKey = createHmac('sha256', salted).update('Client Key').digest();
    expect(createHash('sha256').update(clientKey).digest()).toEqual(verifier.storedKey);
    expect(createHmac('sha256', salted).update('Server Key').digest()).toEqual(verifier.serverKey);
    expect([verifier.iterations, verifier.salt.length]).toEqual([4096, 16]);
    expect(registry.scram(database)).toBe(verifier);
    expect(registry.scram(main)).toBeUndefined();
    registry.revoke('db');
    expect(registry.scram(database)).toBeUndefined();
  });
});

describe('the tag of a session', () => {
  test('is seven digits that every alphabet has, at the same distance from the beginning of all its phantoms', () => {
    const key = Buffer.alloc(32, 3);
    const registry = createPhantomRegistry({ key });
    const phantoms = ['hex', 'upper-base32', 'base62', 'base64url', 'uuid'].map((alphabet) =>
      registry.mint(
        named(alphabet, {
          shape: { prefix: '', alphabet: alphabet as PhantomShape['alphabet'], length: 60, checksum: 'none' },
        }),
        undefined,
      ),
    );
    const [first] = phantoms;
    for (const phantom of phantoms) expect(phantom.slice(1, 8)).toBe(first?.slice(1, 8));
    expect(first?.slice(1, 8)).toMatch(/^[2-7]{7}$/u);
  });

  test('differs from session to session', () => {
    const tags = new Set(Array.from({ length: 200 }, (_, index) => sessionTag(Buffer.alloc(32, index))));
    expect(tags.size).toBeGreaterThan(195);
  });
});
