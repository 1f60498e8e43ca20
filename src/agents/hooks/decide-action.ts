import type { PolicyRequest, Verdict } from '../../policy/index.ts';
import { explainCommandLine } from '../../sandbox/explain-command.ts';
import { explainRequest, type Why } from '../../sandbox/why.ts';
import { boxed, type BoxWords, unboxed } from './quote.ts';
import type { HookAnswer, HookCall, ToolAction } from './types.ts';

/** What decides for one workspace. */
export interface HookWorld {
  readonly why: Why;
  /** Up to the `--` of `holdfast run`. Not used inside of a box, where every command is in it already. */
  readonly box: BoxWords;
}

/** Decides by the policy alone. What it lets through is still held by the box, where it runs in one. */
export function decideAction(world: HookWorld, action: ToolAction, call: HookCall): HookAnswer {
  switch (action.kind) {
    case 'inert':
      return { kind: 'pass' };
    case 'refused':
      return { kind: 'deny', reason: `${call.tool} is refused: ${action.reason}` };
    case 'command':
      return decideScript(world, action, call);
    case 'access':
      return decideAccess(world, action.requests);
    case 'mcp':
      return decideMcp(world, action.request);
  }
}

type CommandAction = Extract<ToolAction, { readonly kind: 'command' }>;

/** A text that a shell would not get as it stands is refused: the one that is judged has to be the one that runs. */
function decideScript({ why, box }: HookWorld, { text, member }: CommandAction, call: HookCall): HookAnswer {
  if (text.includes('\0') || !text.isWellFormed()) return { kind: 'deny', reason: 'the command is refused: it has characters that no shell can be given' };
  const script = unboxed(box, text) ?? text;
  const { explanation } = explainCommandLine(why, { words: [script], cwd: call.cwd });
  const { verdict, effects } = explanation;
  if (verdict.decision === 'deny' || verdict.decision === 'stage') return { kind: 'deny', reason: reasonOf(verdict) };
  const refused = effects.find((effect) => effect.verdict.decision === 'deny' && isCertain(effect.request, script));
  if (refused !== undefined) return { kind: 'deny', reason: reasonOf(refused.verdict) };
  const asked = verdict.decision === 'ask' ? { ask: reasonOf(verdict) } : {};
  if (why.where === 'inside') return asked.ask === undefined ? { kind: 'pass' } : { kind: 'ask', reason: asked.ask };
  return { kind: 'rewrite', input: { ...call.input, [member]: boxed(box, script) }, ...asked };
}

/** Not every command that may reach a host does: `npx` starts what is installed, and the box has a loopback of its own. The box answers those. */
function isCertain(request: PolicyRequest, script: string): boolean {
  if (request.kind !== 'connect') return true;
  return script.includes(request.host) && !/^(?:localhost$|.*\.localhost$|127\.|::1$|0\.0\.0\.0$)/u.test(request.host);
}

/** The agent does it itself, so nothing of it can be kept aside or led elsewhere. */
function decideAccess({ why }: HookWorld, requests: readonly PolicyRequest[]): HookAnswer {
  const verdicts = requests.map((request) => verdictOf(why, request));
  const against = verdicts.find(({ decision }) => decision === 'deny' || decision === 'stage' || decision === 'redirect');
  if (against !== undefined) return { kind: 'deny', reason: reasonOf(against) };
  const asked = verdicts.find(({ decision }) => decision === 'ask');
  return asked === undefined ? { kind: 'pass' } : { kind: 'ask', reason: reasonOf(asked) };
}

type Settled = Pick<Verdict, 'decision' | 'message' | 'remedy'>;

/** A box has temporary directories and caches of its own. What the agent itself writes there is the host's: that needs a grant of a person. */
function verdictOf(why: Why, request: PolicyRequest): Settled {
  const { verdict } = explainRequest(why, request);
  const own = request.kind !== 'file' || request.operation === 'read' || request.path === why.workspace || request.path.startsWith(`${why.workspace}/`);
  if (own || why.where === 'inside' || verdict.file !== 'built-in') return verdict;
  if (verdict.decision !== 'allow' && verdict.decision !== 'audit') return verdict;
  return { decision: 'deny', message: `writing ${request.path} is refused: it is outside of the workspace, and only a box may write there`, remedy: `do it in a command, or grant it with files.write = [${JSON.stringify(request.path)}]` };
}

/** What an MCP server may do is held where it runs, by `holdfast mcp`; rules about tools count here too. */
function decideMcp({ why }: HookWorld, request: PolicyRequest): HookAnswer {
  const { verdict } = explainRequest(why, request);
  if (verdict.code !== 'rule' && verdict.code !== 'deny-set') return { kind: 'pass' };
  return decideAccess({ why, box: [] }, [request]);
}

/** One that an agent can act on. */
function reasonOf({ message, remedy }: Pick<Verdict, 'message' | 'remedy'>): string {
  return `Holdfast: ${message}. ${remedy}`;
}
