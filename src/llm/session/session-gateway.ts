import { createHmac, randomBytes } from 'node:crypto';
import { EventBatch } from '../../audit/event-batch.ts';
import { createFakeMap } from '../../dlp/fakes/fake-map.ts';
import { defaultRules } from '../../dlp/rules/index.ts';
import { createScanner } from '../../dlp/scan/scanner.ts';
import type { Scanner } from '../../dlp/types.ts';
import type { Interceptor } from '../../egress/http/interceptor.ts';
import type { Authority, Destination, Refused } from '../../egress/types.ts';
import type { Place } from '../../place/place.ts';
import { llmOf } from '../../policy/llm/llm-of.ts';
import type { DlpRule, LlmSettings } from '../../policy/llm/types.ts';
import type { Policy } from '../../policy/policy.ts';
import { type ContentRules, contentRules, hasSame, type KnownSecrets, knownSecrets } from './content-rules.ts';
import { createCallLog } from './log/call-log.ts';
import { dlpRulesFor, modelGateway } from './model-gateway.ts';
import { callsOfOthers, createSpending } from './spending.ts';
import type { Gateway } from './types.ts';

export interface SessionGatewayOptions {
  readonly id: string;
  readonly place: Place;
  /** Returns the current policy. Undefined while it is invalid. */
  policy(): Policy | undefined;
  readonly authority: Pick<Authority, 'decide'>;
  /** Returns the secrets of the session in clear text. */
  secrets(): readonly string[];
}

export interface SessionGateway {
  readonly interceptor: Interceptor;
  /** Reads the settings and prepares the rules for a server of models, ahead of the first call. */
  prepare(server: Destination): void;
  /**
   * Writes recorded events to the journal. Throws if that fails now or failed before. After a failure nothing passes.
   */
  flush(): void;
}

/** The gateway to language models of one session. It has its own bundle, because it has tables of prices and rules. */
export function sessionGateway({ id, place, policy, authority, secrets }: SessionGatewayOptions): SessionGateway {
  const { journal } = place.paths;
  const key = randomBytes(32);
  const known = knownSecrets(secrets);
  const startOfMonth = (): number => new Date(new Date().toISOString().slice(0, 7)).getTime();
  const settings = settingsOf(policy);
  const log = createCallLog({
    directory: place.paths.calls,
    session: id,
    workspace: place.workspace.root,
    settings: () => settings()?.log,
    now: Date.now,
  });
  const batch = new EventBatch(journal, () => undefined);
  const gateway: Gateway = {
    // Called for each message of an open WebSocket.
    settings: () => (batch.failure === undefined ? settings() : undefined),
    spending: createSpending({
      session: id,
      ofOthers: () => callsOfOthers(journal, { session: id, since: startOfMonth() }),
      now: Date.now,
    }),
    fakes: createFakeMap({ keyed: (text) => createHmac('sha256', key).update(text).digest() }),
    rulesFor: cachedContentRules(known),
    allows: (url) => isAllowed(url, authority),
    hide: hider(known),
    record(event) {
      // The agent waits for its next answer while the disk is written, so calls that passed are written with the next
      // event.
      batch.push({ ...event, session: id, workspace: place.workspace.root }, isKeptHere(event) ? 'now' : 'soon');
      if (batch.failure !== undefined) throw batch.failure;
    },
    keep: log.open,
    now: Date.now,
  };
  const looking = modelGateway(gateway);
  return {
    interceptor: (send, intercepted) => {
      const look = looking(send, intercepted);
      return (request) => (batch.failure === undefined ? look(request) : Promise.resolve(lost));
    },
    prepare(server) {
      const read = gateway.settings();
      if (read !== undefined) gateway.rulesFor(dlpRulesFor(read, { destination: server, at: server }, 'model'));
    },
    flush() {
      batch.flush();
      if (batch.failure !== undefined) throw batch.failure;
    },
  };
}

const lost: Refused = {
  kind: 'refused',
  refusal: {
    code: 'data-loss',
    message: 'The request does not leave: Holdfast could not record the earlier call in the journal.',
    remedy: 'Free space on its disk, and start another session.',
  },
};

/** Returns true for a refusal. It has to be on disk before its client gets the answer. */
function isKeptHere(event: Parameters<Gateway['record']>[0]): boolean {
  return event.type === 'dlp' ? event.decision === 'block' : event.refusal !== undefined;
}

/** Cached, because parsing the policy for every request of a conversation would cost more than the search. */
function settingsOf(policy: () => Policy | undefined): () => LlmSettings | undefined {
  let read: { readonly policy: Policy; readonly settings: LlmSettings } | undefined;
  return () => {
    const current = policy();
    if (current === undefined) return undefined;
    if (read?.policy !== current) read = { policy: current, settings: llmOf(current) };
    return read.settings;
  };
}

/** A URL that is not a web URL leads to no destination of the policy. */
export function isAllowed(url: string, authority: Pick<Authority, 'decide'>): boolean {
  const { hostname, port, protocol } = URL.parse(url) ?? nowhere;
  if (hostname === '' || (protocol !== 'https:' && protocol !== 'http:')) return false;
  const decision = authority.decide({
    kind: 'connect',
    host: hostname.replaceAll(/^\[|\]$/gu, ''),
    port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
    protocol: 'tcp',
  });
  return decision.decision === 'allow' || decision.decision === 'audit';
}

const nowhere = { hostname: '', port: '', protocol: '' };

/**
 * Removes everything that any rule matches. The scanner is cached, because an answer may have a hundred texts to
 * search. A new secret creates it again.
 */
export function hider(known: () => KnownSecrets): (text: string) => string {
  let made: { readonly secrets: KnownSecrets; readonly scanner: Scanner } | undefined;
  return (text) => {
    const secrets = known();
    if (made?.secrets !== secrets)
      made = { secrets, scanner: createScanner({ rules: defaultRules, exact: secrets.exact }) };
    let shown = '';
    let last = 0;
    for (const { rule, start, end } of made.scanner.find(text)) {
      shown += `${text.slice(last, start)}[redacted:${rule}]`;
      last = end;
    }
    return shown + text.slice(last);
  };
}

/** Most hosts that have their own rules in a policy. Each scanner has tables of about 200 KB. */
const mostKept = 16;

interface Kept {
  readonly rules: readonly DlpRule[];
  readonly ready: ContentRules | undefined;
}

/**
 * Caches `contentRules` for the rules of a policy and the secrets of a session, because a conversation needs them at
 * every turn.
 */
export function cachedContentRules(known: () => KnownSecrets): (rules: readonly DlpRule[]) => ContentRules | undefined {
  let kept: readonly Kept[] = [];
  let keptFor: KnownSecrets | undefined;
  return (rules) => {
    const secrets = known();
    if (secrets !== keptFor) kept = [];
    keptFor = secrets;
    const before = kept.find((each) => hasSame(each.rules, rules));
    if (before !== undefined) return before.ready;
    const made: Kept = { rules, ready: contentRules(rules, secrets) };
    kept = [made, ...kept].slice(0, mostKept);
    return made.ready;
  };
}
