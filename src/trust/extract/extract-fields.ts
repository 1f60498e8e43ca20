/*
 * Executable fields of a file, by its format. Bytes come in as a repository has them, hostile: every reader takes bounded time
 * and memory, throws nothing, and says when another reader might take the file for something else. A bundle of its own.
 */
import { hash } from 'node:crypto';
import type { ExecutableField, FieldEffect, FileFormat, Surface, SurfaceKind } from '../types.ts';
import { decode } from './decode.ts';
import { matchFields } from './match-fields.ts';
import { readers } from './readers.ts';
import { isSecret, secretValue, shownPath, shownValue } from './shown-value.ts';

export interface Extracted {
  readonly fields: readonly ExecutableField[];
  /** Each command or part of one as it is in the file, not to be shown. */
  readonly commands: readonly string[];
  /** Where its commands say that they start. */
  readonly directories: readonly string[];
  /** As in `FoundFile`. */
  readonly problem?: string;
}

/** Of one file. A surface of the table has some ten. */
const mostFields = 2000;

/**
 * Finds the executable fields of a file. Never throws, whatever the bytes are; what cannot be read for certain is a problem,
 * and the whole file is then one more field, beside those that were found.
 */
export async function extract(surface: Surface, bytes: Buffer): Promise<Extracted> {
  const { text, problem } = decode(bytes);
  if (surface.format === 'source' || problem !== undefined) return problem === undefined ? wholeText(surface, text) : unparsed(surface, bytes, problem);
  const limit = longestOf[surface.format];
  if (bytes.length > limit) return unparsed(surface, bytes, `it is larger than ${limit >> 10} KiB`);
  const parsed = await readers[surface.format](text);
  const { fields, commands, directories } = fieldsOf(surface, parsed.value);
  const trouble = parsed.problem ?? (fields.length > mostFields ? `it has more than ${mostFields} executable fields` : undefined);
  if (trouble === undefined) return { fields, commands, directories };
  return { fields: [...fields.slice(0, mostFields), ...wholeBytes(surface, bytes).fields], commands, directories, problem: trouble };
}

/** Bytes that are parsed, so that the worst file of its format takes a second or so. */
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

/** How long a file of this size may take, as a part of the worst file of its format. */
export function costOf({ format }: Surface, size: number): number {
  return format === 'source' ? 0 : Math.min(1, size / longestOf[format]);
}

function fieldsOf(surface: Surface, value: Parameters<typeof matchFields>[0]): Extracted {
  const fields: ExecutableField[] = [];
  const commands: string[] = [];
  const directories: string[] = [];
  matchFields(value, surface.fields, ({ path, text, pattern }) => {
    if (fields.length > mostFields) return;
    fields.push({ path: shownPath(path), effect: pattern.effect, value: isSecret(path) ? secretValue : shownValue(text) });
    if (workingDirectory.test(path.at(-1) ?? '')) directories.push(text);
    if (pattern.names === 'script') commands.push(text);
  });
  return { fields, commands, directories };
}

/** `cwd` of most, `workingDirectory`, and `WORKING_DIRECTORY` in files of JetBrains. */
const workingDirectory = /^(?:cwd|working[-_]?dir(?:ectory)?)$/iu;

/** What the whole of a file does, where no part of it is told apart. */
const effectOf: Readonly<Record<SurfaceKind, FieldEffect>> = {
  mcp: 'runs', hook: 'runs', task: 'runs', lsp: 'runs', skill: 'runs', plugin: 'runs', script: 'runs', git: 'runs', devcontainer: 'runs', editor: 'runs', environment: 'runs',
  instructions: 'instructs', prompt: 'instructs', 'agent-settings': 'permits', registry: 'redirects', schema: 'redirects', policy: 'permits',
};

/** The whole of a file, where it is not looked at for its fields. */
export function unparsed(surface: Surface, bytes: Buffer, problem: string): Extracted {
  return { ...wholeBytes(surface, bytes), problem };
}

function wholeText(surface: Surface, text: string): Extracted {
  if (surface.secrets === 'beside-fields') return wholeBytes(surface, Buffer.from(text));
  return { fields: [{ path: '', effect: effectOf[surface.kind], value: shownValue(text) }], commands: [], directories: [] };
}

function wholeBytes(surface: Surface, bytes: Buffer): Extracted {
  const effect = surface.secrets === 'beside-fields' || effectOf[surface.kind] === 'instructs' ? 'runs' : effectOf[surface.kind];
  return { fields: [{ path: '', effect, value: `${bytes.length} bytes, sha256 ${hash('sha256', bytes)}` }], commands: [], directories: [] };
}
