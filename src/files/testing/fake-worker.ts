import { PassThrough } from 'node:stream';
import type { WorkerEnd, WorkerProcess, WorkerSource } from '../worker.ts';

/** A request as the worker would see it. Its operations stay bytes. */
export interface FakeRequest {
  readonly id: number;
  readonly kind: number;
  readonly count: number;
  readonly operations: Buffer;
}

/** A worker without a box that sends the messages of a test. */
export class FakeWorker implements WorkerProcess {
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough();
  readonly requests: FakeRequest[] = [];
  readonly ended: Promise<WorkerEnd>;
  held: 'ref' | 'unref' | 'never' = 'never';
  ends = 0;
  #bytes = Buffer.alloc(0);
  #settle: (end: WorkerEnd | Promise<never>) => void = () => undefined;

  constructor(serve: Serve) {
    this.ended = new Promise((resolve) => (this.#settle = resolve));
    this.stdin.on('data', (chunk: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk]);
      for (let request = this.#take(); request !== undefined; request = this.#take()) serve(request, this);
    });
    this.stdin.on('end', () => this.die(0));
  }

  say(...frames: readonly Buffer[]): void {
    for (const frame of frames) this.stdout.write(frame);
  }

  /** Earlier messages are still read. */
  die(exitCode = 137, said = ''): void {
    this.stdout.end();
    this.#settle({ exitCode, said });
  }

  /** Simulates a box that reports an error after its end. */
  dieWith(error: Error): void {
    this.stdout.end();
    this.#settle(Promise.reject(error));
  }

  end(): void {
    this.ends += 1;
    this.die();
  }

  hold(how: 'ref' | 'unref'): void {
    this.held = how;
  }

  #take(): FakeRequest | undefined {
    if (this.#bytes.length < 4 || this.#bytes.length < 4 + this.#bytes.readUInt32LE(0)) return undefined;
    const size = this.#bytes.readUInt32LE(0);
    const frame = this.#bytes.subarray(4, 4 + size);
    this.#bytes = this.#bytes.subarray(4 + size);
    const request = {
      id: frame.readUInt32LE(0),
      kind: frame[4] ?? 0,
      count: size < 10 ? 0 : frame.readUInt32LE(6),
      operations: frame.subarray(10),
    };
    this.requests.push(request);
    return request;
  }
}

export type Serve = (request: FakeRequest, worker: FakeWorker) => void;

/** Workers that greet and then serve as a test defines. */
export function fakeSource(serve: Serve = () => undefined): {
  readonly source: WorkerSource;
  readonly workers: FakeWorker[];
} {
  const workers: FakeWorker[] = [];
  const start = async (): Promise<FakeWorker> => {
    const worker = new FakeWorker(serve);
    workers.push(worker);
    worker.say(hello());
    return worker;
  };
  return { workers, source: { start } };
}

/** Answers every operation with `done`. */
export const allDone: Serve = ({ id, count }, worker) => {
  for (let index = 0; index < count; index += 1) worker.say(result(id, index, done));
  worker.say(end(id, count));
};

export function frame(id: number, kind: number, payload: Buffer): Buffer {
  return Buffer.concat([u32(5 + payload.length), u32(id), Buffer.from([kind]), payload]);
}

export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

export function hello(version = 1): Buffer {
  return frame(0, 1, Buffer.concat([u32(0x3146_4648), u32(version), u32(1 << 20), u32(256 << 10), u32(256), u32(64)]));
}

export const done = Buffer.from([0]);

export function data(content: Buffer, size = content.length): Buffer {
  return Buffer.concat([Buffer.from([1]), u32(size), u32(0), content]);
}

export function opened(handle: number): Buffer {
  return Buffer.concat([Buffer.from([2]), u32(handle)]);
}

export function written(length: number): Buffer {
  return Buffer.concat([Buffer.from([3]), u32(length)]);
}

export function failed(errno: number, syscall: string, path = ''): Buffer {
  return Buffer.concat([Buffer.from([7]), u32(errno), Buffer.from([syscall.length]), Buffer.from(syscall + path)]);
}

export function result(id: number, index: number, payload: Buffer): Buffer {
  return frame(id, 2, Buffer.concat([u32(index), payload]));
}

export function end(id: number, tried: number): Buffer {
  return frame(id, 3, u32(tried));
}

export function event(handle: number, kind: number, path: string): Buffer {
  return frame(0, 4, Buffer.concat([u32(handle), Buffer.from([kind]), Buffer.from(path)]));
}

export function errorFrame(message: string): Buffer {
  return frame(0, 5, Buffer.from(message));
}
