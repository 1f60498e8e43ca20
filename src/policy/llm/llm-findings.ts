import type { Finding } from '../document/problem.ts';
import type { PolicyValue } from '../document/types.ts';
import { parseBytes, parseDuration } from '../layers/quantities.ts';
import { parseHostPattern } from '../patterns/host-pattern.ts';
import { compilePattern, rulePacks } from '../../dlp/index.ts';
import { readLimit } from './read-limit.ts';

/** What is wrong with `[llm]` and `[[dlp]]` of one document. */
export function llmFindings({ llm = {}, dlp = [] }: Pick<PolicyValue, 'llm' | 'dlp'>): readonly Finding[] {
  const { servers = [], budgets = [], rates = [], log_keep: keep, log_most: most } = llm;
  return [
    ...nothingKept('log_keep', keep, parseDuration),
    ...nothingKept('log_most', most, parseBytes),
    ...twice('llm.servers', servers),
    ...twice('llm.budgets', budgets),
    ...twice('dlp', dlp),
    ...servers.flatMap(({ hosts }, index) => hostFindings(`llm.servers[${index}].hosts`, hosts)),
    ...budgets.flatMap(({ limit }, index) =>
      readLimit(limit) === undefined
        ? [
            {
              at: `llm.budgets[${index}].limit`,
              message: `"${limit}" is no limit that could be kept`,
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
    ...dlp.flatMap(({ finds = [], patterns = [], hosts = [] }, index) => [
      ...(finds.length === 0 && patterns.length === 0
        ? [
            {
              at: `dlp[${index}]`,
              message: 'the rule looks for nothing',
              remedy: 'write finds = ["keys"], or patterns',
            },
          ]
        : []),
      ...finds.flatMap((find, at) =>
        isRule(find)
          ? []
          : [
              {
                at: `dlp[${index}].finds[${at}]`,
                message: `nothing is called "${find}"`,
                remedy: `write a pack (${Object.keys(rulePacks).join(', ')}), or a rule of one such as "github-token"`,
              },
            ],
      ),
      ...patterns.flatMap((pattern, at) => patternFindings(`dlp[${index}].patterns[${at}]`, pattern)),
      ...hostFindings(`dlp[${index}].hosts`, hosts),
    ]),
  ];
}

/** No machine has more, and numbers beyond lose their last digits. */
const largest = 2 ** 50;

function nothingKept(
  key: 'log_keep' | 'log_most',
  text: string | undefined,
  read: (text: string) => number | undefined,
): readonly Finding[] {
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

function hostFindings(at: string, hosts: readonly string[]): readonly Finding[] {
  return hosts.flatMap((text, index) => {
    const parsed = parseHostPattern(text);
    return parsed.kind === 'host' ? [] : [{ at: `${at}[${index}]`, message: parsed.message, remedy: parsed.remedy }];
  });
}

function twice(at: string, entries: readonly { readonly name: string }[]): readonly Finding[] {
  return entries.flatMap(({ name }, index) => {
    const first = entries.findIndex((entry) => entry.name === name);
    return first === index
      ? []
      : [
          {
            at: `${at}[${index}].name`,
            message: `the name "${name}" is already used by ${at}[${first}]`,
            remedy: 'give each entry a name of its own',
          },
        ];
  });
}

const names: ReadonlySet<string> = new Set([
  ...Object.keys(rulePacks),
  ...Object.values(rulePacks).flatMap((rules) => rules.map(({ name }) => name)),
]);

/** What is misspelt would find nothing, and nobody would know. */
function isRule(find: string): boolean {
  return names.has(find);
}

function patternFindings(at: string, pattern: string): readonly Finding[] {
  const compiled = compilePattern(pattern);
  return compiled.kind === 'rule'
    ? []
    : [
        {
          at,
          message: `"${pattern}" cannot be looked for: ${compiled.why}`,
          remedy: 'write a pattern that begins with what it has for certain, such as "ACME-[0-9]{6}"',
        },
      ];
}
