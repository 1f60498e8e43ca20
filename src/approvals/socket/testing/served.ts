import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { AnswerResult, ApprovalAnswer, PendingApproval, QueueChange } from '../../types.ts';
import { serveApprovals, type ApprovalServer, type ServeApprovalsOptions } from '../serve-approvals.ts';

/** A separate directory of sockets. */
export function runtimeDirectory(): string {
  const runtime = mkdtempSync(join(tmpdir(), 'holdfast-run-'));
  onTestFinished(() => rmSync(runtime, { recursive: true, force: true }));
  return runtime;
}

export const hashOf = (number: number): string => number.toString(16).padStart(64, '0');

export function approvalOf(number: number, more: Partial<PendingApproval> = {}): PendingApproval {
  const hash = hashOf(number);
  return {
    id: hash.slice(0, 12),
    hash,
    session: 's',
    workspace: '/home/dev/app',
    title: `run step ${number}`,
    lines: ['one', 'two'],
    rule: 'r',
    file: '/policy.toml',
    line: 3,
    message: 'm',
    remedy: 'r',
    askedAt: number,
    expiresAt: number + 60_000,
    confirmation: 'none',
    waiting: 1,
    ...more,
  };
}

/** A queue that a test fills. It accepts every answer to its pending requests. */
export class FakeQueue {
  readonly answers: ApprovalAnswer[] = [];
  readonly #pending = new Map<string, PendingApproval>();
  readonly #listeners = new Set<(change: QueueChange) => void>();

  ask(approval: PendingApproval): void {
    this.#pending.set(approval.hash, approval);
    this.#tell({ kind: 'asked', approval });
  }

  pending(): readonly PendingApproval[] {
    return [...this.#pending.values()];
  }

  answer(answer: ApprovalAnswer): AnswerResult {
    this.answers.push(answer);
    const approval = this.#pending.get(answer.hash);
    if (approval === undefined) return { kind: 'unknown' };
    this.#pending.delete(answer.hash);
    this.#tell({
      kind: 'resolved',
      approval,
      outcome:
        answer.decision === 'deny'
          ? { kind: 'denied', because: 'answer', message: 'no' }
          : { kind: 'allowed', decision: answer.decision, channel: answer.channel },
    });
    return { kind: 'taken' };
  }

  subscribe(listener: (change: QueueChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(change: QueueChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}

export interface Served {
  readonly queue: FakeQueue;
  readonly runtime: string;
  readonly server: ApprovalServer;
}

/** One session that serves its queue until the test ends. */
export async function served(options: Partial<ServeApprovalsOptions> = {}): Promise<Served> {
  const queue = new FakeQueue();
  const runtime = options.runtime ?? runtimeDirectory();
  const server = await serveApprovals({ session: 's', workspace: '/home/dev/app', queue, ...options, runtime });
  onTestFinished(() => server.close());
  return { queue, runtime, server };
}

/** A client that sends a test's messages. */
export class RawClient {
  readonly lines: string[] = [];
  readonly socket: Socket;
  readonly closed: Promise<void>;
  #rest = '';

  constructor(runtime: string, session = 's') {
    this.socket = connect({ path: join(runtime, 'approvals', session) });
    this.closed = new Promise((resolve) => this.socket.once('close', () => resolve()));
    this.socket
      .on('error', () => undefined)
      .on('data', (bytes) => {
        const lines = `${this.#rest}${bytes.toString()}`.split('\n');
        this.#rest = lines.pop() ?? '';
        this.lines.push(...lines);
      });
    onTestFinished(() => void this.socket.destroy());
  }

  say(...messages: readonly (object | string)[]): void {
    for (const message of messages)
      this.socket.write(typeof message === 'string' ? message : `${JSON.stringify(message)}\n`);
  }

  kinds(): readonly string[] {
    return this.lines.map((line) => (JSON.parse(line) as { readonly kind: string }).kind);
  }
}
