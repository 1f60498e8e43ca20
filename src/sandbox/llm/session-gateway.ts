import { createHmac, randomBytes } from 'node:crypto';
import { appendEvents } from '../../audit/index.ts';
import { createFakeMap, createScanner, defaultRules, type Scanner } from '../../dlp/index.ts';
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
    hide: hider(secrets),
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

/** What is no URL of the web leads nowhere that the policy knows. */
export function isAllowed(url: string, authority: Pick<Authority, 'decide'>): boolean {
  const { hostname, port, protocol } = URL.parse(url) ?? nowhere;
  if (hostname === '' || (protocol !== 'https:' && protocol !== 'http:')) return false;
  const decision = authority.decide({ kind: 'connect', host: hostname.replaceAll(/^\[|\]$/gu, ''), port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port), protocol: 'tcp' });
  return decision.decision === 'allow' || decision.decision === 'audit';
}

const nowhere = { hostname: '', port: '', protocol: '' };

/** Takes out what any rule finds. The scanner is made anew when a secret was added: an answer has a hundred texts to hide in. */
export function hider(secrets: () => readonly string[]): (text: string) => string {
  let made: { readonly of: readonly string[]; readonly scanner: Scanner } | undefined;
  return (text) => {
    const of = secrets();
    if (made?.of.length !== of.length || of.some((secret, index) => secret !== made?.of[index])) made = { of, scanner: createScanner({ rules: defaultRules, exact: exactFinder(of) }) };
    let shown = '';
    let last = 0;
    for (const { rule, start, end } of made.scanner.find(text)) {
      shown += `${text.slice(last, start)}[redacted:${rule}]`;
      last = end;
    }
    return shown + text.slice(last);
  };
}
