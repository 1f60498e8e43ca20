import process from 'node:process';
import { askProgram, oneLineAnswer, type ProgramQuestion } from './ask-program.ts';
import { runProgram } from './run-program.ts';
import type { SourceFailure, ProgramContext } from './types.ts';

export interface KeyringEntry {
  readonly service: string;
  readonly account: string;
}

/** How the keyring of a system is spoken to. The secret goes in by stdin: every user of a machine sees arguments. */
interface Keyring {
  readonly kind: 'keyring';
  look(entry: KeyringEntry): ProgramQuestion;
  store(entry: KeyringEntry, secret: string): ProgramQuestion;
  clear(entry: KeyringEntry): ProgramQuestion;
}

/**
 * libsecret, secret-tool(1): 1 stands for "no such entry" and for failures as well. Names and values are an entry's
 * attributes.
 */
const libsecret: Keyring = {
  kind: 'keyring',
  look: (entry) => ({ ...secretTool('lookup', entry), missing: [1] }),
  store: (entry, secret) => ({
    ...secretTool('store', entry, [`--label=${entry.service}: ${entry.account}`]),
    input: secret,
  }),
  clear: (entry) => ({ ...secretTool('clear', entry), missing: [1] }),
};

/** A value may begin with a dash, and is no option. */
function secretTool(
  verb: string,
  { service, account }: KeyringEntry,
  options: readonly string[] = [],
): ProgramQuestion {
  return {
    program: 'secret-tool',
    words: [verb, ...options, '--', 'service', service, 'account', account],
    timeout: keyringPatience,
    remedy: `see whether the keyring is there, unlocked, and has the entry: secret-tool search service ${service}`,
  };
}

/**
 * macOS, security(1). 44 is errSecItemNotFound. Its interactive mode reads commands from stdin, and `-X` a secret in
 * hexadecimal.
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

/** Milliseconds that a password manager has: it may ask a person for a fingerprint, or its server for an answer. */
export const keyringPatience = 60_000;

const keyrings: Partial<Readonly<Record<NodeJS.Platform, Keyring>>> = { linux: libsecret, darwin: keychain };

/**
 * The keyring of a system. Windows has none here: `cmdkey` stores and lists but never shows a secret, and what does is
 * a PowerShell module that has to be installed and that a source of kind `command` can run.
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
 * Puts a secret into the user's keyring, over one that is there, and reads it back: a keyring that cuts it short or
 * changes its encoding would be noticed much later, by a server.
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
        why: 'the keyring gives back something else than was stored',
        remedy: 'store the secret with the tool of the keyring itself',
      };
}

/** Takes an entry out of the user's keyring. */
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
