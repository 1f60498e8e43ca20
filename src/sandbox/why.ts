import { readFileSync } from 'node:fs';
import type { JournalEntry } from '../audit/entries.ts';
import type { RefusalEvent } from '../audit/events.ts';
import { readEvents } from '../audit/index.ts';
import { createOwnAddresses } from '../egress/ssrf/network.ts';
import { vet } from '../egress/ssrf/vet.ts';
import { HoldfastError } from '../errors/index.ts';
import { buildPolicy } from '../place/build-policy.ts';
import { isInsideBox } from '../place/host/inside-box.ts';
import { boxPath, templatePlan } from '../place/place-plan.ts';
import { type Place, type PlaceOptions, readPlace } from '../place/place.ts';
import { planPlace, policyOfPlace } from '../place/planner.ts';
import type { SessionDescription } from '../place/session-file.ts';
import { sessionFile } from '../plan/fixed-paths.ts';
import { explanationFor, type Explanation } from '../policy/command/explain-command.ts';
import type { CommandFacts } from '../policy/command/types.ts';
import { decideAddress } from '../policy/decide.ts';
import { normaliseHost } from '../policy/normalise/host.ts';
import type { Policy } from '../policy/policy.ts';
import type { ConnectRequest, PolicyRequest } from '../policy/request.ts';
import { invocationProgram } from '../shell/session/resolve-program.ts';

/** Answers for one workspace, from outside or from inside its box. */
export interface Why {
  readonly where: 'inside' | 'outside';
  readonly workspace: string;
  readonly home: string;
  readonly policy: Policy;
  /**
   * Finds the file that a command would start. Undefined inside a box, which does not know its own mounts. There, a
   * name is not resolved.
   */
  readonly resolve?: CommandFacts['resolve'];
  /** The last refusals of this workspace, newest first. Empty inside a box, which cannot see the journal. */
  readonly refusals: readonly RefusalEntry[];
}

/** Builds the policy of a place. */
export type PolicyOfPlace = (place: Place) => Policy;

/** Opens the policy of the working directory or, inside a box, of the session around it. */
export function openWhy(options: PlaceOptions, policyOf?: PolicyOfPlace): Why {
  return isInsideBox()
    ? insideBox(readDescription())
    : whyAt(readPlace(options), { environment: options.environment, policyOf });
}

export function explainRequest(why: Why, request: PolicyRequest): Explanation {
  const explanation = explanationFor(why.policy, request);
  return request.kind === 'connect' && explanation.verdict.decision !== 'deny'
    ? vettedExplanation(why.policy, request, explanation)
    : explanation;
}

/** Vets an address. `vet` may refuse it because of its range, even if a name or `any` would allow it. */
function vettedExplanation(policy: Policy, { host, port }: ConnectRequest, explanation: Explanation): Explanation {
  const address = normaliseHost(host);
  if (address?.address === undefined) return explanation;
  const authority = { decideAddress: (text: string, at: number) => decideAddress(policy, { address: text, port: at }) };
  const vetted = vet({ host: address.text, port }, undefined, { authority, own: createOwnAddresses() });
  if (vetted.kind === 'vetted') return explanation;
  const { code, message, remedy } = vetted.refusal;
  return {
    ...explanation,
    verdict: {
      ...explanation.verdict,
      decision: 'deny',
      rule: code,
      layer: 'required',
      file: 'built-in',
      line: 0,
      message,
      remedy,
    },
    wouldAllow: [],
  };
}

export interface WhyOptions {
  readonly environment: PlaceOptions['environment'];
  /** Default: builds the policy again. */
  readonly policyOf?: PolicyOfPlace | undefined;
}

/** Answers by the policy of a place as it was read, outside a box. */
export function whyAt(place: Place, { environment, policyOf = policyOfPlace }: WhyOptions): Why {
  const workspace = place.workspace.root;
  // Lazy, because a journal may be long, and most questions do not need it.
  const refusals = once(() => refusalsOf(place.paths.journal, workspace));
  return {
    where: 'outside',
    workspace,
    home: place.home,
    policy: policyOf(place),
    resolve: resolverOf(place, environment),
    get refusals() {
      return refusals();
    },
  };
}

function refusalsOf(journal: string, workspace: string): Why['refusals'] {
  return readEvents(journal)
    .flatMap((event) => refusalOf(event) ?? [])
    .filter((refusal) => refusal.workspace === workspace)
    .toReversed();
}

/** Plans the box when a program is first looked up, because most questions need no plan. */
function resolverOf(place: Place, environment: PlaceOptions['environment']): CommandFacts['resolve'] {
  const planned = once(() => {
    const plan = planPlace(place, environment);
    return { home: place.home, path: boxPath(plan.environment, environment), mounts: templatePlan(plan).mounts };
  });
  return (invocation) => invocationProgram(invocation, planned())?.resolved;
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

function insideBox(description: SessionDescription): Why {
  const { home, workspace } = description;
  return { where: 'inside', workspace: workspace.root, home, policy: buildPolicy(description), refusals: [] };
}

function readDescription(): SessionDescription {
  const value = JSON.parse(readFileSync(sessionFile, 'utf8')) as SessionDescription;
  if (value.v === 1) return value;
  throw new HoldfastError('HF_CHANNEL_FAILED', `${sessionFile} was written by another version of Holdfast`, {
    remedy: 'use the same version of Holdfast inside and outside the box',
  });
}

export type RefusalEntry = RefusalEvent & { readonly time: string };

/** Returns the refusal of an entry: a refusal itself, or a call of a language model that Holdfast did not make. */
export function refusalOf(entry: JournalEntry): RefusalEntry | undefined {
  if (entry.type === 'refusal') return entry;
  if (entry.type !== 'model' || entry.refusal === undefined) return undefined;
  const { session, workspace, time, host, port, refusal } = entry;
  const verdict = {
    decision: 'deny',
    code: 'unrepresentable',
    rule: refusal.code,
    layer: 'required',
    file: 'built-in',
    line: 0,
    message: refusal.message,
    remedy: 'see `holdfast llm log --refused`',
  } as const;
  return {
    type: 'refusal',
    session,
    workspace,
    time,
    request: { kind: 'connect', host, port, protocol: 'tcp' },
    verdict,
    observed: 'enforcement',
  };
}
