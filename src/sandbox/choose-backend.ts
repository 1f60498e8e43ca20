import { backendNames, type Backend, type BackendName } from '../backends/index.ts';
import { type Candidate, chooseBackend as chooseAmong, demandOf, lacking, lackingAsNamed } from '../backends/lattice/index.ts';
import { HoldfastError } from '../errors/index.ts';
import { planDemands } from '../plan/index.ts';
import { backendOf, backendWishes, personalWish, type Policy } from '../policy/index.ts';
import { backendNamed } from './backends.ts';
import type { Place } from './place.ts';
import { noneHolds, notHeld, notNamed, twoNames } from './no-backend.ts';

/** Why backends that are here cannot be used all the same. */
export type Troubles = Readonly<Partial<Record<BackendName, string>>>;

export interface ChosenBackend {
  readonly backend: Backend;
  /** `person`: by a flag or by the user's or the administrator's policy. `policy`: by one that may only narrow. */
  readonly named: 'person' | 'policy' | 'nobody';
}

/** What is chosen for and among. */
interface Ground {
  readonly place: Pick<Place, 'backend' | 'uid' | 'cgroups'>;
  readonly policy: Policy;
  readonly troubles: Troubles;
  readonly look: (name: BackendName) => Backend;
}

/**
 * The backend that the flag and the policy agree on, or the first that holds what the policy demands: `auto` is resolved first and
 * compared afterwards, and never none. Throws `HF_BACKEND_MISSING` or `HF_GUARANTEE_MISSING`.
 */
export function chooseBackend(place: Ground['place'], policy: Policy, { troubles = {}, look = backendNamed }: Partial<Pick<Ground, 'troubles' | 'look'>> = {}): ChosenBackend {
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

/** Attack: a project that names a backend with gaps which nobody accepted. */
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

/** Whether a backend is here is asked only of those that would do: asking starts a program. */
function automatic(ground: Ground): Backend {
  const demand = demandOf(planDemands(ground.policy));
  const choice = chooseAmong(candidates(ground), demand);
  if (choice.kind === 'refused') throw noneHolds({ lacking: choice.lacking, demand, nameable: nameable(ground) }, ground.policy);
  const backend = ground.look(choice.name);
  const presence = backend.presence();
  if (presence.kind === 'present') return backend;
  return automatic({ ...ground, troubles: { ...ground.troubles, [choice.name]: `not here: ${presence.remedy}` } });
}

function candidates({ place, troubles, look }: Ground): readonly Candidate[] {
  return backendNames.map((name) => {
    const trouble = troubles[name];
    return { name, vector: look(name).guarantees(place), ...(trouble === undefined ? {} : { trouble }) };
  });
}

/** What a person could name: it holds in the kernel what a policy lists, and the rest at least in part. Where native cannot work only Landlock alone can. */
function nameable({ place, policy, troubles, look }: Ground): Candidate | undefined {
  const demand = demandOf(planDemands(policy, 'partial'));
  const names: readonly BackendName[] = troubles.native === undefined ? backendNames : ['landlock'];
  const fitting = names.filter((name) => troubles[name] === undefined && lacking(look(name).guarantees(place), demand).length === 0);
  const name = fitting.find((candidate) => look(candidate).presence().kind === 'present');
  return name === undefined ? undefined : { name, vector: look(name).guarantees(place) };
}

function presentBackend(name: string, look: Ground['look']): Backend {
  const known = backendNames.find((candidate) => candidate === name);
  if (known === undefined) {
    throw new HoldfastError('HF_BACKEND_MISSING', `the ${name} backend runs nothing in this version: what it would do is generated, not run`, { remedy: `use one of: auto, ${backendNames.join(', ')}` });
  }
  const backend = look(known);
  const presence = backend.presence();
  if (presence.kind === 'absent') throw new HoldfastError('HF_BACKEND_MISSING', `the ${known} backend is not available here`, { remedy: presence.remedy });
  return backend;
}
