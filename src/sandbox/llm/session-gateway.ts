import { createHmac, randomBytes } from 'node:crypto';
import { appendEvents } from '../../audit/index.ts';
import { createFakeMap, createScanner, defaultRules } from '../../dlp/index.ts';
import type { Authority, Interceptor } from '../../egress/index.ts';
import { llmOf, type LlmSettings, type Policy } from '../../policy/index.ts';
import type { Place } from '../place.ts';
import { callRecords } from './call-records.ts';
import { exactFinder } from './exact-finder.ts';
import { modelGateway } from './model-gateway.ts';
import { createSpending } from './spending.ts';
import type { Gateway } from './types.ts';

export interface SessionGatewayOptions {
  readonly id: string;
  readonly place: Place;
  /** As it is now; undefined while it is invalid. */
  policy(): Policy | undefined;
  readonly authority: Pick<Authority, 'decide'>;
  /** Secrets of the session, in the clear. */
  secrets(): readonly string[];
}

/** The gateway to language models of one session. In a bundle of its own: it has tables of prices and rules. */
export function sessionGateway({ id, place, policy, authority, secrets }: SessionGatewayOptions): Interceptor {
  const { journal } = place.paths;
  const key = randomBytes(32);
  const startOfMonth = (): number => new Date(new Date().toISOString().slice(0, 7)).getTime();
  const gateway: Gateway = {
    settings: settingsOf(policy),
    spending: createSpending({ session: id, spent: () => callRecords(journal, startOfMonth()), now: Date.now }),
    fakes: createFakeMap({ keyed: (text) => createHmac('sha256', key).update(text).digest() }),
    secrets,
    allows: (url) => isAllowed(url, authority),
    hide: (text) => hidden(text, secrets()),
    record: (event) => appendEvents(journal, [{ ...event, session: id, workspace: place.workspace.root }]),
    now: Date.now,
  };
  return modelGateway(gateway);
}

/** Reading a policy anew for every request of a conversation would cost more than looking into it. */
function settingsOf(policy: () => Policy | undefined): () => LlmSettings | undefined {
  let read: { readonly policy: Policy; readonly settings: LlmSettings } | undefined;
  return () => {
    const current = policy();
    if (current === undefined) return undefined;
    if (read?.policy !== current) read = { policy: current, settings: llmOf(current) };
    return read.settings;
  };
}

function isAllowed(url: string, authority: Pick<Authority, 'decide'>): boolean {
  const { hostname, port, protocol } = new URL(url);
  const decision = authority.decide({ kind: 'connect', host: hostname.replaceAll(/^\[|\]$/gu, ''), port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port), protocol: 'tcp' });
  return decision.decision === 'allow' || decision.decision === 'audit';
}

function hidden(text: string, secrets: readonly string[]): string {
  const findings = createScanner({ rules: defaultRules, exact: exactFinder(secrets) }).find(text);
  return findings.toReversed().reduce((shown, { rule, start, end }) => `${shown.slice(0, start)}[redacted:${rule}]${shown.slice(end)}`, text);
}
