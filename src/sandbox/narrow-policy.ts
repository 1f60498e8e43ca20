import { HoldfastError } from '../errors/index.ts';
import { buildPolicy } from '../place/build-policy.ts';
import type { PlacePlan } from '../place/place-plan.ts';
import type { Place } from '../place/place.ts';
import { planPlace, policyOfPlace } from '../place/planner.ts';
import type { PolicyText } from '../place/policy-texts.ts';
import { decide } from '../policy/decide.ts';
import { parsePolicy } from '../policy/document/parse.ts';
import type { PolicyDocument } from '../policy/document/types.ts';
import { parseHostPattern } from '../policy/patterns/host-pattern.ts';
import { parsePathPattern } from '../policy/patterns/path-pattern.ts';
import type { Policy } from '../policy/policy.ts';
import type { PolicyRequest } from '../policy/request.ts';
import type { Session } from '../session/session.ts';

/** A place with one more layer of policy. */
export interface NarrowedPlace {
  readonly place: Place;
  readonly plan: PlacePlan;
  readonly text: PolicyText;
  /** Whether the layer sets anything besides files and environment. */
  readonly network: 'touched' | 'untouched';
}

/**
 * Returns the place of a session with one more layer, which can only restrict. Throws `HF_POLICY_INVALID` for an
 * invalid layer. Throws `HF_USAGE` for entries that the policy does not allow, because their author expects to get
 * them.
 */
export function narrowedPlace(session: Session, toml: string): NarrowedPlace {
  const count = session.place.sources.filter(({ kind }) => kind === 'session').length;
  const text: PolicyText = { kind: 'session', file: `narrowed-${count + 1}`, text: toml };
  const place: Place = { ...session.place, backend: session.backend.name, sources: [...session.place.sources, text] };
  // Reports the problems of the layer first, with their lines.
  buildPolicy({ ...place, visible: place.installation.visible, userFile: place.paths.userPolicy });
  const parsed = parsePolicy(toml, { file: text.file, kind: 'session' });
  if (parsed.kind !== 'document')
    throw new HoldfastError('HF_INTERNAL', 'a valid policy became invalid', {
      remedy: 'Report this as a defect of Holdfast.',
    });
  refuseWider(policyOfPlace(session.place), session.place, parsed.document);
  const network = Object.keys(parsed.document.value).every((key) => besideNetwork.has(key)) ? 'untouched' : 'touched';
  const plan = planPlace(place, session.environment);
  if (plan.manner === session.plan.manner) return { place, text, network, plan };
  throw new HoldfastError('HF_USAGE', 'a sandbox cannot become strict after its start', {
    remedy: 'create the sandbox with `strict: true`',
  });
}

const besideNetwork: ReadonlySet<string> = new Set(['version', 'files', 'environment']);

/**
 * Checks each name and path that the layer lists. In place of a wildcard, it checks a made-up name that nobody would
 * have listed.
 */
function refuseWider(policy: Policy, place: Place, { value }: PolicyDocument): void {
  const paths = (['read', 'write'] as const).flatMap((operation) =>
    (value.files?.[operation] ?? []).flatMap((source) => pathRequest(place, operation, source)),
  );
  const hosts = (value.network?.hosts ?? []).flatMap(hostRequest);
  const wider = [...paths, ...hosts]
    .filter(({ request }) => decide(policy, request).decision === 'deny')
    .map(({ source }) => source);
  if (wider.length === 0) return;
  throw new HoldfastError('HF_USAGE', `a narrowing layer cannot allow more than the policy: ${wider.join(', ')}`, {
    remedy: 'leave these grants out, or add them to your own policy and create another sandbox',
    details: { wider },
  });
}

interface Asked {
  readonly source: string;
  readonly request: PolicyRequest;
}

/**
 * Returns a request for a pattern: a path in the directory above its first wildcard. Empty if a wildcard comes first,
 * because no path would represent it.
 */
function pathRequest({ home, workspace }: Place, operation: 'read' | 'write', source: string): readonly Asked[] {
  const pattern = parsePathPattern(source);
  if (pattern.kind !== 'path' || pattern.anchor === 'anywhere') return [];
  const wild = pattern.components.findIndex((component) => /[*?[{\\]/u.test(component));
  const named = wild === -1 ? pattern.components : pattern.components.slice(0, wild);
  const base = { root: '', home, workspace: workspace.root }[pattern.anchor];
  const path = [base, ...named].join('/');
  return path === ''
    ? []
    : [{ source, request: { kind: 'file', operation, path: wild === -1 ? path : `${path}/${anyName}` } }];
}

const anyName = 'any-name-in-it';

function hostRequest(source: string): readonly Asked[] {
  const pattern = parseHostPattern(source);
  if (pattern.kind !== 'host') return [];
  const host = source.replace(/:[\d-]+$/u, '').replaceAll(/\*+/gu, anyName);
  return [{ source, request: { kind: 'connect', host, port: pattern.ports?.from ?? 443, protocol: 'tcp' } }];
}
