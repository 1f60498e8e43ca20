import { readdirSync, readFileSync, statSync, type Dirent } from 'node:fs';
import { join, resolve } from 'node:path';
import { HoldfastError } from '../../errors/index.ts';
import { escapeHidden, filterText, present, type TextFinding } from '../../text/index.ts';
import { isSet, type CommandInput } from '../command.ts';
import { jsonText } from '../json-text.ts';

interface Hit {
  readonly path: string;
  /** 1-based; 0 for what is found in the name itself. */
  readonly line: number;
  readonly column: number;
  readonly finding: TextFinding;
}

/** Every file below the paths, one at a time. */
export function scanFiles({ values, io }: CommandInput, paths: readonly string[]): number {
  if (paths.length === 0) throw new HoldfastError('HF_USAGE', 'there is nothing to scan', { remedy: 'as in `holdfast text scan .`' });
  const hits = paths.flatMap((path) => (isDirectory(resolve(io.cwd, path)) ? filesBelow(io.cwd, path) : [path])).flatMap((path) => hitsIn(io.cwd, path));
  if (isSet(values['json'])) io.stdout.write(jsonText(hits));
  else for (const hit of hits) io.stdout.write(`${hitLine(hit)}\n`);
  return hits.some(({ finding }) => !isLookalike(finding)) ? 1 : 0;
}

/** They show; only which letters they are does not. */
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
    throw new HoldfastError('HF_USAGE', `${JSON.stringify(path)} cannot be read`, { remedy: 'name a file or directory that can', cause });
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

/** What cannot be read is not what somebody else will read. */
function entriesOf(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}

function hitsIn(cwd: string, path: string): readonly Hit[] {
  const ofName = filterText(path, { mode: 'report', form: 'name' }).findings.map((finding): Hit => ({ path, line: 0, column: 0, finding }));
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
