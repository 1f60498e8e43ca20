import { HoldfastError, isHoldfastError } from '../errors/index.ts';
import type { ToolDoors } from './broker/doors.ts';
import { answerCall, type ListedFiles, openListedFiles } from './broker/listed-paths.ts';
import { toolFailed, invalidTool, limited, oneLineText } from './failure.ts';
import { type LoadedTool, pageSize } from './manifest/load-tool.ts';
import { largestToolPayload } from './protocol/frames.ts';
import type { FromHost, HostCall, LogLevel } from './protocol/messages.ts';
import { ToolHostConnection } from './tool-host-connection.ts';

export interface ToolLogLine {
  readonly level: LogLevel;
  /** The tool's own text, unfiltered. */
  readonly text: string;
}

export interface ToolResult {
  /** The tool's own bytes. The caller decides how to show them. */
  readonly output: Buffer;
  readonly log: readonly ToolLogLine[];
  /** Number of dropped log lines. */
  readonly dropped: number;
  /** Reasons that calls of the tool were refused, in order. */
  readonly refusals: readonly string[];
}

/** Log and refusals of a tool until its end. It is part of a result, or of the `details` of an error. */
export type ToolRecord = Omit<ToolResult, 'output'>;

export interface ToolCallOptions {
  /** Ends the tool when aborted. The call rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Most lines of one call, so that a tool in a loop does not fill the caller's memory. */
const mostLines = 1000;
const mostRefusals = 100;

/**
 * Milliseconds for JavaScript to report its own deadline, after which its box is ended. The box of WebAssembly is ended
 * at the deadline.
 */
const grace = 500;

/**
 * A tool with its box. The box starts with the first call and serves later ones. Each call runs the tool from its
 * beginning. Calls run one after the other.
 */
export class Tool {
  readonly #tool: LoadedTool;
  readonly #doors: ToolDoors;
  readonly #files: ListedFiles | undefined;
  #closing: (() => void) | undefined;
  #host: ToolHostConnection | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #state: 'open' | 'closed' = 'open';

  private constructor(tool: LoadedTool, doors: ToolDoors, files: ListedFiles | undefined) {
    this.#tool = tool;
    this.#doors = doors;
    this.#files = files;
  }

  /**
   * `closing` is called when the tool is closed. Throws `HF_TOOL_INVALID` if the policy does not allow grants that the
   * manifest lists.
   */
  static async open(tool: LoadedTool, doors: ToolDoors, closing?: () => void): Promise<Tool> {
    try {
      const opened = new Tool(tool, doors, await openListedFiles(tool.manifest, doors));
      opened.#closing = closing;
      return opened;
    } catch (error) {
      if (isHoldfastError(error) && error.code !== 'HF_USAGE') throw error;
      throw invalidTool(tool.manifest.file, [`a path that it lists cannot be used: ${(error as Error).message}`]);
    }
  }

  get name(): string {
    return this.#tool.manifest.name;
  }

  /** SHA-256 of the module, in hex. */
  get sha256(): string {
    return this.#tool.sha256;
  }

  /**
   * Runs the tool once. Throws `HF_TOOL_INVALID` for a module that cannot run, `HF_TOOL_FAILED` if it throws or traps,
   * and `HF_TOOL_LIMIT` at a limit. Throws `HF_USAGE` for an input of more than 8 MiB. The next call starts again.
   */
  async call(input: string | Uint8Array = '', options: ToolCallOptions = {}): Promise<ToolResult> {
    const given = this.#given(input);
    const call = this.#last.then(() => this.#call(given, options));
    this.#last = call.catch(() => undefined);
    return call;
  }

  /** Ends the box. A running call is rejected. */
  async close(): Promise<void> {
    this.#state = 'closed';
    this.#closing?.();
    this.#host?.end(new Error('the tool was closed'));
    await Promise.all([this.#host?.gone(), this.#files?.close()]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** A copy, because the call may have to wait for earlier calls. */
  #given(input: string | Uint8Array): Buffer {
    const given = Buffer.from(input as Uint8Array);
    if (given.length > largestToolPayload)
      throw new HoldfastError(
        'HF_USAGE',
        `the tool ${this.name} got ${given.length} bytes, ${largestToolPayload} are allowed`,
        { remedy: 'pass less, or let it read a file' },
      );
    return given;
  }

  async #call(input: Buffer, { signal }: ToolCallOptions): Promise<ToolResult> {
    signal?.throwIfAborted();
    if (this.#state === 'closed')
      throw new HoldfastError('HF_USAGE', 'this tool is closed', { remedy: 'open it again' });
    const leave = new AbortController();
    const stop = (error: Error): void => {
      leave.abort();
      this.#host?.end(error);
    };
    const abort = (): void => stop(new Error('its caller cancelled it'));
    signal?.addEventListener('abort', abort);
    let timer: NodeJS.Timeout | undefined;
    try {
      const host = await this.#ready();
      signal?.throwIfAborted();
      const { deadline, kind } = this.#tool.manifest;
      timer = setTimeout(
        () => stop(limited(this.name, 'deadline', `it took longer than the ${deadline} ms that its manifest allows`)),
        kind === 'wasm' ? deadline : deadline + grace,
      );
      host.send({ kind: 'run', input: input.toString('base64') });
      return await this.#converse(host, leave.signal);
    } catch (error) {
      throw signal?.aborted === true ? signal.reason : error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      leave.abort();
    }
  }

  /** Runs until the tool ends. If it ends with an error, its log is in the error's `details`. */
  async #converse(host: ToolHostConnection, signal: AbortSignal): Promise<ToolResult> {
    const record: KeptRecord = { log: [], dropped: 0, refusals: [] };
    try {
      return { output: await this.#output(host, { signal, record }), ...record };
    } catch (error) {
      throw isHoldfastError(error) ? withRecord(error, record) : error;
    }
  }

  async #output(host: ToolHostConnection, { signal, record }: Conversation): Promise<Buffer> {
    for (;;) {
      const message = await this.#next(host);
      switch (message.kind) {
        case 'call':
          await this.#answer(host, message, { signal, record });
          break;
        case 'log':
          if (record.log.length < mostLines) record.log.push({ level: message.level, text: message.text });
          else record.dropped += 1;
          break;
        case 'output':
          if (message.afterwards === 'leaves') this.#forget(host);
          return Buffer.from(message.data, 'base64');
        case 'failed':
          if (message.afterwards === 'leaves') this.#forget(host);
          throw this.#errorOf(message);
        case 'ready':
        case 'loaded':
          throw this.#nonsense(host, message.kind);
      }
    }
  }

  async #answer(host: ToolHostConnection, call: HostCall, { signal, record }: Conversation): Promise<void> {
    const { refusals } = record;
    const answer = await answerCall(call, {
      manifest: this.#tool.manifest,
      doors: this.#doors,
      files: this.#files,
      signal,
    });
    if (answer.kind === 'refused' && refusals.length < mostRefusals) refusals.push(answer.message);
    host.send(answer);
  }

  /** Returns a program that has loaded the tool. Starts another one if the last one has ended. */
  async #ready(): Promise<ToolHostConnection> {
    if (this.#host !== undefined && !this.#host.isEnded) return this.#host;
    const {
      manifest: { name, memory, deadline, fuel, config, entry = 'run' },
      module,
      sha256,
      language,
    } = this.#tool;
    const process = await this.#doors.start({ name, sha256 });
    const host = new ToolHostConnection(process);
    this.#host = host;
    if (this.#state === 'closed') host.end(new Error('the tool was closed'));
    const timer = setTimeout(
      () => host.end(limited(name, 'deadline', `it was not loaded within ${process.patience} ms`)),
      process.patience,
    );
    try {
      await this.#expect(host, 'ready');
      host.send({
        kind: 'load',
        language,
        name,
        module: module.toString('base64'),
        entry,
        config,
        limits: { memory: memory * pageSize, deadline, ...(fuel === undefined ? {} : { fuel }) },
      });
      await this.#expect(host, 'loaded');
      return host;
    } finally {
      clearTimeout(timer);
    }
  }

  async #expect(host: ToolHostConnection, kind: 'ready' | 'loaded'): Promise<void> {
    const message = await this.#next(host);
    if (message.kind === 'failed') {
      this.#forget(host);
      throw this.#errorOf(message);
    }
    if (message.kind !== kind) throw this.#nonsense(host, message.kind);
  }

  async #next(host: ToolHostConnection): Promise<FromHost> {
    try {
      return await host.next();
    } catch (error) {
      throw isHoldfastError(error) ? error : toolFailed(this.name, (error as Error).message, error);
    }
  }

  #forget(host: ToolHostConnection): void {
    host.end(new Error('its engine was left in a broken state'));
    if (this.#host === host) this.#host = undefined;
  }

  #nonsense(host: ToolHostConnection, kind: string): HoldfastError {
    const error = toolFailed(this.name, `its box sent "${kind}" when it was not expected`);
    host.end(error);
    return error;
  }

  #errorOf({ reason, message }: Extract<FromHost, { kind: 'failed' }>): HoldfastError {
    const { name, file } = { name: this.name, file: this.#tool.manifest.file };
    switch (reason) {
      case 'invalid':
        return invalidTool(file, [message]);
      case 'deadline':
      case 'fuel':
      case 'memory':
      case 'output':
        return limited(name, reason, message);
      case 'threw':
      case 'trapped':
      case 'refused':
        return toolFailed(name, oneLineText(message));
    }
  }
}

interface KeptRecord extends ToolRecord {
  readonly log: ToolLogLine[];
  dropped: number;
  readonly refusals: string[];
}

interface Conversation {
  readonly signal: AbortSignal;
  readonly record: KeptRecord;
}

function withRecord({ code, message, remedy, details, cause }: HoldfastError, record: ToolRecord): HoldfastError {
  return new HoldfastError(code, message, { remedy, details: { ...details, ...record }, cause });
}
