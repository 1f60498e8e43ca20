/**
 * `holdfast text`: the boundaries of the text room, for one's own files and pipes. The text room decides about
 * findings.
 */
import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { HoldfastError } from '../../errors/index.ts';
import {
  type BoundaryName,
  describeFindings,
  escapeHidden,
  filterText,
  present,
  type TextFinding,
} from '../../text/index.ts';
import { type Command, type CommandInput, isSet, jsonLine, jsonText, optionText } from '../command.ts';

const usage = `usage: holdfast text show [--for model|person] [--json] [FILE]
       holdfast text scan [--json] PATH...

show: prints FILE or stdin as a model may read it. Invisible characters and terminal sequences appear as ⟦U+200B⟧.
      --for person keeps colours. Findings go to stderr.
scan: lists invisible characters in names and contents below each PATH: file:line:column, the kind, and any hidden
      message. Exits with 1 when it finds one. It also reports look-alike letters in names, which do not change the exit
      status. It skips .git, node_modules, binary files and files above 8 MiB.`;

export const textCommand: Command = {
  name: 'text',
  inBox: 'works',
  usage,
  options: { for: { type: 'string' }, json: { type: 'boolean' } },
  positionals: 'any',
  async run(input) {
    const [name = '', ...paths] = input.positionals;
    switch (name) {
      case 'show':
        return showText(input, paths);
      case 'scan':
        return scanFiles(input, paths);
      default:
        throw new HoldfastError(
          'HF_USAGE',
          name === '' ? 'text needs an action' : `text has no action ${JSON.stringify(name)}`,
          {
            remedy: 'use show or scan; see `holdfast text --help`',
          },
        );
    }
  },
};

const audiences: ReadonlyMap<string, BoundaryName> = new Map([
  ['model', 'command-output'],
  ['person', 'terminal-output'],
]);

/** Prints a file, or stdin, in the form for a model or a person. */
function showText({ values, io }: CommandInput, paths: readonly string[]): number {
  if (paths.length > 1)
    throw new HoldfastError('HF_USAGE', `expected one file, got ${paths.length}`, {
      remedy: 'use `holdfast text scan` for several',
    });
  const audience = optionText(values['for']) ?? 'model';
  const boundary = audiences.get(audience);
  if (boundary === undefined)
    throw new HoldfastError('HF_USAGE', `expected model or person after --for, got ${JSON.stringify(audience)}`, {
      remedy: 'use --for person',
    });
  const shown = present(boundary, readText(paths[0], io.cwd));
  io.stdout.write(isSet(values['json']) ? jsonLine(shown) : shown.text);
  if (shown.findings.length > 0)
    io.stderr.write(`holdfast: the text has hidden characters: ${describeFindings(shown.findings)}\n`);
  return 0;
}

function readText(path: string | undefined, cwd: string): string {
  try {
    return readFileSync(path === undefined ? 0 : resolve(cwd, path), 'utf8');
  } catch (cause) {
    throw new HoldfastError('HF_USAGE', `${path === undefined ? 'stdin' : JSON.stringify(path)} cannot be read`, {
      remedy: 'name a file that you can read',
      cause,
    });
  }
}

interface Hit {
  readonly path: string;
  /** 1-based. 0 for a finding in the name itself. */
  readonly line: number;
  readonly column: number;
  readonly finding: TextFinding;
}

/** Scans every file below the paths, one at a time. */
function scanFiles({ values, io }: CommandInput, paths: readonly string[]): number {
  if (paths.length === 0)
    throw new HoldfastError('HF_USAGE', 'there is nothing to scan', { remedy: 'write `holdfast text scan .`' });
  const hits = paths
    .flatMap((path) => (isDirectory(resolve(io.cwd, path)) ? filesBelow(io.cwd, path) : [path]))
    .flatMap((path) => hitsIn(io.cwd, path));
  if (isSet(values['json'])) io.stdout.write(jsonText(hits));
  else for (const hit of hits) io.stdout.write(`${hitLine(hit)}\n`);
  return hits.some(({ finding }) => !isLookalike(finding)) ? 1 : 0;
}

/** Lookalikes are visible, but people mistake them for other letters. */
function isLookalike({ kind }: TextFinding): boolean {
  return kind === 'mixed-script' || kind === 'confusable';
}

function hitLine({ path, line, column, finding }: Hit): string {
  const { kind, what, decoded } = finding;
  const place = line === 0 ? 'in its name' : `${line}:${column}`;
  return `${present('file-name', path).text}:${place}: ${kind} ${escapeHidden(what)}${decoded === undefined ? '' : ` says "${escapeHidden(decoded)}"`}`;
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (cause) {
    throw new HoldfastError('HF_USAGE', `${JSON.stringify(path)} cannot be read`, {
      remedy: 'name a file or directory that you can read',
      cause,
    });
  }
}

const skipped: ReadonlySet<string> = new Set(['.git', 'node_modules']);

function filesBelow(cwd: string, top: string): readonly string[] {
  const waiting = [top];
  const files: string[] = [];
  for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
    for (const entry of entriesOf(resolve(cwd, directory))) {
      const path = join(directory, entry.name);
      if (entry.isDirectory() && !skipped.has(entry.name)) waiting.push(path);
      else if (entry.isFile()) files.push(path);
    }
  }
  return files.toSorted();
}

/** Others cannot read an unreadable directory either. */
function entriesOf(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}

function hitsIn(cwd: string, path: string): readonly Hit[] {
  const ofName = filterText(path, { mode: 'report', form: 'name' }).findings.map(
    (finding): Hit => ({ path, line: 0, column: 0, finding }),
  );
  const text = textOf(resolve(cwd, path));
  if (text === undefined) return ofName;
  const { findings } = filterText(text, { mode: 'report', form: 'prose' });
  return [...ofName, ...findings.map((finding): Hit => ({ path, ...placeOf(text, finding.start), finding }))];
}

const largest = 8 * 1024 * 1024;

function textOf(path: string): string | undefined {
  try {
    if (statSync(path).size > largest) return undefined;
    const bytes = readFileSync(path);
    return bytes.subarray(0, 8192).includes(0) ? undefined : bytes.toString('utf8');
  } catch {
    return undefined;
  }
}

function placeOf(text: string, offset: number): Pick<Hit, 'line' | 'column'> {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
