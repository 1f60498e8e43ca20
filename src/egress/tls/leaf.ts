import { constants, generateKeyPairSync } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import { HoldfastError } from '../../errors/index.ts';
import { type Host, normaliseHost } from '../../policy/normalise/host.ts';
import {
  certificate,
  type CertificateAuthority,
  extension,
  keyIdentifier,
  derName,
  publicKeyInfo,
  randomSerial,
} from './authority.ts';
import { type Der, der } from './der.ts';
import { toPem } from './host-trust.ts';

/** Creates certificates for hosts. All share one key pair of the session. */
export interface LeafMint {
  /**
   * Returns a fresh certificate in DER. `host` must be in the one spelling of `normaliseHost`: a name, never a
   * wildcard, or an address.
   */
  certificateFor(host: string): Uint8Array;
  /** PKCS #8, in PEM. */
  readonly privateKeyPem: string;
}

export interface LeafOptions {
  /** Most secure contexts to keep. Default: 256. Each takes about 30 KiB. */
  readonly most?: number;
  /** Milliseconds since the epoch. Default: the system's clock. */
  readonly now?: () => number;
}

const day = 86_400_000;
/** The clocks of guests may run behind. */
const before = day;
/** 30 days in all. */
const after = 29 * day;
/** Contexts are replaced long before their certificate expires. */
const contextLifetime = 14 * day;

/**
 * Secure contexts for hosts whose TLS is terminated: TLS 1.2 or later, no renegotiation, and their own session tickets.
 */
export function leafContexts(
  authority: CertificateAuthority,
  options: LeafOptions = {},
): (host: string) => SecureContext {
  const { most = 256, now = Date.now } = options;
  const mint = leafMint(authority, now);
  const contexts = boundedCache<SecureContext>({ most, lifetime: contextLifetime, now });
  return (host) => {
    const known = contexts.get(host);
    if (known !== undefined) return known;
    const made = createSecureContext({
      key: mint.privateKeyPem,
      cert: toPem(mint.certificateFor(host)),
      minVersion: 'TLSv1.2',
      secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    });
    contexts.set(host, made);
    return made;
  };
}

/** One key pair serves all hosts. It proves no more than the authority does, which is in the same memory. */
export function leafMint(authority: CertificateAuthority, now: () => number = Date.now): LeafMint {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicKey = publicKeyInfo(keys.publicKey);
  const fixed = fixedExtensions(authority.keyIdentifier, keyIdentifier(publicKey));
  const certificateFor = (host: string): Uint8Array => {
    const subject = derName(host);
    const alternative = alternativeName(host, host.length > 64 ? 'critical' : 'optional');
    const validity = { notBefore: new Date(now() - before), notAfter: new Date(now() + after) };
    return certificate(
      {
        serial: randomSerial(),
        issuer: authority.name,
        subject,
        ...validity,
        publicKey,
        extensions: [...fixed, alternative],
      },
      (data) => authority.sign(data),
    );
  };
  return { certificateFor, privateKeyPem: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

/**
 * The fixed extensions: not an authority, for signatures and TLS servers only, with its own key identifier and the
 * issuer's.
 */
function fixedExtensions(issuer: Uint8Array, own: Uint8Array): readonly Der[] {
  return [
    extension('2.5.29.19', 'critical', der.sequence()),
    extension('2.5.29.15', 'critical', der.bits(Uint8Array.of(0b1000_0000), 7)),
    extension('2.5.29.37', 'optional', der.sequence(der.oid('1.3.6.1.5.5.7.3.1'))),
    extension('2.5.29.14', 'optional', der.octets(own)),
    extension('2.5.29.35', 'optional', der.sequence(der.implicit(0, issuer))),
  ];
}

/** dNSName is [2], iPAddress [7] (RFC 5280 §4.2.1.6). Critical if the subject is empty. */
function alternativeName(text: string, importance: 'critical' | 'optional'): Der {
  const host = normaliseHost(text);
  if (host === undefined || host.text !== text) throw notAHost(text);
  const name =
    host.address === undefined
      ? der.implicit(2, Buffer.from(text, 'latin1'))
      : der.implicit(7, addressBytes(host.address));
  return extension('2.5.29.17', importance, der.sequence(name));
}

function notAHost(text: string): HoldfastError {
  return new HoldfastError(
    'HF_INTERNAL',
    `No certificate can be made for ${JSON.stringify(text.slice(0, 80))}: it is not a normalised host.`,
    { remedy: 'This is a defect of Holdfast; report it.' },
  );
}

type Address = NonNullable<Host['address']>;

/** The address in network order: 4 bytes or 16. */
export function addressBytes(address: Address): Uint8Array {
  const bytes = Buffer.alloc(address.kind === 'v4' ? 4 : 16);
  switch (address.kind) {
    case 'v4':
      bytes.writeUInt32BE(address.bits);
      break;
    case 'v6':
      address.groups.forEach((group, index) => bytes.writeUInt16BE(group, index * 2));
      break;
  }
  return bytes;
}

/** A map that forgets the least recently used entry. */
export interface BoundedCache<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  readonly size: number;
}

/** Keeps at most `most` values, each for at most `lifetime` milliseconds of `now` since it was set. */
export function boundedCache<Value>(options: {
  readonly most: number;
  readonly lifetime: number;
  readonly now: () => number;
}): BoundedCache<Value> {
  const entries = new Map<string, { readonly value: Value; readonly until: number }>();
  const get = (key: string): Value | undefined => {
    const entry = entries.get(key);
    if (entry === undefined) return undefined;
    entries.delete(key);
    if (entry.until <= options.now()) return undefined;
    entries.set(key, entry);
    return entry.value;
  };
  const set = (key: string, value: Value): void => {
    entries.delete(key);
    entries.set(key, { value, until: options.now() + options.lifetime });
    const [oldest] = entries.keys();
    if (entries.size > options.most && oldest !== undefined) entries.delete(oldest);
  };
  return {
    get,
    set,
    get size() {
      return entries.size;
    },
  };
}
