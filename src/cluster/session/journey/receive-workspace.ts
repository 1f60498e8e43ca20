import { createHash } from 'node:crypto';
import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { HoldfastError } from '../../../errors/index.ts';
import { readTar, type TarEntry } from './read-tar.ts';
import type { SentWorkspace } from './types.ts';

/** An entry of a returned workspace. Unchanged content is not on the disk. */
export type ReturnedEntry =
  | { readonly type: 'directory'; readonly mode: number; readonly modified: number }
  | { readonly type: 'symlink'; readonly target: string }
  | { readonly type: 'file'; readonly mode: number; readonly modified: number; readonly content: ReturnedContent };

export type ReturnedContent = { readonly kind: 'as-sent' } | { readonly kind: 'kept'; readonly file: string };

export interface ReturnedWorkspace {
  readonly entries: ReadonlyMap<string, ReturnedEntry>;
  /** Entries that no layer can hold: devices, FIFOs, and names that stayed here because the policy hides them. */
  readonly leftOut: readonly string[];
}

export interface Receiving {
  readonly sent: SentWorkspace;
  /** A directory for contents. */
  readonly spool: string;
  /** Bytes that it may keep. */
  readonly mostBytes: number;
}

const mostEntries = 2_000_000;
const longestPath = 4095;

/**
 * Reads the archive of a workspace after a command. A box may have written it. So a name that leads out of the
 * workspace, or through a non-directory, ends the whole transfer. Throws `HF_CLUSTER_FAILED`, `HF_QUOTA_EXCEEDED` and
 * `HF_DISK_FULL`.
 */
export async function receiveWorkspace(
  source: AsyncIterable<Buffer>,
  receiving: Receiving,
): Promise<ReturnedWorkspace> {
  const reception = new Reception(receiving);
  for await (const entry of readTar(source)) await reception.take(entry);
  return reception;
}

class Reception implements ReturnedWorkspace {
  readonly entries = new Map<string, ReturnedEntry>();
  readonly leftOut: string[] = [];
  readonly #receiving: Receiving;
  readonly #stayed: ReadonlySet<string>;
  /** The most bytes that an archive can have: all sent ones, and all allowed new ones. */
  readonly #most: number;
  #announced = 0;
  #bytes = 0;
  #files = 0;

  constructor(receiving: Receiving) {
    this.#receiving = receiving;
    this.#stayed = new Set(receiving.sent.leftOut);
    const sizes = [...receiving.sent.entries.values()].map((entry) => (entry.type === 'file' ? entry.size : 0));
    this.#most = sizes.reduce((sum, size) => sum + size, receiving.mostBytes);
  }

  async take(entry: TarEntry): Promise<void> {
    const path = this.#checked(entry.path);
    this.#announced += entry.size;
    if (this.#announced > this.#most) throw tooMuch(`${this.#receiving.mostBytes} bytes`);
    if (this.entries.size + this.leftOut.length >= mostEntries) throw tooMuch('2,000,000 entries');
    if (path === '' || this.#isLeftOut(entry, path)) return;
    if (this.entries.has(path)) throw hostile(path, 'comes twice');
    const returned = await this.#entryOf(entry, path);
    this.entries.set(path, returned);
  }

  #isLeftOut({ type }: TarEntry, path: string): boolean {
    const stayed = [...ancestors(path), path].some((each) => this.#stayed.has(each));
    if (!stayed && type !== 'other') return false;
    this.leftOut.push(path);
    return true;
  }

  async #entryOf(entry: TarEntry, path: string): Promise<ReturnedEntry> {
    const [mode, { modified }] = [entry.mode & 0o777, entry];
    switch (entry.type) {
      case 'directory':
        return { type: 'directory', mode, modified };
      case 'symlink':
        if (entry.target === '' || entry.target.includes('\0') || entry.target.length > longestPath)
          throw hostile(path, 'has no target');
        return { type: 'symlink', target: entry.target };
      case 'hard-link':
        return this.#linked(entry, path);
      case 'file':
      case 'other':
        return { type: 'file', mode, modified, content: await this.#contentOf(entry, path) };
    }
  }

  /** Another name of an earlier file. It becomes a separate file. */
  #linked({ target }: TarEntry, path: string): ReturnedEntry {
    const from = this.#checked(target);
    const first = this.entries.get(from);
    if (first?.type !== 'file') throw hostile(path, 'is a link to nothing');
    const [before, now] = [this.#receiving.sent.entries.get(from), this.#receiving.sent.entries.get(path)];
    if (first.content.kind === 'kept') return first;
    if (before?.type === 'file' && now?.type === 'file' && before.digest === now.digest) return first;
    throw new HoldfastError(
      'HF_CLUSTER_FAILED',
      `${JSON.stringify(path)} became a hard link to ${JSON.stringify(from)}, which no layer can hold`,
      { remedy: 'copy the file instead of linking it; nothing was staged' },
    );
  }

  /** Keeps the bytes, unless they are equal to the sent ones. */
  async #contentOf({ size, content }: TarEntry, path: string): Promise<ReturnedContent> {
    const before = this.#receiving.sent.entries.get(path);
    const digest = before?.type === 'file' && before.size === size ? before.digest : undefined;
    const small = digest === undefined || size > inMemory ? undefined : await collected(content);
    if (small !== undefined && digestOf(small) === digest) return { kind: 'as-sent' };
    const file = join(this.#receiving.spool, String(this.#files++));
    const kept = await this.#keep(file, small === undefined ? content : [small]);
    if (kept !== digest) return { kind: 'kept', file };
    unlinkSync(file);
    this.#bytes -= size;
    return { kind: 'as-sent' };
  }

  async #keep(file: string, content: AsyncIterable<Buffer> | readonly Buffer[]): Promise<string> {
    const hash = createHash('sha256');
    const target = openSync(file, 'wx', 0o600);
    try {
      for await (const chunk of content) {
        this.#bytes += chunk.length;
        if (this.#bytes > this.#receiving.mostBytes) throw tooMuch(`${this.#receiving.mostBytes} bytes`);
        hash.update(chunk);
        writeAll(target, chunk);
      }
    } finally {
      closeSync(target);
    }
    return hash.digest('base64');
  }

  /** `./a/b/` is `a/b`, and the top is empty. */
  #checked(text: string): string {
    const path = text.replace(/^(?:\.\/)+/u, '').replace(/(?<!\/)\/+$/u, '');
    if (path === '.' || path === '') return '';
    const parts = path.split('/');
    if (
      path.length > longestPath ||
      path.includes('\0') ||
      parts.some((part) => part === '' || part === '.' || part === '..')
    )
      throw hostile(path, 'is no path in the workspace');
    const broken = ancestors(path).find(
      (each) => this.entries.get(each)?.type !== 'directory' && !this.#stayed.has(each),
    );
    if (broken !== undefined) throw hostile(path, 'is below something that is no directory');
    return path;
  }
}

/** Most files are small and unchanged: they never touch the disk. */
const inMemory = 8 << 20;

async function collected(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64');
}

function ancestors(path: string): readonly string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}

function writeAll(file: number, bytes: Buffer): void {
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'ENOSPC' && code !== 'EDQUOT') throw cause;
    throw new HoldfastError('HF_DISK_FULL', 'the disk of staged layers is full', {
      remedy: 'make room, and collect the changes with `holdfast cluster stop`',
      cause,
    });
  }
}

function hostile(path: string, why: string): HoldfastError {
  return new HoldfastError(
    'HF_CLUSTER_FAILED',
    `the workspace that came back was refused: ${JSON.stringify(path)} ${why}`,
    {
      remedy: 'inspect the command; nothing was staged, and your files are unchanged',
    },
  );
}

function tooMuch(what: string): HoldfastError {
  return new HoldfastError('HF_QUOTA_EXCEEDED', `the changes of the command have more than ${what}`, {
    remedy: 'raise `limits.staged` in the policy; nothing was staged',
  });
}
