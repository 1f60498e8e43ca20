import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Credential, groupOf } from '../../policy/index.ts';
import type { PhantomOwner, PhantomRegistry, ScramVerifier } from '../types.ts';
import { createDraw } from './draw.ts';
import { createFinder, type Finder } from './find-phantoms.ts';
import { formOfExample, formOfShape, type PhantomForm } from './forms.ts';
import { scramVerifier } from './scram-verifier.ts';
import { sessionTag } from './session-tag.ts';
import { writePhantom, type WrittenPhantom } from './write-phantom.ts';

export interface PhantomRegistryOptions {
  /** 32 random bytes that nothing else is done with. Default: new ones. */
  readonly key?: Buffer;
}

/** What is kept of a phantom. Its text is written again from the key when somebody asks for it. */
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
 * The phantoms of one session, of any number of boxes. Each has at least 128 bits that are in neither its prefix nor the
 * tag of the session, and shares no character with the beginning of the real one but the prefix of its vendor. They are
 * kept as HMAC-SHA-256 under a key of the session, and compared in constant time.
 */
export function createPhantomRegistry({ key = randomBytes(32) }: PhantomRegistryOptions = {}): PhantomRegistry {
  const [drawKey, hashKey] = [subkey(key, 'draw'), subkey(key, 'hash')];
  const tag = sessionTag(drawKey);
  const byHash = new Map<string, Minted[]>();
  const current = new Map<string, Minted>();
  const verifiers = new WeakMap<Minted, ScramVerifier>();
  let minted: readonly Minted[] = [];
  /** Groups that were revoked. What is minted for them afterwards, a token of a later login for one, is good nowhere either. */
  const revoked = new Set<string>();
  let everything: 'good' | 'revoked' = 'good';
  let finder: Finder<PhantomOwner> | undefined;

  const stateOfGroup = (group: string): PhantomOwner['state'] => (revoked.has(group) ? 'revoked' : everything);
  const stateOf = ({ owner }: Minted): PhantomOwner['state'] => stateOfGroup(owner.credential);
  const hashOf = (text: string | Buffer): Buffer => createHmac('sha256', hashKey).update(text).digest();
  const write = (form: PhantomForm, label: string): WrittenPhantom => writePhantom(form, tag, createDraw(drawKey, label));
  const ownerOf = (text: string | Buffer): PhantomOwner | undefined => {
    const hash = hashOf(text);
    const found = byHash.get(bucketOf(hash))?.find((each) => timingSafeEqual(each.hash, hash));
    return found === undefined ? undefined : { ...found.owner, state: stateOf(found) };
  };
  const finderNow = (): Finder<PhantomOwner> => (finder ??= createFinder({ tag, layouts: minted, ownerOf }));

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
    mint: (credential, like) => mint({ credential: groupOf(credential), role: ownRole }, () => formOf(credential, like), like),
    mintFor: (credential, role, like) => mint({ credential: groupOf(credential), role }, () => formOfExample(like), like),
    lookUp: ownerOf,
    findIn: (bytes) => finderNow().find(asBuffer(bytes)).map(({ owner, ...place }) => ({ ...owner, ...place })),
    undecidedIn: (bytes) => finderNow().undecided(asBuffer(bytes)),
    get longest() {
      return finderNow().longest;
    },
    scram(credential) {
      const made = current.get(JSON.stringify([groupOf(credential), ownRole]));
      if (credential.injection.kind !== 'postgres' || made === undefined || stateOf(made) === 'revoked') return undefined;
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
