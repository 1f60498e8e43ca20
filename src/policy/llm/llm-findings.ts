import { hostFindings, twice } from '../document/entry-findings.ts';
import type { PolicyPart } from '../document/policy-part.ts';
import type { DocumentFinding } from '../document/problem.ts';
import { parseBytes, parseDuration } from '../layers/quantities.ts';
import { type llmEntry, readLimit } from './schema.ts';

/** Returns the problems of one document's `[llm]`. */
export function llmFindings({ llm = {} }: PolicyPart<{ llm: typeof llmEntry }>): readonly DocumentFinding[] {
  const { servers = [], budgets = [], rates = [], log_keep: keep, log_most: most } = llm;
  return [
    ...nothingKept('log_keep', keep, parseDuration),
    ...nothingKept('log_most', most, parseBytes),
    ...twice('llm.servers', servers),
    ...twice('llm.budgets', budgets),
    ...servers.flatMap(({ hosts }, index) => hostFindings(`llm.servers[${index}].hosts`, hosts)),
    ...budgets.flatMap(({ limit }, index) =>
      readLimit(limit) === undefined
        ? [
            {
              at: `llm.budgets[${index}].limit`,
              message: `"${limit}" is not a limit that could be kept`,
              remedy: 'write more than zero, and whole tokens and requests; leave the budget out to set none',
            },
          ]
        : [],
    ),
    ...rates.flatMap((rate, index) =>
      rate.requests_per_minute === undefined && rate.tokens_per_minute === undefined
        ? [
            {
              at: `llm.rates[${index}]`,
              message: 'the rate says neither how many requests nor how many tokens',
              remedy: 'write requests_per_minute, tokens_per_minute, or both',
            },
          ]
        : [],
    ),
  ];
}

/** No machine has more, and larger numbers lose their last digits. */
const largest = 2 ** 50;

function nothingKept(
  key: 'log_keep' | 'log_most',
  text: string | undefined,
  read: (text: string) => number | undefined,
): readonly DocumentFinding[] {
  const value = text === undefined ? 1 : (read(text) ?? 0);
  return value >= 1 && value <= largest
    ? []
    : [
        {
          at: `llm.${key}`,
          message: `"${text}" is ${value < 1 ? 'nothing' : 'larger than any machine'}`,
          remedy: 'write log = "metadata" to keep nothing, or leave the key out',
        },
      ];
}
