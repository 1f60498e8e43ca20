import { sign } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mostBundleBytes } from './bundle-fields.ts';
import { openBundle, sealBundle } from './envelope.ts';
import { bundleOf, newSigner, sealed } from './testing/bundles.ts';

const signer = newSigner();
const other = newSigner();
const whole = sealed(signer, 5);
const refused = expect.objectContaining({ code: 'HF_BUNDLE_REFUSED' });
const parts = (): Record<string, unknown> & { signatures: { sig: string; keyid: string }[] } =>
  JSON.parse(whole.toString()) as never;
const open = (value: unknown, keys = [signer.key]) => openBundle(Buffer.from(JSON.stringify(value)), keys);

test('a bundle opens under the key that signed it', () => {
  expect(openBundle(whole, [signer.key])).toEqual(bundleOf(5));
  const both = sealBundle(bundleOf(6), [signer.secret, other.secret]);
  for (const keys of [[signer.key], [other.key], [signer.key, other.key]])
    expect(openBundle(both, keys)).toEqual(bundleOf(6));
});

describe('a refusal names its reason:', () => {
  test('another key', () => {
    expect(() => openBundle(whole, [other.key])).toThrow(/the key [0-9a-f]{16} has not signed it/u);
    expect(() => openBundle(whole, [signer.key, other.key])).toThrow(/has not signed it/u);
  });

  test('a changed content', () => {
    const payload = Buffer.from(JSON.stringify(bundleOf(6))).toString('base64');
    expect(() => open({ ...parts(), payload })).toThrow(/it was changed after it was signed/u);
  });

  test('a bundle that is cut off', () => {
    for (let length = 0; length < whole.length - 1; length += 7)
      expect(() => openBundle(whole.subarray(0, length), [signer.key])).toThrow(/it is not a bundle, or is cut off/u);
  });

  test('a length', () => {
    expect(() => openBundle(Buffer.alloc(mostBundleBytes + 1, ' '), [signer.key])).toThrow(/more than 4 MiB/u);
  });
});

test.each([
  ['another type', { payloadType: 'application/vnd.holdfast.policy.v2+json' }],
  ['no signature', { signatures: [] }],
  ['nine signatures', { signatures: Array.from({ length: 9 }, () => parts().signatures[0]) }],
  ['an empty signature', { signatures: [{ sig: '' }] }],
  ['a signature of zeros', { signatures: [{ sig: Buffer.alloc(64).toString('base64') }] }],
  ['another spelling of the content', { payload: `${String(parts()['payload'])}\n` }],
  ['a further key', { more: 1 }],
])('%s is refused', (_, change) => {
  expect(() => open({ ...parts(), ...change })).toThrow(refused);
});

test('a signature over the content alone, or for another type, does not count', () => {
  const payload = Buffer.from(JSON.stringify(bundleOf(5)));
  const foreign = Buffer.from(`DSSEv1 4 text ${payload.length} ${payload.toString()}`);
  for (const bytes of [payload, foreign]) {
    const sig = sign(null, bytes, signer.secret).toString('base64');
    expect(() => open({ ...parts(), signatures: [{ sig }] })).toThrow(refused);
  }
});

test.each([
  ['serial', 0],
  ['serial', 1.5],
  ['serial', 2 ** 53],
  ['serial', '5'],
  ['name', ''],
  ['name', '../team'],
  ['name', 'Team'],
  ['issued', '2026-03-01'],
  ['issued', '2026-02-30T12:00:00Z'],
  ['expires', '2026-03-01T12:00:00Z'],
  ['expires', '2026-06-01T12:00:00.000Z'],
  ['expires', 'never'],
  ['policy', '\ud800'],
])('no bundle is signed with the %s %j', (field, value) => {
  expect(() => sealed(signer, 5, { [field]: value } as never)).toThrow(/./u);
});

test('signed content of another form is refused', () => {
  for (const content of [{}, [], 'x', { ...bundleOf(5), more: 1 }, { ...bundleOf(5), serial: -1 }]) {
    const payload = Buffer.from(JSON.stringify(content));
    const type = String(parts()['payloadType']);
    const bytes = Buffer.concat([Buffer.from(`DSSEv1 ${type.length} ${type} ${payload.length} `), payload]);
    const signatures = [{ sig: sign(null, bytes, signer.secret).toString('base64') }];
    expect(() => open({ payloadType: type, payload: payload.toString('base64'), signatures })).toThrow(
      /its signed content is not that of a policy bundle/u,
    );
  }
});

describe('hostile bytes', () => {
  const isRefused = (bytes: Uint8Array): void => {
    expect(() => openBundle(bytes, [signer.key])).toThrow(refused);
  };

  test('of any kind are refused, and never crash', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 300 }),
          fc.json().map((text) => Buffer.from(text)),
        ),
        isRefused,
      ),
    );
    isRefused(Buffer.from('['.repeat(mostBundleBytes)));
    isRefused(Buffer.from('{"a":'.repeat(100_000)));
    isRefused(Buffer.concat([Buffer.from([0xff, 0xfe]), whole]));
  });

  test('one changed byte never opens another content', () => {
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
        const bytes = Buffer.from(whole);
        bytes[at] = (bytes[at] ?? 0) ^ by;
        try {
          // A space for a line break, or another key ID, changes nothing that is signed.
          expect(openBundle(bytes, [signer.key])).toEqual(bundleOf(5));
        } catch (error) {
          expect(error).toEqual(refused);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('values of other types in each place are refused', () => {
    fc.assert(
      fc.property(fc.constantFrom('payloadType', 'payload', 'signatures'), fc.jsonValue(), (key, value) =>
        isRefused(Buffer.from(JSON.stringify({ ...parts(), [key]: value }))),
      ),
    );
  });
});
