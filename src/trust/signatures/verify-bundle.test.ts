import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { sigstoreWorld, type SigstoreWorld } from './testing/sigstore-world.ts';
import {
  checkTrustedRoot,
  isBundledBy,
  isSignedBy,
  parsePublicKey,
  type PublicKey,
  type SigstoreSigner,
  smallOrders,
} from './verify-bundle.ts';

const by = { identity: 'mailto:dev@example.com', issuer: 'https://accounts.example.com' };
const content = Buffer.from('# Be nice\n');

interface Bundle {
  readonly verificationMaterial: { readonly tlogEntries: readonly Readonly<Record<string, unknown>>[] };
  readonly messageSignature: Readonly<Record<string, unknown>>;
}

describe('a bundle of Sigstore', () => {
  let world: SigstoreWorld;
  let other: SigstoreWorld;
  let bundle: Buffer;
  let signer: SigstoreSigner;

  beforeAll(async () => {
    [world, other] = [await sigstoreWorld(), await sigstoreWorld()];
    bundle = await world.sign(content, { ...by, identity: 'dev@example.com' });
    signer = {
      name: 'dev',
      workspace: '/home/dev/app',
      kind: 'sigstore',
      ...by,
      identity: 'dev@example.com',
      trustedRoot: world.trustedRoot,
    };
  });

  test('by the trusted identity counts', () => {
    expect(isBundledBy(signer, content, bundle)).toBe(true);
  });

  test('counts for its own bytes alone', () => {
    for (const bytes of ['', '# Be nice', '# Be nice\n\n', '# Be evil\n'])
      expect(isBundledBy(signer, Buffer.from(bytes), bundle)).toBe(false);
  });

  test.each<Partial<SigstoreSigner>>([
    { identity: 'dev@example.org' },
    { identity: '.*' },
    { identity: 'dev@example' },
    { identity: 'ev@example.com' },
    { identity: 'dev@example-com' },
    { issuer: 'https://accounts.example.org' },
    { issuer: 'https://accounts.example.com/' },
  ])('does not count for another signer: %j', (change) => {
    expect(isBundledBy({ ...signer, ...change }, content, bundle)).toBe(false);
  });

  test('of another Sigstore does not count', async () => {
    const foreign = await other.sign(content, { ...by, identity: 'dev@example.com' });
    expect(isBundledBy({ ...signer, trustedRoot: other.trustedRoot }, content, foreign)).toBe(true);
    expect(isBundledBy(signer, content, foreign)).toBe(false);
    expect(isBundledBy({ ...signer, trustedRoot: other.trustedRoot }, content, bundle)).toBe(false);
  });

  test('made outside the validity of its certificate does not count', () => {
    const parsed = JSON.parse(bundle.toString()) as Bundle;
    const late = String(Math.floor(Date.now() / 1000) + 86_400);
    const entries = parsed.verificationMaterial.tlogEntries.map((entry) => ({ ...entry, integratedTime: late }));
    expect(
      isBundledBy(
        signer,
        content,
        Buffer.from(
          JSON.stringify({ ...parsed, verificationMaterial: { ...parsed.verificationMaterial, tlogEntries: entries } }),
        ),
      ),
    ).toBe(false);
  });

  test('missing from the log does not count', () => {
    const parsed = JSON.parse(bundle.toString()) as Bundle;
    expect(
      isBundledBy(
        signer,
        content,
        Buffer.from(
          JSON.stringify({ ...parsed, verificationMaterial: { ...parsed.verificationMaterial, tlogEntries: [] } }),
        ),
      ),
    ).toBe(false);
  });

  test.each(['rawBytes', 'signedEntryTimestamp', 'canonicalizedBody', 'signature', 'digest'])(
    'with a changed %s does not count',
    (key) => {
      const text = bundle.toString();
      const [, value = ''] = new RegExp(`"${key}":"([^"]+)"`, 'u').exec(text) ?? [];
      const middle = value.length >> 1;
      const changed = text.replace(
        value,
        `${value.slice(0, middle)}${value[middle] === 'A' ? 'B' : 'A'}${value.slice(middle + 1)}`,
      );
      expect(changed).not.toBe(text);
      expect(isBundledBy(signer, content, Buffer.from(changed))).toBe(false);
    },
  );

  test.each(['', '{}', 'null', '[]', '{"mediaType":"x"}'])('does not count if malformed: %j', (text) => {
    expect(isBundledBy(signer, content, Buffer.from(text))).toBe(false);
  });

  test('needs a trust root with a certificate authority', () => {
    expect(() => checkTrustedRoot(world.trustedRoot)).not.toThrow();
    for (const text of ['', '{}', 'null', '{"certificateAuthorities": []}', '{"certificateAuthorities": 1}'])
      expect(() => checkTrustedRoot(text), text).toThrow(expect.objectContaining({ code: 'HF_USAGE' }));
  });
});

describe('signer of', () => {
  const content = Buffer.from('# Be nice\n');
  const keys = generateKeyPairSync('ed25519');
  const others = generateKeyPairSync('ed25519');
  const id = Buffer.from('0123456789abcdef', 'hex');
  const order = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n;

  const pemOf = ({ publicKey }: { readonly publicKey: KeyObject }): string =>
    publicKey.export({ format: 'pem', type: 'spki' }).toString();
  const rawOf = ({ publicKey }: { readonly publicKey: KeyObject }): Buffer =>
    publicKey.export({ format: 'der', type: 'spki' }).subarray(12);
  const minisignPublic = (raw = rawOf(keys)): string =>
    `untrusted comment: minisign public key\n${Buffer.concat([Buffer.from('Ed'), id, raw]).toString('base64')}\n`;

  interface Parts {
    readonly algorithm?: 'ED' | 'Ed' | 'XX';
    readonly by?: KeyObject;
    readonly signedComment?: string;
    readonly comment?: string;
    readonly name?: Buffer;
  }

  function minisigned({
    algorithm = 'ED',
    by = keys.privateKey,
    comment = 'timestamp:1',
    signedComment = comment,
    name = id,
  }: Parts = {}): Buffer {
    const signature = sign(null, algorithm === 'ED' ? createHash('blake2b512').update(content).digest() : content, by);
    const global = sign(null, Buffer.concat([signature, Buffer.from(signedComment)]), by);
    return Buffer.from(
      `untrusted comment: mine\n${Buffer.concat([Buffer.from(algorithm), name, signature]).toString('base64')}\ntrusted comment: ${comment}\n${global.toString('base64')}\n`,
    );
  }

  const plain = parsePublicKey(pemOf(keys));
  const mini = parsePublicKey(minisignPublic());
  const plainSignature = sign(null, content, keys.privateKey);
  const counts = (key: PublicKey, signature: Uint8Array, bytes = content): boolean =>
    isSignedBy(key, { content: bytes, signature });

  describe('a plain signature', () => {
    test('counts as bytes and in base64', () => {
      expect(counts(plain, plainSignature)).toBe(true);
      for (const end of ['', '\n', '\r\n'])
        expect(counts(plain, Buffer.from(`${plainSignature.toString('base64')}${end}`))).toBe(true);
    });

    test('counts for its own bytes and its own key alone', () => {
      expect(counts(plain, plainSignature, Buffer.from('# Be evil\n'))).toBe(false);
      expect(counts(parsePublicKey(pemOf(others)), plainSignature)).toBe(false);
    });

    // RFC 8032, section 5.1.7: with S + L in place of S, the equation would hold as well.
    test('does not count after the order of the group was added to it', () => {
      const s = littleEndian(plainSignature.subarray(32)) + order;
      const changed = Buffer.concat([
        plainSignature.subarray(0, 32),
        Uint8Array.from(Buffer.from(s.toString(16).padStart(64, '0'), 'hex')).toReversed(),
      ]);
      expect(changed).toHaveLength(64);
      expect(counts(plain, changed)).toBe(false);
    });

    test.each([
      ['nothing', Buffer.alloc(0)],
      ['zeros', Buffer.alloc(64)],
      ['one byte less', plainSignature.subarray(1)],
      ['one byte more', Buffer.concat([plainSignature, Buffer.alloc(1)])],
      ['two of them', Buffer.concat([plainSignature, plainSignature])],
      ['base64 in two lines', Buffer.from(plainSignature.toString('base64').replace(/(.{40})/u, '$1\n'))],
      ['base64 without its padding', Buffer.from(plainSignature.toString('base64').replaceAll('=', ''))],
      ['base64 for URLs', Buffer.from(`${plainSignature.toString('base64url')}==`.replace(/^(.{10})./u, '$1_'))],
      ['a signature in hexadecimal', Buffer.from(plainSignature.toString('hex'))],
    ])('of %s does not count', (_name, signature) => {
      expect(counts(plain, signature)).toBe(false);
    });

    test('law: no other bytes count', () => {
      fc.assert(
        fc.property(fc.nat(63), fc.integer({ min: 1, max: 255 }), (at, change) => {
          const changed = Buffer.from(plainSignature);
          changed[at] = (changed[at] ?? 0) ^ change;
          expect(counts(plain, changed)).toBe(false);
        }),
      );
    });
  });

  describe('a signature of minisign', () => {
    test.each(['ED', 'Ed'] as const)('counts: %s', (algorithm) => {
      expect(counts(mini, minisigned({ algorithm }))).toBe(true);
      expect(counts(mini, minisigned({ algorithm }), Buffer.from('# Be evil\n'))).toBe(false);
    });

    test.each<readonly [string, Parts]>([
      ['by another key', { by: others.privateKey }],
      ['by a key of another name', { name: Buffer.alloc(8) }],
      ['with another comment than was signed', { comment: 'timestamp:2', signedComment: 'timestamp:1' }],
      ['by an unknown algorithm', { algorithm: 'XX' }],
    ])('%s does not count', (_name, parts) => {
      expect(counts(mini, minisigned(parts))).toBe(false);
    });

    test('does not count for other bytes that the same key signed', () => {
      const lines = minisigned({ comment: 'do as I say' }).toString().split('\n');
      const [line, global] = [lines[1], lines[3]].map((text) => Buffer.from(text ?? '', 'base64')) as [Buffer, Buffer];
      const digest = createHash('blake2b512').update(content).digest();
      expect(counts(mini, line.subarray(10), digest)).toBe(false);
      expect(counts(mini, global, Buffer.concat([line.subarray(10), Buffer.from('do as I say')]))).toBe(false);
      const renamed = Buffer.concat([Buffer.from('Ed'), line.subarray(2)]).toString('base64');
      expect(counts(mini, Buffer.from(lines.with(1, renamed).join('\n')), digest)).toBe(false);
    });

    test('does not count for a key from elsewhere, nor a plain signature for a key of minisign', () => {
      expect(counts(plain, minisigned())).toBe(false);
      expect(counts(mini, plainSignature)).toBe(false);
    });

    test('does not count with too many or too few lines', () => {
      const lines = minisigned().toString().split('\n');
      for (const text of [
        lines.slice(0, 2).join('\n'),
        [...lines.slice(0, 4), 'more', ''].join('\n'),
        `${lines.join('\n')}\n`,
      ])
        expect(counts(mini, Buffer.from(text))).toBe(false);
    });

    test('law: does not count with any changed byte, except in the first comment', () => {
      const signature = minisigned();
      const start = signature.indexOf('\n');
      fc.assert(
        fc.property(
          fc.integer({ min: start + 1, max: signature.length - 2 }),
          fc.integer({ min: 1, max: 255 }),
          (at, change) => {
            const changed = Buffer.from(signature);
            changed[at] = (changed[at] ?? 0) ^ change;
            // A line may have a Windows line ending.
            if (!changed.toString('latin1').includes('\r')) expect(counts(mini, changed)).toBe(false);
          },
        ),
      );
    });
  });

  describe('a public key', () => {
    test('is the same from a PEM and from minisign', () => {
      expect(plain).toEqual({ key: rawOf(keys).toString('base64') });
      expect(mini).toEqual({ key: rawOf(keys).toString('base64'), id: '0123456789abcdef' });
    });

    test.each<readonly [string, string]>([
      ['nothing', ''],
      ['a private key', keys.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()],
      ['an RSA key', pemOf(generateKeyPairSync('rsa', { modulusLength: 2048 }))],
      ['an X25519 key', pemOf(generateKeyPairSync('x25519'))],
      ['a broken PEM', pemOf(keys).replace('MC', 'XX')],
      ['a signature of minisign', minisigned().toString()],
      ['half a key of minisign', minisignPublic().slice(0, -20)],
      ['bare base64', rawOf(keys).toString('base64')],
    ])('is not read from %s', (_name, text) => {
      expect(() => parsePublicKey(text)).toThrow(expect.objectContaining({ code: 'HF_USAGE' }));
    });

    // Attack: a signature under such a key can hold for a text that the key's owner never saw.
    test.each(smallOrders)('%s is refused, with either sign', (hex) => {
      const key = Buffer.from(hex, 'hex');
      expect(hasSmallOrder(key)).toBe(true);
      const negative = Buffer.from(key);
      negative[31] = (negative[31] ?? 0) | 0x80;
      for (const each of [key, negative]) expect(() => parsePublicKey(minisignPublic(each))).toThrow(/small order/u);
    });
  });

  /**
   * Eight times the point is the neutral element. Computed with the affine arithmetic of RFC 8032, section 5.1, without
   * any library.
   */
  function hasSmallOrder(key: Buffer): boolean {
    const p = 2n ** 255n - 19n;
    const modulo = (value: bigint): bigint => ((value % p) + p) % p;
    const power = (base: bigint, exponent: bigint): bigint =>
      exponent === 0n ? 1n : modulo(power(modulo(base * base), exponent / 2n) * (exponent % 2n === 1n ? base : 1n));
    const inverse = (value: bigint): bigint => power(modulo(value), p - 2n);
    const d = modulo(-121_665n * inverse(121_666n));
    let y = modulo(littleEndian(key) & (2n ** 255n - 1n));
    const square = modulo((y * y - 1n) * inverse(d * y * y + 1n));
    const root = power(square, (p + 3n) / 8n);
    let x = modulo(root * root) === square ? root : modulo(root * power(2n, (p - 1n) / 4n));
    if (modulo(x * x) !== square) return false;
    for (let doubled = 0; doubled < 3; doubled += 1) {
      const product = modulo(d * x * x * y * y);
      [x, y] = [modulo(2n * x * y * inverse(1n + product)), modulo((y * y + x * x) * inverse(1n - product))];
    }
    return x === 0n && y === 1n;
  }

  function littleEndian(bytes: Uint8Array): bigint {
    return bytes.reduceRight((value, byte) => value * 256n + BigInt(byte), 0n);
  }
});
