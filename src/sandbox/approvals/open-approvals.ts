import { createApprovalQueue, type ApprovalQueue, type Outcome, type Subject } from '../../approvals/index.ts';
import { serveApprovals, type ApprovalServer } from '../../approvals/socket/serve-approvals.ts';
import { appendEvents } from '../../audit/index.ts';
import { approvalsOf, type ApprovalSettings } from '../../policy/index.ts';
import { planPlace, policyOfPlace } from '../planner.ts';
import { writablePlaces } from '../writable-places.ts';
import { isContinuousIntegration } from './continuous-integration.ts';
import { libraryChannel } from './library-channel.ts';
import { ownRules } from './own-rules.ts';
import { policyCodes } from './policy-codes.ts';
import type { ApprovalsState, SessionApprovalsOptions } from './session-approvals.ts';
import { terminalChannel, type TerminalChannel } from './terminal-channel.ts';

export interface OpenApprovals extends Pick<ApprovalQueue, 'pending' | 'answer'> {
  ask(subject: Subject): Promise<Outcome>;
  close(): void;
}

/** Milliseconds that programs have to connect, once the socket is there: they see it come into being. */
const connectPatience = 500;

/** The queue of one session and its channels. In a bundle of its own. Rejects where the socket cannot be made. */
export async function openApprovals(options: SessionApprovalsOptions, state: ApprovalsState): Promise<OpenApprovals> {
  const { session, place, approve } = options;
  const { workspace, paths } = place;
  const settings = approvalsOf(policyOfPlace(place));
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
  return { ask: (subject) => library?.ask(subject) ?? queue.ask(subject), pending: () => queue.pending(), answer: (answer) => queue.answer(answer), close };
}

/** Those that the policy names, loaded where it names any. */
async function namedChannels(queue: ApprovalQueue, { place, environment }: SessionApprovalsOptions, settings: ApprovalSettings): Promise<() => void> {
  const { desktop, webhooks } = settings;
  if (desktop === 'off' && webhooks.length === 0) return () => undefined;
  const { policyChannels } = await import('./policy-channels.ts');
  return policyChannels(queue, { environment, settings, writableRoots: writablePlaces(planPlace(place, environment)) });
}

/** A program that answers by itself needs no socket; without one nobody else could. */
async function serve({ session, place: { workspace, paths }, approve }: SessionApprovalsOptions, queue: ApprovalQueue): Promise<ApprovalServer | undefined> {
  try {
    return await serveApprovals({ runtime: paths.runtime, session, workspace: workspace.root, queue });
  } catch (error) {
    if (approve === undefined) throw error;
    return undefined;
  }
}

interface Channels {
  readonly options: SessionApprovalsOptions;
  readonly state: ApprovalsState;
  readonly server: ApprovalServer | undefined;
  readonly terminal: TerminalChannel;
  readonly settings: ApprovalSettings;
}

/** A question waits only where somebody can answer it. In CI nobody is waited for; who is there already may answer. */
async function audience({ options: { approve, environment }, state, server, terminal, settings }: Channels): Promise<'somebody' | 'nobody'> {
  if (approve !== undefined || settings.webhooks.length > 0 || state.listeners.size > 0 || terminal.person() === 'there') return 'somebody';
  const patience = isContinuousIntegration(environment) ? 0 : connectPatience;
  return (await server?.somebody(patience)) === true ? 'somebody' : 'nobody';
}
