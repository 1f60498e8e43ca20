import type { FileInfo, Files, FileType, ListOptions, Range } from '../../files/index.ts';
import { escapePath, filterText, instructionLikeness, present, unescapePath, type FilteredText, type TextFinding } from '../../text/index.ts';
import { noteText, type TextSession } from '../text-events.ts';

/** A file as a model may be told of it. */
export interface ShownFile {
  /** In its directory, and as `path`, escaped: two names never look the same, and both are taken back by every call here. */
  readonly name: string;
  readonly path: string;
  readonly type: FileType;
  /** With `detail: 'stat'`, unless it went away meanwhile. */
  readonly info?: FileInfo;
  /** What does not show in its name, and letters that look like others. */
  readonly findings: readonly TextFinding[];
  /** How much its name speaks to the model: 0 to 1. Nothing is decided by it. */
  readonly likeness: number;
}

/**
 * Files as a model may read them, through the same confined worker. What does not show is written out, and the journal has it. Paths are
 * those that `list` gave, or any path in which a backslash is written twice.
 *
 * Failures are those of `Files`, and `HF_TEXT_REJECTED` for a path with a backslash that starts no escape.
 *
 * @example
 * for (const { path, type } of await sandbox.filesForModel.list('.')) {
 *   if (type === 'file') console.log((await sandbox.filesForModel.read(path)).text);
 * }
 */
export class FilesForModel {
  readonly #session: TextSession;
  readonly #files: Files;

  constructor(session: TextSession, files: Files) {
    this.#session = session;
    this.#files = files;
  }

  /**
   * The text of a file, read as UTF-8.
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
   * What lies in a directory, and with `depth` below it.
   *
   * @example
   * const names = (await sandbox.filesForModel.list('src')).map(({ name }) => name);
   */
  async list(path = '.', options: ListOptions = {}): Promise<ShownFile[]> {
    const listed = await this.#files.list(unescapePath(path), options);
    const shown = listed.map(({ name, bytes, type, info }): ShownFile => {
      const { findings } = filterText(name, { mode: 'report', form: 'name' });
      return { name: escapePath(lastOf(bytes)), path: escapePath(bytes), type, ...(info === undefined ? {} : { info }), findings, likeness: instructionLikeness(name).score };
    });
    noteText(this.#session, { boundary: 'file-name', where: path, findings: shown.flatMap(({ findings }) => findings), names: listed.map(({ name }) => name) });
    return shown;
  }
}

/** The bytes count: two names that are no UTF-8 can have the same text. */
function lastOf(path: Uint8Array): Uint8Array {
  return path.subarray(path.lastIndexOf(slash) + 1);
}

const slash = 0x2f;
