import { setTimeout as sleep } from 'node:timers/promises';
import { HoldfastError } from '../../errors/index.ts';
import { again } from './again.ts';
import type { ClusterConnection } from './connection.ts';
import { type ContainerPlace, execIn, FirstWords } from './pod-streams.ts';

export interface PodQuestion extends ContainerPlace {
  /** May run twice, because a lost answer is requested again. */
  readonly argv: readonly string[];
  /** The question in the user's words. */
  readonly doing: string;
  /** Bytes of the answer. A longer one is refused. Default: 64 KiB. */
  readonly longest?: number;
  /** Milliseconds. Default: a minute. */
  readonly patience?: number;
}

export interface PodAnswer {
  readonly exitCode: number;
  readonly stdout: Buffer;
  /** The start of its errors, in one line. */
  readonly said: string;
}

const usualLongest = 1 << 16;
const usualPatience = 60_000;

/**
 * Runs a program in a container, and returns its output. Throws `HF_CLUSTER_FAILED` if it does not start, does not end,
 * or prints too much. Throws `HF_CLUSTER_UNREACHABLE` after repeated losses of the connection.
 */
export function askPod(connection: ClusterConnection, question: PodQuestion): Promise<PodAnswer> {
  return again(connection, () => askOnce(connection, question));
}

async function askOnce(connection: ClusterConnection, question: PodQuestion): Promise<PodAnswer> {
  const { longest = usualLongest, patience = usualPatience, doing } = question;
  const [chunks, said, tooMuch] = [[] as Buffer[], new FirstWords(), Promise.withResolvers<'too-much'>()];
  let size = 0;
  const place = { ...question, stdin: 'none', terminal: 'none' } as const;
  const stream = await execIn(connection, place, (name, bytes) => {
    if (name === 'stderr') return said.add(bytes);
    size += bytes.length;
    if (size > longest) tooMuch.resolve('too-much');
    else chunks.push(bytes);
  });
  try {
    const late = sleep(patience, 'late' as const, { ref: false });
    const end = await Promise.race([stream.ended, tooMuch.promise, late]);
    if (size > longest || end === 'too-much') throw unanswered(doing, `it said more than ${longest} bytes`);
    if (end === 'late') throw unanswered(doing, `it had no answer within ${Math.round(patience / 1000)} seconds`);
    if (end.kind === 'failed') throw unanswered(doing, end.message);
    if (end.kind === 'lost')
      throw new HoldfastError('HF_CLUSTER_UNREACHABLE', `${doing} failed: ${end.reason}`, {
        remedy: 'see whether the connection to the API server lasts',
      });
    return { exitCode: end.exitCode, stdout: Buffer.concat(chunks), said: oneLineOf(said.text) };
  } finally {
    stream.close();
  }
}

function oneLineOf(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim().slice(0, 300);
}

function unanswered(doing: string, why: string): HoldfastError {
  return new HoldfastError('HF_CLUSTER_FAILED', `${doing} failed: ${why}`, {
    remedy: 'see whether the image has this version of Holdfast, and whether the node has room',
  });
}
