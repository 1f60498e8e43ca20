import type { LlmLayer } from './document-llm.ts';

export interface LlmStatement {
  readonly subject: string;
  readonly value: string;
  /** Where in the document it stands: `llm.budgets[0]`. */
  readonly at: string;
  readonly reason?: string;
}

/** What a layer says about language models, line by line: what it is about, and what it says. */
export function llmStatements({ gateway, output, log, tools, lookInto, servers, budgets, rates, prices, dlp }: LlmLayer): readonly LlmStatement[] {
  const single = { gateway, output, log: log?.what, log_keep: log?.keep === undefined ? undefined : `${log.keep / 1000} s`, log_most: log?.most === undefined ? undefined : `${log.most} bytes` };
  return [
    ...Object.entries(single).flatMap(([key, value]) => (value === undefined ? [] : [{ ...at(`llm.${key}`), value }])),
    ...Object.entries({ remote_tools: tools.remote, local_tools: tools.local, look_into: lookInto }).flatMap(([key, names]) => (names.length === 0 ? [] : [{ ...at(`llm.${key}`), value: names.join(', ') }])),
    ...servers.map(({ name, hosts, style, basePath }, index) => ({ ...at('llm.servers', index), value: `${name}: ${style} at ${hosts.map(({ source }) => source).join(', ')}${basePath}` })),
    ...budgets.map(({ name, limit, over, providers, models }, index) => ({ ...at('llm.budgets', index), value: `${name}: ${limit.most} ${limit.kind === 'usd' ? 'USD' : limit.kind} per ${over}${only(providers)}${only(models)}` })),
    ...rates.map(({ providers, requestsPerMinute: requests, tokensPerMinute: tokens }, index) => ({ ...at('llm.rates', index), value: `${[requests === undefined ? [] : `${requests} requests`, tokens === undefined ? [] : `${tokens} tokens`].flat().join(' and ')} a minute${only(providers)}` })),
    ...prices.map(({ models, input, output: out }, index) => ({ ...at('llm.prices', index), value: `${models.join(', ')}: ${input} USD in, ${out} USD out` })),
    ...dlp.map(({ name, decision, reason, finds, patterns, hosts }, index) => ({ ...at('dlp', index), value: `${decision} ${[...finds, ...patterns.map((pattern) => JSON.stringify(pattern))].join(', ')} to ${hosts === 'models' ? 'servers of models' : hosts.map(({ source }) => source).join(', ')} (${name})`, ...(reason === undefined ? {} : { reason }) })),
  ];
}

function at(subject: string, index?: number): Pick<LlmStatement, 'subject' | 'at'> {
  return { subject, at: index === undefined ? subject : `${subject}[${index}]` };
}

function only(names: readonly string[]): string {
  return names.length === 0 ? '' : `, ${names.join(', ')} only`;
}
