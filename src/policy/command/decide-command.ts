import { classOf, type ClassReason, type LineClass } from '../../shell/class/class-of.ts';
import { isShellBuiltin } from '../../shell/shell-builtin.ts';
import type { AnalysedInvocation, Analysis, Opacity, Word } from '../../shell/types.ts';
import { answerOfLayer, decide } from '../decide.ts';
import { type Answer, builtinFile } from '../origin.ts';
import type { Policy } from '../policy.ts';
import { namedPrograms } from '../programs/programs.ts';
import type { ExecRequest } from '../request.ts';
import { gitCommandsOf } from '../settings/switches.ts';
import { goesAhead, strictnessOf, type Verdict } from '../verdict.ts';
import { printable } from '../words/describe-request.ts';
import { verdictOf } from '../words/verdict-of.ts';
import { classVerdict, limitsClasses } from './class-verdict.ts';
import { opacityVerdict, openVerdict } from './opacity-verdict.ts';
import type { CommandFacts, CommandPart, CommandVerdict, ResolvedProgram } from './types.ts';

/**
 * Decides a command line that enters the box: the strictest answer to everything that it would start. Pure, and never
 * throws.
 */
export function decideCommand(policy: Policy, analysis: Analysis, facts: CommandFacts): CommandVerdict {
  const reasons = limitsClasses(policy) ? lineClass(policy, analysis, facts).reasons : [];
  const whole = analysis.opaque.flatMap((opacity) => opacityPart(policy, opacity));
  const parts = [
    ...whole,
    ...classPart(policy, whole, {
      reasons: reasonsAbout(undefined, reasons),
      invocation: undefined,
      request: undefined,
    }),
    ...analysis.invocations.flatMap((invocation) =>
      partsOf(policy, invocation, { facts, analysis, reasons: reasonsAbout(invocation.id, reasons) }),
    ),
  ];
  const decisive = decisivePart(parts, analysis);
  if (decisive === undefined)
    return {
      decision: 'allow',
      parts,
      decisive,
      message: 'allowed: it contains no command',
      remedy: 'nothing is needed: it is allowed',
    };
  const { decision, message, remedy } = decisive.verdict;
  return { decision, parts, decisive, message, remedy };
}

/** Returns the class of a line: the most that it can do under this policy. */
export function lineClass(policy: Policy, analysis: Analysis, { home, workspace }: CommandFacts): LineClass {
  return classOf(analysis, { home, workspace, git: gitCommandsOf(policy) });
}

interface Around {
  readonly facts: CommandFacts;
  readonly analysis: Analysis;
  readonly reasons: readonly ClassReason[];
}

function partsOf(
  policy: Policy,
  invocation: AnalysedInvocation,
  { facts, analysis, reasons }: Around,
): readonly CommandPart[] {
  const starter = isShellBuiltin(invocation, analysis) ? 'shell' : 'kernel';
  const resolved = starter === 'shell' ? undefined : facts.resolve(invocation);
  const request = execRequestOf(invocation, facts, resolved);
  const decided = request === undefined ? [] : [invocationPart(policy, invocation.id, { request, resolved, starter })];
  const opaque = [...invocation.effects.opaque, ...namelessProgram(invocation, request)];
  const parts = [...decided, ...opaque.flatMap((opacity) => opacityPart(policy, opacity, { invocation, request }))];
  return [...parts, ...classPart(policy, parts, { reasons, invocation, request })];
}

/** Skipped if the command already has an equally strict decision, so that nobody is asked twice. */
function classPart(
  policy: Policy,
  parts: readonly CommandPart[],
  about: Parameters<typeof classVerdict>[1],
): readonly CommandPart[] {
  const verdict = about.reasons.length === 0 ? undefined : classVerdict(policy, about);
  if (verdict === undefined) return [];
  const strictest = Math.max(0, ...parts.map((part) => strictnessOf(part.verdict.decision)));
  if (strictnessOf(verdict.decision) <= strictest) return [];
  return [{ kind: 'class', invocation: about.invocation?.id, verdict }];
}

function reasonsAbout(id: number | undefined, reasons: readonly ClassReason[]): readonly ClassReason[] {
  return reasons.filter(({ invocation }) => invocation === id);
}

interface Asked {
  readonly request: ExecRequest;
  readonly resolved: ResolvedProgram | undefined;
  /**
   * Whether the shell itself or the kernel runs the command. A program that was not looked up counts as the kernel's.
   */
  readonly starter: 'shell' | 'kernel';
}

function invocationPart(policy: Policy, invocation: number, { request, resolved, starter }: Asked): CommandPart {
  const planted = resolved?.kind === 'planted' ? plantedVerdict(policy, request) : undefined;
  const verdict = planted ?? followed(policy, decided(policy, request, starter), request);
  return {
    kind: 'invocation',
    invocation,
    request,
    verdict,
    environment:
      verdict.decision === 'allow' || verdict.decision === 'audit' ? commandEnvironment(policy, request) : {},
  };
}

/** A list of allowed programs says nothing about shell builtins. Rules and lists that name a builtin do. */
function decided(policy: Policy, request: ExecRequest, starter: Asked['starter']): Verdict {
  const verdict = decide(policy, request);
  const isUnlisted = verdict.code === 'not-granted' || verdict.code === 'outside-ceiling';
  return starter === 'shell' && isUnlisted
    ? {
        ...verdict,
        decision: 'allow',
        code: 'granted',
        message: `allowed: the shell itself carries out ${printable(request.program)}`,
        remedy: 'nothing is needed: it is allowed',
      }
    : verdict;
}

/**
 * Also decides the target of a redirect: a project's rule must not lead to a command that the user refused. Every layer
 * that redirects counts, even if another one asks, so that no layer removes such a refusal.
 */
function followed(policy: Policy, verdict: Verdict, request: ExecRequest): Verdict {
  if (verdict.decision !== 'redirect' && verdict.decision !== 'ask') return verdict;
  const redirects = policy.layers.flatMap((layer) => redirectsIn(answerOfLayer(layer, request)));
  return redirects.reduce(
    (strictest, answer) => stricterOf(strictest, whereItLeads(policy, verdictOf(answer, request), request)),
    verdict,
  );
}

/** Includes the redirect that a layer would carry out if all arguments were known. */
function redirectsIn(answer: Answer | undefined): readonly Answer[] {
  return [answer, answer?.command?.certain].filter((each): each is Answer => each?.decision === 'redirect');
}

function stricterOf(a: Verdict, b: Verdict): Verdict {
  return strictnessOf(b.decision) > strictnessOf(a.decision) ? b : a;
}

/** Refuses a target that is redirected again, even if another layer would only ask about it. */
function whereItLeads(policy: Policy, verdict: Verdict, { context }: ExecRequest): Verdict {
  const { redirectArgv: argv } = verdict;
  const [program] = argv ?? [];
  if (argv === undefined || program === undefined)
    return {
      ...verdict,
      decision: 'deny',
      message: `${verdict.message}, and not all of its arguments are known`,
      remedy: 'write out the arguments of the command',
    };
  const next: ExecRequest = { kind: 'exec', program, argv, context };
  const target = decide(policy, next);
  const leadsOn = policy.layers.some((layer) => answerOfLayer(layer, next)?.decision === 'redirect');
  return goesAhead(target.decision) && !leadsOn
    ? verdict
    : { ...target, decision: leadsOn ? 'deny' : target.decision, message: `${verdict.message}; ${target.message}` };
}

function opacityPart(
  policy: Policy,
  opacity: Opacity,
  at?: { readonly invocation: AnalysedInvocation; readonly request: ExecRequest | undefined },
): readonly CommandPart[] {
  return [
    {
      kind: 'opacity',
      invocation: at?.invocation.id,
      opacity,
      verdict: opacityVerdict(policy, opacity, at) ?? openVerdict(opacity),
    },
  ];
}

/** Applies to every analysis: no rule can have decided a program without a name. */
function namelessProgram(
  { argv: [program], effects }: AnalysedInvocation,
  request: ExecRequest | undefined,
): readonly Opacity[] {
  if (program === undefined || request !== undefined || effects.opaque.some(({ kind }) => kind === 'dynamic-program'))
    return [];
  return [{ kind: 'dynamic-program', message: 'the name of the program is not known', span: program.span }];
}

function decisivePart(parts: readonly CommandPart[], { invocations }: Analysis): CommandPart | undefined {
  const depths = depthsOf(invocations);
  const depthOf = ({ invocation }: CommandPart): number =>
    invocation === undefined ? 0 : (depths.get(invocation) ?? 0);
  return parts.reduce<CommandPart | undefined>((strictest, part) => {
    if (strictest === undefined) return part;
    const stricter = strictnessOf(part.verdict.decision) - strictnessOf(strictest.verdict.decision);
    return stricter > 0 || (stricter === 0 && depthOf(part) > depthOf(strictest)) ? part : strictest;
  }, undefined);
}

/** Parents come before their children. */
function depthsOf(invocations: readonly AnalysedInvocation[]): ReadonlyMap<number, number> {
  const depths = new Map<number, number>();
  for (const { id, parent } of invocations) depths.set(id, parent === undefined ? 1 : (depths.get(parent) ?? 1) + 1);
  return depths;
}

/** Variables that rules give to an allowed command. The layer with more authority wins. */
function commandEnvironment(policy: Policy, request: ExecRequest): Readonly<Record<string, string>> {
  const layers = policy.layers.toReversed().map((layer) => answerOfLayer(layer, request)?.command?.environment ?? {});
  return Object.assign(Object.create(null) as Record<string, string>, ...layers) as Record<string, string>;
}

/**
 * Returns the request about one command of a line. Undefined if it has no known program. An empty name counts as
 * unknown: nobody could allow it.
 */
export function execRequestOf(
  invocation: AnalysedInvocation,
  { home }: Pick<CommandFacts, 'home'>,
  resolved: ResolvedProgram | undefined,
): ExecRequest | undefined {
  const [first, ...words] = invocation.argv;
  if (first?.kind !== 'static') return undefined;
  const name = textOf(first, home);
  const unknown = words.flatMap((word, index) => (word.kind === 'static' ? [] : [index + 1]));
  const program = name === '' || resolved === undefined || resolved.kind === 'missing' ? name : resolved.path;
  const request: ExecRequest = {
    kind: 'exec',
    program,
    argv: [name, ...words.map((word) => textOf(word, home))],
    context: 'direct',
  };
  return unknown.length === 0 ? request : { ...request, unknown };
}

function textOf(word: Word, home: string): string {
  if (word.kind !== 'static') return word.text;
  return word.lead === 'home' ? `${home}${word.value}` : word.value;
}

/**
 * A policy that says `git` means the system's git. A program with that name in a directory that the box can write to
 * does not count. Attack: `node_modules/.bin/git` ahead of the real one. Undefined for all other names.
 */
export function plantedVerdict(policy: Policy, { program, argv: [name = ''] }: ExecRequest): Verdict | undefined {
  // A path is literal, and rules about paths and names apply to it.
  if (name.includes('/') || namedPrograms(policy)?.names.has(name) !== true) return undefined;
  return {
    decision: 'deny',
    code: 'planted-program',
    rule: 'planted-program',
    layer: 'required',
    file: builtinFile,
    line: 0,
    message: `running ${printable(name)} is refused: it would start ${printable(program)}, which is where the box can write, and the policy names ${printable(name)}`,
    remedy: `write the absolute path of the program, or take ${printable(program)} out of PATH`,
  };
}
