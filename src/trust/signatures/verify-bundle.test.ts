import { beforeAll, describe, expect, test } from 'vitest';
import { sigstoreWorld, type SigstoreWorld } from './testing/sigstore-world.ts';
import { checkTrustedRoot, isBundledBy, type SigstoreSigner } from './verify-bundle.ts';

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

  test('by the identity that is trusted counts', () => {
    expect(isBundledBy(signer, content, bundle)).toBe(true);
  });

  test('counts for its bytes alone', () => {
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
  ])('does not count for another: %j', (change) => {
    expect(isBundledBy({ ...signer, ...change }, content, bundle)).toBe(false);
  });

  test('of another Sigstore does not count', async () => {
    const foreign = await other.sign(content, { ...by, identity: 'dev@example.com' });
    expect(isBundledBy({ ...signer, trustedRoot: other.trustedRoot }, content, foreign)).toBe(true);
    expect(isBundledBy(signer, content, foreign)).toBe(false);
    expect(isBundledBy({ ...signer, trustedRoot: other.trustedRoot }, content, bundle)).toBe(false);
  });

  test('made when its certificate was not valid does not count', () => {
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

  test('that no log has does not count', () => {
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
    'whose %s was changed does not count',
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

  test.each(['', '{}', 'null', '[]', '{"mediaType":"x"}'])('that is none does not count: %j', (text) => {
    expect(isBundledBy(signer, content, Buffer.from(text))).toBe(false);
  });

  test('needs a trust root that vouches for somebody', () => {
    expect(() => checkTrustedRoot(world.trustedRoot)).not.toThrow();
    for (const text of ['', '{}', 'null', '{"certificateAuthorities": []}', '{"certificateAuthorities": 1}'])
      expect(() => checkTrustedRoot(text), text).toThrow(expect.objectContaining({ code: 'HF_USAGE' }));
  });
});
