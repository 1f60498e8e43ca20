import * as v from 'valibot';
import { texts } from '../document/rule-schema.ts';
import { dlpDecisions, serverStyles, type LlmBudget } from './types.ts';

const mostEntries = 200;

const entryName = v.pipe(
  v.string(),
  v.regex(
    /^[a-zA-Z][\w.-]{0,63}$/,
    'a name starts with a letter and holds up to 64 letters, digits, dots, hyphens and underscores',
  ),
  v.description('Unique among its kind; messages and the journal show it'),
);
const providers = v.optional(
  texts('Providers such as "anthropic" or "openai", or the name of an [[llm.servers]] entry; default: all'),
);
const models = texts('Names of models; * is a wildcard');
const perMinute = v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1e12)));
const dollars = v.pipe(v.number(), v.minValue(0), v.maxValue(1e6), v.description('US dollars for a million tokens'));

const server = v.strictObject({
  name: entryName,
  hosts: texts('Host patterns, with a port where it is not 443 or 80'),
  style: v.pipe(v.picklist(serverStyles), v.description('The API of the server')),
  base_path: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^(?:\/[\w.~-]+)+$/, 'a base path is written "/openai"'),
      v.description('A prefix of the paths of the server'),
    ),
  ),
});

const budget = v.strictObject({
  name: entryName,
  limit: v.pipe(
    v.string(),
    v.regex(
      /^\d+(?:\.\d+)?(?:k|M)? (?:USD|tokens|requests)$/,
      'a limit is written "5 USD", "2M tokens" or "500 requests"',
    ),
    v.description('"5 USD", "2M tokens" or "500 requests"'),
  ),
  over: v.optional(
    v.pipe(
      v.picklist(['session', 'day', 'month']),
      v.description('Default "session"; days and months are UTC, of all sessions of the user'),
    ),
  ),
  providers,
  models: v.optional(models),
});

const rate = v.strictObject({ providers, requests_per_minute: perMinute, tokens_per_minute: perMinute });

const price = v.strictObject({
  models,
  input: dollars,
  output: dollars,
  cache_read: v.optional(dollars),
  cache_write: v.optional(dollars),
});

function list<Entry extends v.GenericSchema>(entry: Entry, description: string) {
  return v.optional(v.pipe(v.array(entry), v.maxLength(mostEntries), v.description(description)));
}

export const llmEntry = v.optional(
  v.pipe(
    v.strictObject({
      gateway: v.optional(
        v.pipe(
          v.picklist(['on', 'off']),
          v.description(
            'Whether Holdfast looks into requests to language models. "on" (default); "off" only in user and managed policies, and if none says "on" or asks for a budget or a rate',
          ),
        ),
      ),
      output: v.optional(
        v.pipe(
          v.picklist(['filter', 'as-is']),
          v.description(
            'The treatment of hidden characters, and of links and images that would carry data away, in answers. "filter" (default); "as-is" only in user and managed policies, and if none says "filter"',
          ),
        ),
      ),
      log: v.optional(
        v.pipe(
          v.picklist(['metadata', 'bodies']),
          v.description(
            'Whether requests and answers are kept, without secrets, for `holdfast llm show`. Default "metadata": the journal has the usage of calls, and no texts; only in user and managed policies',
          ),
        ),
      ),
      log_keep: v.optional(
        v.pipe(
          v.string(),
          v.regex(/^\d+(?:\.\d+)?(?:s|m|h|d)$/, 'an age is written "12h" or "7d"'),
          v.description('How long they are kept; default "7d"; only in user and managed policies'),
        ),
      ),
      log_most: v.optional(
        v.pipe(
          v.string(),
          v.regex(/^\d+(?:\.\d+)?\s*[KMGT]?i?B$/, 'a size is written "200 MB" or "1GiB"'),
          v.description(
            'Their total size on the disk; the oldest go first; default "200 MB"; only in user and managed policies',
          ),
        ),
      ),
      remote_tools: v.optional(
        texts(
          'Further tools of agents that run elsewhere; * is a wildcard. Their arguments keep the fakes of "tokenize"',
        ),
      ),
      local_tools: v.optional(
        texts(
          'Tools that run on this machine although their names suggest otherwise, such as "mcp__files__*"; only in user and managed policies',
        ),
      ),
      look_into: v.optional(
        v.pipe(
          v.array(v.picklist(['tool-definitions'])),
          v.maxLength(1),
          v.description('Further parts of requests to look into: the definitions of tools'),
        ),
      ),
      servers: list(server, 'Model servers that Holdfast does not know; only in user and managed policies'),
      budgets: list(budget, 'How much boxes may use'),
      rates: list(rate, 'How fast boxes may use models'),
      prices: list(price, 'Prices of models that are missing in the built-in table; only in user and managed policies'),
    }),
    v.description('Requests to language models'),
  ),
);

const dlpRule = v.strictObject({
  name: entryName,
  decision: v.pipe(
    v.picklist(dlpDecisions),
    v.description(
      '"audit": records the find in the journal. "redact": replaces the find for good. "tokenize": replaces the find by a fake of the same form, and restores it in the answer. "block": refuses the request',
    ),
  ),
  reason: v.optional(v.pipe(v.string(), v.description('Shown wherever the rule decides'))),
  finds: v.optional(texts('Packs of rules such as "keys", or single ones such as "github-token"')),
  patterns: v.optional(texts('Regular expressions that run in linear time')),
  hosts: v.optional(texts('Host patterns; default: every model server')),
});

export const dlpEntry = list(
  dlpRule,
  'Rules for data that may not leave unchanged in requests; the strictest rule that finds something decides',
);

const kinds = { USD: 'usd', tokens: 'tokens', requests: 'requests' } as const;
const factors: Readonly<Record<string, number>> = { '': 1, k: 1e3, M: 1e6 };

/** Reads `"5 USD"`, `"2M tokens"`, `"500 requests"`. Undefined for any other text, and for zero. */
export function readLimit(text: string): LlmBudget['limit'] | undefined {
  const [, number = '', factor = '', unit = ''] = /^(\d+(?:\.\d+)?)(k|M)? (USD|tokens|requests)$/u.exec(text) ?? [];
  const kind = kinds[unit as keyof typeof kinds] as LlmBudget['limit']['kind'] | undefined;
  const most = Number(number) * (factors[factor] ?? 1);
  if (kind === undefined || !(most > 0) || most > Number.MAX_SAFE_INTEGER) return undefined;
  return kind === 'usd' || Number.isInteger(most) ? { kind, most } : undefined;
}
