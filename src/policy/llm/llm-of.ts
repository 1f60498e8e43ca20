import type { Policy } from '../policy.ts';
import type { LlmLayer } from './document-llm.ts';
import { logOf } from './log-of.ts';
import type { LlmSettings } from './types.ts';

/** What the layers say together: each entry of each, and of single settings the one that looks into more. */
export function llmOf({ layers }: Policy): LlmSettings {
  const all = layers.flatMap(({ settings: { llm } }) => llm ?? []);
  const [budgets, rates] = [distinct(all.flatMap((layer) => layer.budgets)), distinct(all.flatMap((layer) => layer.rates))];
  const said = <Key extends 'gateway' | 'output'>(key: Key): readonly NonNullable<LlmLayer[Key]>[] => all.flatMap((layer) => layer[key] ?? []);
  return {
    // Attack: a project that only turned it off would use what no budget counts.
    gateway: said('gateway').includes('off') && !said('gateway').includes('on') && budgets.length === 0 && rates.length === 0 ? 'off' : 'on',
    output: said('output').includes('as-is') && !said('output').includes('filter') ? 'as-is' : 'filter',
    log: logOf(layers),
    tools: { remote: distinct(all.flatMap(({ tools }) => tools.remote)), local: distinct(all.flatMap(({ tools }) => tools.local)) },
    lookInto: distinct(all.flatMap((layer) => layer.lookInto)),
    servers: distinct(all.flatMap((layer) => layer.servers)),
    budgets,
    rates,
    prices: distinct(all.flatMap((layer) => layer.prices)),
    builtinDlp: layers.some(({ kind, settings: { llm } }) => (kind === 'user' || kind === 'managed') && llm !== undefined && llm.dlp.length > 0) ? 'replaced' : 'in-force',
    dlp: distinct(all.flatMap((layer) => layer.dlp)),
  };
}

function distinct<Item>(items: readonly Item[]): readonly Item[] {
  return items.length < 2 ? items : [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}
