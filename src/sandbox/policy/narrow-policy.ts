import { HoldfastError } from '../../errors/index.ts';
import { decide, parseHostPattern, parsePathPattern, parsePolicy, type Policy, type PolicyDocument, type PolicyRequest } from '../../policy/index.ts';
import { buildPolicy } from '../build-policy.ts';
import { planPlace, policyOfPlace } from '../planner.ts';
import type { Place } from '../place.ts';
import type { PlacePlan } from '../place-plan.ts';
import type { PolicyText } from '../policy-texts.ts';
import type { Session } from '../session.ts';

/** A place with one more layer of policy. */
export interface NarrowedPlace {
  readonly place: Place;
  readonly plan: PlacePlan;
  readonly text: PolicyText;
  /** Whether it says something about what leaves the box. */
  readonly network: 'touched' | 'untouched';
}

/**
 * What a session becomes with a further layer, which can only take away. Throws `HF_POLICY_INVALID`, and `HF_USAGE` for what the layer lists and the
 * policy does not allow: whoever writes it expects to get it.
 */
export function narrowedPlace(session: Session, toml: string): NarrowedPlace {
  const count = session.place.sources.filter(({ kind }) => kind === 'session').length;
  const text: PolicyText = { kind: 'session', file: `narrowed-${count + 1}`, text: toml };
  const place: Place = { ...session.place, backend: session.backend.name, sources: [...session.place.sources, text] };
  // First, for its problems with their lines.
  buildPolicy({ ...place, visible: place.installation.visible, userFile: place.paths.userPolicy });
  const parsed = parsePolicy(toml, { file: text.file, kind: 'session' });
  if (parsed.kind !== 'document') throw new HoldfastError('HF_INTERNAL', 'a policy was valid and is not', { remedy: 'Report this as a defect of Holdfast.' });
  refuseWider(policyOfPlace(session.place), parsed.document);
  const network = Object.keys(parsed.document.value).every((key) => besideNetwork.has(key)) ? 'untouched' : 'touched';
  return { place, text, network, plan: planPlace(place, session.environment) };
}

const besideNetwork: ReadonlySet<string> = new Set(['version', 'files', 'environment']);

/** Each name and path that the layer lists, without its wildcards. */
function refuseWider(policy: Policy, { value }: PolicyDocument): void {
  const paths = (['read', 'write'] as const).flatMap((operation) => (value.files?.[operation] ?? []).flatMap((source) => pathRequest(operation, source)));
  const hosts = (value.network?.hosts ?? []).flatMap(hostRequest);
  const wider = [...paths, ...hosts].filter(({ request }) => decide(policy, request).decision === 'deny').map(({ source }) => source);
  if (wider.length === 0) return;
  throw new HoldfastError('HF_USAGE', `a layer that narrows cannot allow what the policy does not: ${wider.join(', ')}`, { remedy: 'leave it out, or grant it in your own policy and create another sandbox', details: { wider } });
}

interface Asked {
  readonly source: string;
  readonly request: PolicyRequest;
}

/** Of a pattern, the place above its first wildcard; one that starts there says nothing that could be asked. */
function pathRequest(operation: 'read' | 'write', source: string): readonly Asked[] {
  if (parsePathPattern(source).kind !== 'path' || !source.startsWith('/')) return [];
  const wild = source.search(/[*?[{\\]/u);
  const path = wild === -1 ? source : source.slice(0, source.lastIndexOf('/', wild));
  return path === '' ? [] : [{ source, request: { kind: 'file', operation, path: wild === -1 ? path : `${path}/any-name-in-it` } }];
}

function hostRequest(source: string): readonly Asked[] {
  const pattern = parseHostPattern(source);
  if (pattern.kind !== 'host' || source.includes('*')) return [];
  const host = source.replace(/:[\d-]+$/u, '');
  return [{ source, request: { kind: 'connect', host, port: pattern.ports?.from ?? 443, protocol: 'tcp' } }];
}
