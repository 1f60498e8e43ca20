import type { Policy } from '../policy.ts';
import type { LayerLog, LlmLayer } from './document-llm.ts';
import type { LlmLog, LlmSettings } from './types.ts';

/** Combines the layers: all their entries, and the value of each single setting that inspects more. */
export function llmOf({ layers }: Policy): LlmSettings {
  const all = layers.flatMap(({ settings: { llm } }) => llm ?? []);
  const [budgets, rates] = [
    distinct(all.flatMap((layer) => layer.budgets)),
    distinct(all.flatMap((layer) => layer.rates)),
  ];
  const said = <Key extends 'gateway' | 'output'>(key: Key): readonly NonNullable<LlmLayer[Key]>[] =>
    all.flatMap((layer) => layer[key] ?? []);
  return {
    // Attack: a project that only turns the gateway off, to use models without counting against a budget.
    gateway:
      said('gateway').includes('off') && !said('gateway').includes('on') && budgets.length === 0 && rates.length === 0
        ? 'off'
        : 'on',
    output: said('output').includes('as-is') && !said('output').includes('filter') ? 'as-is' : 'filter',
    log: logOf(layers),
    tools: {
      remote: distinct(all.flatMap(({ tools }) => tools.remote)),
      local: distinct(all.flatMap(({ tools }) => tools.local)),
    },
    lookInto: distinct(all.flatMap((layer) => layer.lookInto)),
    servers: distinct(all.flatMap((layer) => layer.servers)),
    budgets,
    rates,
    prices: distinct(all.flatMap((layer) => layer.prices)),
    builtinDlp: layers.some(
      ({ kind, settings: { llm } }) =>
        (kind === 'user' || kind === 'managed') && llm !== undefined && llm.dlp.length > 0,
    )
      ? 'replaced'
      : 'in-force',
    dlp: distinct(all.flatMap((layer) => layer.dlp)),
  };
}

function distinct<Item>(items: readonly Item[]): readonly Item[] {
  return items.length < 2 ? items : [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}

const day = 86_400_000;
const usual = { keep: 7 * day, most: 200e6 };

/**
 * Settings for the log of calls. Conversations belong to the user: a project may not decide whether or how long they
 * stay on the disk. The machine's policy comes before the user's, key by key. If two layers of a kind disagree, the one
 * that keeps less wins.
 */
function logOf(layers: Policy['layers']): LlmLog {
  const [managed, user] = (['managed', 'user'] as const).map((wanted) =>
    layers.flatMap(({ kind, settings: { llm } }) => (kind === wanted ? (llm?.log ?? []) : [])),
  );
  const said = <Key extends keyof LayerLog>(key: Key): readonly NonNullable<LayerLog[Key]>[] => {
    const own = (logs: readonly LayerLog[] = []): readonly NonNullable<LayerLog[Key]>[] =>
      logs.flatMap((log) => log[key] ?? []);
    return own(managed).length > 0 ? own(managed) : own(user);
  };
  const what = said('what');
  const isKept = what.length > 0 && !what.includes('metadata');
  const isDemanded = managed?.some((log) => log.what === 'bodies') === true;
  return {
    texts: isKept ? (isDemanded ? 'demanded' : 'kept') : 'not-kept',
    keep: Math.min(...orUsual(said('keep'), usual.keep)),
    most: Math.min(...orUsual(said('most'), usual.most)),
  };
}

function orUsual(said: readonly number[], otherwise: number): readonly number[] {
  return said.length === 0 ? [otherwise] : said;
}
