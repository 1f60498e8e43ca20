import type { PolicyRequest } from '../../policy/request.ts';
import type { Verdict } from '../../policy/verdict.ts';

/** A request of a program that the policy denied. */
export interface Refusal {
  readonly request: PolicyRequest;
  readonly verdict: Verdict;
  /** Path of the program that made it, if the kernel reported it. */
  readonly program?: string;
}

/** A denied read of a path makes a denied write of it redundant. */
export function withoutDoubles(refusals: readonly Refusal[]): readonly Refusal[] {
  const read = new Set(
    refusals.flatMap(({ request }) => (request.kind === 'file' && request.operation === 'read' ? [request.path] : [])),
  );
  return refusals.filter(
    ({ request }) => !(request.kind === 'file' && request.operation === 'write' && read.has(request.path)),
  );
}

/** Returns enforced refusals, and those that only a program's output shows. */
export function withNews(enforced: readonly Refusal[], told: readonly Refusal[]): readonly Refusal[] {
  const hosts = new Set(enforced.flatMap(({ request }) => (request.kind === 'connect' ? [request.host] : [])));
  const paths = new Set(enforced.flatMap(({ request }) => (request.kind === 'file' ? [request.path] : [])));
  const reads = new Set(
    enforced.flatMap(({ request }) => (request.kind === 'file' && request.operation === 'read' ? [request.path] : [])),
  );
  const programs = new Set(enforced.flatMap(({ request }) => (request.kind === 'exec' ? [request.program] : [])));
  const isKnown = ({ request }: Refusal): boolean => {
    switch (request.kind) {
      case 'exec':
        return programs.has(request.program);
      case 'connect':
        return hosts.has(request.host);
      case 'file':
        return (request.operation === 'read' ? reads : paths).has(request.path);
      default:
        return false;
    }
  };
  return [...enforced, ...told.filter((refusal) => !isKnown(refusal))];
}
