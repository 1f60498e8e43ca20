import { insertJson, type JsonReplacement, replaceJson } from '../../dlp/index.ts';
import type { BudgetWarning, Dialect, ModelCall, Steering } from '../../llm/index.ts';

export interface SteeringOptions {
  readonly dialect: Dialect;
  readonly call: ModelCall;
  readonly warnings: readonly BudgetWarning[];
}

export interface Steered {
  readonly bytes: Buffer | undefined;
  /** `drop`: usage was asked for on behalf of the client, which does not expect the event. */
  readonly usageOnly: 'keep' | 'drop';
}

/** The content with what the agent is to be told, and with a question for usage where the client asked none. */
export function steered(bytes: Buffer | undefined, { dialect, call, warnings }: SteeringOptions): Steered {
  if (bytes === undefined || call.operation !== 'generate' || (warnings.length === 0 && dialect.askForUsage === undefined)) return { bytes, usageOnly: 'keep' };
  const request = parsed(bytes);
  const text = warnings.map(({ message }) => message).join('\n');
  const told = text === '' ? bytes : (applied(bytes, dialect.steer(request, text)) ?? bytes);
  const asked = call.streamUsage === 'unasked' ? undefined : applied(told, dialect.askForUsage?.(request));
  return { bytes: asked ?? told, usageOnly: asked === undefined ? 'keep' : 'drop' };
}

function applied(bytes: Buffer, steering: Steering | undefined): Buffer | undefined {
  if (steering === undefined) return undefined;
  const { replaces, path, value } = steering;
  return replaces === undefined ? insertJson(bytes, steering) : replaceJson(bytes, { path, value: value as JsonReplacement['value'] });
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
