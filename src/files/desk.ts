import { WorkerConnection, type RequestOptions } from './connection.ts';
import type { AnswerTo } from './ledger.ts';
import {
  fileError,
  type FileError,
  type FileRefusal,
  namedPaths,
  nullByteError,
  refusingCodes,
  type TouchedPath,
  touchedPaths,
} from './operation-paths.ts';
import type { FileOperation, FileResult } from './types.ts';
import type { WorkerSource } from './worker.ts';

export interface DeskOptions {
  readonly source: WorkerSource;
  /**
   * Returns the policy's refusal for a failed operation, given the error's `code`. Undefined if the policy did not
   * refuse.
   */
  readonly explain?: (touched: readonly TouchedPath[], code: string) => Promise<FileRefusal | undefined>;
}

/** The widest access of a one-shot worker. An omitted list narrows nothing. */
export interface OneShotOptions {
  /** Paths that may be read, in addition to the system's own. Without `write`, nothing may be written either. */
  readonly read?: readonly string[];
  /** Paths that may be read and written. They must exist. */
  readonly write?: readonly string[];
}

export interface FilesOptions extends DeskOptions {
  /** Absolute path where relative paths start and temporary files are made. */
  readonly cwd: string;
  /** Prepares a worker with a narrower boundary. Throws `HF_USAGE` for a wider one. */
  readonly narrow: (options: OneShotOptions) => Promise<FilesOptions>;
}

/** Passes operations to a worker, starts it if necessary, and turns failures into errors. */
export class Desk {
  readonly #options: DeskOptions;
  #connection: WorkerConnection | undefined;
  #state: 'open' | 'closed' = 'open';

  constructor(options: DeskOptions) {
    this.#options = options;
  }

  /** The worker for new calls. Handles and watches belong to the worker that opened them. */
  connection(): WorkerConnection {
    if (this.#connection === undefined || (this.#connection.isEnded && this.#state === 'open'))
      this.#connection = new WorkerConnection(this.#options.source);
    return this.#connection;
  }

  /** Rejects with a `FileError` if the kernel refuses. */
  async one<Operation extends FileOperation>(
    operation: Operation,
    options: OneOptions = {},
  ): Promise<AnswerTo<Operation>> {
    refuseNullBytes(operation);
    const [result] = await (options.connection ?? this.connection()).request([operation], options);
    // Only an operation cancelled before it began has no result. The ledger has checked its kind.
    if (result === undefined) throw options.signal?.reason;
    if (result.kind === 'failed') throw await this.errorOf(operation, result);
    return result as AnswerTo<Operation>;
  }

  /** Like `one`, for callers to whom a failure is a valid answer. */
  async tried(operation: FileOperation): Promise<readonly FileResult[]> {
    refuseNullBytes(operation);
    return this.connection().request([operation]);
  }

  async errorOf(operation: FileOperation, failed: Extract<FileResult, { kind: 'failed' }>): Promise<FileError> {
    const error = fileError(operation, failed);
    if (this.#options.explain === undefined || !refusingCodes.has(error.code)) return error;
    const refusal = await this.#options.explain(touchedPaths(operation), error.code);
    return refusal === undefined ? error : Object.assign(error, { refusal, remedy: refusal.verdict.remedy });
  }

  /** Ends the worker once it has answered all requests. The next call starts another one. */
  async rest(): Promise<void> {
    const connection = this.#connection;
    if (connection === undefined || this.#state === 'closed') return;
    this.#connection = undefined;
    await connection.request([{ kind: 'access', path: '/', mode: 0 }]).catch(() => undefined);
    await connection.close();
  }

  async close(): Promise<void> {
    this.#state = 'closed';
    if (this.#connection === undefined) this.#connection = new WorkerConnection(nothing);
    await this.#connection.close();
  }
}

export interface OneOptions extends RequestOptions {
  /** Default: the connection for new calls. */
  readonly connection?: WorkerConnection;
}

/** After its close, a desk that was never used starts no worker. */
const nothing: WorkerSource = { start: () => Promise.reject(new Error('it was closed')) };

/** No kernel takes such a path. It would be cut off at the null byte, and mean another file. */
export function refuseNullBytes(operation: FileOperation): void {
  const { path, dest } = namedPaths(operation);
  for (const name of [path, dest]) {
    if (name !== undefined && (typeof name === 'string' ? name.includes('\0') : name.includes(0)))
      throw nullByteError(name);
  }
}
