import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, extname, resolve, sep } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import { type BaseIssue, type InferOutput, safeParse } from 'valibot';
import * as v from 'valibot';
import { HoldfastError } from '../../errors/index.ts';
import { type HostPattern, parseHostPattern } from '../../policy/patterns/host-pattern.ts';
import { invalidTool } from '../failure.ts';

/** A manifest, and the bytes of its module. */
export interface LoadedTool {
  readonly manifest: Manifest;
  readonly module: Buffer;
  /** In hex. */
  readonly sha256: string;
  readonly language: 'javascript' | 'typescript' | 'wasm';
}

/** Most bytes. Compiling takes time, and the module's author is not trusted. */
const largestModule = 8 << 20;
const largestManifest = 1 << 18;

/** Reads `tool.toml` and its module. Runs nothing. Throws `HF_TOOL_INVALID` for faults of either. */
export function loadTool(file: string): LoadedTool {
  const manifest = parseManifest(
    textOf(readBounded(realPath(file, file), { file, most: largestManifest }), file),
    file,
  );
  const module = readBounded(insideOf(file, manifest.module), { file, most: largestModule });
  const sha256 = createHash('sha256').update(module).digest('hex');
  if (manifest.sha256 !== undefined && manifest.sha256 !== sha256)
    throw invalidTool(file, [`${manifest.module} has the SHA-256 ${sha256}, not the one that the manifest names`]);
  return { manifest, module, sha256, language: languageOf(manifest) };
}

/**
 * A module outside the directory could be any file of the user, and an error about its first line would reveal that
 * line.
 */
function insideOf(file: string, module: string): string {
  const path = realPath(resolve(dirname(file), module), file);
  const directory = realPath(dirname(resolve(file)), file);
  if (!path.startsWith(directory === sep ? sep : `${directory}${sep}`))
    throw invalidTool(file, [`the module ${module} is not below the directory of the manifest`]);
  return path;
}

function realPath(path: string, file: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    throw unreadable(path, file, error);
  }
}

function readBounded(path: string, { file, most }: { readonly file: string; readonly most: number }): Buffer {
  try {
    // Without these flags, a FIFO would block, and /dev/zero would never end.
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      const stats = fstatSync(fd);
      if (!stats.isFile()) throw invalidTool(file, [`${path} is not a regular file`]);
      if (stats.size > most)
        throw invalidTool(file, [`${path} has ${stats.size} bytes, more than the ${most} that are read`]);
      return readFileSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    throw unreadable(path, file, error);
  }
}

function unreadable(path: string, file: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined || code.startsWith('HF_') ? error : cannotRead(path, file, code);
}

function cannotRead(path: string, file: string, code: string): HoldfastError {
  if (path !== file) return invalidTool(file, [`${path} cannot be read (${code})`]);
  return new HoldfastError(
    'HF_TOOL_INVALID',
    `the manifest ${file} ${code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`}`,
    {
      remedy: 'name the manifest of a tool; docs/tools.md shows one',
    },
  );
}

function textOf(bytes: Buffer, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalidTool(file, ['it is not valid UTF-8']);
  }
}

function languageOf({ kind, module }: Manifest): LoadedTool['language'] {
  if (kind === 'wasm') return 'wasm';
  return ['.ts', '.mts'].includes(extname(module)) ? 'typescript' : 'javascript';
}

/** Upper limits of one tool. The policy may grant less, but never more. */
export interface Manifest extends Readonly<Omit<InferOutput<typeof manifestSchema>, 'hosts'>> {
  /** Name of the file, for messages. */
  readonly file: string;
  readonly hosts: readonly HostPattern[];
}

const largestText = 65_536;

/** Parses a manifest. Throws `HF_TOOL_INVALID` with all faults. Pure. */
export function parseManifest(text: string, file: string): Manifest {
  if (text.length > largestText)
    throw invalidTool(file, [`it has ${text.length} characters, more than the ${largestText} that are read`]);
  const result = safeParse(manifestSchema, tomlOf(text, file));
  if (!result.success) throw invalidTool(file, result.issues.map(issueText));
  const { hosts, ...others } = result.output;
  const patterns = hosts.map(parseHostPattern);
  const problems = [
    ...patterns.flatMap((pattern) =>
      pattern.kind === 'problem'
        ? [`hosts: ${'message' in pattern ? `${pattern.message}; ${pattern.remedy}` : 'an unknown pattern'}`]
        : [],
    ),
    ...findings(others),
  ];
  if (problems.length > 0) throw invalidTool(file, problems);
  return { ...others, file, hosts: patterns.flatMap((pattern) => (pattern.kind === 'host' ? [pattern] : [])) };
}

function tomlOf(text: string, file: string): unknown {
  try {
    return parse(text, { maxDepth: 8, unsafeKeyBehaviour: 'throw' });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw invalidTool(file, [
      `line ${error.line} is not valid TOML: ${(error.message.split('\n')[0] ?? '').replace('Invalid TOML document: ', '')}`,
    ]);
  }
}

/** In pages. QuickJS's own objects take about twelve. */
const leastOfJavaScript = 32;

/** Finds keys that are valid alone but not together. */
function findings({
  kind,
  entry,
  fuel,
  memory,
  paths,
}: Omit<InferOutput<typeof manifestSchema>, 'hosts'>): readonly string[] {
  const homely = [...paths.read, ...paths.write].filter((path) => path.startsWith('~'));
  return [
    ...(kind === 'wasm' && fuel !== undefined
      ? ['fuel counts steps of JavaScript: a "wasm" tool has only a deadline']
      : []),
    ...(kind === 'javascript' && entry !== undefined
      ? ['entry is the function of a "wasm" tool: JavaScript runs from its first line']
      : []),
    ...(kind === 'javascript' && memory < leastOfJavaScript
      ? [`memory is less than the ${leastOfJavaScript} pages that QuickJS itself needs`]
      : []),
    ...homely.map((path) => `paths: ${JSON.stringify(path)} has a ~, which is not expanded: write the full path`),
  ];
}

function issueText(issue: BaseIssue<unknown>): string {
  const at = (issue.path ?? [])
    .map(({ key }) => String(key))
    .join('.')
    .slice(0, 100);
  if (issue.type === 'strict_object' && issue.expected === 'never') return `unknown key ${JSON.stringify(at)}`;
  if (issue.received === 'undefined') return `"${at}" is missing`;
  if (issue.kind === 'validation') return `${at} ${issue.message}`;
  return `${at} has to be ${(issue.expected ?? 'something else').replaceAll(' | ', ' or ').replaceAll(/[()]/gu, '')}, not ${issue.received.slice(0, 60)}`;
}

/** One page of WebAssembly memory, in bytes. */
export const pageSize = 65_536;

/**
 * `javascript`: runs JavaScript, or TypeScript whose types can be stripped, in QuickJS. `wasm`: runs a module with
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
    v.integer('is not a whole number'),
    v.minValue(least, `is less than ${least}`),
    v.maxValue(most, `is more than ${most}`),
  );

/** Schema of a manifest. An omitted list is empty, and an empty list grants nothing. */
const manifestSchema = v.strictObject({
  name: v.pipe(
    v.string(),
    v.regex(
      /^[a-z0-9][a-z0-9._-]{0,63}$/u,
      'is not a name: use lower-case letters, digits, dots, hyphens and underscores',
    ),
  ),
  /** Path below the manifest's directory. */
  module: line,
  kind: v.picklist(toolKinds),
  /** SHA-256 of the module, in hex. */
  sha256: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/u, 'is not a SHA-256: 64 hex digits in lower case'))),
  /** The function to call, for a `wasm` tool. */
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
  /** QuickJS's interrupt checks, one every 10,000 steps. For a `javascript` tool. */
  fuel: v.optional(whole(1, 1_000_000_000)),
  config: v.optional(
    v.record(v.string(), v.pipe(v.string(), v.maxLength(65_536, 'is longer than 65536 characters'))),
    {},
  ),
});
