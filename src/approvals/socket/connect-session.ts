import { connect, type Socket } from 'node:net';
import type { AnswerResult, ApprovalDecision } from '../types.ts';
import { encodeApprovalLine, readServerMessage, type ServerMessage, type SocketChannel } from './messages.ts';
import { isOwnPeer, withAddress } from './socket-place.ts';

export interface SessionConnection {
  answer(answer: GivenAnswer): Promise<AnswerResult>;
  close(): void;
}

export interface GivenAnswer {
  /** The full hash of the shown question. */
  readonly hash: string;
  readonly decision: ApprovalDecision;
  /** Six digits, if the question needs them. */
  readonly code?: string;
}

export interface ConnectOptions {
  readonly directory: string;
  /** Name of the socket. */
  readonly session: string;
  readonly channel: SocketChannel;
  readonly hear: (message: ServerMessage) => void;
  readonly closed: () => void;
}

/** Bytes of one question. */
const longestLine = 8 << 20;
/** Milliseconds that a session has to take an answer. */
const answerPatience = 5000;

/**
 * Connects to one session. Rejects with the errno of connect(2), and with EPERM if a box listens, because a box would
 * show its own question and learn codes. Disconnects from a session that breaks the protocol.
 */
export async function connectSession({
  directory,
  session,
  channel,
  hear,
  closed,
}: ConnectOptions): Promise<SessionConnection> {
  const socket = await withAddress(directory, session, open);
  if (!isOwnPeer(socket)) {
    socket.destroy();
    throw Object.assign(new Error('a box listens there, or another user'), { code: 'EPERM' });
  }
  const waiting = new Map<number, (result: AnswerResult) => void>();
  const reader = lineReader(longestLine);
  let number = 0;
  const take = (message: ServerMessage): void => {
    if (message.kind !== 'answered') return hear(message);
    waiting.get(message.number)?.(message.result);
    waiting.delete(message.number);
  };
  socket.on('error', () => socket.destroy());
  socket.on('data', (bytes) => {
    const lines = reader.push(bytes);
    const messages = lines === 'too-long' ? [undefined] : lines.map(readServerMessage);
    for (const message of messages) {
      if (message === undefined) return void socket.destroy();
      take(message);
    }
  });
  socket.on('close', () => {
    for (const resolve of waiting.values()) resolve({ kind: 'unknown' });
    closed();
  });
  socket.write(encodeApprovalLine({ kind: 'hello', channel }));
  return {
    close: () => void socket.destroy(),
    answer: (given) => {
      if (socket.destroyed) return Promise.resolve({ kind: 'unknown' });
      const mine = (number += 1);
      const answered = new Promise<AnswerResult>((resolve) => waiting.set(mine, resolve));
      socket.write(encodeApprovalLine({ kind: 'answer', number: mine, ...given }));
      return withPatience(answered);
    },
  };
}

function open(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path });
    socket.once('error', reject).once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

async function withPatience(answered: Promise<AnswerResult>): Promise<AnswerResult> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<AnswerResult>((resolve) => {
    timer = setTimeout(
      () => resolve({ kind: 'refused', message: 'the session did not take the answer within 5 s' }),
      answerPatience,
    );
  });
  return Promise.race([answered, late]).finally(() => clearTimeout(timer));
}

/** Cuts a peer's bytes into lines, and keeps at most `most` bytes of an unfinished one. */
interface LineReader {
  /**
   * Returns the lines that these bytes complete, without their ends. `too-long`: a line is longer than allowed, and the
   * peer must be dropped.
   */
  push(bytes: Buffer): readonly string[] | 'too-long';
}

export function lineReader(most: number): LineReader {
  let kept: Buffer[] = [];
  let length = 0;
  return {
    push(bytes) {
      const lines: string[] = [];
      let from = 0;
      for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, from)) {
        if (length + end - from > most) return 'too-long';
        lines.push(Buffer.concat([...kept, bytes.subarray(from, end)]).toString());
        kept = [];
        length = 0;
        from = end + 1;
      }
      length += bytes.length - from;
      if (length > most) return 'too-long';
      if (from < bytes.length) kept.push(bytes.subarray(from));
      return lines;
    },
  };
}

const newline = 0x0a;
