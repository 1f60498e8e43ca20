import type { Readable } from 'node:stream';
import { BatchBuilder, makeTemporary, type TemporaryOptions, type TemporaryPath } from './batch-builder.ts';
import { type BatchOptions, type BatchOutcome, runBatch } from './batch.ts';
import { Desk, type DeskOptions } from './desk.ts';
import { fileInfo, type FileInfo, type ListedFile, type ListOptions, listTree } from './list.ts';
import {
  copyOperation,
  type CopyOptions,
  linkOperation,
  makeDirOperation,
  type MakeDirOptions,
  modeOperation,
  ownerOperation,
  type OwnerOptions,
  removeOperation,
  type RemoveOptions,
  renameOperation,
  type RenameOptions,
  statOperation,
  symlinkOperation,
  timesOperation,
  type TimesOptions,
  truncateOperation,
  type WriteOptions,
} from './operations.ts';
import { type Range, readFile, readStream } from './read-file.ts';
import type { FileOperation, FilePath } from './types.ts';
import { type FileWatcher, watchFiles, type WatchOptions } from './watcher.ts';
import { type FileData, writeFile } from './write-file.ts';

/** What a one-shot worker may do at most. A list that is left out narrows nothing. */
export interface OneShotOptions {
  /** Paths that may be read, beside the system's own. Without `write` they are also all that may be written. */
  readonly read?: readonly string[];
  /** Paths that may be written, and read. They have to be there. */
  readonly write?: readonly string[];
}

export interface FilesOptions extends DeskOptions {
  /** Absolute: where relative paths start, and where temporary files are made. */
  readonly cwd: string;
  /** Prepares a worker with a narrower boundary. Throws `HF_USAGE` for one that would be wider. */
  readonly narrow: (options: OneShotOptions) => Promise<FilesOptions>;
}

/**
 * Files of a sandbox. One worker inside a box performs the calls, so that the kernel judges every system call. It
 * starts with the first call and ends with the sandbox. Calls are performed in order.
 *
 * Paths are text, or bytes for names that are not UTF-8. Relative paths start where the sandbox's commands start. Each
 * box has its own `/tmp`, so no command sees the worker's.
 *
 * A refusal by the kernel rejects with the error that `node:fs` gives (`FileError`: `code`, `errno`, `syscall`,
 * `path`). If the policy refused, it has `refusal` and `remedy` too. `HF_FILES_UNAVAILABLE`: there is no confined
 * worker, and nothing was done. `HF_FILES_WORKER_ENDED`: the worker ended meanwhile; `details` lists the operations
 * that were done, may have been done, and were not done. Nothing is ever done twice.
 *
 * @example
 * await sandbox.files.write('notes/today.md', 'done\n');
 * const text = await sandbox.files.read('notes/today.md', { encoding: 'utf8' });
 */
export class Files {
  readonly #options: FilesOptions;
  readonly #desk: Desk;
  readonly #closing: (() => void) | undefined;
  readonly #oneShots = new Set<Files>();

  /** `closing` is called when it is closed. */
  constructor(options: FilesOptions, closing?: () => void) {
    this.#options = options;
    this.#closing = closing;
    this.#desk = new Desk(options);
  }

  /**
   * The content of a file, or a part of it: bytes, or text with `encoding`. A byte order mark stays.
   *
   * @example
   * const head = await sandbox.files.read('video.mp4', { offset: 0, length: 4096 });
   */
  read(path: FilePath, options?: Range): Promise<Buffer>;
  read(path: FilePath, options: Range & { readonly encoding: BufferEncoding }): Promise<string>;
  async read(
    path: FilePath,
    { encoding, ...range }: Range & { readonly encoding?: BufferEncoding } = {},
  ): Promise<Buffer | string> {
    const bytes = await readFile(this.#desk, path, range);
    return encoding === undefined ? bytes : bytes.toString(encoding);
  }

  /**
   * A file piece by piece, read no faster than it is taken: at most 1 MiB is in memory.
   *
   * @example
   * await pipeline(sandbox.files.readStream('dump.sql'), createGzip(), upload);
   */
  readStream(path: FilePath, range: Range = {}): Readable {
    return readStream(this.#desk, path, range);
  }

  /**
   * Writes a file: text, bytes, or a stream, which is read no faster than it is written.
   *
   * @example
   * await sandbox.files.write('src/config.json', JSON.stringify(config), { replace: 'atomic' });
   */
  write(path: FilePath, data: FileData, options: WriteOptions = {}): Promise<void> {
    return writeFile(this.#desk, { path, data }, options);
  }

  /**
   * Adds to the end of a file, which is made when it is not there.
   *
   * @example
   * await sandbox.files.append('log.txt', 'one more line\n');
   */
  append(path: FilePath, data: FileData, options: Omit<WriteOptions, 'flag' | 'replace'> = {}): Promise<void> {
    return writeFile(this.#desk, { path, data }, { ...options, flag: 'a' });
  }

  /**
   * What is in a directory, and with `depth` below it.
   *
   * @example
   * for (const { path, type } of await sandbox.files.list('src', { depth: Infinity })) console.log(type, path);
   */
  list(path: FilePath = '.', options: ListOptions = {}): Promise<ListedFile[]> {
    return listTree(this.#desk, path, options);
  }

  /**
   * About a file, or what a symlink leads to. Times are nanoseconds since 1970.
   *
   * @example
   * const { size, modified } = await sandbox.files.stat('package.json');
   */
  async stat(path: FilePath): Promise<FileInfo> {
    return fileInfo((await this.#desk.one(statOperation(path, 'follow'))).stat);
  }

  /**
   * About a file, or a symlink itself.
   *
   * @example
   * if ((await sandbox.files.lstat('current')).type === 'symlink') await sandbox.files.remove('current');
   */
  async lstat(path: FilePath): Promise<FileInfo> {
    return fileInfo((await this.#desk.one(statOperation(path, 'itself'))).stat);
  }

  /**
   * Whether something is there. A symlink to nowhere is not; what the policy hides is not either.
   *
   * @example
   * if (await sandbox.files.exists('package-lock.json')) await sandbox.commands.run(['npm', 'ci']);
   */
  async exists(path: FilePath): Promise<boolean> {
    const [outcome] = await this.#desk.tried({ kind: 'access', path, mode: 0 });
    return outcome?.kind === 'done';
  }

  /**
   * Makes a directory, and those above it.
   *
   * @example
   * await sandbox.files.makeDir('build/assets');
   */
  async makeDir(path: FilePath, options: MakeDirOptions = {}): Promise<void> {
    await this.#desk.one(makeDirOperation(path, options));
  }

  /**
   * Copies a file, a symlink or a whole tree. Holes stay holes, and blocks are shared where the file system can.
   *
   * @example
   * await sandbox.files.copy('template', 'packages/new', { existing: 'refuse' });
   */
  async copy(from: FilePath, to: FilePath, options: CopyOptions = {}): Promise<void> {
    await this.#desk.one(copyOperation(from, to, options), { signal: options.signal });
  }

  /**
   * Renames a file or directory, or with `existing: 'exchange'` swaps two, in one step.
   *
   * @example
   * await sandbox.files.rename('draft.md', 'final.md', { existing: 'refuse' });
   */
  async rename(from: FilePath, to: FilePath, options: RenameOptions = {}): Promise<void> {
    await this.#desk.one(renameOperation(from, to, options));
  }

  /**
   * Gives a file a second name: a hard link.
   *
   * @example
   * await sandbox.files.link('report.pdf', 'archive/report.pdf');
   */
  async link(existing: FilePath, path: FilePath): Promise<void> {
    await this.#desk.one(linkOperation(existing, path));
  }

  /**
   * Makes a symlink at `path` that says `text`. Where it leads to decides nothing: each use of it is judged.
   *
   * @example
   * await sandbox.files.symlink('releases/42', 'current');
   */
  async symlink(text: FilePath, path: FilePath): Promise<void> {
    await this.#desk.one(symlinkOperation(text, path));
  }

  /**
   * What a symlink says: text, or bytes with `encoding: 'buffer'`.
   *
   * @example
   * const release = await sandbox.files.readlink('current');
   */
  readlink(path: FilePath): Promise<string>;
  readlink(path: FilePath, options: { readonly encoding: 'buffer' }): Promise<Buffer>;
  readlink(path: FilePath, options?: PathOptions): Promise<string | Buffer> {
    return this.#path({ kind: 'readlink', path }, options);
  }

  /**
   * The absolute path without symlinks: text, or bytes with `encoding: 'buffer'`.
   *
   * @example
   * const root = await sandbox.files.realpath('.');
   */
  realpath(path: FilePath): Promise<string>;
  realpath(path: FilePath, options: { readonly encoding: 'buffer' }): Promise<Buffer>;
  realpath(path: FilePath, options?: PathOptions): Promise<string | Buffer> {
    return this.#path({ kind: 'realpath', path }, options);
  }

  /**
   * Cuts a file to a length in bytes, or fills it up with zeros. Default 0.
   *
   * @example
   * await sandbox.files.truncate('server.log');
   */
  async truncate(path: FilePath, length = 0): Promise<void> {
    await this.#desk.one(truncateOperation(path, length));
  }

  /**
   * Sets times, to the nanosecond.
   *
   * @example
   * await sandbox.files.times('copy.txt', { modified: (await sandbox.files.stat('original.txt')).modified });
   */
  async times(path: FilePath, options: TimesOptions): Promise<void> {
    await this.#desk.one(timesOperation(path, options));
  }

  /**
   * Sets owner and group by number. In a box without root's rights that is only a group of its own.
   *
   * @example
   * await sandbox.files.owner('shared', { gid: 100 });
   */
  async owner(path: FilePath, options: OwnerOptions): Promise<void> {
    await this.#desk.one(ownerOperation(path, options));
  }

  /**
   * Sets permissions.
   *
   * @example
   * await sandbox.files.mode('run.sh', 0o755);
   */
  async mode(path: FilePath, mode: number): Promise<void> {
    await this.#desk.one(modeOperation(path, mode));
  }

  /**
   * Removes a file, a symlink or an empty directory; with `tree: 'whole'` a directory with all that is in it. Symlinks
   * are never followed.
   *
   * @example
   * await sandbox.files.remove('dist', { tree: 'whole', missing: 'ignore' });
   */
  async remove(path: FilePath, options: RemoveOptions = {}): Promise<void> {
    await this.#desk.one(removeOperation(path, options), { signal: options.signal });
  }

  /**
   * A new empty file that only its owner may read, with a name that was not taken.
   *
   * @example
   * await using file = await sandbox.files.temporaryFile({ suffix: '.json' });
   * await sandbox.files.write(file.path, '{}');
   */
  temporaryFile(options: TemporaryOptions = {}): Promise<TemporaryPath> {
    return makeTemporary(this.#desk, { type: 'file', directory: this.#options.cwd, ...options });
  }

  /**
   * A new directory that only its owner may use, with a name that was not taken.
   *
   * @example
   * await using directory = await sandbox.files.temporaryDirectory();
   * await sandbox.commands.run(['tar', '-xf', 'release.tar', '-C', directory.path]);
   */
  temporaryDirectory(options: TemporaryOptions = {}): Promise<TemporaryPath> {
    return makeTemporary(this.#desk, { type: 'directory', directory: this.#options.cwd, ...options });
  }

  /**
   * What happens in a directory, or to a file, from now on.
   *
   * @example
   * await using watcher = await sandbox.files.watch('src', { depth: 'tree' });
   * for await (const { event, path } of watcher) console.log(event, path);
   */
  watch(path: FilePath, options: WatchOptions = {}): Promise<FileWatcher> {
    return watchFiles(this.#desk, path, options);
  }

  /**
   * Runs operations one after the other, given as data or written down by a function. Resolves with what became of
   * each.
   *
   * @example
   * const outcomes = await sandbox.files.batch((batch) => {
   *   batch.write('a.txt', 'a');
   *   batch.rename('a.txt', 'b.txt');
   * });
   */
  batch(
    operations: readonly FileOperation[] | ((batch: BatchBuilder) => void),
    options: BatchOptions = {},
  ): Promise<BatchOutcome[]> {
    if (typeof operations !== 'function') return runBatch(this.#desk, operations, options);
    const builder = new BatchBuilder();
    operations(builder);
    return runBatch(this.#desk, builder.operations, options);
  }

  /**
   * The same files through a worker of its own that may do less, for as long as it is kept. Rejects with `HF_USAGE` for
   * what the sandbox itself may not do.
   *
   * @example
   * await using files = await sandbox.files.oneShot({ write: ['docs'] });
   * await files.write('docs/index.md', page);
   */
  async oneShot(options: OneShotOptions): Promise<Files> {
    const files: Files = new Files(await this.#options.narrow(options), () => this.#oneShots.delete(files));
    this.#oneShots.add(files);
    return files;
  }

  /**
   * Ends the worker and the one-shot workers once the calls made so far are answered. Open streams, watches and
   * temporary files end with them. The next call starts another worker. Only needed before you take away something that
   * workers hold open.
   */
  async rest(): Promise<void> {
    await Promise.all([this.#desk.rest(), ...[...this.#oneShots].map((files) => files.rest())]);
  }

  /**
   * Ends the worker and the one-shot workers beside it. Calls that were not answered are rejected, and so is every
   * later one. Rejects with `HF_QUARANTINE_FAILED` when a protected file appeared and could not be moved away.
   */
  async close(): Promise<void> {
    this.#closing?.();
    const ends = await Promise.allSettled([this.#desk.close(), ...[...this.#oneShots].map((files) => files.close())]);
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #path(
    operation: { readonly kind: 'readlink' | 'realpath'; readonly path: FilePath },
    { encoding = 'utf8' }: PathOptions = {},
  ): Promise<string | Buffer> {
    const path = Buffer.from((await this.#desk.one(operation)).path);
    return encoding === 'buffer' ? path : path.toString();
  }
}

interface PathOptions {
  readonly encoding?: 'utf8' | 'buffer';
}
