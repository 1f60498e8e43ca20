import { type Backend, type BackendName, type GuaranteeVector, backendNames } from '../backends/backend.ts';
import {
  type BackendCandidate,
  chooseCandidate as chooseAmong,
  type Lacking,
  lackingAsNamed,
} from '../backends/lattice/choose.ts';
import { demandOf, lacking, lacking as lackingOf } from '../backends/lattice/vectors.ts';
import { HoldfastError } from '../errors/index.ts';
import { planDemands } from '../plan/compile.ts';
import type { Guarantee } from '../plan/types.ts';
import { backendOf, backendWishes, personalWish } from '../policy/backend-wish.ts';
import { guaranteeNames as guarantees } from '../policy/guarantees.ts';
import type { Setting } from '../policy/layers/settings.ts';
import type { Policy } from '../policy/policy.ts';
import type { BackendChoice } from '../policy/settings/levels.ts';
import { demandsOf } from '../policy/settings/requirements.ts';
import { backendNamed } from './backends.ts';
import type { Place } from './place.ts';

/** Reasons why backends that exist here cannot be used. */
export type Troubles = Readonly<Partial<Record<BackendName, string>>>;

export interface ChosenBackend {
  readonly backend: Backend;
  /**
   * `person`: named by a flag or by the user's or the administrator's policy. `policy`: named by a policy that may only
   * narrow.
   */
  readonly named: 'person' | 'policy' | 'nobody';
}

/** The requirements of a choice, and its candidates. */
interface Ground {
  readonly place: Pick<Place, 'backend' | 'uid' | 'cgroups'>;
  readonly policy: Policy;
  readonly troubles: Troubles;
  readonly look: (name: BackendName) => Backend;
}

/**
 * Returns the backend that the flag and the policy name, or else the first that meets the policy's requirements.
 * Resolves `auto` before comparing, and never to `none`. Throws `HF_BACKEND_MISSING` or `HF_GUARANTEE_MISSING`.
 */
export function chooseBackend(
  place: Ground['place'],
  policy: Policy,
  { troubles = {}, look = backendNamed }: Partial<Pick<Ground, 'troubles' | 'look'>> = {},
): ChosenBackend {
  const ground: Ground = { place, policy, troubles, look };
  const wished = backendOf(policy);
  const [wish] = backendWishes(policy);
  if (place.backend !== 'auto' && wish !== undefined && place.backend !== wished) throw twoNames(wish, place.backend);
  if (place.backend !== 'auto') return namedByPerson(place.backend, ground);
  if (wish === undefined) return { backend: automatic(ground), named: 'nobody' };
  return personalWish(policy) === undefined ? namedByPolicy(wished, ground) : namedByPerson(wished, ground);
}

function namedByPerson(name: string, { place, policy, look }: Ground): ChosenBackend {
  const backend = presentBackend(name, look);
  const missing = lacking(backend.guarantees(place), demandOf(planDemands(policy, 'partial')));
  if (missing.length > 0) throw notHeld(backend.name, policy, missing);
  return { backend, named: 'person' };
}

/** Attack: a project that names a backend with gaps that nobody has accepted. */
function namedByPolicy(name: string, ground: Ground): ChosenBackend {
  const { place, policy, look } = ground;
  const backend = presentBackend(name, look);
  const demand = demandOf(planDemands(policy));
  const choice = chooseAmong(candidates(ground), demand);
  const otherwise = choice.kind === 'chosen' ? look(choice.name) : undefined;
  const missing = lackingAsNamed(backend.guarantees(place), demand, otherwise?.guarantees(place));
  if (missing.length > 0) throw notNamed({ name: backend.name, otherwise: otherwise?.name, missing }, policy);
  return { backend, named: 'policy' };
}

/** Checks only suitable backends for their presence, because the check starts a program. */
function automatic(ground: Ground): Backend {
  const demand = demandOf(planDemands(ground.policy));
  const choice = chooseAmong(candidates(ground), demand);
  if (choice.kind === 'refused')
    throw noneHolds({ lacking: choice.lacking, demand, nameable: nameable(ground) }, ground.policy);
  const backend = ground.look(choice.name);
  const presence = backend.presence();
  if (presence.kind === 'present') return backend;
  return automatic({ ...ground, troubles: { ...ground.troubles, [choice.name]: `not here: ${presence.remedy}` } });
}

function candidates({ place, troubles, look }: Ground): readonly BackendCandidate[] {
  return backendNames.map((name) => {
    const trouble = troubles[name];
    return { name, vector: look(name).guarantees(place), ...(trouble === undefined ? {} : { trouble }) };
  });
}

/**
 * Returns a backend that a person could name: it enforces the policy's guarantees in the kernel, and the others at
 * least in part. If native cannot work here, only Landlock alone can.
 */
function nameable({ place, policy, troubles, look }: Ground): BackendCandidate | undefined {
  const demand = demandOf(planDemands(policy, 'partial'));
  const names: readonly BackendName[] = troubles.native === undefined ? backendNames : ['landlock'];
  const fitting = names.filter(
    (name) => troubles[name] === undefined && lacking(look(name).guarantees(place), demand).length === 0,
  );
  const name = fitting.find((candidate) => look(candidate).presence().kind === 'present');
  return name === undefined ? undefined : { name, vector: look(name).guarantees(place) };
}

function presentBackend(name: string, look: Ground['look']): Backend {
  const known = backendNames.find((candidate) => candidate === name);
  if (known === undefined) {
    throw new HoldfastError(
      'HF_BACKEND_MISSING',
      `the ${name} backend cannot run commands in this version: Holdfast only generates its plan`,
      { remedy: `use one of: auto, ${backendNames.join(', ')}` },
    );
  }
  const backend = look(known);
  const presence = backend.presence();
  if (presence.kind === 'absent')
    throw new HoldfastError('HF_BACKEND_MISSING', `the ${known} backend is not available here`, {
      remedy: presence.remedy,
    });
  return backend;
}

/** The errors of a choice. Each lists the missing guarantees, and every place that requires them. */

function twoNames(wish: Setting<BackendChoice>, flag: BackendName): HoldfastError {
  return new HoldfastError(
    'HF_BACKEND_MISSING',
    `${placeOf(wish)} requires the ${wish.value} backend, but --backend names ${flag}`,
    { remedy: 'leave --backend out, or change [backend] use in the policy' },
  );
}

/** The error for a backend that a person has named, if it lacks a required guarantee. */
function notHeld(name: BackendName, policy: Policy, missing: readonly Guarantee[]): HoldfastError {
  const [wish] = backendWishes(policy);
  const who = wish === undefined ? '--backend' : placeOf(wish);
  return new HoldfastError(
    'HF_GUARANTEE_MISSING',
    `the ${name} backend cannot enforce here: ${missing.join(', ')}; ${[`${who} demands ${name}`, ...demandWords(policy, missing)].join(', ')}`,
    {
      remedy: 'see `holdfast backends`, name another backend, or take the requirement out of the policy',
      details: { missing },
    },
  );
}

interface NotNamed {
  readonly name: BackendName;
  /** The backend that would be chosen otherwise. */
  readonly otherwise: BackendName | undefined;
  readonly missing: readonly Guarantee[];
}

/** The error for a backend that a policy has named, if that policy may only narrow. */
function notNamed({ name, otherwise, missing }: NotNamed, policy: Policy): HoldfastError {
  const [wish] = backendWishes(policy);
  const place = wish === undefined ? 'the policy' : placeOf(wish);
  const than = otherwise === undefined ? 'the requirements' : `the ${otherwise} one, which would be taken without it`;
  return new HoldfastError(
    'HF_GUARANTEE_MISSING',
    `${place} demands the ${name} backend, which cannot enforce here: ${missing.join(', ')}; that is less than ${than}`,
    {
      remedy: 'take [backend] use out of it; only a person may accept gaps: in their own policy, or with --backend',
      details: { missing },
    },
  );
}

interface NoneHolds {
  readonly lacking: readonly Lacking[];
  readonly demand: GuaranteeVector;
  /** A backend that a person may name instead. */
  readonly nameable: BackendCandidate | undefined;
}

/** The error if no backend is suitable. Lists the missing guarantees of the best usable one. */
function noneHolds({ lacking, demand, nameable }: NoneHolds, policy: Policy): HoldfastError {
  const usable = lacking
    .filter(({ trouble }) => trouble === undefined)
    .toSorted((a, b) => a.guarantees.length - b.guarantees.length);
  const missing = usable[0]?.guarantees ?? guarantees.filter((guarantee) => demand[guarantee] !== 'none');
  const each = lacking.map(
    ({ name, trouble, guarantees: less }) => `${name}: ${trouble ?? `cannot enforce ${less.join(', ')}`}`,
  );
  return new HoldfastError(
    'HF_GUARANTEE_MISSING',
    `no backend meets the requirements here (missing: ${missing.join(', ')}): ${[...each, ...demandWords(policy, missing)].join('; ')}`,
    {
      remedy:
        named({ lacking, demand, nameable }) ??
        'run `holdfast backends` to see the needs of each backend, or take the requirement out of the policy',
      details: { missing },
    },
  );
}

/** The backends that a person may name, with their gaps. */
function named({ lacking, demand, nameable }: NoneHolds): string | undefined {
  if (nameable === undefined) return undefined;
  const demanded = guarantees.filter((guarantee) => demand[guarantee] !== 'none');
  const less = lackingOf(nameable.vector, demand);
  if (less.length === 0) return `run with --backend ${nameable.name}, which holds all of it`;
  const first = lacking.some(({ name, trouble }) => name === 'native' && trouble !== undefined)
    ? 'allow user namespaces (in a container `holdfast doctor` says how), or '
    : '';
  return `${first}accept gaps: --backend ${nameable.name} holds ${demanded.length - less.length} of ${demanded.length} guarantees in the kernel, and ${less.join(', ')} in part`;
}

/** The places that require the missing guarantees. */
function demandWords(policy: Policy, missing: readonly Guarantee[]): readonly string[] {
  return demandsOf(policy)
    .filter(({ value }) => missing.includes(value))
    .map((demand) => `${placeOf(demand)} requires ${demand.value}`);
}

function placeOf({ origin }: Setting<unknown>): string {
  return `${origin.file}:${origin.line}`;
}
