import type { LlmLayer } from './document-llm.ts';

/** What a layer says about language models, line by line: what it is about, and what it says. */
export function llmStatements({ gateway, output, servers, budgets, rates, prices, dlp }: LlmLayer): readonly { readonly subject: string; readonly value: string; readonly reason?: string }[] {
  const single = { gateway, output };
  return [
    ...Object.entries(single).flatMap(([key, value]) => (value === undefined ? [] : [{ subject: `llm.${key}`, value }])),
    ...servers.map(({ name, hosts, style, basePath }) => ({ subject: 'llm.servers', value: `${name}: ${style} at ${hosts.map(({ source }) => source).join(', ')}${basePath}` })),
    ...budgets.map(({ name, limit, over, providers, models }) => ({ subject: 'llm.budgets', value: `${name}: ${limit.most} ${limit.kind === 'usd' ? 'USD' : limit.kind} per ${over}${only(providers)}${only(models)}` })),
    ...rates.map(({ providers, requestsPerMinute: requests, tokensPerMinute: tokens }) => ({ subject: 'llm.rates', value: `${[requests === undefined ? [] : `${requests} requests`, tokens === undefined ? [] : `${tokens} tokens`].flat().join(' and ')} a minute${only(providers)}` })),
    ...prices.map(({ models, input, output: out }) => ({ subject: 'llm.prices', value: `${models.join(', ')}: ${input} USD in, ${out} USD out` })),
    ...dlp.map(({ name, decision, reason, finds, patterns, hosts }) => ({ subject: 'dlp', value: `${decision} ${[...finds, ...patterns.map((pattern) => JSON.stringify(pattern))].join(', ')} to ${hosts === 'models' ? 'servers of models' : hosts.map(({ source }) => source).join(', ')} (${name})`, ...(reason === undefined ? {} : { reason }) })),
  ];
}

function only(names: readonly string[]): string {
  return names.length === 0 ? '' : `, ${names.join(', ')} only`;
}
