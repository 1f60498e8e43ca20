import type { Finding } from '../document/problem.ts';
import type { PolicyValue } from '../document/types.ts';
import type { LayerKind } from '../verdict.ts';

/** What only those may say about language models who answer for the machine: it takes something away from what is seen or counted. */
export function llmPlaceFindings({ llm }: Pick<PolicyValue, 'llm'>, kind: LayerKind): readonly Finding[] {
  if (kind === 'user' || kind === 'managed') return [];
  return usersOnly.flatMap(({ key, value, does }) => {
    const said = llm?.[key];
    if (said === undefined || (value !== undefined && said !== value)) return [];
    return [{ at: `llm.${key}`, message: `a ${kind} policy cannot ${does}`, remedy: `move ${key === 'servers' || key === 'prices' ? `[[llm.${key}]]` : `llm.${key}`} to the user policy` }];
  });
}

const usersOnly = [
  { key: 'servers', value: undefined, does: 'say what a server of models is' },
  { key: 'prices', value: undefined, does: 'say what a model costs' },
  { key: 'gateway', value: 'off', does: 'keep requests to language models from being looked into' },
  { key: 'output', value: 'as-is', does: 'keep answers of language models from being filtered' },
  { key: 'local_tools', value: undefined, does: 'say which tools run on this machine: they get what is secret' },
  { key: 'log', value: undefined, does: 'say what is kept of the user\'s conversations' },
  { key: 'log_keep', value: undefined, does: 'say how long the user\'s conversations are kept' },
  { key: 'log_most', value: undefined, does: 'say how much of the user\'s conversations is kept' },
] as const;
