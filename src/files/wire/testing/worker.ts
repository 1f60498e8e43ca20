import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { FileOperation, FileResult, WatchEvent } from '../../types.ts';
import { encodeFileRequest } from '../encode-request.ts';
import type { WorkerReply } from '../reply.ts';
import { WorkerReplyReader } from '../reply-reader.ts';

export const workerPath = resolve(import.meta.dirname, '../../../../native/build/holdfast-files');

/** A directory on a disk, removed after the test. */
export function scratch(): string {
  const directory = mkdtempSync('/var/tmp/holdfast-files-');
  onTestFinished(() => {
    // An ordinary user cannot empty a directory whose permissions a test has removed.
    execFileSync('chmod', ['-R', 'u+rwX', directory]);
    rmSync(directory, { recursive: true, force: true });
  });
  return directory;
}

/** The real worker without a box, and all its messages. Ends with the test. */
export class TestWorker {
  readonly process: ChildProcess;
  readonly replies: WorkerReply[] = [];
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly ended: Promise<number | NodeJS.Signals | null>;
  #id = 0;
  #wake: (() => void) | undefined;

  constructor(cwd: string) {
    this.process = spawn(workerPath, [], { cwd, stdio: ['pipe', 'pipe', 'inherit'] });
    const { stdin, stdout } = this.process;
    if (stdin === null || stdout === null) throw new Error('the worker has no pipes');
    this.stdin = stdin;
    this.stdout = stdout;
    stdin.on('error', () => undefined);
    const reader = new WorkerReplyReader();
    stdout.on('data', (chunk: Buffer) => {
      this.replies.push(...reader.push(chunk));
      this.#wake?.();
    });
    this.ended = new Promise((done) =>
      this.process.on('close', (code, signal) => {
        this.#wake?.();
        done(code ?? signal);
      }),
    );
    onTestFinished(() => void this.process.kill('SIGKILL'));
  }

  /** The first matching reply, including earlier ones. */
  async reply(fits: (reply: WorkerReply) => boolean): Promise<WorkerReply> {
    for (;;) {
      const found = this.replies.find(fits);
      if (found !== undefined) return found;
      if (this.process.exitCode !== null || this.process.signalCode !== null)
        throw new Error(`the worker ended: ${JSON.stringify(this.replies.at(-1))}`);
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    }
  }

  async request(
    operations: readonly FileOperation[],
    stop: 'at-failure' | 'never' = 'at-failure',
  ): Promise<readonly FileResult[]> {
    this.#id += 1;
    const id = this.#id;
    this.stdin.write(encodeFileRequest({ id, operations, stop }));
    await this.reply((reply) => reply.kind === 'end' && reply.id === id);
    return this.replies.flatMap((reply) => (reply.kind === 'result' && reply.id === id ? [reply.result] : []));
  }

  async run(operation: FileOperation): Promise<FileResult> {
    const [result] = await this.request([operation]);
    if (result === undefined) throw new Error('no result');
    return result;
  }

  events(handle: number): readonly Pick<WatchEvent, 'event' | 'path'>[] {
    return this.replies.flatMap((reply) =>
      reply.kind === 'event' && reply.event.handle === handle ? [reply.event] : [],
    );
  }
}

export function startWorker(): {
  readonly worker: TestWorker;
  readonly directory: string;
  readonly at: (...names: readonly string[]) => string;
} {
  const directory = scratch();
  return { worker: new TestWorker(directory), directory, at: (...names) => join(directory, ...names) };
}
