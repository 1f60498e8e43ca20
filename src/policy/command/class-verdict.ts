import type { ClassReason } from '../../shell/class/class-of.ts';
import { type CommandClass, compareClasses } from '../../shell/class/command-class.ts';
import type { AnalysedInvocation } from '../../shell/types.ts';
import { answerOfLayer } from '../decide.ts';
import type { Layer } from '../layers/layer.ts';
import type { Setting } from '../layers/settings.ts';
import type { Policy } from '../policy.ts';
import type { ExecRequest } from '../request.ts';
import { type Decision, strictnessOf, type Verdict } from '../verdict.ts';
import { printable } from '../words/describe-request.ts';
import { originText } from '../words/message.ts';
import { isKnownTo, commandSubject } from './opacity-verdict.ts';

/** Whether a layer says anything about classes of commands. */
export function limitsClasses({ layers }: Policy): boolean {
  return layers.some(({ settings: { askAbove, denyAbove } }) => askAbove !== undefined || denyAbove !== undefined);
}

interface ClassPart {
  readonly reasons: readonly ClassReason[];
  readonly invocation: AnalysedInvocation | undefined;
  readonly request: ExecRequest | undefined;
}

/**
 * Returns the verdict on a part of a line for its class: the strictest of all layers that limit classes. Undefined if
 * none objects.
 */
export function classVerdict(policy: Policy, part: ClassPart): Verdict | undefined {
  return policy.layers.reduce<Verdict | undefined>((strictest, layer) => {
    const verdict = layerVerdict(layer, part);
    const stricter = strictnessOf(verdict?.decision ?? 'allow') > strictnessOf(strictest?.decision ?? 'allow');
    return stricter ? verdict : strictest;
  }, undefined);
}

type Limit = Setting<CommandClass>;

function layerVerdict(layer: Layer, part: ClassPart): Verdict | undefined {
  const { askAbove, denyAbove } = layer.settings;
  if (askAbove === undefined && denyAbove === undefined) return undefined;
  const worst = part.reasons
    .filter((reason) => !isAllowedByRule(layer, part, reason))
    .reduce<ClassReason | undefined>((before, reason) => stronger(before, reason), undefined);
  if (worst === undefined) return undefined;
  const isAbove = (limit: Limit | undefined): limit is Limit =>
    limit !== undefined && compareClasses(worst.kind, limit.value) > 0;
  if (isAbove(denyAbove)) return verdictFor('deny', { layer, part, worst, limit: denyAbove });
  return isAbove(askAbove) ? verdictFor('ask', { layer, part, worst, limit: askAbove }) : undefined;
}

function stronger(before: ClassReason | undefined, reason: ClassReason): ClassReason {
  return before !== undefined && compareClasses(reason.kind, before.kind) <= 0 ? before : reason;
}

/**
 * A rule that allows a command accepts its effects. It covers neither the shell's work around the command, nor effects
 * that cannot be known.
 */
function isAllowedByRule(layer: Layer, { request }: ClassPart, { opacity, from }: ClassReason): boolean {
  if (request === undefined || from === 'shell') return false;
  // Code of the repository starts its commands later, and rules apply to them then.
  if (opacity !== undefined && opacity.kind !== 'repository-code') return isKnownTo(layer, request, opacity);
  const answer = answerOfLayer(layer, request);
  return answer?.code === 'rule' && (answer.decision === 'allow' || answer.decision === 'audit');
}

interface Found {
  readonly layer: Layer;
  readonly part: ClassPart;
  readonly worst: ClassReason;
  readonly limit: Limit;
}

function verdictFor(decision: Extract<Decision, 'ask' | 'deny'>, { layer, part, worst, limit }: Found): Verdict {
  const { rule, file, line } = limit.origin;
  const outcome = decision === 'deny' ? 'is refused' : 'waits for approval';
  const limited = `${rule} = "${worst.kind}" in ${printable(file)}${line === 0 ? '' : ` line ${line}`}`;
  const raise = worst.kind === 'anything' ? `take ${rule} out of ${printable(file)}` : `set ${limited}`;
  return {
    decision,
    code: 'command-class',
    rule,
    layer: layer.kind,
    file,
    line,
    message: `running ${commandSubject(part)} ${outcome}: ${classText(worst)} (${originText(limit.origin)})`,
    remedy: `${decision === 'ask' ? 'approve it when asked, ' : 'allow the command by an [[exec]] rule, '}or ${raise}`,
  };
}

/** For example "class destroys: deletes $X". */
function classText({ kind, why }: Pick<ClassReason, 'kind' | 'why'>): string {
  return `class "${kind}": ${printable(why)}`;
}
