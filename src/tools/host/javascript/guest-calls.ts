import quickjs from '@jitl/quickjs-singlefile-cjs-release-sync';
import {
  type CustomizeVariantOptions,
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import type { HostCall, LogLevel } from '../../protocol/messages.ts';
import type { Bridge } from '../engine.ts';
import { webAssembly } from '../wasm/web-assembly.ts';

/**
 * Handles one call of the prelude, in JSON, and returns JSON. Throws `TypeError` for a call that the prelude would not
 * make.
 */
export function guestCall(bridge: Bridge, what: string, json: string): string {
  const answer = bridge.call(callOf(what, JSON.parse(json) as GuestFields));
  if (answer.kind === 'refused') return JSON.stringify({ refused: answer.message } satisfies AnswerText);
  const { bytes, ...others } = answer.value;
  return JSON.stringify({ ...others, text: Buffer.from(bytes, 'base64').toString() } satisfies AnswerText);
}

export function logLevelOf(text: string): LogLevel {
  return logLevels.find((level) => level === text) ?? 'info';
}

/** Reads the call field by field, because a guest may have put anything into the JSON, even `__proto__`. */
function callOf(what: string, fields: GuestFields): HostCall {
  switch (what) {
    case 'http':
      return {
        kind: 'call',
        what,
        url: textOf(fields.url),
        method: textOf(fields.method),
        headers: pairsOf(fields.headers),
        ...(fields.body === undefined ? {} : { body: base64(fields.body) }),
      };
    case 'readFile':
      return { kind: 'call', what, path: textOf(fields.path) };
    case 'writeFile':
      return { kind: 'call', what, path: textOf(fields.path), data: base64(fields.data) };
    default:
      throw new TypeError('there is no such call');
  }
}

function textOf(value: unknown): string {
  if (typeof value !== 'string' || value.length > 65_536)
    throw new TypeError('a text of at most 65536 characters is required');
  return value;
}

function base64(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('a text is required');
  return Buffer.from(value).toString('base64');
}

function pairsOf(value: unknown): [string, string][] {
  if (!Array.isArray(value) || value.length > 64) throw new TypeError('at most 64 headers are allowed');
  return value.map((pair: unknown) => {
    if (!Array.isArray(pair) || pair.length !== 2) throw new TypeError('a header consists of a name and a value');
    return [textOf(pair[0]), textOf(pair[1])];
  });
}

/** Fields that the prelude sends. A guest may send different ones. */
interface GuestFields {
  readonly url?: unknown;
  readonly method?: unknown;
  readonly headers?: unknown;
  readonly body?: unknown;
  readonly path?: unknown;
  readonly data?: unknown;
}

/** The answer for the prelude. */
interface AnswerText {
  readonly refused?: string;
  readonly text?: string;
  readonly status?: number;
  readonly contentType?: string;
  readonly finalUrl?: string;
}

/** The same list as in `protocol/messages.ts`. Importing that file would load the schema library in the box. */
const logLevels = ['trace', 'debug', 'info', 'warn', 'error'] as const;

const pageSize = 65_536;

/** Initial memory pages of this QuickJS build. */
const startPages = 256;

/** The allocator of the QuickJS build, which the package does not export. */
interface Allocator {
  _malloc: (size: number) => number;
  readonly _free: (at: number) => void;
}

/** Uses QuickJS's own error name, so that a guest sees only one kind of error. */
export class OutOfMemory extends RangeError {
  override readonly name = 'InternalError';

  constructor() {
    super('out of memory');
  }
}

/**
 * Returns a QuickJS whose memory cannot grow, with this many free bytes. `setMemoryLimit` is not enough. This build
 * cannot tell the size of an allocation (`malloc_usable_size` is 0 under Emscripten), so its count stays near zero
 * while a guest fills gigabytes.
 */
export async function cappedQuickJs(bytes: number): Promise<QuickJSWASMModule> {
  const pages = startPages + Math.ceil(bytes / pageSize) + 1;
  const wasmMemory = new webAssembly.Memory({
    initial: pages,
    maximum: pages,
  }) as CustomizeVariantOptions['wasmMemory'];
  const module = await newQuickJSWASMModuleFromVariant(
    newVariant(quickjs.default, wasmMemory === undefined ? {} : { wasmMemory }),
  );
  const { module: allocator } = module as unknown as { readonly module: Allocator };
  leave(bytes, allocator, pages * pageSize);
  refuseZero(allocator);
  return module;
}

/**
 * Attack: a text for which no memory is left. The package takes the allocator's 0 for an address, and overwrites
 * QuickJS's memory from address 0 on.
 */
function refuseZero(allocator: Allocator): void {
  const { _malloc: allocate } = allocator;
  allocator._malloc = (size) => {
    const at = allocate(size);
    if (at === 0) throw new OutOfMemory();
    return at;
  };
}

/** Permanently allocates everything except one block of the guest's size. */
function leave(bytes: number, { _malloc, _free }: Allocator, most: number): void {
  const kept = _malloc(bytes);
  if (kept === 0) throw new RangeError(`QuickJS cannot provide ${bytes} bytes`);
  for (let size = most; size >= 64; size = Math.floor(size / 2)) while (_malloc(size) !== 0);
  _free(kept);
}

/**
 * Creates the single global of a tool, from functions that take and return only texts. It runs before the tool, and
 * keeps references to the functions that it uses. So a tool that later replaces `JSON.parse` or a prototype affects
 * only itself.
 */
export const prelude = `(function (call, log, setOutput, configText, input, inputForm) {
  'use strict';
  const { parse, stringify } = JSON;
  const { freeze, entries, defineProperty, create } = Object;
  const { apply } = Reflect;
  const { includes } = '';
  const Text = String;
  const Failure = Error;
  const WrongType = TypeError;
  const ask = (what, fields) => {
    const answer = parse(call(what, stringify(fields)));
    if (answer.refused !== undefined) throw new Failure(answer.refused);
    return answer;
  };
  const text = (value, name) => {
    if (typeof value !== 'string') throw new WrongType(name + ' has to be a text');
    return value;
  };
  const across = (value) => (apply(includes, value, ['\\0']) ? [stringify(value), 'json'] : [value, 'plain']);
  const config = create(null);
  for (const [key, value] of entries(parse(configText))) defineProperty(config, key, { value, enumerable: true });
  const holdfast = {
    input: inputForm === 'json' ? parse(input) : input,
    output: freeze((value) => void apply(setOutput, undefined, across(text(value, 'the output')))),
    log: freeze((value, level) => {
      const { 0: line, 1: form } = across(Text(value));
      log(level === undefined ? 'info' : Text(level), line, form);
    }),
    http: freeze((request) => {
      const { url, method = 'GET', headers = {}, body } = typeof request === 'string' ? { url: request } : request;
      const pairs = [];
      for (const [name, value] of entries(headers)) pairs.push([Text(name), Text(value)]);
      const { status, contentType, finalUrl, text: got } = ask('http', { url: text(url, 'url'), method: Text(method), headers: pairs, body: body === undefined ? undefined : text(body, 'body') });
      return { status, contentType, url: finalUrl, body: got };
    }),
    readFile: freeze((path) => ask('readFile', { path: text(path, 'path') }).text),
    writeFile: freeze((path, data) => void ask('writeFile', { path: text(path, 'path'), data: text(data, 'data') })),
    config: freeze(config),
  };
  defineProperty(globalThis, 'holdfast', { value: freeze(holdfast) });
})`;
