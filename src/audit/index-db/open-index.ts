import { DatabaseSync } from 'node:sqlite';
import { claimFile, type FileIdentity } from './index-file.ts';
import { createTables, hasWords, schemaState } from './schema.ts';
import { indexFailed, UnusableIndex } from './sqlite-failure.ts';

export interface OpenIndex {
  readonly database: DatabaseSync;
  readonly file: string;
  readonly identity: FileIdentity;
  /** Node can be built with a SQLite that has no FTS5. */
  readonly fullText: 'fts5' | 'none';
}

/** How long another process may hold the index before a new one is built. Milliseconds. */
const defaultPatience = 10_000;

/**
 * Opens the index, or begins an empty one. Throws `UnusableIndex` for what is damaged or of another version, and like
 * `claimFile`.
 */
export function openIndex(file: string, patience: number = defaultPatience): OpenIndex {
  const identity = claimFile(file);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: patience, allowExtension: false });
    // A database that somebody prepared shall run nothing: https://sqlite.org/security.html
    database.exec(
      'PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536',
    );
    const state = schemaState(database);
    if (state === 'foreign') throw new UnusableIndex('is of another version of Holdfast, or of another program');
    if (state === 'empty') createTables(database);
    return { database, file, identity, fullText: hasWords(database) ? 'fts5' : 'none' };
  } catch (cause) {
    database?.close();
    throw indexFailed(cause);
  }
}
