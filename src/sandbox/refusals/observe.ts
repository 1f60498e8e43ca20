import { resolve } from 'node:path';
import { decide, type Policy, type PolicyRequest, type Verdict } from '../../policy/index.ts';
import { outputPatterns, type OutputPattern } from './output-patterns.ts';

/** A request that the policy denies and that a program was seen to make. */
export interface Refusal {
  readonly request: PolicyRequest;
  readonly verdict: Verdict;
}

export interface ObserveOptions {
  readonly cwd: string;
  readonly home: string;
}

const maximumRefusals = 20;
const defaultPort = 443;

/**
 * Reads refusals out of what a program printed. The text only suggests where to look: whether something was refused is
 * decided by the policy, so a program that prints lies gains nothing but a line that is true.
 */
export function observeRefusals(output: string, policy: Policy, options: ObserveOptions): readonly Refusal[] {
  const found = new Map<string, Refusal>();
  for (const line of output.split(/\r?\n/u)) {
    for (const request of requestsOf(line, options)) {
      const verdict = decide(policy, request);
      if (verdict.decision === 'deny') found.set(JSON.stringify(request), { request, verdict });
    }
    if (found.size >= maximumRefusals) break;
  }
  return withoutDoubles([...found.values()]);
}

/** A denied read of a path says all that a denied write of it would. */
function withoutDoubles(refusals: readonly Refusal[]): readonly Refusal[] {
  const read = new Set(refusals.flatMap(({ request }) => (request.kind === 'file' && request.operation === 'read' ? [request.path] : [])));
  return refusals.filter(({ request }) => !(request.kind === 'file' && request.operation === 'write' && read.has(request.path)));
}

function requestsOf(line: string, options: ObserveOptions): readonly PolicyRequest[] {
  for (const candidate of outputPatterns) {
    const groups = candidate.pattern.exec(line)?.groups;
    if (groups === undefined) continue;
    return candidate.kind === 'host' ? hostRequests(groups) : fileRequests(groups, candidate, options);
  }
  return [];
}

function hostRequests(groups: Readonly<Record<string, string | undefined>>): readonly PolicyRequest[] {
  const { host = '', port } = groups;
  return host === '' ? [] : [{ kind: 'connect', host, port: port === undefined ? defaultPort : Number(port), protocol: 'tcp' }];
}

function fileRequests(groups: Readonly<Record<string, string | undefined>>, candidate: OutputPattern, options: ObserveOptions): readonly PolicyRequest[] {
  const path = absolutePath(groups['path'] ?? '', options);
  const write: PolicyRequest = { kind: 'file', operation: 'write', path };
  const read: PolicyRequest = { kind: 'file', operation: 'read', path };
  const errno = errnoOf(groups['errno'], candidate.errno);
  return errno === 'EROFS' || errno === 'EBUSY' ? [write] : [read, write];
}

function absolutePath(text: string, { cwd, home }: ObserveOptions): string {
  const path = text.replace(/^(?:cannot (?:create|open|overwrite)|unable to \w+) (?=\/|\.)/u, '');
  return path.startsWith('~/') ? resolve(home, path.slice(2)) : resolve(cwd, path);
}

function errnoOf(told: string | undefined, otherwise: OutputPattern['errno']): OutputPattern['errno'] {
  const text = told?.toLowerCase() ?? '';
  if (text === '') return otherwise;
  if (text.includes('read-only') || text === 'erofs') return 'EROFS';
  return text.includes('no such') || text === 'enoent' ? 'ENOENT' : 'EACCES';
}
