/*
 * Executable fields of a file, by its format. Bytes come straight from a repository and are hostile. Every reader takes
 * bounded time and memory, throws nothing, and reports a file that another reader might read differently. Has its own
 * bundle.
 */
import { hash } from 'node:crypto';
import { parseGitConfig } from '../../git-config/parse.ts';
import { loadsCode } from '../../shell/loads-code.ts';
import { present } from '../../text/index.ts';
import type { ExecutableField, FieldEffect, FileFormat, Surface, SurfaceKind } from '../types.ts';
import { parseJson } from './json.ts';
import { parseDotenv, parseGitAttributes, parseIni } from './lines.ts';
import { parseMarkdown } from './markdown.ts';
import { matchFields } from './match-fields.ts';
import { emptyMap, type ParsedValue, type MapEntry, map, scalar } from './value.ts';
import { parseXml } from './xml.ts';

export interface ExtractedFields {
  readonly fields: readonly ExecutableField[];
  /** Commands, or parts of commands, as written in the file. Not for display. */
  readonly commands: readonly string[];
  /** Working directories that its commands name. */
  readonly directories: readonly string[];
  /** As in `FoundFile`. */
  readonly problem?: string;
}

/** Fields of one file. A surface of the table has about ten. */
const mostFields = 2000;

/**
 * Finds the executable fields of a file. Never throws, for any bytes. An ambiguous part is a problem, and then the
 * whole file becomes one more field.
 */
export async function extract(surface: Surface, bytes: Buffer): Promise<ExtractedFields> {
  const { text, problem } = decode(bytes);
  if (surface.format === 'source' || problem !== undefined)
    return problem === undefined ? wholeText(surface, text) : unparsed(surface, bytes, problem);
  const limit = longestOf[surface.format];
  if (bytes.length > limit) return unparsed(surface, bytes, `it is larger than ${limit >> 10} KiB`);
  const parsed = await readers[surface.format](text);
  const { fields, commands, directories } = fieldsOf(surface, parsed.value);
  const trouble =
    parsed.problem ?? (fields.length > mostFields ? `it has more than ${mostFields} executable fields` : undefined);
  if (trouble === undefined) return { fields, commands, directories };
  return {
    fields: [...fields.slice(0, mostFields), ...wholeBytes(surface, bytes).fields],
    commands,
    directories,
    problem: trouble,
  };
}

/** Bytes that are parsed, so that the slowest file of its format takes about a second. */
const longestOf: Readonly<Record<Exclude<FileFormat, 'source'>, number>> = {
  json: 8 << 20,
  jsonc: 8 << 20,
  toml: 512 << 10,
  yaml: 64 << 10,
  ini: 512 << 10,
  'git-config': 512 << 10,
  'git-attributes': 512 << 10,
  dotenv: 256 << 10,
  xml: 512 << 10,
  markdown: 1 << 20,
};

/** Returns how long a file of this size may take, as a fraction of the slowest file of its format. */
export function readingCost({ format }: Surface, size: number): number {
  return format === 'source' ? 0 : Math.min(1, size / longestOf[format]);
}

function fieldsOf(surface: Surface, value: Parameters<typeof matchFields>[0]): ExtractedFields {
  const fields: ExecutableField[] = [];
  const commands: string[] = [];
  const directories: string[] = [];
  matchFields(value, surface.fields, ({ path, text, pattern }) => {
    if (fields.length > mostFields) return;
    fields.push({
      path: shownPath(path),
      effect: pattern.effect,
      value: isSecret(path) ? secretValue : shownValue(text),
    });
    if (workingDirectory.test(path.at(-1) ?? '')) directories.push(text);
    if (pattern.names === 'script') commands.push(text);
  });
  return { fields, commands, directories };
}

/** Usually `cwd`. Files of JetBrains have `workingDirectory` and `WORKING_DIRECTORY`. */
const workingDirectory = /^(?:cwd|working[-_]?dir(?:ectory)?)$/iu;

/** Effect of a whole file whose parts are not distinguished. */
const effectOf: Readonly<Record<SurfaceKind, FieldEffect>> = {
  mcp: 'runs',
  hook: 'runs',
  task: 'runs',
  lsp: 'runs',
  skill: 'runs',
  plugin: 'runs',
  script: 'runs',
  git: 'runs',
  devcontainer: 'runs',
  editor: 'runs',
  environment: 'runs',
  instructions: 'instructs',
  prompt: 'instructs',
  'agent-settings': 'permits',
  registry: 'redirects',
  schema: 'redirects',
  policy: 'permits',
};

/** Returns the whole file as one field, if its fields are not read. */
export function unparsed(surface: Surface, bytes: Buffer, problem: string): ExtractedFields {
  return { ...wholeBytes(surface, bytes), problem };
}

function wholeText(surface: Surface, text: string): ExtractedFields {
  if (surface.secrets === 'beside-fields') return wholeBytes(surface, Buffer.from(text));
  return {
    fields: [{ path: '', effect: effectOf[surface.kind], value: shownValue(text) }],
    commands: [],
    directories: [],
  };
}

function wholeBytes(surface: Surface, bytes: Buffer): ExtractedFields {
  const effect =
    surface.secrets === 'beside-fields' || effectOf[surface.kind] === 'instructs' ? 'runs' : effectOf[surface.kind];
  return {
    fields: [{ path: '', effect, value: `${bytes.length} bytes, sha256 ${hash('sha256', bytes)}` }],
    commands: [],
    directories: [],
  };
}

/** Decodes UTF-8, with or without a byte order mark. Different readers see different texts in invalid bytes and NUL. */
function decode(bytes: Buffer): { readonly text: string; readonly problem?: string } {
  try {
    const text = utf8.decode(bytes);
    return text.includes('\0') ? { text, problem: 'it has NUL characters' } : { text };
  } catch (error) {
    if (error instanceof TypeError) return { text: '', problem: 'it is not UTF-8' };
    throw error;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Characters of a value that are shown. A longer value also shows its hash, so that a change is visible. */
const longest = 2000;
const longestKey = 200;

/** Filters a value, and cuts a long one, with its length and the hash of the whole. */
function shownValue(text: string): string {
  const shown = present('report', text.slice(0, longest)).text;
  return text.length <= longest
    ? shown
    : `${shown}… (${text.length - longest} more characters, sha256 ${hash('sha256', text)})`;
}

/** Joins filtered keys with dots. A backslash comes before a dot within a key. */
export function shownPath(keys: readonly string[]): string {
  return keys
    .map((key) =>
      present(
        'file-name',
        key.length <= longestKey ? key : `${key.slice(0, longestKey)}…${hash('sha256', key).slice(0, 16)}`,
      ).text.replaceAll('.', '\\.'),
    )
    .join('.');
}

/** Shown instead of a secret. */
const secretValue = '(a secret, not shown)';

const holders = new Set([
  'env',
  'environment',
  'headers',
  'http_headers',
  'remoteEnv',
  'containerEnv',
  'auth',
  'oauth',
]);
const secretName =
  /(?:^|[_\-.])(?:token|secret|password|passwd|passphrase|credentials?|api[_-]?key|apikey|key|authorization|cookie|jwt|pat)(?:$|[_\-.])/iu;

/**
 * Returns whether the value is a secret rather than a setting with an effect: `env.API_TOKEN`, `headers.Authorization`.
 */
function isSecret(keys: readonly string[]): boolean {
  const name = keys.at(-1) ?? '';
  return keys.slice(0, -1).some((key) => holders.has(key)) && secretName.test(name) && !loadsCode(name);
}

type Reader = (text: string) => ParsedValue | Promise<ParsedValue>;

/**
 * One reader for each format. None throws. Libraries are loaded for the first file that needs them, and most
 * repositories have none.
 */
const readers: Readonly<Record<Exclude<FileFormat, 'source'>, Reader>> = {
  json: guarded(parseJson),
  jsonc: guarded(parseJson),
  ini: guarded(parseIni),
  dotenv: guarded(parseDotenv),
  'git-attributes': guarded(parseGitAttributes),
  'git-config': guarded(parseGitSettings),
  xml: guarded(parseXml),
  toml: async (text) => (await import('./toml.ts')).parseToml(text),
  yaml: async (text) => (await import('./yaml.ts')).parseYaml(text),
  markdown,
};

/** Only front matter needs the library. */
async function markdown(text: string): Promise<ParsedValue> {
  const readFront = /^---[ \t]*[\r\n]/u.test(text)
    ? (await import('./yaml.ts')).parseYaml
    : () => ({ value: emptyMap });
  return guarded((all) => parseMarkdown(all, readFront))(text);
}

/** A regular expression over megabytes of text may overflow the stack. Such a file counts as unreadable. */
function guarded(read: (text: string) => ParsedValue): (text: string) => ParsedValue {
  return (text) => {
    try {
      return read(text);
    } catch (error) {
      if (error instanceof RangeError) return { value: emptyMap, problem: 'it is too large to be read' };
      throw error;
    }
  };
}

/** Parses settings as git does. `filter.L F.clean` is a path of three keys, with any text in the middle one. */
export function parseGitSettings(text: string): ParsedValue {
  const { settings, malformed } = parseGitConfig(text);
  const value = map(settings.map(({ key, value: given = 'true' }) => nested(keysOf(key), given)));
  return malformed === undefined ? { value } : { value, problem: 'git stops reading it, and ignores all of it' };
}

function keysOf(key: string): readonly string[] {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')];
  return first === last
    ? [key.slice(0, first), key.slice(first + 1)]
    : [key.slice(0, first), key.slice(first + 1, last), key.slice(last + 1)];
}

function nested([key = '', ...rest]: readonly string[], text: string): MapEntry {
  return [key, rest.length === 0 ? scalar(text) : map([nested(rest, text)])];
}
