import type { BackendName, GuaranteeVector } from '../backends/index.ts';
import { type Candidate, lacking as lackingOf, type Lacking } from '../backends/lattice/index.ts';
import { HoldfastError } from '../errors/index.ts';
import { guarantees, type Guarantee } from '../plan/index.ts';
import { type BackendChoice, backendWishes, demandsOf, type Policy, type Setting } from '../policy/index.ts';

/** The errors of a choice: each names what is missing, and every place that has a say in it. */

export function twoNames(wish: Setting<BackendChoice>, flag: BackendName): HoldfastError {
  return new HoldfastError('HF_BACKEND_MISSING', `${placeOf(wish)} demands the ${wish.value} backend, --backend the ${flag} one`, { remedy: 'leave --backend out, or change [backend] use in the policy' });
}

/** A backend that a person has named, which lacks something that somebody requires. */
export function notHeld(name: BackendName, policy: Policy, missing: readonly Guarantee[]): HoldfastError {
  const [wish] = backendWishes(policy);
  const who = wish === undefined ? '--backend' : placeOf(wish);
  return new HoldfastError('HF_GUARANTEE_MISSING', `the ${name} backend cannot enforce here: ${missing.join(', ')}; ${[`${who} demands ${name}`, ...demandWords(policy, missing)].join(', ')}`, {
    remedy: 'see `holdfast backends`, name another backend, or take the requirement out of the policy',
    details: { missing },
  });
}

export interface NotNamed {
  readonly name: BackendName;
  /** What would be taken without the name. */
  readonly otherwise: BackendName | undefined;
  readonly missing: readonly Guarantee[];
}

/** A backend that a policy has named which may only narrow. */
export function notNamed({ name, otherwise, missing }: NotNamed, policy: Policy): HoldfastError {
  const [wish] = backendWishes(policy);
  const place = wish === undefined ? 'the policy' : placeOf(wish);
  const than = otherwise === undefined ? 'what is demanded' : `the ${otherwise} one, which would be taken without it`;
  return new HoldfastError('HF_GUARANTEE_MISSING', `${place} demands the ${name} backend, which cannot enforce here: ${missing.join(', ')}; that is less than ${than}`, {
    remedy: 'take [backend] use out of it; only a person may accept gaps: in their own policy, or with --backend',
    details: { missing },
  });
}

export interface NoneHolds {
  readonly lacking: readonly Lacking[];
  readonly demand: GuaranteeVector;
  /** What a person may name all the same. */
  readonly nameable: Candidate | undefined;
}

/** No backend will do. What is missing is what the best of those that can be used lacks. */
export function noneHolds({ lacking, demand, nameable }: NoneHolds, policy: Policy): HoldfastError {
  const usable = lacking.filter(({ trouble }) => trouble === undefined).toSorted((a, b) => a.guarantees.length - b.guarantees.length);
  const missing = usable[0]?.guarantees ?? guarantees.filter((guarantee) => demand[guarantee] !== 'none');
  const each = lacking.map(({ name, trouble, guarantees: less }) => `${name}: ${trouble ?? `cannot enforce ${less.join(', ')}`}`);
  return new HoldfastError('HF_GUARANTEE_MISSING', `no backend holds here what is demanded (missing: ${missing.join(', ')}): ${[...each, ...demandWords(policy, missing)].join('; ')}`, {
    remedy: named({ lacking, demand, nameable }) ?? 'see `holdfast backends` for what each needs, or take the requirement out of the policy',
    details: { missing },
  });
}

/** What a person may name, with its gaps. */
function named({ lacking, demand, nameable }: NoneHolds): string | undefined {
  if (nameable === undefined) return undefined;
  const demanded = guarantees.filter((guarantee) => demand[guarantee] !== 'none');
  const less = lackingOf(nameable.vector, demand);
  if (less.length === 0) return `run with --backend ${nameable.name}, which holds all of it`;
  const first = lacking.some(({ name, trouble }) => name === 'native' && trouble !== undefined) ? 'allow user namespaces, or ' : '';
  return `${first}accept gaps: --backend ${nameable.name} holds ${demanded.length - less.length} of ${demanded.length} guarantees in the kernel, and ${less.join(', ')} in part`;
}

/** Who requires what is missing, with its place. */
function demandWords(policy: Policy, missing: readonly Guarantee[]): readonly string[] {
  return demandsOf(policy).filter(({ value }) => missing.includes(value)).map((demand) => `${placeOf(demand)} requires ${demand.value}`);
}

function placeOf({ origin }: Setting<unknown>): string {
  return `${origin.file}:${origin.line}`;
}
