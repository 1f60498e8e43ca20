import { createHash, createHmac, hkdfSync, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { groupOf } from '../../policy/credentials/group-of.ts';
import type { Credential } from '../../policy/credentials/types.ts';
import type { PhantomOwner, PhantomRegistry, ScramVerifier } from '../types.ts';
import { createDraw, type Draw, sessionTag } from './decode-around.ts';
import { createFinder, type PhantomFinder } from './find-phantoms.ts';
import { charactersFor128Bits, alphabetCharacters, formOfExample, formOfShape, type PhantomForm } from './forms.ts';

export interface PhantomRegistryOptions {
  /** 32 random bytes that nothing else is done with. Default: new ones. */
  readonly key?: Buffer;
}

/** What is kept of a phantom. Its text is written again from the key when someone asks for it. */
interface Minted {
  readonly owner: Pick<PhantomOwner, 'credential' | 'role'>;
  readonly form: PhantomForm;
  /** What it was drawn by. */
  readonly label: string;
  readonly hash: Buffer;
  readonly lead: string;
  readonly length: number;
}

/** Role of the phantom of a credential's own secret. */
const ownRole = 'secret';

/**
 * The phantoms of one session, of any number of boxes. Each has at least 128 bits that are in neither its prefix nor
 * the tag of the session, and shares no character with the beginning of the real one but the prefix of its vendor. They
 * are kept as HMAC-SHA-256 under a key of the session, and compared in constant time.
 */
export function createPhantomRegistry({ key = randomBytes(32) }: PhantomRegistryOptions = {}): PhantomRegistry {
  const [drawKey, hashKey] = [subkey(key, 'draw'), subkey(key, 'hash')];
  const tag = sessionTag(drawKey);
  const byHash = new Map<string, Minted[]>();
  const current = new Map<string, Minted>();
  const verifiers = new WeakMap<Minted, ScramVerifier>();
  let minted: readonly Minted[] = [];
  /**
   * Groups that were revoked. What is minted for them afterwards, a token of a later login for one, is good nowhere
   * either.
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

/** Whether a phantom and the real one have the first character in common that is not the vendor's. */
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
 * What PostgreSQL takes by default (`scram_iterations`); RFC 7677 §4 asks for as many. The password has 128 bits
 * already.
 */
const iterations = 4096;

/**
 * SCRAM-SHA-256's StoredKey and ServerKey. ASCII only, which SASLprep leaves as it is. Sources: RFC 5802 §3, RFC 7677.
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
  /** What it begins with, up to the end of the session's tag. None of its 128 bits are in there. */
  readonly lead: string;
}

/**
 * Writes a phantom: what its form says it begins with, one character, the session's tag, and at least 128 bits drawn
 * for it. Where the real one is too short for that, the phantom is longer: one of a UUID is a UUID, a hyphen and ten
 * more digits, one of 32 hexadecimal digits has 40, one of a short password has about 30 characters.
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

/** Version 4 (RFC 9562 §5.4), whose tag leaves it 90 bits, and 40 more after it. */
function writeUuid(prefix: string, tag: string, draw: Draw): WrittenPhantom {
  const hex = (count: number): string => draw(alphabetCharacters('hex'), count);
  const lead = prefix + hex(1) + tag;
  return { lead, text: `${lead}-${hex(4)}-4${hex(3)}-${draw('89ab', 1)}${hex(3)}-${hex(12)}-${hex(10)}` };
}

/** Of the last character of base64url, only some of the bits count, and strict decoders want the others to be 0. */
const lastOf: Readonly<Record<number, string>> = { 2: 'AQgw', 3: 'AEIMQUYcgkosw048' };

/** What follows the tag in a signature: 128 bits, in a length that base64url can have. */
function signatureRest(wanted: number, draw: Draw): string {
  const characters = alphabetCharacters('base64url');
  // Eight characters stand before it: the last group is as long as that of the rest.
  const length = Math.max(wanted, charactersFor128Bits(characters) + 1);
  const whole = length % 4 === 1 ? length + 1 : length;
  return draw(characters, whole - 1) + draw(lastOf[whole % 4] ?? characters, 1);
}

/** A phantom that began with a hyphen would be an option to the program that is given it. */
function alphanumeric(alphabet: Parameters<typeof alphabetCharacters>[0]): string {
  return alphabetCharacters(alphabet).replace(/[-_]+/u, '');
}

const checksumLength = 6;

/**
 * The last six characters of GitHub's and npm's tokens: the CRC-32 of those between the prefix and them, in base62.
 * Source: "Behind GitHub's new authentication token formats" (github.blog, 2021).
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
