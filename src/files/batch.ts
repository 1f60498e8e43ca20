import { isHoldfastError } from '../errors/index.ts';
import type { RequestOptions } from './connection.ts';
import { type Desk, refuseNullBytes } from './desk.ts';
import { type Loss, lossError } from './losses.ts';
import { type FileError, namedPaths } from './operation-paths.ts';
import type { FileOperation, FileResult } from './types.ts';
import { largestFileFrame } from './wire/reply.ts';

export interface BatchOptions {
  /** `stop`: after a failure, later operations do not run. Default: `stop`. */
  readonly onFailure?: 'stop' | 'continue';
  /** When aborted, operations that have not begun do not run. If none has begun, the call rejects with its reason. */
  readonly signal?: AbortSignal;
}

/** Outcome of one operation of a batch. */
export type BatchOutcome =
  | {
      readonly kind: 'done';
      readonly operation: FileOperation;
      readonly result: Exclude<FileResult, { kind: 'failed' }>;
    }
  | { readonly kind: 'failed'; readonly operation: FileOperation; readonly error: FileError }
  | { readonly kind: 'not-run'; readonly operation: FileOperation };

/** Runs operations in their order. Resolves with one outcome for each operation, even if some failed. */
export async function runBatch(
  desk: Desk,
  operations: readonly FileOperation[],
  { onFailure = 'stop', signal }: BatchOptions,
): Promise<BatchOutcome[]> {
  for (const operation of operations) refuseNullBytes(operation);
  const results = await runAll(desk, operations, { stop: onFailure === 'stop' ? 'at-failure' : 'never', signal });
  return Promise.all(operations.map((operation, index) => outcomeOf(desk, operation, results[index])));
}

async function outcomeOf(desk: Desk, operation: FileOperation, result: FileResult | undefined): Promise<BatchOutcome> {
  if (result === undefined) return { kind: 'not-run', operation };
  if (result.kind === 'failed') return { kind: 'failed', operation, error: await desk.errorOf(operation, result) };
  return { kind: 'done', operation, result };
}

/** Sends as many requests as needed, one after the other, so that none runs after a failure. */
async function runAll(
  desk: Desk,
  operations: readonly FileOperation[],
  options: RequestOptions,
): Promise<FileResult[]> {
  const connection = desk.connection();
  const results: FileResult[] = [];
  for (const part of partsOf(operations)) {
    try {
      results.push(...(await connection.request(part, options)));
    } catch (error) {
      if (results.length > 0 && error === options.signal?.reason) break;
      throw inWhole(error, results, operations.length);
    }
    if (options.stop === 'at-failure' && results.at(-1)?.kind === 'failed') break;
  }
  return results;
}

/** Turns the loss of one request into a loss within the whole batch. */
function inWhole(error: unknown, before: readonly FileResult[], total: number): unknown {
  if (!isHoldfastError(error) || error.code !== 'HF_FILES_WORKER_ENDED') return error;
  const { done, inDoubt, results, reason } = error.details as unknown as Loss & { readonly reason: string };
  const all = [...Array(total).keys()];
  const known = before.length + done.length;
  const begun = known + inDoubt.length;
  return lossError(
    {
      done: all.slice(0, known),
      inDoubt: all.slice(known, begun),
      notRun: all.slice(begun),
      results: [...before, ...results],
    },
    reason,
    error.cause,
  );
}

/** Frames have a limit, and a worker that is busy with one request answers no other. */
const mostOperations = 1024;
const mostBytes = largestFileFrame - 4096;

function partsOf(operations: readonly FileOperation[]): FileOperation[][] {
  const parts: FileOperation[][] = [];
  let part: FileOperation[] = [];
  let size = 0;
  for (const operation of operations) {
    const bytes = sizeOf(operation);
    if (part.length > 0 && (part.length === mostOperations || size + bytes > mostBytes)) {
      parts.push(part);
      [part, size] = [[], 0];
    }
    part.push(operation);
    size += bytes;
  }
  return part.length === 0 ? parts : [...parts, part];
}

/** Bytes that an operation takes in a frame, at least, without a copy of its payload. */
function sizeOf(operation: FileOperation): number {
  const { path = '', dest = '' } = namedPaths(operation);
  const fixed = 128;
  const suffix = operation.kind === 'temporary' ? operation.suffix.length * 3 : 0;
  return fixed + suffix + sizeOfPath(path) + sizeOfPath(dest) + ('data' in operation ? operation.data.length : 0);
}

function sizeOfPath(path: string | Uint8Array): number {
  return typeof path === 'string' ? path.length * 3 : path.length;
}
