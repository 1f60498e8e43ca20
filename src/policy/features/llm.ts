import * as v from 'valibot';
import type { PolicyPart } from '../document/policy-part.ts';
import type { DocumentFinding } from '../document/problem.ts';
import { llmFindings } from '../llm/llm-findings.ts';
import { llmEntry } from '../llm/schema.ts';
import type { LayerKind } from '../verdict.ts';
import { count, event, host, inSession, millisecondsPart, refusal, textPart, told } from './event-parts.ts';
import type { Feature } from './feature.ts';
import { usersOnly } from './said-by.ts';

const policy = { llm: llmEntry } as const;

/** Each token is in one class, except reasoning tokens, which are also output tokens. */
const tokens = v.object({
  uncachedInput: count,
  cacheRead: count,
  cacheWrite5m: count,
  cacheWrite1h: count,
  output: count,
  reasoning: count,
});

/** Requests to language models. */
export const llm = {
  name: 'llm',
  policy,
  placed,
  findings: llmFindings,
  events: [
    event('model', 'one request to a model server, once its answer has ended', {
      ...inSession,
      provider: told(textPart, 'name in the price table, or of the server in a policy'),
      dialect: textPart,
      operation: v.picklist(['generate', 'count', 'embed', 'other']),
      ...host,
      model: v.optional(told(textPart, 'absent if neither the request nor the answer named one')),
      agent: v.optional(told(textPart, 'the program that made the request, if it could be found')),
      status: told(count, 'status for the client; 0 if it had disconnected'),
      tokens: v.optional(told(tokens, 'absent if the answer reported none')),
      usd: v.pipe(
        v.nullable(v.pipe(v.number(), v.minValue(0))),
        v.description('US dollars; null if the model has no price'),
      ),
      prices: told(textPart, 'the price table, with its version'),
      completeness: told(
        v.picklist(['complete', 'partial']),
        '`partial`: the answer ended before it said that it was complete',
      ),
      duration: millisecondsPart,
      firstByte: v.optional(told(millisecondsPart, 'milliseconds until the answer began')),
      toolCalls: told(
        v.array(v.object({ name: textPart, arguments: textPart })),
        'the tools that the model asked for, at most 100; of their arguments at most 500 characters',
      ),
      refusal: v.optional(refusal),
      log: v.optional(told(textPart, 'ID of the texts for `holdfast llm show`')),
      logFailure: v.optional(told(textPart, 'why the texts could not be kept, if the policy keeps them')),
    }),
  ],
  commands: [
    {
      name: 'usage',
      module: 'usage.ts',
      export: 'usageCommand',
      summary: 'Show the tokens and the cost of language model calls',
      section: 'record',
    },
    {
      name: 'llm',
      module: 'llm/index.ts',
      export: 'llmCommand',
      summary: 'List language model calls and show kept conversations',
      section: 'record',
    },
  ],
} as const satisfies Feature;

/** Keys that only the user's and the machine's policy may set, because they reduce inspection or counting. */
const ofUsers = [
  { key: 'servers', cannot: 'define servers of models', remedy: 'move [[llm.servers]] to the user policy' },
  { key: 'prices', cannot: 'set the prices of models', remedy: 'move [[llm.prices]] to the user policy' },
  { key: 'gateway', value: 'off', cannot: 'keep requests to language models from being looked into' },
  { key: 'output', value: 'as-is', cannot: 'keep answers of language models from being filtered' },
  { key: 'local_tools', cannot: 'declare tools as local: these get secrets' },
  { key: 'log', cannot: "choose the kept parts of the user's conversations" },
  { key: 'log_keep', cannot: "say how long the user's conversations are kept" },
  { key: 'log_most', cannot: "say how much of the user's conversations is kept" },
] as const;

function placed({ llm = {} }: PolicyPart<typeof policy>, layer: LayerKind): readonly DocumentFinding[] {
  return ofUsers.flatMap(({ key, ...saying }) =>
    'value' in saying && llm[key] !== saying.value ? [] : usersOnly(llm[key], layer, { at: `llm.${key}`, ...saying }),
  );
}
