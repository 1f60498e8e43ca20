import type { Readable } from 'node:stream';
import { BatchBuilder, makeTemporary, type TemporaryOptions, type TemporaryPath } from './batch-builder.ts';
import { type BatchOptions, type BatchOutcome, runBatch } from './batch.ts';
import { Desk, type FilesOptions, type OneShotOptions } from './desk.ts';
import { fileInfo, type FileInfo, type ListedFile, type ListOptions, listTree } from './list.ts';
import * as operations from './operations.ts';
import { type PathOptions, type Range, readFile, readStream, shownPathOf } from './read-file.ts';
import type { FileOperation, FilePath } from './types.ts';
import { type FileWatcher, watchFiles, type WatchOptions } from './watcher.ts';
import { type FileData, writeFile } from './write-file.ts';

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
 * @example
 * await sandbox.files.write('notes/today.md', 'done\n');
 * const text = await sandbox.files.read('notes/today.md', { encoding: 'utf8' });
 */
export class Files {
  readonly #options: FilesOptions;
  readonly #desk: Desk;
  readonly #closing: (() => void) | undefined;
  readonly #oneShots = new Set<Files>();

  /** Calls `closing` on close. */
  constructor(options: FilesOptions, closing?: () => void) {
    this.#options = options;
    this.#closing = closing;
    this.#desk = new Desk(options);
  }

  /**
   * Reads the content of a file, or a part of it: bytes, or text with `encoding`. Keeps a byte order mark.
   * @example const head = await sandbox.files.read('video.mp4', { offset: 0, length: 4096 });
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
   * Reads a file piece by piece, at the pace of its reader. At most 1 MiB is in memory.
   * @example await pipeline(sandbox.files.readStream('dump.sql'), createGzip(), upload);
   */
  readStream(path: FilePath, range: Range = {}): Readable {
    return readStream(this.#desk, path, range);
  }

  /**
   * Writes a file: text, bytes, or a stream, which is read at the pace of the writes.
   * @example await sandbox.files.write('src/config.json', JSON.stringify(config), { replace: 'atomic' });
   */
  write(path: FilePath, data: FileData, options: operations.WriteOptions = {}): Promise<void> {
    return writeFile(this.#desk, { path, data }, options);
  }

  /**
   * Appends to a file, and makes it if it does not exist.
   * @example await sandbox.files.append('log.txt', 'one more line\n');
   */
  append(
    path: FilePath,
    data: FileData,
    options: Omit<operations.WriteOptions, 'flag' | 'replace'> = {},
  ): Promise<void> {
    return writeFile(this.#desk, { path, data }, { ...options, flag: 'a' });
  }

  /**
   * Lists a directory, and the levels below it with `depth`.
   * @example for (const { path, type } of await sandbox.files.list('src', { depth: Infinity })) console.log(type, path);
   */
  list(path: FilePath = '.', options: ListOptions = {}): Promise<ListedFile[]> {
    return listTree(this.#desk, path, options);
  }

  /**
   * Returns facts about a file or a symlink's target. Times are nanoseconds since 1970.
   * @example const { size, modified } = await sandbox.files.stat('package.json');
   */
  async stat(path: FilePath): Promise<FileInfo> {
    return fileInfo((await this.#desk.one(operations.statOperation(path, 'follow'))).stat);
  }

  /**
   * Returns facts about a file, or a symlink itself.
   * @example if ((await sandbox.files.lstat('current')).type === 'symlink') await sandbox.files.remove('current');
   */
  async lstat(path: FilePath): Promise<FileInfo> {
    return fileInfo((await this.#desk.one(operations.statOperation(path, 'itself'))).stat);
  }

  /**
   * Returns whether a path exists. False for a symlink to nowhere, and for paths that the policy hides.
   * @example if (await sandbox.files.exists('package-lock.json')) await sandbox.commands.run(['npm', 'ci']);
   */
  async exists(path: FilePath): Promise<boolean> {
    const [outcome] = await this.#desk.tried({ kind: 'access', path, mode: 0 });
    return outcome?.kind === 'done';
  }

  /**
   * Makes a directory and its parents.
   * @example await sandbox.files.makeDir('build/assets');
   */
  async makeDir(path: FilePath, options: operations.MakeDirOptions = {}): Promise<void> {
    await this.#desk.one(operations.makeDirOperation(path, options));
  }

  /**
   * Copies a file, a symlink or a whole tree. Holes stay holes, and blocks are shared if the file system can.
   * @example await sandbox.files.copy('template', 'packages/new', { existing: 'refuse' });
   */
  async copy(from: FilePath, to: FilePath, options: operations.CopyOptions = {}): Promise<void> {
    await this.#desk.one(operations.copyOperation(from, to, options), { signal: options.signal });
  }

  /**
   * Renames a file or directory in one step. With `existing: 'exchange'`, swaps two.
   * @example await sandbox.files.rename('draft.md', 'final.md', { existing: 'refuse' });
   */
  async rename(from: FilePath, to: FilePath, options: operations.RenameOptions = {}): Promise<void> {
    await this.#desk.one(operations.renameOperation(from, to, options));
  }

  /**
   * Gives a file a second name: a hard link.
   * @example await sandbox.files.link('report.pdf', 'archive/report.pdf');
   */
  async link(existing: FilePath, path: FilePath): Promise<void> {
    await this.#desk.one(operations.linkOperation(existing, path));
  }

  /**
   * Makes a symlink at `path` with the target `text`. The target is not checked: each use of the link is judged.
   * @example await sandbox.files.symlink('releases/42', 'current');
   */
  async symlink(text: FilePath, path: FilePath): Promise<void> {
    await this.#desk.one(operations.symlinkOperation(text, path));
  }

  /**
   * Returns a symlink's target: text, or bytes with `encoding: 'buffer'`.
   * @example const release = await sandbox.files.readlink('current');
   */
  readlink(path: FilePath): Promise<string>;
  readlink(path: FilePath, options: { readonly encoding: 'buffer' }): Promise<Buffer>;
  readlink(path: FilePath, options?: PathOptions): Promise<string | Buffer> {
    return shownPathOf(this.#desk, { kind: 'readlink', path }, options);
  }

  /**
   * Returns the absolute path without symlinks: text, or bytes with `encoding: 'buffer'`.
   * @example const root = await sandbox.files.realpath('.');
   */
  realpath(path: FilePath): Promise<string>;
  realpath(path: FilePath, options: { readonly encoding: 'buffer' }): Promise<Buffer>;
  realpath(path: FilePath, options?: PathOptions): Promise<string | Buffer> {
    return shownPathOf(this.#desk, { kind: 'realpath', path }, options);
  }

  /**
   * Cuts a file to a length in bytes, or fills it up with zeros. Default: 0.
   * @example await sandbox.files.truncate('server.log');
   */
  async truncate(path: FilePath, length = 0): Promise<void> {
    await this.#desk.one(operations.truncateOperation(path, length));
  }

  /**
   * Sets times, to the nanosecond.
   * @example await sandbox.files.times('copy.txt', { modified: (await sandbox.files.stat('original.txt')).modified });
   */
  async times(path: FilePath, options: operations.TimesOptions): Promise<void> {
    await this.#desk.one(operations.timesOperation(path, options));
  }

  /**
   * Sets owner and group by number. Without root's rights, a box can only set one of its own groups.
   * @example await sandbox.files.owner('shared', { gid: 100 });
   */
  async owner(path: FilePath, options: operations.OwnerOptions): Promise<void> {
    await this.#desk.one(operations.ownerOperation(path, options));
  }

  /**
   * Sets permissions.
   * @example await sandbox.files.mode('run.sh', 0o755);
   */
  async mode(path: FilePath, mode: number): Promise<void> {
    await this.#desk.one(operations.modeOperation(path, mode));
  }

  /**
   * Removes a file, a symlink or an empty directory. With `tree: 'whole'`, removes a directory with all its content.
   * Never follows symlinks.
   * @example await sandbox.files.remove('dist', { tree: 'whole', missing: 'ignore' });
   */
  async remove(path: FilePath, options: operations.RemoveOptions = {}): Promise<void> {
    await this.#desk.one(operations.removeOperation(path, options), { signal: options.signal });
  }

  /**
   * Makes an empty file with a unique name that only its owner may read.
   * @example
   * await using file = await sandbox.files.temporaryFile({ suffix: '.json' });
   * await sandbox.files.write(file.path, '{}');
   */
  temporaryFile(options: TemporaryOptions = {}): Promise<TemporaryPath> {
    return makeTemporary(this.#desk, { type: 'file', directory: this.#options.cwd, ...options });
  }

  /**
   * Makes a directory with a unique name that only its owner may use.
   * @example
   * await using directory = await sandbox.files.temporaryDirectory();
   * await sandbox.commands.run(['tar', '-xf', 'release.tar', '-C', directory.path]);
   */
  temporaryDirectory(options: TemporaryOptions = {}): Promise<TemporaryPath> {
    return makeTemporary(this.#desk, { type: 'directory', directory: this.#options.cwd, ...options });
  }

  /**
   * Watches a directory, or a file, from now on.
   * @example
   * await using watcher = await sandbox.files.watch('src', { depth: 'tree' });
   * for await (const { event, path } of watcher) console.log(event, path);
   */
  watch(path: FilePath, options: WatchOptions = {}): Promise<FileWatcher> {
    return watchFiles(this.#desk, path, options);
  }

  /**
   * Runs operations one after the other, given as data or collected by a function. Resolves with the outcome of each.
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
   * Returns the same files through a separate worker with fewer rights, until it is closed. Rejects with `HF_USAGE` for
   * rights that the sandbox itself does not have.
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
   * temporary files end with them. The next call starts another worker. Needed only before you remove something that
   * workers hold open.
   */
  async rest(): Promise<void> {
    await Promise.all([this.#desk.rest(), ...[...this.#oneShots].map((files) => files.rest())]);
  }

  /**
   * Ends the worker and the one-shot workers. Unanswered calls, and all later ones, are rejected. Rejects with
   * `HF_QUARANTINE_FAILED` if a protected file appeared and could not be moved away.
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
}
