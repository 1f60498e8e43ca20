import { createPublicKey, hash, type KeyObject, sign } from 'node:crypto';
import * as v from 'valibot';
import { isSignedBy, strictBase64 } from '../trust/signatures/verify-bundle.ts';
import { bundleName, bundleSerial, bundleTime, mostBundleBytes } from './bundle-fields.ts';
import { type PolicyBundle, refusedBundle } from './types.ts';

/** Includes the version, so that a signature for another version covers different bytes. */
const payloadType = 'application/vnd.holdfast.policy.v1+json';
const mostSignatures = 8;

/** https://github.com/secure-systems-lab/dsse/blob/v1.0.2/envelope.md */
const envelopeSchema = v.strictObject({
  payloadType: v.literal(payloadType),
  payload: v.string(),
  signatures: v.pipe(
    v.array(v.strictObject({ keyid: v.optional(v.string()), sig: v.string() })),
    v.minLength(1),
    v.maxLength(mostSignatures),
  ),
});

type Envelope = v.InferOutput<typeof envelopeSchema>;

const contentSchema = v.pipe(
  v.strictObject({
    name: bundleName,
    serial: bundleSerial,
    issued: bundleTime,
    expires: bundleTime,
    policy: v.pipe(
      v.string(),
      v.check((text) => text.isWellFormed()),
    ),
  }),
  v.check(({ issued, expires }) => issued < expires),
);

/** Signs a bundle with all the keys. */
export function sealBundle(bundle: PolicyBundle, keys: readonly KeyObject[]): Buffer {
  const content = v.parse(contentSchema, bundle);
  const payload = Buffer.from(JSON.stringify(content));
  const signatures = keys.map((key) => ({
    keyid: keyIdOf(rawKeyOf(key)),
    sig: sign(null, signedBytes(payload), key).toString('base64'),
  }));
  return Buffer.from(
    `${JSON.stringify({ payloadType, payload: payload.toString('base64'), signatures } satisfies Envelope, undefined, 1)}\n`,
  );
}

/**
 * Returns the content of a bundle that each of these keys has signed. Throws `HF_BUNDLE_REFUSED` for any other bytes.
 * The content is parsed only after all signatures were verified.
 */
export function openBundle(bytes: Uint8Array, keys: readonly string[]): PolicyBundle {
  if (bytes.length > mostBundleBytes)
    throw noBundle(`it has more than ${mostBundleBytes >> 20} MiB, and no bundle is that long`);
  const envelope = parsed(envelopeSchema, bytes, 'it is not a bundle, or is cut off');
  const payload = strictBase64(envelope.payload);
  if (payload === undefined) throw noBundle('it is not a bundle, or is cut off');
  for (const key of keys) checkSignature(envelope, payload, key);
  return parsed(contentSchema, payload, 'its signed content is not that of a policy bundle');
}

function checkSignature({ signatures }: Envelope, payload: Buffer, key: string): void {
  const content = signedBytes(payload);
  const holds = signatures.some(({ sig }) => {
    const signature = strictBase64(sig);
    return signature?.length === 64 && isSignedBy({ key }, { content, signature });
  });
  if (holds) return;
  const wanted = keyIdOf(key);
  // The key IDs are not signed, so they only select the message of the refusal.
  if (signatures.some(({ keyid }) => keyid === wanted))
    throw noBundle(`its signature by the key ${shownKey(key)} is wrong: it was changed after it was signed`);
  throw noBundle(`the key ${shownKey(key)} has not signed it`);
}

function noBundle(why: string, cause?: unknown): Error {
  return refusedBundle(
    `the bundle is refused: ${why}`,
    'get it again from the administrator who signed it; the policy in force is unchanged',
    cause,
  );
}

function parsed<Schema extends v.GenericSchema>(
  schema: Schema,
  bytes: Uint8Array,
  fault: string,
): v.InferOutput<Schema> {
  try {
    return v.parse(schema, JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
  } catch (cause) {
    throw noBundle(fault, cause);
  }
}

/**
 * The pre-authentication encoding of DSSE. With it, a signature for another type of content is never valid for this
 * one.
 */
function signedBytes(payload: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `), payload]);
}

/** The 32 bytes of the public key, in base64. */
export function rawKeyOf(key: KeyObject): string {
  const half = key.type === 'private' ? createPublicKey(key) : key;
  return half.export({ format: 'der', type: 'spki' }).toString('base64', 12);
}

function keyIdOf(key: string): string {
  return hash('sha256', Buffer.from(key, 'base64'));
}

/** Shows a key in the form for messages. */
export function shownKey(key: string): string {
  return keyIdOf(key).slice(0, 16);
}
