import type { Finding } from '../document/problem.ts';
import type { PolicyValue } from '../document/types.ts';
import { parseBytes, parseDuration } from '../layers/quantities.ts';
import { parseHostPattern } from '../patterns/host-pattern.ts';
import { readLimit } from './read-limit.ts';

type Llm = NonNullable<PolicyValue['llm']>;

/** What is wrong with `[llm]` and `[[dlp]]` of one document. Whether a rule, a provider or a pattern is known is said where those are. */
export function llmFindings({ llm = {}, dlp = [] }: Pick<PolicyValue, 'llm' | 'dlp'>): readonly Finding[] {
  const { servers = [], budgets = [], rates = [] } = llm;
  return [
    ...twice('llm.servers', servers),
    ...twice('llm.budgets', budgets),
    ...twice('dlp', dlp),
    ...servers.flatMap(({ hosts }, index) => hostFindings(`llm.servers[${index}].hosts`, hosts)),
    ...budgets.flatMap(({ limit }, index) => (readLimit(limit) === undefined ? [{ at: `llm.budgets[${index}].limit`, message: `"${limit}" is no limit that could be kept`, remedy: 'write more than zero, and whole tokens and requests; leave the budget out to set none' }] : [])),
    ...rates.flatMap((rate, index) => (rate.requests_per_minute === undefined && rate.tokens_per_minute === undefined ? [{ at: `llm.rates[${index}]`, message: 'the rate says neither how many requests nor how many tokens', remedy: 'write requests_per_minute, tokens_per_minute, or both' }] : [])),
    ...dlp.flatMap(({ finds = [], patterns = [], hosts = [] }, index) => [
      ...(finds.length === 0 && patterns.length === 0 ? [{ at: `dlp[${index}]`, message: 'the rule looks for nothing', remedy: 'write finds = ["keys"], or patterns' }] : []),
      ...hostFindings(`dlp[${index}].hosts`, hosts),
    ]),
    ...quantities(llm),
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
    return first === index ? [] : [{ at: `${at}[${index}].name`, message: `the name "${name}" is already used by ${at}[${first}]`, remedy: 'give each entry a name of its own' }];
  });
}

function quantities({ log_age: age, log_size: size }: Llm): readonly Finding[] {
  const isUsable = (value: number | undefined): boolean => value === undefined || (value >= 1 && value <= Number.MAX_SAFE_INTEGER);
  return [
    ...(isUsable(age === undefined ? undefined : parseDuration(age)) ? [] : [{ at: 'llm.log_age', message: 'the age is zero, or longer than anything', remedy: 'write log_age = "30d"; log = "metadata" keeps no bodies' }]),
    ...(isUsable(size === undefined ? undefined : parseBytes(size)) ? [] : [{ at: 'llm.log_size', message: 'the size is zero, or larger than anything', remedy: 'write log_size = "500MB"; log = "metadata" keeps no bodies' }]),
  ];
}
