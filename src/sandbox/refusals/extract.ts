import { dirname, resolve } from 'node:path';
import type { PolicyRequest } from '../../policy/index.ts';
import { outputPatterns, type OutputPattern } from './output-patterns.ts';

export interface ExtractOptions {
  readonly cwd: string;
  readonly home: string;
  /** Whether the host has the path: what is missing there too was not refused. */
  readonly exists: (path: string) => boolean;
}

const maximumRequests = 40;
const longestLine = 4096;
const defaultPort = 443;

/**
 * What a program seems to have been refused, read out of what it printed. The text only suggests what to ask: whether
 * something was refused is decided by the policy, so a program that prints lies gains nothing but a line that is true.
 */
export function extractRequests(output: string, options: ExtractOptions): readonly PolicyRequest[] {
  const found = new Map<string, PolicyRequest>();
  for (const line of output.split(/\r?\n/u)) {
    for (const request of requestsOf(line.slice(0, longestLine), options)) found.set(JSON.stringify(request), request);
    if (found.size >= maximumRequests) break;
  }
  return [...found.values()];
}

function requestsOf(line: string, options: ExtractOptions): readonly PolicyRequest[] {
  for (const candidate of outputPatterns) {
    const groups = candidate.pattern.exec(line)?.groups;
    if (groups === undefined) continue;
    return candidate.kind === 'host' ? hostRequests(groups) : fileRequests(line, candidate, options);
  }
  return [];
}

function hostRequests(groups: Readonly<Record<string, string | undefined>>): readonly PolicyRequest[] {
  const { host = '', port } = groups;
  return host === '' ? [] : [{ kind: 'connect', host, port: port === undefined ? defaultPort : Number(port), protocol: 'tcp' }];
}

/** Words with which programs say that it was a creation that failed. */
const creating = /creat|touch|mkdir|nonexistent|open '.*' for writing/iu;

function fileRequests(line: string, candidate: OutputPattern, options: ExtractOptions): readonly PolicyRequest[] {
  const groups = candidate.pattern.exec(line)?.groups ?? {};
  const path = absolutePath(groups['path'] ?? '', options);
  const write: PolicyRequest = { kind: 'file', operation: 'write', path };
  const read: PolicyRequest = { kind: 'file', operation: 'read', path };
  const errno = errnoOf(groups['errno'], candidate.errno);
  if (errno === 'ENOENT') return [...(options.exists(path) ? [read] : []), ...(creating.test(line) && options.exists(dirname(path)) ? [write] : [])];
  return errno === 'EROFS' || errno === 'EBUSY' ? [write] : [read, write];
}

function absolutePath(text: string, { cwd, home }: Pick<ExtractOptions, 'cwd' | 'home'>): string {
  const path = text.replace(/^(?:cannot (?:create|open|overwrite)|unable to \w+) (?=\/|\.)/u, '');
  return path.startsWith('~/') ? resolve(home, path.slice(2)) : resolve(cwd, path);
}

function errnoOf(told: string | undefined, otherwise: OutputPattern['errno']): OutputPattern['errno'] {
  const text = told?.toLowerCase() ?? '';
  if (text === '') return otherwise;
  if (text.includes('read-only') || text === 'erofs') return 'EROFS';
  return text.includes('no such') || text === 'enoent' ? 'ENOENT' : 'EACCES';
}
