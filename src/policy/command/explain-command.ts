import type { LineClass } from '../../shell/class/class-of.ts';
import type { AnalysedInvocation, Analysis, HostEffect, PathEffect } from '../../shell/types.ts';
import { answerOfLayer, decide } from '../decide.ts';
import { type Answer, builtinFile } from '../origin.ts';
import type { Policy } from '../policy.ts';
import type { PolicyRequest } from '../request.ts';
import { goesAhead, type LayerKind, type Verdict } from '../verdict.ts';
import { causeOf } from '../words/message.ts';
import { verdictOf, wayText } from '../words/verdict-of.ts';
import { type Way, waysToAllow } from '../words/ways.ts';
import { decideCommand, lineClass } from './decide-command.ts';
import type { CommandFacts, CommandPart, CommandVerdict } from './types.ts';

export interface CommandExplanation {
  /** `open`: no policy has rules about commands, so none is checked when it runs. */
  readonly commands: 'open' | 'judged';
  readonly verdict: CommandVerdict;
  /** The most that the line can do, and why. */
  readonly class: LineClass;
  /** Paths and hosts that the commands would read, write and reach, each with the box's answer. */
  readonly effects: readonly ExplainedEffect[];
  /** All reasons against the command, the easiest to resolve first. Empty if it is allowed. */
  readonly obstacles: readonly Obstacle[];
}

export interface ExplainedEffect {
  readonly invocation: number;
  readonly request: PolicyRequest;
  readonly verdict: Verdict;
}

export interface Obstacle {
  /** Undefined for the text as a whole. */
  readonly invocation: number | undefined;
  readonly message: string;
  /** Changes that are all required together. */
  readonly ways: readonly string[];
}

/**
 * Explains the decision on a command line and its effects, and which changes would allow it. Pure, and never throws.
 */
export function explainCommand(policy: Policy, analysis: Analysis, facts: CommandFacts): CommandExplanation {
  const commands = commandsAreOpen(policy) ? 'open' : 'judged';
  const verdict = commands === 'open' ? openCommand : decideCommand(policy, analysis, facts);
  const effects = analysis.invocations.flatMap((invocation) => explainedEffects(policy, invocation));
  const obstacles = [
    ...verdict.parts.flatMap((part) => partObstacle(policy, part)),
    ...effects.flatMap((effect) => effectObstacle(policy, effect)),
  ];
  return { commands, verdict, class: lineClass(policy, analysis, facts), effects, obstacles: shortestFirst(obstacles) };
}

const openCommand: CommandVerdict = {
  decision: 'allow',
  parts: [],
  decisive: undefined,
  message: 'allowed: no policy has rules about commands',
  remedy: 'nothing is needed: it is allowed',
};

function explainedEffects(policy: Policy, invocation: AnalysedInvocation): readonly ExplainedEffect[] {
  return effectRequests(invocation).map(({ request, within }) => {
    const verdict = decide(policy, request);
    const beneath = within === undefined || goesAhead(verdict.decision) ? verdict : decide(policy, within);
    return { invocation: invocation.id, request, verdict: goesAhead(beneath.decision) ? beneath : verdict };
  });
}

function partObstacle(policy: Policy, part: CommandPart): readonly Obstacle[] {
  const { verdict, invocation } = part;
  if (goesAhead(verdict.decision)) return [];
  const ways =
    part.kind !== 'invocation' || verdict.code === 'planted-program'
      ? []
      : explanationFor(policy, part.request).wouldAllow.map(wayText);
  return [{ invocation, message: verdict.message, ways: ways.length === 0 ? [verdict.remedy] : ways }];
}

function effectObstacle(policy: Policy, { invocation, request, verdict }: ExplainedEffect): readonly Obstacle[] {
  return goesAhead(verdict.decision)
    ? []
    : [{ invocation, message: verdict.message, ways: explanationFor(policy, request).wouldAllow.map(wayText) }];
}

/** The same obstacle may occur several times in a line. */
function shortestFirst(obstacles: readonly Obstacle[]): readonly Obstacle[] {
  const unique = [
    ...new Map(obstacles.map((obstacle) => [`${obstacle.message}\n${obstacle.ways.join('\n')}`, obstacle])).values(),
  ];
  const length = ({ ways }: Obstacle): number => ways.join('').length + ways.length * 1000;
  return unique.toSorted((a, b) => length(a) - length(b));
}

/** Whether no layer has rules about commands. Then none is analysed, and `run` is at its fastest. */
export function commandsAreOpen(policy: Policy): boolean {
  return policy.layers.every(
    ({ commands, limitsCommands, settings: { askAbove, denyAbove, unknownCommands } }) =>
      commands().length === 0 &&
      !limitsCommands &&
      askAbove === undefined &&
      denyAbove === undefined &&
      (unknownCommands === undefined ||
        unknownCommands.value === 'allow' ||
        unknownCommands.origin.file === builtinFile),
  );
}

/** The answer of one layer. `abstains`: it leaves the decision to the others. */
export type TraceStep =
  | { readonly kind: 'abstains'; readonly layer: LayerKind; readonly file: string }
  | {
      readonly kind: 'answers';
      readonly layer: LayerKind;
      readonly file: string;
      readonly verdict: Verdict;
      readonly because: string;
    };

export interface Explanation {
  readonly verdict: Verdict;
  /** Steps in the order of authority. */
  readonly trace: readonly TraceStep[];
  /**
   * The changes that the denying layers need. All are required. Empty if the request is allowed. Holds only reasons if
   * no change would allow it.
   */
  readonly wouldAllow: readonly Way[];
}

/** Returns a decision with the answers that led to it, and the changes that would allow it. */
export function explanationFor(policy: Policy, request: PolicyRequest): Explanation {
  const answers = policy.layers.map((layer) => ({ layer, answer: answerOfLayer(layer, request) }));
  const blocking = answers.flatMap(({ answer }) =>
    answer === undefined || goesAhead(answer.decision) ? [] : [answer],
  );
  return {
    verdict: decide(policy, request),
    trace: answers.map(({ layer, answer }) => stepOf(layer, answer, request)),
    wouldAllow: waysPast(blocking, request),
  };
}

function stepOf(
  { kind, file }: { readonly kind: LayerKind; readonly file: string },
  answer: Answer | undefined,
  request: PolicyRequest,
): TraceStep {
  if (answer === undefined) return { kind: 'abstains', layer: kind, file };
  return { kind: 'answers', layer: kind, file, verdict: verdictOf(answer, request), because: causeOf(answer) };
}

/** If one layer can never allow it, the changes for the others do not matter. */
function waysPast(blocking: readonly Answer[], request: PolicyRequest): readonly Way[] {
  const ways = blocking.flatMap((answer) => waysToAllow(answer, request));
  const dead = ways.filter(({ kind }) => kind === 'nothing');
  // Every layer refuses an invalid request with the same message.
  return [...new Map((dead.length > 0 ? dead : ways).map((way) => [JSON.stringify(way), way])).values()];
}

interface EffectRequest {
  readonly request: PolicyRequest;
  /** A path below a directory: a program that writes into `.git` does not write `.git` itself. */
  readonly within?: PolicyRequest;
}

/** Returns the requests that a command would make in the box. Unknown paths and hosts give no request. */
export function effectRequests({
  tool,
  effects: { reads, writes, hosts },
}: AnalysedInvocation): readonly EffectRequest[] {
  const requests = [
    ...[...reads, ...writes].flatMap(fileRequest),
    ...hosts.flatMap((host) => connectRequest(host, usualPort(host, tool))),
  ];
  return [...new Map(requests.map((request) => [JSON.stringify(request), request])).values()];
}

function fileRequest({ use, scope, path }: PathEffect): readonly EffectRequest[] {
  if (path === undefined) return [];
  const request = { kind: 'file', operation: use, path } as const;
  return scope === 'tree' && use === 'write' ? [{ request, within: { ...request, path: `${path}/x` } }] : [{ request }];
}

function connectRequest({ host, port }: HostEffect, usual: number): readonly EffectRequest[] {
  return host === undefined ? [] : [{ request: { kind: 'connect', host, port: port ?? usual, protocol: 'tcp' } }];
}

const httpsPort = 443;
const rsyncPort = 873;

/** The port for a host without one. The effect of a URL has its own. `host::module` is for the rsync daemon. */
function usualPort({ text }: HostEffect, tool = ''): number {
  const [name = ''] = tool.split(' ');
  if (name === 'rsync' && text.includes('::')) return rsyncPort;
  return usualPorts.get(name) ?? httpsPort;
}

/** Sources: the manuals of the tools, and the IANA registry of service names. */
const usualPorts: ReadonlyMap<string, number> = new Map(
  Object.entries({
    21: 'ftp',
    22: 'ssh scp sftp ssh-keyscan ssh-copy-id rsync git tar',
    23: 'telnet',
    43: 'whois',
    53: 'dig nslookup host',
    3306: 'mysql mysqldump mariadb mariadb-dump',
    5432: 'psql pg_dump pg_restore',
    6379: 'redis-cli',
    27017: 'mongosh mongo',
  }).flatMap(([port, tools]) => tools.split(' ').map((tool) => [tool, Number(port)] as const)),
);
