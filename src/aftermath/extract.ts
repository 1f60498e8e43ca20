import { dirname, resolve } from 'node:path';
import type { PolicyRequest, FileRequest, SocketRequest } from '../policy/request.ts';
import { type OutputPattern, outputPatterns } from './output-patterns.ts';

export interface ExtractOptions {
  readonly cwd: string;
  readonly home: string;
  /** Returns whether the host has the path. A path that is missing there too was not refused. */
  readonly exists: (path: string) => boolean;
}

const maximumRequests = 40;
/** Bytes of the end that are read, because a program may print endlessly. Equal to the launcher's tail of stderr. */
const longestOutput = 65_536;
const longestLine = 4096;
const defaultPort = 443;
const largestPort = 65_535;

/**
 * Returns the requests that a program seems to have been refused, read out of its output. The output only suggests
 * requests: the policy decides whether they were refused. A program that prints lies gains nothing but a true line.
 */
export function extractRequests(output: string, options: ExtractOptions): readonly PolicyRequest[] {
  const found = new Map<string, PolicyRequest>();
  for (const line of output.slice(-longestOutput).split(/\r?\n/u)) {
    for (const request of requestsOf(line.slice(-longestLine), options)) found.set(JSON.stringify(request), request);
    if (found.size >= maximumRequests) break;
  }
  return [...found.values()];
}

function requestsOf(line: string, options: ExtractOptions): readonly PolicyRequest[] {
  for (const candidate of outputPatterns) {
    const match = candidate.pattern.exec(line);
    if (match === null) continue;
    if (candidate.kind === 'host') return hostRequests(match.groups ?? {});
    const paths =
      candidate.kind === 'before' ? pathsBefore(line.slice(0, match.index)) : [match.groups?.['path'] ?? ''];
    const errno = errnoOf(match.groups?.['errno'], candidate.errno);
    return paths.flatMap((path) => fileRequests(line, { path: absolutePath(path, options), errno }, options));
  }
  return [];
}

function hostRequests(groups: Readonly<Record<string, string | undefined>>): readonly PolicyRequest[] {
  const { host = '', port = String(defaultPort) } = groups;
  const number = Number(port);
  return host === '' || number < 1 || number > largestPort
    ? []
    : [{ kind: 'connect', host, port: number, protocol: 'tcp' }];
}

/** Words of messages about a failed creation. */
const creating = /creat|touch|mkdir|nonexistent|open '.*' for writing/iu;

interface RefusedPath {
  readonly path: string;
  readonly errno: OutputPattern['errno'];
}

function fileRequests(line: string, { path, errno }: RefusedPath, options: ExtractOptions): readonly PolicyRequest[] {
  if (path.includes('\0')) return [];
  const write: PolicyRequest = { kind: 'file', operation: 'write', path };
  const read: PolicyRequest = { kind: 'file', operation: 'read', path };
  if (errno === 'ENOENT')
    return [
      ...(options.exists(path) ? [read] : []),
      ...(creating.test(line) && options.exists(dirname(path)) ? [write] : []),
    ];
  return errno === 'EROFS' || errno === 'EBUSY' ? [write] : [read, write];
}

/** Expands `~/x` of a message or a script to the home. */
export function absolutePath(path: string, { cwd, home }: Pick<ExtractOptions, 'cwd' | 'home'>): string {
  return path.startsWith('~/') ? resolve(home, path.slice(2)) : resolve(cwd, path);
}

function errnoOf(told: string | undefined, otherwise: OutputPattern['errno']): OutputPattern['errno'] {
  const text = told?.toLowerCase() ?? '';
  if (text === '') return otherwise;
  if (text.includes('read-only') || text === 'erofs') return 'EROFS';
  if (text === 'ebusy') return 'EBUSY';
  return text.includes('no such') || text === 'enoent' ? 'ENOENT' : 'EACCES';
}

const quoted = /(?<![^\s(])['"‘“]([^'"‘’“”\n]+)['"’”]/gu;
const closingQuote = /['"’”]$/u;
const pathInWords = /(?:^|\s)((?:~?\/|\.{1,2}\/).*)$/u;

/**
 * Returns the paths of a message from the text before its `: Permission denied`. If the text ends with a quote,
 * everything in quotes. Otherwise the part after the last `: `, from where it looks like a path, or its last word.
 */
export function pathsBefore(text: string): readonly string[] {
  if (closingQuote.test(text)) return [...text.matchAll(quoted)].flatMap(([, path]) => path ?? []);
  const colon = text.lastIndexOf(': ');
  const last = (colon < 0 ? text : text.slice(colon + 2)).trim();
  const path = pathInWords.exec(last)?.[1] ?? (looksLikeWords(last) ? last.slice(last.lastIndexOf(' ') + 1) : last);
  return path === '' ? [] : [path];
}

/** Whether a text is a phrase such as `could not lock config file .git/config`, rather than a name with spaces. */
function looksLikeWords(text: string): boolean {
  return /^[a-z]+ .*[/.]/u.test(text);
}

/** A call that the guard of a box refused, and for sockets the program that made it. */
interface GuardRefusal {
  readonly request: FileRequest | SocketRequest;
  readonly program?: string;
}

const operations: Readonly<Record<string, SocketRequest['operation']>> = { c: 'connect', s: 'send' };

/** Reads a report of `native/src/launch/guard/refusals.c`: a kind, a path, and for sockets NUL and a program. */
export function guardRefusal(report: Buffer): GuardRefusal {
  const [path = '', program = ''] = report.toString('utf8', 1).split('\0');
  const operation = operations[report.toString('latin1', 0, 1)];
  if (operation === undefined) return { request: { kind: 'file', operation: 'create', path } };
  return { request: { kind: 'socket', operation, address: path }, ...(program === '' ? {} : { program }) };
}

/** A new link or FIFO that was not refused: the aftermath looks at it once the box has ended. */
export function isNote(report: Buffer): boolean {
  return report[0] === 0x6c || tellsOfMore(report);
}

/** Whether it only tells that the guard notes no further ones. */
export function tellsOfMore(report: Buffer): boolean {
  return report[0] === 0x6d;
}
