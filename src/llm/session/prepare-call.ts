import { insertJson } from '../../dlp/json/insert-json.ts';
import { peekJson } from '../../dlp/json/peek-json.ts';
import { type JsonReplacement, replaceJson } from '../../dlp/json/replace-json.ts';
import type { BudgetWarning, Dialect, ModelCall, Steering } from '../index.ts';
import type { ContentRules } from './content-rules.ts';
import { anyText, editContent, isFile, requestEditor } from './edit-content.ts';
import { lookAtText, tellFound } from './look-at-text.ts';
import type { RuleCounts } from './tally.ts';
import type { CallState } from './types.ts';

/** Reason that a call is refused, for its client. */
export interface CallRefusal {
  readonly code: string;
  readonly status: number;
  readonly message: string;
  /** Seconds. */
  readonly retryAfter?: number;
}

export type PreparedCall = ({ readonly kind: 'goes' } & Steered) | ({ readonly kind: 'refused' } & CallRefusal);

/**
 * Prepares a call: searches it by the rules, admits it, and adds messages for the agent. A refused call does not count.
 */
export function prepareCall(state: CallState, bytes: Buffer | undefined): PreparedCall {
  const { gateway, dialect, settings, call } = state;
  const looked = look(state, bytes);
  if (looked.kind === 'refused') return looked;
  const isMetered = settings.budgets.some(({ limit }) => limit.kind !== 'requests');
  const admission = gateway.spending.admit(
    call,
    settings,
    isMetered && looked.bytes !== undefined ? estimatedTokens(looked.bytes, dialect) : 0,
  );
  if (admission.kind === 'refused') return admission;
  return { kind: 'goes', ...steered(looked.bytes, { dialect, call, warnings: admission.warnings }) };
}

/**
 * Returns facts from the content: the model, from the first of these paths that has one, and whether the answer is
 * deferred.
 */
export function saidOf(
  bytes: Buffer | undefined,
  models: readonly (readonly string[])[] = [['model']],
): Pick<ModelCall, 'model' | 'cost'> {
  const found = bytes === undefined ? [] : peekJson(bytes, [...models, ...answeredLater]);
  const model = found.slice(0, models.length).find((name): name is string => typeof name === 'string' && name !== '');
  // Attack: the answer that starts deferred work has no usage, and Holdfast does not see the answer that has it.
  const isLater = found.slice(models.length).some((value) => value !== undefined && value !== null && value !== false);
  return { ...(model === undefined ? {} : { model: model.slice(0, 200) }), ...(isLater ? { cost: 'untold' } : {}) };
}

/** Sources: openai 7.57.0, `ResponseCreateParams`; docs.x.ai, "Deferred Chat Completions". */
const answeredLater = [['background'], ['response', 'background'], ['deferred']] as const;

type Look =
  | { readonly kind: 'passes'; readonly bytes: Buffer | undefined }
  | ({ readonly kind: 'refused' } & CallRefusal);

/** Applies the rules to the content. If there is anything to search for, unreadable content is refused. */
function look(state: CallState, bytes: Buffer | undefined): Look {
  const { gateway, dialect, settings, rules: wanted, call } = state;
  const rules = gateway.rulesFor(wanted);
  if (bytes === undefined || bytes.length === 0 || rules === undefined) return { kind: 'passes', bytes };
  const isOther = call.operation === 'other';
  const edited = editContent(bytes, {
    rules,
    fakes: gateway.fakes,
    editor: isOther ? anyText : requestEditor(dialect, settings.lookInto),
  });
  if (edited.kind === 'unreadable')
    return isOther
      ? lookAtUpload(state, bytes, rules)
      : {
          kind: 'refused',
          code: 'unreadable',
          status: 400,
          message: 'the request is not JSON that can be inspected',
        };
  tellFound(state, edited.found);
  return edited.kind === 'passes'
    ? { kind: 'passes', bytes: edited.bytes }
    : blocked(edited.by, 'Remove it from the conversation');
}

/** Servers of models receive files as forms. */
function lookAtUpload(state: CallState, bytes: Buffer, rules: ContentRules): Look {
  const { found, by } = lookAtText(bytes, { rules, fakes: state.gateway.fakes });
  tellFound(state, found);
  return by === undefined
    ? { kind: 'passes', bytes }
    : blocked(by, 'Remove it from the request: Holdfast can change only JSON');
}

function blocked({ rule, counts }: RuleCounts, remedy: string): Look {
  const reason = rule.reason === undefined ? '' : `: ${rule.reason}`;
  return {
    kind: 'refused',
    code: 'dlp',
    status: 403,
    message: `the request contains data that may not leave (${Object.keys(counts).join(', ')}), by the rule ${rule.name}${reason}. ${remedy}`,
  };
}

const bytesInToken = 4;

/**
 * Estimates the tokens of a request by the length of its texts: the conversation and the tool definitions. Does not
 * count files and images.
 */
export function estimatedTokens(bytes: Buffer, dialect: Dialect): number {
  let length = 0;
  requestEditor(dialect, ['tool-definitions']).edit(bytes, (text, _path, of) => {
    if (of !== 'other' || !isFile(text)) length += Buffer.byteLength(text);
    return undefined;
  });
  return Math.ceil(length / bytesInToken);
}

interface SteeringOptions {
  readonly dialect: Dialect;
  readonly call: ModelCall;
  readonly warnings: readonly BudgetWarning[];
}

interface Steered {
  readonly bytes: Buffer | undefined;
  /** `drop`: Holdfast asked for usage on behalf of the client, which does not expect the event. */
  readonly usageOnly: 'keep' | 'drop';
}

/** Returns the content with messages for the agent, and with a request for usage if the client did not ask for it. */
function steered(bytes: Buffer | undefined, { dialect, call, warnings }: SteeringOptions): Steered {
  if (
    bytes === undefined ||
    call.operation !== 'generate' ||
    (warnings.length === 0 && dialect.askForUsage === undefined)
  )
    return { bytes, usageOnly: 'keep' };
  const request = parsed(bytes);
  const text = warnings.map(({ message }) => message).join('\n');
  const told = text === '' ? bytes : (applied(bytes, dialect.steer(request, text)) ?? bytes);
  const asked = call.streamUsage === 'unasked' ? undefined : applied(told, dialect.askForUsage?.(request));
  return { bytes: asked ?? told, usageOnly: asked === undefined ? 'keep' : 'drop' };
}

function applied(bytes: Buffer, steering: Steering | undefined): Buffer | undefined {
  if (steering === undefined) return undefined;
  const { replaces, path, value } = steering;
  return replaces === undefined
    ? insertJson(bytes, steering)
    : replaceJson(bytes, { path, value: value as JsonReplacement['value'] });
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

/** Attack: a box that fills the disk could send a model content that the machine's policy requires on record. */
export function refusedUnkept({ settings, kept }: CallState): CallRefusal | undefined {
  const failure = settings.log.texts === 'demanded' ? kept?.failure() : undefined;
  return failure === undefined
    ? undefined
    : {
        code: 'log-failed',
        status: 403,
        message: `this machine keeps conversations with models, and cannot store this one now (${failure}). Free space on the disk of the state directory`,
      };
}
