import { HoldfastError, isHoldfastError } from '../../errors/index.ts';
import type { FilePath } from '../index.ts';
import { pathBytes } from '../paths.ts';
import type { Commands } from '../../session/commands.ts';

export interface SearchOptions {
  /** File or directory to search. Default: the start directory of commands. */
  readonly path?: string;
  /** Searches only files whose name matches, as with `rg --glob`. */
  readonly glob?: string;
  /** Default: `sensitive`. */
  readonly letters?: 'sensitive' | 'insensitive';
  /** Most lines returned. Default: 100. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

export interface SearchAnswer {
  readonly lines: readonly FoundLine[];
  /** `limit`: there may be more. */
  readonly searched: 'whole' | 'limit';
  /** The program that searched. ripgrep leaves out files that `.gitignore` names; `grep` does not. */
  readonly program: 'rg' | 'grep';
  /** Errors of a search that still found lines. */
  readonly complaint: string;
}

type Search = Omit<SearchOptions, 'path'> & { readonly pattern: string; readonly path: FilePath };

/**
 * Searches with ripgrep inside a box, or with `grep` if there is no ripgrep. The pattern is the caller's code, so it
 * must not run in this process.
 */
export async function searchFiles(commands: Pick<Commands, 'start'>, search: Search): Promise<SearchAnswer> {
  try {
    return await searchWith(commands, 'rg', search);
  } catch (error) {
    if (!isHoldfastError(error) || error.code !== 'HF_COMMAND_NOT_FOUND') throw error;
    return searchWith(commands, 'grep', search);
  }
}

/** Both programs print `PATH NUL LINE : TEXT`. */
async function searchWith(
  commands: Pick<Commands, 'start'>,
  program: SearchAnswer['program'],
  search: Search,
): Promise<SearchAnswer> {
  const { limit = 100, signal } = search;
  const handle = commands.start(
    [program, ...words[program](search), '--', placeOf(search.path)],
    signal === undefined ? {} : { signal },
  );
  const found = new FoundLines(limit);
  const complaint = firstOf(handle.stderr);
  handle.stdin.on('error', () => undefined);
  handle.stdin.end();
  for await (const chunk of handle.stdout as AsyncIterable<Buffer>) {
    if (found.push(chunk)) continue;
    handle.kill('SIGKILL');
    break;
  }
  const [{ exitCode }, told] = await Promise.all([handle.ended, complaint]);
  signal?.throwIfAborted();
  if (exitCode >= failed && found.lines.length === 0 && !found.isFull)
    throw new HoldfastError('HF_USAGE', `${program} cannot search for that: ${told.trim()}`, {
      remedy: 'give a regular expression, with a backslash before literal special characters, and an existing path',
    });
  return {
    lines: found.lines,
    searched: found.isFull ? 'limit' : 'whole',
    program,
    complaint: exitCode >= failed && !found.isFull ? told.trim() : '',
  };
}

/** Exit status of both programs: 0 found, 1 found nothing. */
const failed = 2;

const words: Readonly<Record<SearchAnswer['program'], (search: Search) => readonly string[]>> = {
  rg: ({ pattern, glob, letters }) => [
    '--no-config',
    '--null',
    '--line-number',
    '--with-filename',
    '--no-heading',
    '--color=never',
    '--hidden',
    '--glob=!.git',
    ...(glob === undefined ? [] : [`--glob=${glob}`]),
    ...(letters === 'insensitive' ? ['--ignore-case'] : []),
    `--regexp=${pattern}`,
  ],
  grep: ({ pattern, glob, letters }) => [
    '-rnHIEZ',
    '--color=never',
    '--exclude-dir=.git',
    ...(glob === undefined ? [] : [`--include=${glob}`]),
    ...(letters === 'insensitive' ? ['-i'] : []),
    `--regexp=${pattern}`,
  ],
};

/** Without a path ripgrep would search its stdin. */
function placeOf(path: FilePath): string {
  const text = pathBytes(path).toString();
  if (pathBytes(text).equals(pathBytes(path))) return text;
  throw new HoldfastError('HF_USAGE', 'a name that is not UTF-8 cannot be searched', {
    remedy: 'search the directory that it is in',
  });
}

const longestComplaint = 2000;

/** Returns the start of a program's output. Later output is read and dropped, so that the program does not block. */
async function firstOf(stream: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const chunk of stream) if (text.length < longestComplaint) text += chunk.toString();
  return text.slice(0, longestComplaint);
}

/** A found line, as bytes. */
interface FoundLine {
  readonly path: Buffer;
  /** 1-based. */
  readonly line: number;
  /** At most 500 bytes of the line. */
  readonly text: Buffer;
}

const longestText = 500;
/** Bytes of a path, a number and a text. */
const longestRecord = 4096 + 32 + longestText;
const [lineFeed, colon] = [0x0a, 0x3a];

/** Splits `PATH NUL LINE : TEXT` as it arrives. Keeps only the start of a line that is too long. */
export class FoundLines {
  readonly lines: FoundLine[] = [];
  readonly #limit: number;
  #isFull = false;
  #open = Buffer.alloc(0);

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether there are more lines than the limit. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Returns whether it takes more. */
  push(chunk: Buffer): boolean {
    let at = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, at)) {
      if (!this.#add(this.#opened(chunk.subarray(at, end)))) return false;
      this.#open = Buffer.alloc(0);
      at = end + 1;
    }
    this.#open = Buffer.from(this.#opened(chunk.subarray(at)));
    return true;
  }

  #opened(more: Buffer): Buffer {
    const room = Math.max(0, longestRecord - this.#open.length);
    return this.#open.length === 0 ? more.subarray(0, room) : Buffer.concat([this.#open, more.subarray(0, room)]);
  }

  #add(record: Buffer): boolean {
    const end = record.indexOf(0);
    const start = record.indexOf(colon, end);
    // Other lines are ripgrep's own messages, such as one about a binary file.
    if (end === -1 || start === -1) return true;
    if (this.lines.length === this.#limit) this.#isFull = true;
    else
      this.lines.push({
        path: Buffer.from(withoutDot(record.subarray(0, end))),
        line: Number(record.subarray(end + 1, start).toString()),
        text: Buffer.from(record.subarray(start + 1, start + 1 + longestText)),
      });
    return !this.#isFull;
  }
}

function withoutDot(path: Buffer): Buffer {
  return path.subarray(0, 2).toString() === './' ? path.subarray(2) : path;
}
