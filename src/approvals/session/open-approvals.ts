import { lstatSync } from 'node:fs';
import process from 'node:process';
import { appendEvents } from '../../audit/index.ts';
import { replaceFile, userPolicyText, withUserPolicy } from '../../credentials/session/secrets/user-policy.ts';
import { HoldfastError } from '../../errors/index.ts';
import type { Place } from '../../place/place.ts';
import { planPlace, policyOfPlace } from '../../place/planner.ts';
import { writablePlaces } from '../../place/writable-places.ts';
import { type ApprovalSettings, approvalSettings, needsCode } from '../../policy/approvals/approvals-of.ts';
import { alwaysRules, type UserPolicy } from '../always/with-rule.ts';
import {
  type AlwaysRules,
  type ApprovalQueue,
  type CodeCheck,
  createApprovalQueue,
  type ApprovalOutcome,
  type QueueChange,
  type ApprovalSubject,
  systemClock,
} from '../index.ts';
import { requestHash } from '../queue/request-hash.ts';
import { type ApprovalServer, serveApprovals } from '../socket/serve-approvals.ts';
import { codeCheck, spentCodes } from '../totp/code-check.ts';
import { readTotpKey, totpPlaces } from '../totp/key-file.ts';
import type { Approve } from './approve.ts';
import { isContinuousIntegration } from './continuous-integration.ts';
import { terminalChannel, type TerminalChannel, type TerminalUse } from './terminal-channel.ts';

export interface OpenApprovalsOptions {
  readonly session: string;
  readonly place: Place;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly approve: Approve | undefined;
}

/** The parts of an open session that channels depend on. */
export interface ApprovalsState {
  terminal: TerminalUse;
  readonly listeners: Set<(change: QueueChange) => void>;
}

export interface OpenApprovals extends Pick<ApprovalQueue, 'pending' | 'answer'> {
  ask(subject: ApprovalSubject): Promise<ApprovalOutcome>;
  close(): void;
}

/** Milliseconds that programs have to connect once the socket exists. They watch its directory. */
const connectPatience = 500;

/** Opens the queue of one session and its channels. Has its own bundle. Rejects if the socket cannot be made. */
export async function openApprovals(options: OpenApprovalsOptions, state: ApprovalsState): Promise<OpenApprovals> {
  const { session, place, approve } = options;
  const { workspace, paths } = place;
  const settings = approvalSettings(policyOfPlace(place));
  const codes = policyCodes(place, settings);
  const queue = createApprovalQueue({
    session,
    workspace: workspace.root,
    timeout: settings.timeout,
    always: ownRules(place),
    ...(codes === undefined ? {} : { codes }),
    journal: (event) => appendEvents(paths.journal, [event]),
    audience: () => audience({ options, state, server, terminal, settings }),
  });
  queue.subscribe((change) => state.listeners.forEach((listener) => listener(change)));
  const library = approve === undefined ? undefined : libraryChannel(queue, { session, approve });
  const terminal = terminalChannel(queue, { state, environment: options.environment });
  const server = await serve(options, queue);
  const endChannels = await namedChannels(queue, options, settings);
  const close = (): void => {
    queue.close();
    terminal.close();
    endChannels();
    server?.close();
  };
  return {
    ask: (subject) => library?.ask(subject) ?? queue.ask(subject),
    pending: () => queue.pending(),
    answer: (answer) => queue.answer(answer),
    close,
  };
}

/** Channels that the policy names, loaded only if it names any. */
async function namedChannels(
  queue: ApprovalQueue,
  { place, environment }: OpenApprovalsOptions,
  settings: ApprovalSettings,
): Promise<() => void> {
  const { desktop, webhooks } = settings;
  if (desktop === 'off' && webhooks.length === 0) return () => undefined;
  const { policyChannels } = await import('./policy-channels.ts');
  return policyChannels(queue, { environment, settings, writableRoots: writablePlaces(planPlace(place, environment)) });
}

/** A program that answers by itself needs no socket. Without one, nobody else can answer. */
async function serve(
  { session, place: { workspace, paths }, approve }: OpenApprovalsOptions,
  queue: ApprovalQueue,
): Promise<ApprovalServer | undefined> {
  try {
    return await serveApprovals({ runtime: paths.runtime, session, workspace: workspace.root, queue });
  } catch (error) {
    if (approve === undefined) throw error;
    return undefined;
  }
}

interface Channels {
  readonly options: OpenApprovalsOptions;
  readonly state: ApprovalsState;
  readonly server: ApprovalServer | undefined;
  readonly terminal: TerminalChannel;
  readonly settings: ApprovalSettings;
}

/**
 * A question waits only if someone can answer it. In CI it does not wait for a client to connect, but connected clients
 * may answer.
 */
async function audience({
  options: { approve, environment },
  state,
  server,
  terminal,
  settings,
}: Channels): Promise<'someone' | 'nobody'> {
  if (
    approve !== undefined ||
    settings.webhooks.length > 0 ||
    state.listeners.size > 0 ||
    terminal.person() === 'there'
  )
    return 'someone';
  const patience = isContinuousIntegration(environment) ? 0 : connectPatience;
  return (await server?.someone(patience)) === true ? 'someone' : 'nobody';
}

/** The codes that the policy requires for some rules. Undefined if it requires none. */
function policyCodes({ paths }: Place, settings: ApprovalSettings): CodeCheck | undefined {
  if (settings.totp.length === 0) return undefined;
  const { key, spent } = totpPlaces(paths.state);
  return {
    covers: (rule) => needsCode(settings, rule),
    check: codeCheck({ key: () => readTotpKey(key), spend: spentCodes(spent), clock: systemClock }),
  };
}

/** Returns the rules that `always` writes into this user's policy. */
export function ownRules(place: Place): AlwaysRules {
  const { userPolicy } = place.paths;
  return alwaysRules({
    read: () => ownPolicy(place, userPolicy),
    replace: (change) => withUserPolicy(place, (file) => replaceFile(file, change(ownPolicy(place, file)))),
  });
}

/** A link may lead to a file that is shared with other machines, and this answer is not for them. */
function ownPolicy(place: Place, file: string): UserPolicy {
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw new HoldfastError('HF_STATE_UNWRITABLE', `${file} is a symbolic link, so no rule is written`, {
      remedy: 'add the rule by hand to the file that the link leads to',
    });
  return userPolicyOf(place, userPolicyText(file));
}

/** The other policies stay as they were when the session started, because an answer is about those. */
function userPolicyOf(place: Place, text: string): UserPolicy {
  const file = place.paths.userPolicy;
  const others = place.sources.filter(({ kind }) => kind !== 'user');
  return {
    file,
    text,
    policyWith: (changed) => policyOfPlace({ ...place, sources: [...others, { kind: 'user', file, text: changed }] }),
  };
}

interface LibraryChannel {
  ask(subject: ApprovalSubject): Promise<ApprovalOutcome>;
}

/**
 * The program's own function as a channel. It is called once for each question, with the request itself, and its answer
 * counts once.
 */
function libraryChannel(
  queue: ApprovalQueue,
  { session, approve }: { readonly session: string; readonly approve: Approve },
): LibraryChannel {
  const subjects = new Map<string, ApprovalSubject>();
  queue.subscribe((change) => {
    const { hash } = change.approval;
    const subject = subjects.get(hash);
    if (change.kind === 'asked' && subject !== undefined)
      void answerOf(approve, subject).then((decision) => queue.answer({ hash, decision, channel: 'library' }));
  });
  return {
    ask(subject) {
      const hash = requestHash(session, subject);
      subjects.set(hash, subject);
      return queue.ask(subject).finally(() => subjects.delete(hash));
    },
  };
}

/** An error, or an invalid answer, means no. */
async function answerOf(
  approve: Approve,
  { request, verdict, process: asking = process.pid, details }: ApprovalSubject,
): Promise<'once' | 'deny'> {
  try {
    return (await approve({ request, verdict, process: asking, ...(details === undefined ? {} : { details }) })) ===
      'allow'
      ? 'once'
      : 'deny';
  } catch {
    return 'deny';
  }
}
