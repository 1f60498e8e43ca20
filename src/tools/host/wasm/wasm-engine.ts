import { largestToolPayload } from '../../protocol/frames.ts';
import type { HostAnswer, FailureReason, HostCall, LogLevel } from '../../protocol/messages.ts';
import { type Bridge, type Engine, type Load, type EngineOutcome, ToolFailure } from '../engine.ts';
import { capModule } from './cap-module.ts';
import { KernelMemory } from './kernel-memory.ts';
import { type WasmModule, webAssembly } from './web-assembly.ts';

const pageSize = 65_536;
const bytesOfEntry = 8;

/**
 * Runs modules with Extism's interface. Each run has its own instance. The engine cannot stop a loop, so the supervisor
 * ends the box at the deadline. Throws `ToolFailure` for a module that cannot run.
 */
export function wasmEngine(load: Load, bridge: Bridge): Engine {
  const { memory } = load.limits;
  const module = compiled(
    capModule(Buffer.from(load.module, 'base64'), {
      pages: Math.floor(memory / pageSize),
      entries: Math.floor(memory / bytesOfEntry),
    }),
  );
  refuseUnknown(module, load.entry);
  const variables = new Map<string, Buffer>();
  const config = new Map(Object.entries(load.config));
  return {
    run: (input) =>
      runOnce(module, load.entry, {
        memory: new KernelMemory(memory),
        input,
        config,
        variables,
        bridge,
        output: Buffer.alloc(0),
        error: undefined,
        status: 0,
        contentType: '',
      }),
  };
}

function compiled(bytes: Uint8Array): WasmModule {
  try {
    return new webAssembly.Module(bytes);
  } catch (error) {
    throw new ToolFailure('invalid', `it is not WebAssembly that this Node can compile: ${(error as Error).message}`);
  }
}

/** Refuses unknown imports by name, before any code of the module runs. */
function refuseUnknown(module: WasmModule, entry: string): void {
  const known = guestImports({} as GuestState);
  const unknown = webAssembly.Module.imports(module).filter(
    ({ module: from, name, kind }) =>
      kind !== 'function' || !Object.hasOwn(known, from) || !Object.hasOwn(known[from] ?? {}, name),
  );
  if (unknown.length > 0) {
    const names = unknown.slice(0, 8).map(({ module: from, name, kind }) => `${kind} "${name}" of "${from}"`);
    throw new ToolFailure(
      'invalid',
      `it imports functions that tools do not have: ${names.join(', ')}${unknown.length > names.length ? ` and ${unknown.length - names.length} more` : ''}`,
    );
  }
  const exports = webAssembly.Module.exports(module)
    .filter(({ kind }) => kind === 'function')
    .map(({ name }) => name);
  if (!exports.includes(entry))
    throw new ToolFailure(
      'invalid',
      `it exports no function "${entry}"; it has ${
        exports
          .slice(0, 16)
          .map((name) => `"${name}"`)
          .join(', ') || 'none'
      }`,
    );
}

function runOnce(module: WasmModule, entry: string, state: GuestState): EngineOutcome {
  try {
    const { exports } = new webAssembly.Instance(module, guestImports(state));
    (exports['_initialize'] as (() => void) | undefined)?.();
    const status: unknown = (exports[entry] as () => unknown)();
    if (state.error !== undefined || (typeof status === 'number' && status !== 0))
      return failed('threw', state.error ?? `${entry} returned ${String(status)}`);
    if (state.output.length > largestToolPayload)
      return failed('output', `it returned ${state.output.length} bytes, ${largestToolPayload} are allowed`);
    return { kind: 'output', data: state.output, afterwards: 'stays' };
  } catch (error) {
    return failed(reasonOf(error), error instanceof Error ? error.message : String(error));
  }
}

function reasonOf(error: unknown): FailureReason {
  if (error instanceof ToolFailure) return error.reason;
  return error instanceof webAssembly.LinkError ? 'invalid' : 'trapped';
}

function failed(reason: FailureReason, message: string): EngineOutcome {
  return { kind: 'failed', reason, message, afterwards: 'stays' };
}

/** State of one run of a guest. */
interface GuestState {
  readonly memory: KernelMemory;
  readonly input: Buffer;
  readonly config: ReadonlyMap<string, string>;
  /** As in Extism, variables last as long as the tool is open. */
  readonly variables: Map<string, Buffer>;
  readonly bridge: Bridge;
  output: Buffer;
  /** The guest's error message. */
  error: string | undefined;
  /** Status of the last HTTP request. */
  status: number;
  contentType: string;
}

type HostFunction = (...words: never[]) => unknown;

/** Bytes of all variables of a tool. They outlive a run, so the cap of its memory does not cover them. */
const mostVariables = 1 << 20;

/** Functions that a guest may import, by module and name. Other imports are refused by name. */
function guestImports(state: GuestState): Readonly<Record<string, Readonly<Record<string, HostFunction>>>> {
  return {
    'extism:host/env': {
      ...memoryFunctions(state),
      ...valueFunctions(state),
      ...httpFunctions(state),
      ...logFunctions(state),
    },
    'holdfast:host/env': fileFunctions(state),
    env: { abort: aborted },
  };
}

type Functions = Readonly<Record<string, HostFunction>>;

/** Converts a 64-bit address. A value too large for a number is not the address of a block. */
function at(address: bigint): number {
  return Number(BigInt.asUintN(64, address));
}

function memoryFunctions({ memory, input }: GuestState): Functions {
  const within = (offset: number, length: number): number => {
    if (offset + length > input.length) throw new ToolFailure('trapped', 'it read beyond the end of its input');
    return offset;
  };
  return {
    alloc: (length: bigint) => BigInt(memory.alloc(at(length))),
    free: (address: bigint) => memory.release(at(address)),
    length: (address: bigint) => BigInt(memory.length(at(address))),
    length_unsafe: (address: bigint) => BigInt(memory.length(at(address))),
    load_u8: (address: bigint) => memory.view(at(address), 1).getUint8(0),
    load_u64: (address: bigint) => memory.view(at(address), 8).getBigUint64(0, true),
    store_u8: (address: bigint, value: number) => memory.view(at(address), 1).setUint8(0, value),
    store_u64: (address: bigint, value: bigint) => memory.view(at(address), 8).setBigUint64(0, value, true),
    input_length: () => BigInt(input.length),
    input_offset: () => BigInt(memory.put(input)),
    input_load_u8: (offset: bigint) => input.readUInt8(within(at(offset), 1)),
    input_load_u64: (offset: bigint) => input.readBigUInt64LE(within(at(offset), 8)),
  };
}

function valueFunctions(state: GuestState): Functions {
  const { memory, config, variables } = state;
  const textAt = (address: bigint): string => memory.read(at(address)).toString();
  const found = (bytes: Uint8Array | undefined): bigint => (bytes === undefined ? 0n : BigInt(memory.put(bytes)));
  return {
    output_set: (address: bigint, length: bigint) => void (state.output = memory.read(at(address), at(length))),
    error_set: (address: bigint) => void (state.error = address === 0n ? undefined : textAt(address)),
    config_get: (name: bigint) => {
      const value = config.get(textAt(name));
      return found(value === undefined ? undefined : Buffer.from(value));
    },
    var_get: (name: bigint) => found(variables.get(textAt(name))),
    var_set: (name: bigint, value: bigint) =>
      setVariable(variables, textAt(name), value === 0n ? undefined : memory.read(at(value))),
  };
}

function setVariable(variables: Map<string, Buffer>, name: string, value: Buffer | undefined): void {
  variables.delete(name);
  if (value === undefined) return;
  const used = [...variables].reduce((sum, [key, { length }]) => sum + key.length + length, 0);
  if (used + name.length + value.length > mostVariables)
    throw new ToolFailure('memory', `its variables would take more than ${mostVariables} bytes`);
  variables.set(name, value);
}

function httpFunctions(state: GuestState): Functions {
  const { memory, bridge } = state;
  return {
    http_request: (request: bigint, body: bigint) => {
      const { url, method = 'GET', headers = {} } = requestOf(memory.read(at(request)));
      const sent = body === 0n ? {} : { body: memory.read(at(body)).toString('base64') };
      const {
        bytes,
        status = 0,
        contentType = '',
      } = granted(bridge.call({ kind: 'call', what: 'http', url, method, headers: Object.entries(headers), ...sent }));
      Object.assign(state, { status, contentType });
      return BigInt(memory.put(Buffer.from(bytes, 'base64')));
    },
    http_status_code: () => state.status,
    http_headers: () =>
      BigInt(
        memory.put(Buffer.from(JSON.stringify(state.contentType === '' ? {} : { 'content-type': state.contentType }))),
      ),
  };
}

interface GuestRequest {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Parses Extism's request: JSON with `url`, and optional `method` and `headers`. */
function requestOf(bytes: Buffer): GuestRequest {
  const { url, method, headers } = parsed(bytes);
  const wrong = (): ToolFailure => new ToolFailure('trapped', 'it made an HTTP call with an invalid request');
  if (typeof url !== 'string' || url.length > 65_536) throw wrong();
  if (method !== undefined && method !== null && (typeof method !== 'string' || method.length > 100)) throw wrong();
  const pairs = Object.entries(headers ?? {});
  if (
    pairs.length > 64 ||
    pairs.some(([name, value]) => typeof value !== 'string' || name.length + value.length > 65_536)
  )
    throw wrong();
  return {
    url,
    ...(typeof method === 'string' ? { method } : {}),
    headers: Object.fromEntries(pairs) as Record<string, string>,
  };
}

function parsed(bytes: Buffer): {
  readonly url?: unknown;
  readonly method?: unknown;
  readonly headers?: object | null;
} {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

function fileFunctions({ memory, bridge }: GuestState): Functions {
  const path = (address: bigint): string => memory.read(at(address)).toString();
  return {
    read_file: (name: bigint) =>
      BigInt(
        memory.put(
          Buffer.from(
            granted(bridge.call(bounded({ kind: 'call', what: 'readFile', path: path(name) }))).bytes,
            'base64',
          ),
        ),
      ),
    write_file: (name: bigint, data: bigint) =>
      void granted(
        bridge.call(
          bounded({
            kind: 'call',
            what: 'writeFile',
            path: path(name),
            data: memory.read(at(data)).toString('base64'),
          }),
        ),
      ),
  };
}

function bounded(call: Extract<HostCall, { readonly what: 'readFile' | 'writeFile' }>): HostCall {
  if (call.path.length > 65_536) throw new ToolFailure('trapped', 'it named a path that is too long');
  return call;
}

/** A guest cannot catch the host's exceptions, so a refusal ends the run, as in Extism. */
function granted(answer: HostAnswer): Extract<HostAnswer, { readonly kind: 'answer' }>['value'] {
  if (answer.kind === 'refused') throw new ToolFailure('refused', answer.message);
  return answer.value;
}

function logFunctions({ memory, bridge }: GuestState): Functions {
  const level = (name: LogLevel) => (address: bigint) => bridge.log(name, memory.read(at(address)).toString());
  return {
    log_trace: level('trace'),
    log_debug: level('debug'),
    log_info: level('info'),
    log_warn: level('warn'),
    log_error: level('error'),
    get_log_level: () => 0,
  };
}

/**
 * AssemblyScript's `abort`, if the module does not name another one. Its message arguments point into the module's
 * memory, whose layout is unknown, so only line and column are used.
 */
function aborted(...[, , line, column]: readonly [message: number, file: number, line: number, column: number]): never {
  throw new ToolFailure('trapped', `it aborted at line ${line}, column ${column}`);
}
