import * as v from 'valibot';

/** One page of WebAssembly memory, in bytes. */
export const pageSize = 65_536;

/**
 * `javascript`: JavaScript, or TypeScript without what needs to be compiled, in QuickJS. `wasm`: a module that speaks
 * Extism's interface.
 */
const toolKinds = ['javascript', 'wasm'] as const;

const line = v.pipe(
  v.string(),
  v.nonEmpty('is empty'),
  v.maxLength(4096, 'is longer than 4096 characters'),
  v.check((text) => !/\p{Cc}/u.test(text), 'holds a control character'),
);
const lines = v.pipe(v.array(line), v.maxLength(64, 'has more than 64 items'));
const whole = (least: number, most: number) =>
  v.pipe(
    v.number(),
    v.integer('is no whole number'),
    v.minValue(least, `is less than ${least}`),
    v.maxValue(most, `is more than ${most}`),
  );

/** What a manifest may say. A list that is left out is empty, and an empty list means nothing. */
export const manifestSchema = v.strictObject({
  name: v.pipe(
    v.string(),
    v.regex(/^[a-z0-9][a-z0-9._-]{0,63}$/u, 'is no name: use small letters, digits, dots, hyphens and underscores'),
  ),
  /** Below the directory of the manifest. */
  module: line,
  kind: v.picklist(toolKinds),
  /** Of the module, in hex. */
  sha256: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/u, 'is no SHA-256: 64 hex digits in small letters'))),
  /** Of a `wasm` tool: the function that is called. */
  entry: v.optional(line),
  /** `HOST` or `HOST:PORT`, as in a policy. */
  hosts: v.optional(lines, []),
  paths: v.optional(v.strictObject({ read: v.optional(lines, []), write: v.optional(lines, []) }), {
    read: [],
    write: [],
  }),
  /** Pages of 64 KiB. */
  memory: v.optional(whole(1, 16_384), 256),
  /** Milliseconds for one call, with everything that it waits for. */
  deadline: v.optional(whole(1, 600_000), 5000),
  /** Of a `javascript` tool: how often QuickJS may look whether it has to stop, which it does every 10,000 steps. */
  fuel: v.optional(whole(1, 1_000_000_000)),
  config: v.optional(
    v.record(v.string(), v.pipe(v.string(), v.maxLength(65_536, 'is longer than 65536 characters'))),
    {},
  ),
});
