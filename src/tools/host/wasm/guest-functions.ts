import type { HostAnswer, HostCall, LogLevel } from '../../protocol/messages.ts';
import { type Bridge, ToolFailure } from '../engine.ts';
import type { KernelMemory } from './kernel-memory.ts';

/** State of one run of a guest. */
export interface GuestState {
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

type Functions = Readonly<Record<string, HostFunction>>;

interface GuestRequest {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Functions that a guest may import, by module and name. Other imports are refused by name. */
export function guestImports(state: GuestState): Readonly<Record<string, Readonly<Record<string, HostFunction>>>> {
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
