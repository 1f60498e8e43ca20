import type { Opacity } from '../../shell/types.ts';
import type { Answer } from '../answer.ts';
import { answerOfLayer } from '../decide.ts';
import { type Decision, strictnessOf } from '../decision.ts';
import type { Layer } from '../layers/layer.ts';
import type { Setting } from '../layers/settings.ts';
import type { Policy } from '../policy.ts';
import type { ExecRequest } from '../request.ts';
import type { LayerKind } from '../verdict.ts';

/** What becomes of something that is not understood, and which setting says so. */
export interface UnknownAnswer {
  readonly decision: Extract<Decision, 'allow' | 'ask' | 'deny'>;
  readonly layer: LayerKind;
  readonly setting: Setting<'ask' | 'allow' | 'deny'>;
}

/** What a rule that names the program alone knows of it: no word of such a command is strange to whoever wrote it. */
const knownByProgram: ReadonlySet<Opacity['kind']> = new Set(['unknown-tool', 'unknown-option', 'dynamic-word']);
/** A rule with words knows that the program is there, and what those words always do: `npm publish` changes the registry. */
const knownByWords: ReadonlySet<Opacity['kind']> = new Set(['unknown-tool']);
/** What nobody can know before it runs stays a question, whatever `commands.unknown` says. */
const neverAllowed: ReadonlySet<Opacity['kind']> = new Set(['syntax', 'uncovered', 'budget', 'shell', 'dynamic-program', 'stdin-code']);

/**
 * The strictest of the layers that say something about what is not understood. A layer whose own rule allows the command by its
 * name has thereby said that it knows the tool. Undefined where nothing is to be asked: rules hold for what code of the
 * repository starts, when it starts it.
 */
export function unknownAnswer(policy: Policy, opacity: Opacity, request: ExecRequest | undefined): UnknownAnswer | undefined {
  const { kind } = opacity;
  if (kind === 'repository-code') return undefined;
  return policy.layers.reduce<UnknownAnswer | undefined>((strictest, layer) => {
    const { kind: layerKind, settings: { unknownCommands: setting } } = layer;
    if (setting === undefined) return strictest;
    const floor = setting.value === 'allow' && neverAllowed.has(kind) ? 'ask' : setting.value;
    const decision = request !== undefined && isKnownTo(layer, request, opacity) ? 'allow' : floor;
    return strictest === undefined || strictnessOf(decision) > strictnessOf(strictest.decision) ? { decision, layer: layerKind, setting } : strictest;
  }, undefined);
}

function isKnownTo(layer: Layer, request: ExecRequest, { kind, concerns }: Opacity): boolean {
  const answer: Answer | undefined = answerOfLayer(layer, request);
  if (answer?.command === undefined || (answer.decision !== 'allow' && answer.decision !== 'audit')) return false;
  const { program, words } = answer.command.pattern;
  return program.literal !== undefined && (words.length === 0 || concerns === 'tool' ? knownByProgram : knownByWords).has(kind);
}
