import { answerOfLayer } from '../decide.ts';
import type { Policy } from '../policy.ts';
import type { ExecRequest } from '../request.ts';

/** The variables that rules give to a command that goes ahead. The layer with more authority wins. */
export function commandEnvironment(policy: Policy, request: ExecRequest): Readonly<Record<string, string>> {
  const layers = policy.layers.toReversed().map((layer) => answerOfLayer(layer, request)?.command?.environment ?? {});
  return Object.assign(Object.create(null) as Record<string, string>, ...layers) as Record<string, string>;
}
