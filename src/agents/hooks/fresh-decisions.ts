import type { Place } from '../../place/place.ts';
import { policyOfPlace } from '../../place/planner.ts';
import type { PolicyRequest } from '../../policy/request.ts';
import type { Verdict } from '../../policy/verdict.ts';
import { classLine, explainCommandLine } from '../../sandbox/explain-command.ts';
import { explainRequest, openWhy, type Why, whyAt } from '../../sandbox/why.ts';
import { settled, type SettledVerdict, toolRequest } from './journal/settled.ts';
import { boxed, type BoxWords, unboxed } from './quote.ts';
import type { HookAnswer, HookCall, HookDecision, ToolAction } from './types.ts';

export interface DecidedAt {
  /** The place as just read. Undefined inside a box. */
  readonly place: Place | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Node, and the file that it runs. */
  readonly program: readonly string[];
}

export type Fresh = (at: DecidedAt, action: ToolAction, call: HookCall) => HookDecision;

/** Decides by the policy. This file brings all code for policies with it. Policies of the same texts are made once. */
export function freshDecisions(): Fresh {
  const policyOf = policyOfPlace;
  return ({ place, environment, program }, action, call) => {
    const why = place === undefined ? openWhy({ cwd: call.cwd, environment }) : whyAt(place, { environment, policyOf });
    return decideAction(
      { why, box: [...program, 'run', '--no-prompt', '--workspace', why.workspace, '--'] },
      action,
      call,
    );
  };
}

/** The parts that decide for one workspace. */
export interface HookWorld {
  readonly why: Why;
  /** Arguments up to the `--` of `holdfast run`. Unused inside a box, where every command is in the box already. */
  readonly box: BoxWords;
}

/** Decides by the policy alone. If the call runs in a box, the box still holds it. */
export function decideAction(world: HookWorld, action: ToolAction, call: HookCall): HookDecision {
  switch (action.kind) {
    case 'inert':
      return { answer: { kind: 'pass' }, judged: [], follows: 'texts' };
    case 'refused': {
      const reason = `${call.tool} is refused: ${action.reason}`;
      return {
        answer: { kind: 'deny', reason },
        judged: [{ request: toolRequest(call), verdict: settled('deny', reason) }],
        follows: 'texts',
      };
    }
    case 'command':
      return decideScript(world, action, call);
    case 'access':
      return decideAccess(world, action.requests);
    case 'mcp':
      return decideMcp(world, action.requests);
  }
}

type CommandAction = Extract<ToolAction, { readonly kind: 'command' }>;

/** Refuses a text that a shell would not receive unchanged: the judged text must be the one that runs. */
function decideScript({ why, box }: HookWorld, { text, member }: CommandAction, call: HookCall): HookDecision {
  if (text.includes('\0') || !text.isWellFormed())
    return refusedBy(
      toolRequest(call),
      settled('deny', 'the command is refused: it has characters that cannot be passed to a shell'),
    );
  const script = unboxed(box, text) ?? text;
  const request: PolicyRequest = { kind: 'exec', program: 'bash', argv: ['bash', '-c', script], context: 'direct' };
  const explained = explainCommandLine(why, { words: [script], cwd: call.cwd });
  const { verdict, effects, commands } = explained.explanation;
  const said = (against: SettledVerdict): SettledVerdict => ({
    ...against,
    message: `${against.message}. Class: ${classLine(explained)}`,
  });
  // Rules about commands look up programs on the host.
  const follows = commands === 'open' ? 'texts' : 'machine';
  const whole = verdict.decisive?.verdict ?? settled(verdict.decision, verdict.message, verdict.remedy);
  if (verdict.decision === 'deny' || verdict.decision === 'stage')
    return { ...refusedBy(request, said({ ...whole, message: verdict.message, remedy: verdict.remedy })), follows };
  const refused = effects.find((effect) => effect.verdict.decision === 'deny' && isCertain(effect.request, script));
  if (refused !== undefined) return { ...refusedBy(refused.request, said(refused.verdict)), follows };
  const asked = verdict.decision === 'ask' ? { ask: reasonOf(said(whole)) } : {};
  const inside: HookAnswer = asked.ask === undefined ? { kind: 'pass' } : { kind: 'ask', reason: asked.ask };
  const answer: HookAnswer =
    why.where === 'inside'
      ? inside
      : { kind: 'rewrite', input: { ...call.input, [member]: boxed(box, script) }, ...asked };
  return { answer, judged: [{ request, verdict: whole }], follows };
}

function refusedBy(request: PolicyRequest, verdict: SettledVerdict): HookDecision {
  return { answer: { kind: 'deny', reason: reasonOf(verdict) }, judged: [{ request, verdict }], follows: 'texts' };
}

/**
 * A command that may reach a host does not always: `npx` starts installed programs, and the box has its own loopback.
 * The box decides about those.
 */
function isCertain(request: PolicyRequest, script: string): boolean {
  if (request.kind !== 'connect') return true;
  return script.includes(request.host) && !/^(?:localhost$|.*\.localhost$|127\.|::1$|0\.0\.0\.0$)/u.test(request.host);
}

/** The agent itself makes the access, so it cannot be staged or redirected. */
function decideAccess({ why }: Pick<HookWorld, 'why'>, requests: readonly PolicyRequest[]): HookDecision {
  const judged = requests.map((request) => ({ request, verdict: verdictOf(why, request) }));
  // An address may be one of this host's own.
  const follows = requests.some(({ kind }) => kind === 'connect') ? 'machine' : 'texts';
  const against = judged.find(
    ({ verdict: { decision } }) => decision === 'deny' || decision === 'stage' || decision === 'redirect',
  );
  if (against !== undefined) return { ...refusedBy(against.request, against.verdict), follows };
  const asked = judged.find(({ verdict }) => verdict.decision === 'ask');
  return {
    answer: asked === undefined ? { kind: 'pass' } : { kind: 'ask', reason: reasonOf(asked.verdict) },
    judged,
    follows,
  };
}

/**
 * A box has its own temporary directories and caches. The agent's own writes there go to the host, so they need a
 * person's grant.
 */
function verdictOf(why: Why, request: PolicyRequest): SettledVerdict {
  const { verdict } = explainRequest(why, request);
  const own =
    request.kind !== 'file' ||
    request.operation === 'read' ||
    request.path === why.workspace ||
    request.path.startsWith(`${why.workspace}/`);
  if (own || why.where === 'inside' || verdict.file !== 'built-in') return verdict;
  if (verdict.decision !== 'allow' && verdict.decision !== 'audit') return verdict;
  return settled(
    'deny',
    `writing ${request.path} is refused: it is outside of the workspace, and only a box may write there`,
    `do it in a command, or grant it with files.write = [${JSON.stringify(request.path)}]`,
  );
}

/**
 * `holdfast mcp` enforces the rules where MCP servers run, but rules about tools count here too. The journal gets no
 * arguments.
 */
function decideMcp({ why }: HookWorld, requests: readonly PolicyRequest[]): HookDecision {
  const ruled = requests.filter((request) => ['rule', 'deny-set'].includes(explainRequest(why, request).verdict.code));
  if (ruled.length === 0)
    return {
      answer: { kind: 'pass' },
      judged: requests
        .slice(0, 1)
        .map((request) => ({ request: unargued(request), verdict: settled('allow', 'no rule is about this tool') })),
      follows: 'texts',
    };
  const { judged, ...decided } = decideAccess({ why }, ruled);
  return { ...decided, judged: judged.map((each) => ({ ...each, request: unargued(each.request) })) };
}

function unargued(request: PolicyRequest): PolicyRequest {
  return request.kind === 'tool' ? { ...request, arguments: '{}' } : request;
}

/** Returns a reason that an agent can act on. */
function reasonOf({ message, remedy }: Pick<Verdict, 'message' | 'remedy'>): string {
  return `Holdfast: ${message}. ${remedy}`;
}
