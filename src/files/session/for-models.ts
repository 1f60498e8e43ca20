import type { FileInfo, Files, FileType, ListOptions, Range } from '../index.ts';
import {
  escapePath,
  filterText,
  instructionLikeness,
  present,
  unescapePath,
  type FilteredText,
  type TextFinding,
} from '../../text/index.ts';
import type { Commands } from '../../session/commands.ts';
import { noteText, type TextSession } from '../../place/text-events.ts';
import { findFiles, type FindOptions } from './find-files.ts';
import { type LineRange, type Lines, readLines } from './read-lines.ts';
import { type SearchAnswer, searchFiles, type SearchOptions } from './search-files.ts';

/** A file in a form for a model. */
export interface ShownFile {
  /** Escaped, like `path`: two names never look the same, and every call here takes both back. */
  readonly name: string;
  readonly path: string;
  readonly type: FileType;
  /** Set with `detail: 'stat'`, unless the file is gone meanwhile. */
  readonly info?: FileInfo;
  /** Invisible characters in its name, and letters that look like others. */
  readonly findings: readonly TextFinding[];
  /** The likelihood that its name addresses the model: 0 to 1. No decision depends on it. */
  readonly likeness: number;
}

/** Lines of a file in a form for a model. Empty for a binary file. */
export interface ShownLines extends FilteredText, Omit<Lines, 'bytes'> {}

/** Result of a search in a form for a model. */
export interface ShownSearch extends Omit<SearchAnswer, 'lines'> {
  readonly lines: readonly ShownLine[];
  readonly findings: readonly TextFinding[];
}

export interface ShownLine {
  /** Escaped. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** Start of the line, at most 500 bytes. */
  readonly text: string;
}

/** Files that match a pattern, as escaped paths. */
export interface ShownPaths {
  readonly paths: readonly string[];
  /** `whole`: all were searched. `limit`: there may be more. `entries`: the tree is too large to search. */
  readonly searched: 'whole' | 'limit' | 'entries';
}

/**
 * Files in a form for models, through the same confined worker. Invisible characters are made visible, and the journal
 * records them. Use paths from `list`, or any path with each backslash doubled.
 *
 * Rejects with the errors of `Files`, and with `HF_TEXT_REJECTED` for a path with a backslash that starts no escape.
 *
 * @example for (const { path, type } of await sandbox.filesForModel.list('.')) { if (type === 'file')
 * console.log((await sandbox.filesForModel.read(path)).text); }
 */
export class FilesForModel {
  readonly #session: TextSession;
  readonly #files: Files;
  readonly #commands: Pick<Commands, 'start'>;

  constructor(session: TextSession, files: Files, commands: Pick<Commands, 'start'>) {
    this.#session = session;
    this.#files = files;
    this.#commands = commands;
  }

  /**
   * Returns the text of a file, read as UTF-8.
   *
   * @example
   * const { text, findings } = await sandbox.filesForModel.read('README.md');
   */
  async read(path: string, range?: Range): Promise<FilteredText> {
    const shown = present('file-content', (await this.#files.read(unescapePath(path), range)).toString());
    noteText(this.#session, { boundary: 'file-content', where: path, findings: shown.findings });
    return shown;
  }

  /**
   * Lists a directory, and the levels below it with `depth`.
   *
   * @example
   * const names = (await sandbox.filesForModel.list('src')).map(({ name }) => name);
   */
  async list(path = '.', options: ListOptions = {}): Promise<ShownFile[]> {
    const listed = await this.#files.list(unescapePath(path), options);
    const shown = listed.map(({ name, bytes, type, info }): ShownFile => {
      const { findings } = filterText(name, { mode: 'report', form: 'name' });
      return {
        name: escapePath(lastOf(bytes)),
        path: escapePath(bytes),
        type,
        ...(info === undefined ? {} : { info }),
        findings,
        likeness: instructionLikeness(name).score,
      };
    });
    noteText(this.#session, {
      boundary: 'file-name',
      where: path,
      findings: shown.flatMap(({ findings }) => findings),
      names: listed.map(({ name }) => name),
    });
    return shown;
  }

  /**
   * Returns some lines of a file of any size. Default: the first 2000, and at most 64 KiB.
   *
   * @example
   * const { text, stopped } = await sandbox.filesForModel.lines('build.log', { from: 2001 });
   */
  async lines(path: string, range?: LineRange): Promise<ShownLines> {
    const { bytes, ...where } = await readLines(this.#files, unescapePath(path), range);
    const shown = present('file-content', bytes.toString());
    noteText(this.#session, { boundary: 'file-content', where: path, findings: shown.findings });
    return { ...where, ...shown };
  }

  /**
   * Finds files below a directory whose relative path matches a pattern: `src/**\/*.ts`, or a name at any depth, such
   * as `*.{json,toml}`. Searches `.git` and `node_modules` only if the pattern names them.
   *
   * @example
   * const { paths } = await sandbox.filesForModel.find('*.test.ts');
   */
  async find(pattern: string, { path = '.', ...options }: FindOptions = {}): Promise<ShownPaths> {
    const { files, searched } = await findFiles(this.#files, pattern, { path: unescapePath(path), ...options });
    const names = files.map(({ name }) => name);
    noteText(this.#session, {
      boundary: 'file-name',
      where: path,
      findings: names.flatMap((name) => filterText(name, { mode: 'report', form: 'name' }).findings),
      names,
    });
    return { paths: files.map(({ bytes }) => escapePath(bytes)), searched };
  }

  /**
   * Finds lines that match a regular expression, with ripgrep inside a box, or with `grep -E` if there is no ripgrep.
   * Throws `HF_USAGE` for an invalid expression.
   *
   * @example
   * const { lines } = await sandbox.filesForModel.search('eval|new Function', { glob: '*.ts' });
   */
  async search(pattern: string, { path = '.', ...options }: SearchOptions = {}): Promise<ShownSearch> {
    const found = await searchFiles(this.#commands, { ...options, pattern, path: unescapePath(path) });
    const shown = found.lines.map(({ path: name, line, text }) => ({
      path: escapePath(name),
      line,
      ...present('search-result', text.toString()),
    }));
    const findings = shown.flatMap((each) => each.findings);
    noteText(this.#session, { boundary: 'search-result', where: path, findings });
    return {
      ...found,
      complaint: present('search-result', found.complaint).text,
      lines: shown.map(({ path: name, line, text }) => ({ path: name, line, text })),
      findings,
    };
  }
}

/** Uses the bytes: two names that are not UTF-8 can have the same text. */
function lastOf(path: Uint8Array): Uint8Array {
  return path.subarray(path.lastIndexOf(slash) + 1);
}

const slash = 0x2f;
