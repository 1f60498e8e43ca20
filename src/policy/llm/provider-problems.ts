import { nearest } from '../document/suggest.ts';
import { lineOf } from '../document/types.ts';
import type { Problem } from '../document/problem.ts';
import type { Policy } from '../policy.ts';
import { knownServers } from './known-servers.ts';
import { llmOf } from './llm-of.ts';

const knownProviders: readonly string[] = [...new Set(knownServers.map(({ provider }) => provider))];

/** What is misspelt would count nothing. Only in the user's policy: a project's and the machine's may name servers that this user does not have. */
export function providerProblems(policy: Policy): readonly Problem[] {
  const names = [...knownProviders, ...llmOf(policy).servers.map(({ name }) => name)];
  return policy.layers.flatMap(({ kind, settings: { llm } }) => {
    if (kind !== 'user' || llm === undefined) return [];
    const asked = (['budgets', 'rates'] as const).flatMap((key) => llm[key].flatMap(({ providers }, index) => providers.map((name, at) => ({ name, at: `llm.${key}[${index}].providers[${at}]` }))));
    return asked.filter(({ name }) => !names.includes(name)).map(({ name, at }): Problem => ({ code: 'HF_POLICY_INVALID', file: llm.origin.file, line: lineOf(llm, at), message: `no server of models has the provider "${name}"`, remedy: remedyFor(name, names) }));
  });
}

function remedyFor(name: string, names: readonly string[]): string {
  const meant = nearest(name, names);
  return meant === undefined ? `write one of ${names.join(', ')}, or the name of a server under [[llm.servers]]` : `did you mean "${meant}"?`;
}
