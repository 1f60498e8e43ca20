import { createHash, createHmac, hkdfSync, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type Credential, groupOf } from '../../policy/credentials/types.ts';
import type { PhantomOwner, PhantomRegistry, ScramVerifier } from '../types.ts';
import { createDraw, type Draw, sessionTag } from './decode-around.ts';
import { createFinder, type PhantomFinder } from './find-phantoms.ts';
import { charactersFor128Bits, alphabetCharacters, formOfExample, formOfShape, type PhantomForm } from './forms.ts';

export interface PhantomRegistryOptions {
  /** 32 random bytes that are used for nothing else. Default: fresh ones. */
  readonly key?: Buffer;
}

/** The stored part of a phantom. Its text is derived again from the key on demand. */
interface Minted {
  readonly owner: Pick<PhantomOwner, 'credential' | 'role'>;
  readonly form: PhantomForm;
  /** Label from which the phantom is drawn. */
  readonly label: string;
  readonly hash: Buffer;
  readonly lead: string;
  readonly length: number;
}

/** Role of the phantom of a credential's own secret. */
const ownRole = 'secret';

/**
 * The phantoms of one session, for any number of boxes. Each has at least 128 bits outside its prefix and the tag of
 * the session. Apart from the vendor's prefix, its first character differs from that of the real secret. The registry
 * stores HMAC-SHA-256 values under a key of the session, and compares them in constant time.
 */
export function createPhantomRegistry({ key = randomBytes(32) }: PhantomRegistryOptions = {}): PhantomRegistry {
  const [drawKey, hashKey] = [subkey(key, 'draw'), subkey(key, 'hash')];
  const tag = sessionTag(drawKey);
  const byHash = new Map<string, Minted[]>();
  const current = new Map<string, Minted>();
  const verifiers = new WeakMap<Minted, ScramVerifier>();
  let minted: readonly Minted[] = [];
  /**
   * Revoked groups. A phantom that is created for such a group later, such as one for the token of a later login, is
   * revoked too.
   */
  const revoked = new Set<string>();
  let everything: 'good' | 'revoked' = 'good';
  let finder: PhantomFinder<PhantomOwner> | undefined;

  const stateOfGroup = (group: string): PhantomOwner['state'] => (revoked.has(group) ? 'revoked' : everything);
  const stateOf = ({ owner }: Minted): PhantomOwner['state'] => stateOfGroup(owner.credential);
  const hashOf = (text: string | Buffer): Buffer => createHmac('sha256', hashKey).update(text).digest();
  const write = (form: PhantomForm, label: string): WrittenPhantom =>
    writePhantom(form, tag, createDraw(drawKey, label));
  const ownerOf = (text: string | Buffer): PhantomOwner | undefined => {
    const hash = hashOf(text);
    const found = byHash.get(bucketOf(hash))?.find((each) => timingSafeEqual(each.hash, hash));
    return found === undefined ? undefined : { ...found.owner, state: stateOf(found) };
  };
  const finderNow = (): PhantomFinder<PhantomOwner> => (finder ??= createFinder({ tag, layouts: minted, ownerOf }));

  const mintNew = (owner: Minted['owner'], form: PhantomForm, like: string | undefined): Minted => {
    for (let attempt = 0; ; attempt += 1) {
      const label = JSON.stringify([owner.credential, owner.role, minted.length, attempt]);
      const { text, lead } = write(form, label);
      if (like !== undefined && beginsAlike(text, like, lead.length - tag.length)) continue;
      return { owner, form, label, hash: hashOf(text), lead, length: text.length };
    }
  };
  const mint = (owner: Minted['owner'], form: () => PhantomForm, like: string | undefined): string => {
    const name = JSON.stringify([owner.credential, owner.role]);
    const known = current.get(name);
    if (known !== undefined) return write(known.form, known.label).text;
    const made = mintNew(owner, form(), like);
    const bucket = bucketOf(made.hash);
    byHash.set(bucket, [...(byHash.get(bucket) ?? []), made]);
    current.set(name, made);
    minted = [...minted, made];
    finder = undefined;
    return write(made.form, made.label).text;
  };

  return {
    mint: (credential, like) =>
      mint({ credential: groupOf(credential), role: ownRole }, () => formOf(credential, like), like),
    mintFor: (credential, role, like) =>
      mint({ credential: groupOf(credential), role }, () => formOfExample(like), like),
    lookUp: ownerOf,
    findIn: (bytes) =>
      finderNow()
        .find(asBuffer(bytes))
        .map(({ owner, ...place }) => ({ ...owner, ...place })),
    undecidedIn: (bytes) => finderNow().undecided(asBuffer(bytes)),
    get longest() {
      return finderNow().longest;
    },
    scram(credential) {
      const made = current.get(JSON.stringify([groupOf(credential), ownRole]));
      if (credential.injection.kind !== 'postgres' || made === undefined || stateOf(made) === 'revoked')
        return undefined;
      const verifier = verifiers.get(made) ?? scramVerifier(write(made.form, made.label).text, randomBytes(16));
      verifiers.set(made, verifier);
      return verifier;
    },
    revoke: (credential) => void (credential === undefined ? (everything = 'revoked') : revoked.add(credential)),
    stateOf: (credential) => stateOfGroup(groupOf(credential)),
  };
}

function formOf({ shape, usualShape }: Credential, like: string | undefined): PhantomForm {
  const spelled = shape ?? (like === undefined ? usualShape : undefined);
  return spelled === undefined ? formOfExample(like ?? '') : formOfShape(spelled);
}

/** Returns true if a phantom and the real value share the first character after the vendor's prefix. */
function beginsAlike(text: string, like: string, prefixed: number): boolean {
  return text.slice(0, prefixed) === like.slice(0, prefixed);
}

function subkey(key: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `holdfast phantoms ${purpose}`, 32));
}

function bucketOf(hash: Buffer): string {
  return hash.toString('latin1', 0, 8);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * PostgreSQL's default (`scram_iterations`), and the minimum of RFC 7677 §4. The password already has 128 bits, so more
 * rounds would add nothing.
 */
const iterations = 4096;

/**
 * StoredKey and ServerKey of SCRAM-SHA-256. The input is ASCII, which SASLprep leaves unchanged. Sources: RFC 5802 §3,
 * RFC 7677.
 */
function scramVerifier(password: string, salt: Buffer): ScramVerifier {
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const keyed = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  return {
    salt,
    iterations,
    storedKey: createHash('sha256').update(keyed('Client Key')).digest(),
    serverKey: keyed('Server Key'),
  };
}

interface WrittenPhantom {
  readonly text: string;
  /** Beginning of the phantom, up to the end of the session's tag. It contains none of the 128 random bits. */
  readonly lead: string;
}

/**
 * Writes a phantom: the beginning of its form, one character, the session's tag, and at least 128 drawn bits. If the
 * real value is too short for that, the phantom is longer. A UUID becomes a UUID, a hyphen and ten more digits. 32
 * hexadecimal digits become 40, and a short password becomes about 30 characters.
 */
function writePhantom(form: PhantomForm, tag: string, draw: Draw): WrittenPhantom {
  switch (form.kind) {
    case 'uuid':
      return writeUuid(form.prefix, tag, draw);
    case 'jwt': {
      const lead = form.head + draw(alphanumeric('base64url'), 1) + tag;
      return { lead, text: lead + signatureRest(form.length - 1 - tag.length, draw) };
    }
    case 'text':
      return writeText(form, tag, draw);
  }
}

function writeText(
  { prefix, alphabet, length, checksum, separator }: Extract<PhantomForm, { readonly kind: 'text' }>,
  tag: string,
  draw: Draw,
): WrittenPhantom {
  const characters = alphabetCharacters(alphabet);
  const checked = checksum === 'none' ? 0 : checksumLength;
  const separated = separator === undefined ? 0 : 1;
  const lead = draw(alphanumeric(alphabet), 1) + tag;
  const count = Math.max(length - lead.length - checked - separated, charactersFor128Bits(characters));
  const random = lead + draw(characters, count);
  const body =
    separator === undefined
      ? random
      : `${random.slice(0, separator.at)}${separator.character}${random.slice(separator.at)}`;
  return { lead: prefix + lead, text: prefix + body + (checked === 0 ? '' : githubChecksum(body)) };
}

/** Writes a version 4 UUID (RFC 9562 §5.4). The tag leaves 90 random bits in it, and 40 more follow the UUID. */
function writeUuid(prefix: string, tag: string, draw: Draw): WrittenPhantom {
  const hex = (count: number): string => draw(alphabetCharacters('hex'), count);
  const lead = prefix + hex(1) + tag;
  return { lead, text: `${lead}-${hex(4)}-4${hex(3)}-${draw('89ab', 1)}${hex(3)}-${hex(12)}-${hex(10)}` };
}

/** In the last base64url character only some bits count, and strict decoders require the others to be 0. */
const lastOf: Readonly<Record<number, string>> = { 2: 'AQgw', 3: 'AEIMQUYcgkosw048' };

/** Draws the signature after the tag: at least 128 bits, in a length that base64url can have. */
function signatureRest(wanted: number, draw: Draw): string {
  const characters = alphabetCharacters('base64url');
  // Eight characters precede the drawn ones, so the last group is as long as the last group of the rest alone.
  const length = Math.max(wanted, charactersFor128Bits(characters) + 1);
  const whole = length % 4 === 1 ? length + 1 : length;
  return draw(characters, whole - 1) + draw(lastOf[whole % 4] ?? characters, 1);
}

/** A phantom must not begin with a hyphen, because programs would take it for an option. */
function alphanumeric(alphabet: Parameters<typeof alphabetCharacters>[0]): string {
  return alphabetCharacters(alphabet).replace(/[-_]+/u, '');
}

const checksumLength = 6;

/**
 * Returns the last six characters of GitHub's and npm's tokens: the CRC-32 of the characters between the prefix and
 * them, in base62. Source: "Behind GitHub's new authentication token formats" (github.blog, 2021).
 */
export function githubChecksum(text: string): string {
  const digits = alphabetCharacters('base62');
  let rest = crc32(text);
  const written = Array.from({ length: checksumLength }, () => {
    const digit = digits[rest % digits.length] ?? '';
    rest = Math.floor(rest / digits.length);
    return digit;
  });
  return written.toReversed().join('');
}
