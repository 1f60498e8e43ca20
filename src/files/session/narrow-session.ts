import { HoldfastError } from '../../errors/index.ts';
import { absoluteGrants } from '../../place/grants.ts';
import { pathFact } from '../../place/host/path-facts.ts';
import type { PolicyText } from '../../place/policy-texts.ts';
import type { Refusal } from '../../place/refusals/refusal.ts';
import { pathPatternOf } from '../../policy/patterns/path-pattern.ts';
import type { FileRequest } from '../../policy/request.ts';
import type { Session } from '../../session/session.ts';
import type { OneShotOptions } from '../index.ts';

/**
 * Returns the same session with one more policy layer, which can only remove rights. Throws `HF_USAGE` for rights that
 * the session does not have, because the caller expects to get them. Throws `HF_GUARANTEE_MISSING` for a staged
 * session.
 */
export async function narrowSession(session: Session, options: OneShotOptions): Promise<Session> {
  refuseStaged(session);
  const { planPlace, policyOfPlace, refusedOf } = await import('../../place/planner.ts');
  const { cwd } = session.place.workspace;
  const { read, write } = absoluteGrants(options, { cwd, home: session.place.home });
  const policy = policyOfPlace(session.place);
  refuseWider({ read: read ?? [], write: write ?? [] }, (requests) => refusedOf(policy, requests));
  const worker = session.place.installation.filesWorker;
  const ceiling = ceilingText({
    ...(read === undefined ? {} : { read: [...read, worker] }),
    ...(write === undefined ? {} : { write }),
  });
  const place = { ...session.place, backend: session.backend.name, sources: [...session.place.sources, ceiling] };
  return { ...session, place, plan: planPlace(place, session.environment) };
}

/** A layer covers whole roots. A read-only root would be the host's, without the staged changes. */
function refuseStaged({ staging }: Session): void {
  if (staging === undefined) return;
  throw new HoldfastError(
    'HF_GUARANTEE_MISSING',
    'a part of a staged workspace cannot be shown with its staged writes (guarantee: fs.stage)',
    {
      remedy: 'use sandbox.files itself, or a sandbox that is not staged',
      details: { missing: ['fs.stage'] },
    },
  );
}

function refuseWider(
  { read, write }: Required<OneShotOptions>,
  refusedOf: (requests: readonly FileRequest[]) => readonly Refusal[],
): void {
  const [refusal] = refusedOf([
    ...read.map((path) => requestFor('read', path)),
    ...write.map((path) => requestFor('write', path)),
  ]);
  if (refusal !== undefined)
    throw new HoldfastError(
      'HF_USAGE',
      `a one-shot worker may do no more than its sandbox: ${refusal.verdict.message}`,
      { remedy: refusal.verdict.remedy, details: { ...refusal } },
    );
  const missing = write.find((path) => pathFact(path).kind !== 'present');
  if (missing !== undefined)
    throw new HoldfastError('HF_USAGE', `${missing} does not exist, so it cannot be the only writable path`, {
      remedy: 'make it first, or name the directory above it',
    });
}

/** A directory is shown because of its entries. Its own name may be protected. */
function requestFor(operation: 'read' | 'write', path: string): FileRequest {
  const fact = pathFact(path);
  const inside = fact.kind === 'present' && fact.identity.type === 'directory';
  return { kind: 'file', operation, path: inside ? `${path}/any-name-in-it` : path };
}

/** Returns paths, as patterns, as a policy. JSON strings are also TOML strings. */
function ceilingText(files: OneShotOptions): PolicyText {
  const lists = Object.entries(files).map(
    ([name, paths]: [string, readonly string[]]) => `${name} = ${JSON.stringify(paths.map(pathPatternOf))}\n`,
  );
  return { kind: 'session', file: 'oneShot', text: `version = 1\n[files]\n${lists.join('')}` };
}
