import { readlinkSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import process from 'node:process';
import { malformedFrame } from '../wire/frame.ts';

/** Identity of the asking installation, and of the files that it sees. */
interface AskingPlace {
  /** Node, and the file that it runs. Absolute paths. */
  readonly program: readonly [string, string];
  /** Identities of both files, and of the root directory, as `identityOf` returns them. */
  readonly identities: readonly [string, string, string];
  /** `mnt:[NUMBER]` */
  readonly mounts: string;
}

export interface HookQuestion {
  readonly place: AskingPlace;
  readonly environment: Readonly<Record<string, string>>;
  /** The input that the agent gave to its hook. */
  readonly text: string;
}

/**
 * Reads a question: texts that end with NUL, then the agent's own JSON. The texts are the two program paths, their
 * identities, that of the root, the mount namespace, each variable as `NAME=VALUE`, and an empty one. Throws
 * `HF_SERVE_PROTOCOL`.
 */
export function readHookQuestion(bytes: Buffer): HookQuestion {
  const texts: string[] = [];
  let at = 0;
  for (let end = bytes.indexOf(0); end > at || end === -1; end = bytes.indexOf(0, at)) {
    if (end === -1) throw malformedFrame('a question that does not end');
    texts.push(bytes.toString('utf8', at, end));
    at = end + 1;
  }
  const [node, script, nodeId, scriptId, rootId, mounts, ...variables] = texts;
  if (
    node === undefined ||
    script === undefined ||
    nodeId === undefined ||
    scriptId === undefined ||
    rootId === undefined ||
    mounts === undefined
  )
    throw malformedFrame('a question without its place');
  return {
    place: { program: [node, script], identities: [nodeId, scriptId, rootId], mounts },
    environment: environmentOf(variables),
    text: agentText(bytes.subarray(at + 1)),
  };
}

function agentText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw malformedFrame('a call that is not UTF-8');
  }
}

/** Programs see the first of two variables with one name. */
function environmentOf(variables: readonly string[]): HookQuestion['environment'] {
  return Object.fromEntries(variables.toReversed().map(variable));
}

function variable(text: string): readonly [string, string] {
  const end = text.indexOf('=', 1);
  if (end === -1) throw malformedFrame('a variable without a value');
  return [text.slice(0, end), text.slice(end + 1)];
}

/**
 * Returns `DEVICE:INODE:SIZE:SECONDS.NANOSECONDS` of a path's target, in decimal. A replaced or modified file has
 * another identity.
 */
function identityOf(path: string): string {
  const { dev, ino, size, mtimeNs } = statSync(path, { bigint: true });
  return `${dev}:${ino}:${size}:${mtimeNs / 1_000_000_000n}.${mtimeNs % 1_000_000_000n}`;
}

/** Leaves out size and time, because both change with the entries of the root. */
function rootIdentity(): string {
  const { dev, ino } = statSync('/', { bigint: true });
  return `${dev}:${ino}`;
}

/** Identity of the running code at its start, because an update replaces the files. */
const started = { node: identityOf(process.execPath), script: identityOf(resolve(process.argv[1] ?? '.')) };

/** Returns whether the client would reach the same decision by itself: it has the same code, home and files. */
export function standsWhereWeDo({
  place: { identities, mounts },
  environment,
}: Pick<HookQuestion, 'place' | 'environment'>): boolean {
  const [node, script, root] = identities;
  return (
    node === started.node &&
    script === started.script &&
    root === rootIdentity() &&
    mounts === readlinkSync('/proc/self/ns/mnt') &&
    environment['HOME'] === homedir()
  );
}
