import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { appendEvents } from '../../audit/index.ts';
import type { Refusal } from '../../place/refusals/refusal.ts';
import type { FileRequest } from '../../policy/request.ts';
import type { Session } from '../../session/session.ts';
import type { FileRefusal, TouchedPath } from '../index.ts';

/** Refusals that the journal records once each, so that a program in a loop does not fill the disk. */
const mostJournalled = 1024;

/** Explains whether the policy refuses a call that the kernel has refused. Decides nothing. */
export function createExplainer(
  session: Session,
): (touched: readonly TouchedPath[], code: string) => Promise<FileRefusal | undefined> {
  const journalled = new Set<string>();
  let asked: ReturnType<typeof loadPolicy> | undefined;
  return async (touched, code) => {
    const requests = requestsOf(touched, code, session.place.workspace.cwd);
    if (requests.length === 0) return undefined;
    const refusal = (await (asked ??= loadPolicy(session)))(requests);
    if (refusal?.request.kind !== 'file') return undefined;
    // A rule that asks has already journalled its answer.
    if (refusal.verdict.decision === 'deny') journal(session, refusal, journalled);
    return { request: refusal.request, verdict: refusal.verdict };
  };
}

async function loadPolicy(session: Session): Promise<(requests: readonly FileRequest[]) => Refusal | undefined> {
  const { policyOfPlace, refusedOf } = await import('../../place/planner.ts');
  const policy = policyOfPlace(session.place);
  return (requests) => refusedOf(policy, requests, ['deny', 'ask'])[0];
}

function requestsOf(touched: readonly TouchedPath[], code: string, cwd: string): readonly FileRequest[] {
  const named = touched.flatMap(({ path, operation }) =>
    pathText(path).map((text) => ({ operation, path: resolve(cwd, text) })),
  );
  const places = [...named, ...named.flatMap((place) => behindLinks(place))];
  return places.flatMap(({ operation, path }) =>
    operationsOf(operation, code, path).map((asked): FileRequest => ({ kind: 'file', operation: asked, path })),
  );
}

/** No rule can name a path that is not UTF-8. */
function pathText(path: TouchedPath['path']): readonly string[] {
  if (typeof path === 'string') return [path];
  const text = Buffer.from(path).toString();
  return Buffer.from(text).equals(path) ? [text] : [];
}

/** `EROFS` and similar errors mean a write. A hidden file is missing. `EACCES` can be either. */
function operationsOf(
  operation: TouchedPath['operation'],
  code: string,
  path: string,
): readonly TouchedPath['operation'][] {
  if (code === 'ENOENT')
    return [
      ...(existsSync(path) ? (['read'] as const) : []),
      ...(operation !== 'read' && existsSync(dirname(path)) ? [operation] : []),
    ];
  if (code === 'EACCES') return operation === 'read' ? ['read'] : ['read', operation];
  return operation === 'read' ? [] : [operation];
}

interface Place {
  readonly operation: TouchedPath['operation'];
  readonly path: string;
}

/**
 * Returns the target of a path on the host, if it differs. A link to a refused file is refused because of its target.
 */
function behindLinks({ operation, path }: Place): readonly Place[] {
  const above = realOf(dirname(path));
  const real = realOf(path) ?? (above === undefined ? path : join(above, basename(path)));
  return real === path ? [] : [{ operation, path: real }];
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function journal(session: Session, refusal: Refusal, journalled: Set<string>): void {
  const key = JSON.stringify(refusal.request);
  if (journalled.has(key) || journalled.size >= mostJournalled) return;
  journalled.add(key);
  appendEvents(session.place.paths.journal, [
    {
      type: 'refusal',
      session: session.id,
      workspace: session.place.workspace.root,
      observed: 'enforcement',
      ...refusal,
    },
  ]);
}
