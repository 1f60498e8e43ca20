import { type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { isHoldfastError } from '../../errors/index.ts';
import type { Place } from '../../place/place.ts';
import { policyOfPlace } from '../../place/planner.ts';
import { type PolicyText, projectFile, readPolicyTexts } from '../../place/policy-texts.ts';
import { credentialsOf } from '../../policy/credentials/credentials-of.ts';
import { decide, decideAddress } from '../../policy/decide.ts';
import { isLookedInto } from '../../policy/llm/looked-into.ts';
import type { Policy } from '../../policy/policy.ts';
import type { ConnectRequest } from '../../policy/request.ts';
import { networkPlan } from '../../policy/settings/network-plan.ts';
import { passesUnasked, tlsTreatment } from '../../policy/settings/tls-treatment.ts';
import type { TlsTreatment, Verdict } from '../../policy/verdict.ts';
import type { InterceptedConnection } from '../http/interceptor.ts';
import type { Authority, Destination } from '../types.ts';

export interface LivePolicy {
  readonly authority: Authority;
  /** Returns the files with further authorities for upstream certificates. */
  authorities(): readonly string[];
  /** Returns the policy. Undefined while it is invalid. */
  policy(): Policy | undefined;
}

type Current =
  | { readonly kind: 'policy'; readonly policy: Policy }
  | { readonly kind: 'broken'; readonly verdict: Verdict };

/**
 * Returns the live policy of a place. After a change of its files, the next question is answered by the new text. An
 * invalid policy refuses everything until it is corrected, because its meaning is unknown. A session that began without
 * credentials splices instead of watching: it has no phantoms, and its boxes trust no authority of the session.
 */
export function livePolicy(
  place: Place,
  credentials: 'none' | 'some' = 'none',
  ceilings: readonly PolicyText[] = [],
): LivePolicy {
  const files = [place.paths.managedPolicy, place.paths.userPolicy, join(place.workspace.root, projectFile)];
  let seen = files.map(stampOf);
  // The texts of the place may be outdated, because a session may run for long before it first uses its network.
  let current: Current = reload(place, ceilings);
  let looked: 'this turn' | 'before' = 'before';
  let layers = ceilings.length;
  const hasChanged = (): boolean => {
    const fresh = files.map(stampOf);
    const changed = layers !== ceilings.length || fresh.some((stamp, index) => !isSame(stamp, seen[index]));
    [seen, layers] = [fresh, ceilings.length];
    return changed;
  };
  const now = (): Current => {
    // One connection asks several questions in one turn of the event loop. Checking the files costs more than all the
    // answers.
    if (looked === 'this turn' && layers === ceilings.length) return current;
    looked = 'this turn';
    setImmediate(() => {
      looked = 'before';
    });
    if (hasChanged()) current = reload(place, ceilings);
    return current;
  };
  const ask = (question: (policy: Policy) => Verdict): Verdict => {
    const answered = now();
    return answered.kind === 'policy' ? question(answered.policy) : answered.verdict;
  };
  return {
    authority: {
      decide: (request) =>
        ask((policy) => (request.kind === 'connect' ? answersOf(policy).connect(request) : decide(policy, request))),
      decideAddress: (address, port) => ask((policy) => answersOf(policy).address(address, port)),
      tlsTreatment: (destination) => {
        const answered = now();
        const treatment = answered.kind === 'policy' ? answersOf(answered.policy).treatment(destination) : 'splice';
        return treatment === 'watch' && credentials === 'none' ? 'splice' : treatment;
      },
      passesUnasked: (destination) => {
        const answered = now();
        return answered.kind === 'policy' && answersOf(answered.policy).passesUnasked(destination);
      },
    },
    policy: () => {
      const answered = now();
      return answered.kind === 'policy' ? answered.policy : undefined;
    },
    authorities: () => {
      const answered = now();
      const network = answered.kind === 'policy' ? networkPlan(answered.policy) : undefined;
      return network?.kind === 'open' ? network.authorities : [];
    },
  };
}

type Stamp = Pick<Stats, 'ino' | 'mtimeMs' | 'ctimeMs' | 'size'> | undefined;

function stampOf(file: string): Stamp {
  return statSync(file, { throwIfNoEntry: false });
}

/**
 * Compares numbers one by one. This runs for every connection and request, and building a text would cost more than the
 * check itself.
 */
function isSame(a: Stamp, b: Stamp): boolean {
  return a?.mtimeMs === b?.mtimeMs && a?.ctimeMs === b?.ctimeMs && a?.ino === b?.ino && a?.size === b?.size;
}

function reload(place: Place, ceilings: readonly PolicyText[]): Current {
  try {
    return {
      kind: 'policy',
      policy: policyOfPlace({
        ...place,
        sources: [...readPolicyTexts(place.paths, place.workspace.root), ...ceilings],
      }),
    };
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    return { kind: 'broken', verdict: brokenVerdict(error.message, place.paths.userPolicy) };
  }
}

function brokenVerdict(reason: string, file: string): Verdict {
  const message = `the policy was changed and is now invalid, so nothing is allowed: ${reason.split('\n')[0] ?? ''}`;
  return {
    decision: 'deny',
    code: 'unrepresentable',
    rule: 'policy',
    layer: 'required',
    file,
    line: 0,
    message,
    remedy: 'correct it, and check it with `holdfast policy check`',
  };
}

/**
 * Remembers the answers of one policy to repeated questions about connections and requests. A policy is immutable: a
 * change creates another one.
 */
interface RememberedAnswers {
  connect(request: ConnectRequest): Verdict;
  address(address: string, port: number): Verdict;
  treatment(destination: Destination): TlsTreatment;
  passesUnasked(destination: Destination): boolean;
  isLookedInto(destination: Destination): boolean;
}

const known = new WeakMap<Policy, RememberedAnswers>();

export function answersOf(policy: Policy): RememberedAnswers {
  const answers = known.get(policy) ?? answersBy(policy);
  known.set(policy, answers);
  return answers;
}

/**
 * Returns true if requests of a connection are inspected, for the client's destination or for the target of a redirect.
 */
export function isLookedIntoAnywhere(
  policy: Policy,
  { destination, redirected }: Pick<InterceptedConnection, 'destination' | 'redirected'>,
): boolean {
  const answers = answersOf(policy);
  return answers.isLookedInto(destination) || (redirected !== undefined && answers.isLookedInto(redirected));
}

/** Most servers for which a session is prepared. */
const mostExpected = 4;

/**
 * Returns the servers that may receive a secret of the policy inside TLS. An agent connects to its own server at once.
 */
export function expectedServers(policy: Policy | undefined): readonly Destination[] {
  if (policy === undefined) return [];
  return credentialsOf(policy)
    .flatMap(({ binding }) => binding.hosts)
    .flatMap(({ host, ports }) => (host.kind === 'exact' ? [{ host: host.text, port: ports?.from ?? 443 }] : []))
    .filter((server) => answersOf(policy).treatment(server) === 'intercept')
    .slice(0, mostExpected);
}

function answersBy(policy: Policy): RememberedAnswers {
  const connect = remembering<Verdict>();
  const address = remembering<Verdict>();
  const treatment = remembering<TlsTreatment>();
  const unasked = remembering<boolean>();
  const looked = remembering<boolean>();
  return {
    connect: (request) => connect(keyOf(request, request.protocol), () => decide(policy, request)),
    address: (host, port) => address(keyOf({ host, port }), () => decideAddress(policy, { address: host, port })),
    treatment: (destination) => treatment(keyOf(destination), () => tlsTreatment(policy, destination)),
    passesUnasked: (destination) => unasked(keyOf(destination), () => passesUnasked(policy, destination)),
    isLookedInto: (destination) => looked(keyOf(destination), () => isLookedInto(policy, destination)),
  };
}

/** The host comes last, so that a host chosen by a client cannot change the port. */
function keyOf({ host, port }: Destination, protocol = ''): string {
  return `${protocol} ${port} ${host}`;
}

/** Most answers of each kind. A client that keeps asking for new hosts only makes Holdfast forget the old answers. */
const most = 512;

function remembering<Answer>(): (key: string, answer: () => Answer) => Answer {
  const answers = new Map<string, Answer>();
  return (key, answer) => {
    const kept = answers.get(key);
    if (kept !== undefined) return kept;
    const made = answer();
    if (answers.size >= most) answers.clear();
    answers.set(key, made);
    return made;
  };
}
