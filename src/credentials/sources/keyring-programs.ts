import process from 'node:process';
import { askProgram, oneLineAnswer, type ProgramQuestion } from './ask-program.ts';
import { runProgram } from './run-program.ts';
import type { SourceFailure, ProgramContext } from './types.ts';

export interface KeyringEntry {
  readonly service: string;
  readonly account: string;
}

/**
 * Commands for a system's keyring. The secret is passed on stdin, because every user of a machine can see arguments.
 */
interface Keyring {
  readonly kind: 'keyring';
  look(entry: KeyringEntry): ProgramQuestion;
  store(entry: KeyringEntry, secret: string): ProgramQuestion;
  clear(entry: KeyringEntry): ProgramQuestion;
}

/**
 * libsecret, secret-tool(1): exit status 1 means "no such entry", but also other failures. The arguments are an entry's
 * attributes, as names and values.
 */
const libsecret: Keyring = {
  kind: 'keyring',
  look: (entry) => ({ ...secretTool('lookup', entry), missing: [1] }),
  store: (entry, secret) => ({
    ...secretTool('store', entry, [`--label=${entry.service}: ${entry.account}`]),
    remedy:
      'check that this desktop has a keyring, and that it is unlocked; without one, keep the secret in a variable',
    input: secret,
  }),
  clear: (entry) => ({ ...secretTool('clear', entry), missing: [1] }),
};

/** A value that begins with a dash is still read as a value, not as an option. */
function secretTool(
  verb: string,
  { service, account }: KeyringEntry,
  options: readonly string[] = [],
): ProgramQuestion {
  return {
    program: 'secret-tool',
    words: [verb, ...options, '--', 'service', service, 'account', account],
    timeout: keyringPatience,
    remedy: `check that the keyring exists, is unlocked, and has the entry: secret-tool search service ${service}`,
  };
}

/**
 * macOS, security(1). Exit status 44 is errSecItemNotFound. The interactive mode reads commands from stdin, and accepts
 * a secret in hexadecimal after `-X`.
 */
const keychain: Keyring = {
  kind: 'keyring',
  look: ({ service, account }) => ({
    ...security(['find-generic-password', '-w', '-s', service, '-a', account]),
    missing: [44],
  }),
  store: ({ service, account }, secret) => ({
    ...security(['-i']),
    input: `add-generic-password -U -s ${quoted(service)} -a ${quoted(account)} -X ${Buffer.from(secret).toString('hex')}\n`,
  }),
  clear: ({ service, account }) => ({
    ...security(['delete-generic-password', '-s', service, '-a', account]),
    missing: [44],
  }),
};

function security(words: readonly string[]): ProgramQuestion {
  return {
    program: '/usr/bin/security',
    words,
    timeout: keyringPatience,
    remedy: 'unlock the keychain, and look for the entry in Keychain Access',
  };
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/gu, (character) => `\\${character}`)}"`;
}

/** Milliseconds for a password manager. It may ask a person for a fingerprint, or its server for an answer. */
export const keyringPatience = 60_000;

const keyrings: Partial<Readonly<Record<NodeJS.Platform, Keyring>>> = { linux: libsecret, darwin: keychain };

/**
 * Returns the keyring of a system. Windows has no keyring here: `cmdkey` stores and lists secrets, but never shows one.
 * The PowerShell module that can show them has to be installed separately. A source of kind `command` can run it.
 */
export function keyringOf(platform: NodeJS.Platform): Keyring | SourceFailure {
  return (
    keyrings[platform] ?? {
      kind: 'unavailable',
      why: `Holdfast cannot read the keyring of ${platform}`,
      remedy: 'use a source with `command` that prints the secret',
    }
  );
}

/** Default: the keyring of this system, and real processes. */
export type KeyringOptions = Pick<ProgramContext, 'environment' | 'writableRoots'> & Partial<ProgramContext>;

/**
 * Stores a secret in the user's keyring, replacing an existing one, and reads it back. If a keyring truncated the
 * secret or changed its encoding, otherwise only a server would notice, much later.
 */
export async function storeInKeyring(
  entry: KeyringEntry,
  secret: string,
  options: KeyringOptions,
): Promise<{ readonly kind: 'stored' } | SourceFailure> {
  const context = contextOf(options);
  const keyring = keyringOf(context.platform);
  if (keyring.kind !== 'keyring') return keyring;
  const stored = await askProgram(keyring.store(entry, secret), context);
  if (stored.kind !== 'output') return stored;
  const back = await askProgram(keyring.look(entry), context);
  if (back.kind !== 'output') return back;
  return oneLineAnswer(back.text).value === secret
    ? { kind: 'stored' }
    : {
        kind: 'unavailable',
        why: 'the keyring returns a different value than was stored',
        remedy: "store the secret with the keyring's own tool",
      };
}

/** Removes an entry from the user's keyring. */
export async function clearFromKeyring(
  entry: KeyringEntry,
  options: KeyringOptions,
): Promise<{ readonly kind: 'cleared' } | SourceFailure> {
  const context = contextOf(options);
  const keyring = keyringOf(context.platform);
  if (keyring.kind !== 'keyring') return keyring;
  const cleared = await askProgram(keyring.clear(entry), context);
  return cleared.kind === 'output' ? { kind: 'cleared' } : cleared;
}

function contextOf(options: KeyringOptions): ProgramContext {
  return { platform: process.platform, runner: runProgram, signal: new AbortController().signal, ...options };
}
