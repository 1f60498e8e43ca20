import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { isHoldfastError } from '../../errors/index.ts';
import { changeLocked } from '../store/change-trust.ts';
import type { TrustPaths } from '../store/layout.ts';
import { hasOwnDirectory, invalidFile, newerStore, readOwnFile, writeOwnFile } from '../store/write-own-file.ts';
import { checkTrustedRoot, strictBase64, type TrustedSigner } from './verify-bundle.ts';

/** Returns the signers of a workspace. Throws `HF_TRUST_INVALID` for a file that cannot be trusted. */
export function readSigners(paths: TrustPaths, workspace: string): readonly TrustedSigner[] {
  return readAll(paths).filter((signer) => signer.workspace === workspace);
}

/** Adds a signer, or replaces one of the same name. Calls `journal` first. */
export function addSigner(paths: TrustPaths, signer: TrustedSigner, journal: () => void): void {
  changeLocked(paths, () => {
    const others = readAll(paths).filter(
      ({ name, workspace }) => name !== signer.name || workspace !== signer.workspace,
    );
    journal();
    writeAll(paths, [...others, signer]);
  });
}

/** Removes a signer, and returns whether it existed. Its approvals stay. Calls `journal` first. */
export function removeSigner(
  paths: TrustPaths,
  { name, workspace }: Pick<TrustedSigner, 'name' | 'workspace'>,
  journal: () => void,
): 'removed' | 'unknown' {
  if (!hasOwnDirectory(paths.trust)) return 'unknown';
  return changeLocked(paths, () => {
    const all = readAll(paths);
    const rest = all.filter((signer) => signer.name !== name || signer.workspace !== workspace);
    if (rest.length === all.length) return 'unknown';
    journal();
    writeAll(paths, rest);
    return 'removed';
  });
}

/** Bytes. A trust root has about ten thousand. */
const longest = 4 << 20;

function readAll(paths: TrustPaths): readonly TrustedSigner[] {
  const path = signersFile(paths);
  const bytes = hasOwnDirectory(paths.trust) ? readOwnFile(path, longest) : undefined;
  if (bytes === undefined) return [];
  const value = valueOf(path, bytes);
  if (isObject(value) && typeof value['version'] === 'number' && value['version'] > 1) throw newerStore(path);
  const signers = isObject(value) && Array.isArray(value['signers']) ? value['signers'].map(signerOf) : [undefined];
  const known = signers.filter((signer) => signer !== undefined);
  if (known.length < signers.length || textOf(known) !== bytes.toString())
    throw invalidFile(path, 'is not in the form that Holdfast writes');
  return known;
}

function valueOf(path: string, bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch (cause) {
    throw invalidFile(path, 'is broken or cut off', cause);
  }
}

function writeAll(paths: TrustPaths, signers: readonly TrustedSigner[]): void {
  writeOwnFile({ path: signersFile(paths), bytes: Buffer.from(textOf(signers)), mode: 0o600 });
}

/** The only valid form of the file, as with records. */
function textOf(signers: readonly TrustedSigner[]): string {
  return `${JSON.stringify({ version: 1, signers }, undefined, 1)}\n`;
}

/** Returns a signer with exactly its keys, in one order. */
function signerOf(value: unknown): TrustedSigner | undefined {
  if (!isObject(value)) return undefined;
  const { name, workspace, kind, key, id, identity, issuer, trustedRoot } = value;
  if (!isText(name) || !isText(workspace)) return undefined;
  if (
    kind === 'ed25519' &&
    isText(key) &&
    strictBase64(key)?.length === 32 &&
    (id === undefined || (isText(id) && /^[0-9a-f]{16}$/u.test(id)))
  )
    return { name, workspace, kind, key, ...(id === undefined ? {} : { id }) };
  if (kind === 'sigstore' && isText(identity) && isText(issuer) && isText(trustedRoot) && isTrustedRoot(trustedRoot))
    return { name, workspace, kind, identity, issuer, trustedRoot };
  return undefined;
}

function isTrustedRoot(text: string): boolean {
  try {
    checkTrustedRoot(text);
    return true;
  } catch (error) {
    if (isHoldfastError(error)) return false;
    throw error;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns whether any workspace has signers. Loads nothing. The file may still be refused later. */
export function hasSigners(paths: Pick<TrustPaths, 'trust'>): boolean {
  return lstatSync(signersFile(paths), { throwIfNoEntry: false }) !== undefined;
}

export function signersFile({ trust }: Pick<TrustPaths, 'trust'>): string {
  return join(trust, 'keys.json');
}
