import {
  type ConnectRequest,
  decide,
  decideAddress,
  isLookedInto,
  passesUnasked,
  type Policy,
  type TlsTreatment,
  tlsTreatment,
  type Verdict,
} from '../../policy/index.ts';
import type { Destination, InterceptedConnection } from '../index.ts';

/**
 * What one policy says to the questions that every connection and request asks again. A policy never changes: what has
 * changed is another one.
 */
export interface RememberedAnswers {
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

/** Whether requests of a connection are looked into: for where its client means to go, or for where a rule leads it. */
export function isLookedIntoAnywhere(
  policy: Policy,
  { destination, redirected }: Pick<InterceptedConnection, 'destination' | 'redirected'>,
): boolean {
  const answers = answersOf(policy);
  return answers.isLookedInto(destination) || (redirected !== undefined && answers.isLookedInto(redirected));
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

/** The host stands last: whatever a client writes into it, it cannot become another port. */
function keyOf({ host, port }: Destination, protocol = ''): string {
  return `${protocol} ${port} ${host}`;
}

/**
 * Answers kept of each kind. A client that asks for ever new hosts has all of them forgotten, and finds no other
 * answers.
 */
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
