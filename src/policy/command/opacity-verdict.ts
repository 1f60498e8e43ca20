import { type CommandClass, compareClasses } from '../../shell/class/command-class.ts';
import type { AnalysedInvocation, Opacity, Word } from '../../shell/types.ts';
import { answerOfLayer } from '../decide.ts';
import type { Layer } from '../layers/layer.ts';
import type { Setting } from '../layers/settings.ts';
import { type Answer, builtinFile } from '../origin.ts';
import { commandPatternOf } from '../patterns/command-pattern.ts';
import type { Policy } from '../policy.ts';
import type { ExecRequest } from '../request.ts';
import { type Decision, type LayerKind, strictnessOf, type Verdict } from '../verdict.ts';
import { printable } from '../words/describe-request.ts';
import { originText } from '../words/message.ts';
import { tomlText } from '../words/toml-text.ts';

interface Place {
  readonly invocation: AnalysedInvocation;
  readonly request: ExecRequest | undefined;
}

/** Returns the verdict on an opaque part of a command. Undefined if no layer objects to it. */
export function opacityVerdict(policy: Policy, opacity: Opacity, place?: Place): Verdict | undefined {
  const answer = unknownAnswer(policy, opacity, place?.request);
  if (answer === undefined || answer.decision === 'allow') return undefined;
  const { rule, file, line } = answer.setting.origin;
  const outcome = answer.decision === 'deny' ? 'is refused' : 'waits for approval';
  return {
    decision: answer.decision,
    code: 'not-understood',
    rule,
    layer: answer.layer,
    file,
    line,
    message: `running ${commandSubject(place)} ${outcome}: ${printable(opacity.message)}${sourceText(answer)}`,
    remedy: `${answer.decision === 'ask' ? 'approve it when asked, or ' : ''}${remedyFor(opacity, { place, setting: settingText(answer) })}`,
  };
}

/**
 * The verdict on a command that is understood well enough to start. Rules still apply to the programs that it starts.
 */
export function openVerdict({ message }: Opacity): Verdict {
  return {
    decision: 'allow',
    code: 'granted',
    rule: 'commands.unknown',
    layer: 'user',
    file: builtinFile,
    line: 0,
    message: `allowed: ${printable(message)}`,
    remedy: 'nothing is needed: it is allowed',
  };
}

/** The layer that decided it, if any. */
function sourceText({ setting: { origin } }: UnknownAnswer): string {
  return origin.file === builtinFile ? '' : ` (${originText(origin)})`;
}

/** The setting that would allow all of it: a line of the user's policy, or of the stricter file. */
function settingText({ setting: { origin } }: UnknownAnswer): string {
  return origin.file === builtinFile
    ? 'set commands.unknown = "allow" in your own policy'
    : `set commands.unknown = "allow" in ${printable(origin.file)}${origin.line === 0 ? '' : ` line ${origin.line}`}`;
}

/** The name as a pattern writes it: a bare name, or the path that it resolves to. */
function nameOf(request: ExecRequest | undefined): string | undefined {
  const name = request?.argv[0];
  return name?.includes('/') === true ? request?.program : name;
}

/** A name for a rule, unique per tool. */
function slugOf(program: string): string {
  return program
    .slice(program.lastIndexOf('/') + 1)
    .replaceAll(/[^\w.-]/gu, '-')
    .slice(0, 60);
}

/** Returns the command that a message names. */
export function commandSubject(place: { readonly invocation: AnalysedInvocation | undefined } | undefined): string {
  if (place?.invocation === undefined) return 'the command';
  return printable(place.invocation.argv.map(wordText).join(' '));
}

function wordText(word: Word): string {
  if (word.kind !== 'static') return word.text;
  return word.lead === 'home' ? `~${word.value}` : word.value;
}

function remedyFor(
  { kind }: Opacity,
  { place, setting }: { readonly place: Place | undefined; readonly setting: string },
): string {
  const program = nameOf(place?.request);
  switch (kind) {
    case 'unknown-tool':
      return `${program === undefined ? '' : `allow all of its commands with exec = [{ name = ${tomlText(`allow-${slugOf(program)}`)}, decision = "allow", commands = [${tomlText(commandPatternOf([program]))}] }], or `}${setting}`;
    case 'unknown-option':
      return `write it with options that are known, in full, allow that program with an [[exec]] rule, or ${setting}`;
    case 'dynamic-word':
      return `write out the words that are not known, or ${setting}`;
    case 'inline-code':
      return `leave it out, write code into a file and run that, or ${setting}`;
    case 'stdin-code':
      return 'write the code into a file and run that, instead of a pipe';
    case 'dynamic-program':
      return 'write the name of the program itself';
    case 'shell':
      return 'write it for sh or bash';
    case 'budget':
      return 'split it into shorter commands';
    case 'syntax':
    case 'uncovered':
      return 'write it with simpler syntax, and without hidden characters';
    case 'repository-code':
      return 'nothing is needed: it is allowed';
  }
}

/** The answer to an opaque part, and the setting that gives it. */
interface UnknownAnswer {
  readonly decision: Extract<Decision, 'allow' | 'ask' | 'deny'>;
  readonly layer: LayerKind;
  readonly setting: Setting<'ask' | 'allow' | 'deny'>;
}

/** Covered by a rule that names only the program: its author accepts any arguments. */
const knownByProgram: ReadonlySet<Opacity['kind']> = new Set(['unknown-tool', 'unknown-option', 'dynamic-word']);
/**
 * Covered by a rule with arguments: its author knows the effect of these arguments. `npm publish` changes the registry.
 */
const knownByWords: ReadonlySet<Opacity['kind']> = new Set(['unknown-tool']);
/** Stays a question under every value of `commands.unknown`, because nobody can know it before it runs. */
const neverAllowed: ReadonlySet<Opacity['kind']> = new Set([
  'syntax',
  'uncovered',
  'budget',
  'shell',
  'dynamic-program',
  'stdin-code',
]);

/**
 * Returns the strictest answer of the layers about an opaque part. A layer whose own rule allows the command by name
 * knows the tool. Undefined if no layer asks: rules apply to the programs that the repository's code starts.
 */
export function unknownAnswer(
  policy: Policy,
  opacity: Opacity,
  request: ExecRequest | undefined,
): UnknownAnswer | undefined {
  const { kind } = opacity;
  if (kind === 'repository-code') return undefined;
  return policy.layers.reduce<UnknownAnswer | undefined>((strictest, layer) => {
    const {
      kind: layerKind,
      settings: { unknownCommands: setting, askAbove },
    } = layer;
    if (setting === undefined) return strictest;
    if (setting.origin.file === builtinFile && askAbove !== undefined && isWithin(opacity, askAbove.value))
      return strictest;
    const floor = setting.value === 'allow' && neverAllowed.has(kind) ? 'ask' : setting.value;
    const decision = request !== undefined && isKnownTo(layer, request, opacity) ? 'allow' : floor;
    return strictest === undefined || strictnessOf(decision) > strictnessOf(strictest.decision)
      ? { decision, layer: layerKind, setting }
      : strictest;
  }, undefined);
}

/** A policy that asks from one class on does not ask about lesser classes. An unknowable command stays a question. */
function isWithin({ kind, atMost = 'anything' }: Opacity, limit: CommandClass): boolean {
  return !neverAllowed.has(kind) && compareClasses(atMost, limit) <= 0;
}

/** Whether a rule of the layer that allows the command also covers an opaque part. */
export function isKnownTo(layer: Layer, request: ExecRequest, { kind, concerns }: Opacity): boolean {
  const answer: Answer | undefined = answerOfLayer(layer, request);
  if (answer?.command === undefined || (answer.decision !== 'allow' && answer.decision !== 'audit')) return false;
  const { program, words } = answer.command.pattern;
  return (
    program.literal !== undefined &&
    (words.length === 0 || concerns === 'tool' ? knownByProgram : knownByWords).has(kind)
  );
}
