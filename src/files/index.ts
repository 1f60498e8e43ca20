/**
 * The files room: operations on files from inside a box, by a worker that the kernel confines.
 *
 * Operations go out as data, and outcomes come back; the errors are those of `node:fs`. This room decides no access,
 * touches no file itself, and does not know how a box is built. A `WorkerSource` starts the worker, whose replies count
 * only if they answer a request.
 */
export type { BatchOptions, BatchOutcome } from './batch.ts';
export { BatchBuilder } from './batch-builder.ts';
export type { FileError, FileRefusal } from './operation-paths.ts';
export { Files } from './files.ts';
export type { FilesOptions, OneShotOptions } from './desk.ts';
export type { FileInfo, ListedFile, ListOptions } from './list.ts';
export type { Loss } from './losses.ts';
export type { TouchedPath } from './operation-paths.ts';
export type {
  CopyOptions,
  MakeDirOptions,
  OwnerOptions,
  RemoveOptions,
  RenameOptions,
  TimesOptions,
  WriteFlag,
  WriteOptions,
} from './operations.ts';
export type { Range } from './read-file.ts';
export type { TemporaryOptions, TemporaryPath } from './batch-builder.ts';
export type { FileEntry, FileOperation, FilePath, FileResult, FileStat, FileTime, FileType } from './types.ts';
export type { FileEvent, FileWatcher, WatchOptions } from './watcher.ts';
export type { WorkerEnd, WorkerProcess, WorkerSource } from './worker.ts';
export type { FileData } from './write-file.ts';
