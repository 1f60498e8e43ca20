import type { PolicyValue } from '../document/types.ts';
import { parseBytes, parseDuration } from '../layers/quantities.ts';
import { type HostPattern, parseHostPattern } from '../patterns/host-pattern.ts';
import { readLimit } from './schema.ts';
import type { LlmBudget, LlmPrice, LlmRate, LlmServer, DlpRule, LlmSettings } from './types.ts';

/** One document's settings of language models. Absent keys set nothing. */
export type LlmLayer = Partial<Pick<LlmSettings, 'gateway' | 'output'>> &
  Pick<LlmSettings, 'servers' | 'budgets' | 'rates' | 'prices' | 'dlp' | 'tools' | 'lookInto'> & {
    readonly log?: LayerLog;
  };

/** A document's settings for the log of calls, in milliseconds and bytes. */
export interface LayerLog {
  readonly what?: 'metadata' | 'bodies';
  readonly keep?: number;
  readonly most?: number;
}

type LlmTable = NonNullable<PolicyValue['llm']>;
type Entry<Key extends 'servers' | 'budgets' | 'rates' | 'prices'> = NonNullable<LlmTable[Key]>[number];

/** Undefined if the document has no such settings. Errors were reported when the document was parsed. */
export function documentLlm({ llm, dlp }: Pick<PolicyValue, 'llm' | 'dlp'>): LlmLayer | undefined {
  if (llm === undefined && dlp === undefined) return undefined;
  const {
    gateway,
    output,
    log,
    log_keep: keep,
    log_most: most,
    remote_tools: remote = [],
    local_tools: local = [],
    look_into: lookInto = [],
    servers = [],
    budgets = [],
    rates = [],
    prices = [],
  } = llm ?? {};
  return {
    ...optional('gateway', gateway),
    ...optional('output', output),
    ...(log === undefined && keep === undefined && most === undefined
      ? {}
      : {
          log: {
            ...optional('what', log),
            ...optional('keep', parseDuration(keep ?? '')),
            ...optional('most', parseBytes(most ?? '')),
          },
        }),
    tools: { remote, local },
    lookInto,
    servers: servers.map(readServer),
    budgets: budgets.flatMap(readBudget),
    rates: rates.map(readRate),
    prices: prices.map(readPrice),
    dlp: (dlp ?? []).map(readRule),
  };
}

function readServer({ name, hosts, style, base_path: basePath = '' }: Entry<'servers'>): LlmServer {
  return { name, hosts: patternsOf(hosts), style, basePath };
}

function readBudget({
  name,
  limit: text,
  over = 'session',
  providers = [],
  models = [],
}: Entry<'budgets'>): readonly LlmBudget[] {
  const limit = readLimit(text);
  return limit === undefined ? [] : [{ name, limit, over, providers, models }];
}

function readRate({
  providers = [],
  requests_per_minute: requests,
  tokens_per_minute: tokens,
}: Entry<'rates'>): LlmRate {
  return { providers, ...optional('requestsPerMinute', requests), ...optional('tokensPerMinute', tokens) };
}

function readPrice({ models, input, output, cache_read: read, cache_write: write }: Entry<'prices'>): LlmPrice {
  return { models, input, output, ...optional('cacheRead', read), ...optional('cacheWrite', write) };
}

function readRule({
  name,
  decision,
  reason,
  finds = [],
  patterns = [],
  hosts,
}: NonNullable<PolicyValue['dlp']>[number]): DlpRule {
  return {
    name,
    decision,
    ...optional('reason', reason),
    finds,
    patterns,
    hosts: hosts === undefined ? 'models' : patternsOf(hosts),
  };
}

function patternsOf(hosts: readonly string[]): readonly HostPattern[] {
  return hosts.flatMap((text) => {
    const parsed = parseHostPattern(text);
    return parsed.kind === 'host' ? [parsed] : [];
  });
}

function optional<Key extends string, Value>(key: Key, value: Value | undefined): { readonly [Name in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [Name in Key]: Value });
}
