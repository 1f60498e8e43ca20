import type { DefaultGrant } from '../builtin/default-grant.ts';
import { privatePlaces, systemReads } from '../builtin/defaults.ts';
import { describeCredential, describeSource } from '../credentials/describe-credential.ts';
import type { RuleTable } from '../document/rule-schema.ts';
import { lineOf } from '../document/types.ts';
import { features } from '../features/index.ts';
import { settingPlaces } from '../features/merge.ts';
import type { LlmLayer } from '../llm/document-llm.ts';
import type { McpLayer } from '../mcp/types.ts';
import { builtinOrigin } from './builtin-atoms.ts';
import type { Statement } from './layer.ts';
import { limitNames, limitQuantities } from './limit-names.ts';
import type { ApprovalLayerSettings, LayerSettings, LimitSettings, WordSettings } from './settings.ts';
import { type Amount, writtenBytes, writtenDuration } from './quantities.ts';
import { listNames, type LayerSource, type RuleAtom } from './source.ts';

/** Returns all statements of a layer, line by line, as `holdfast policy show` prints them. */
export function statementsOf(source: LayerSource): readonly Statement[] {
  const lists = listNames.flatMap((subject) =>
    (source.lists[subject] ?? []).map(({ text, origin, reason }) => statement(subject, text, { origin, reason })),
  );
  const names = source.names.map(({ name, origin }) =>
    statement(name.effect === 'hidden' ? 'files.deny' : 'files.protect', `**/${name.components.join('/')}`, {
      origin,
      reason: name.reason,
    }),
  );
  const hidden = source.hiddenPlaces.map(({ text, origin, reason }) =>
    statement('files.deny', text, { origin, reason }),
  );
  const keys = source.registryKeys.map(({ text, origin, reason }) =>
    statement('registry.deny', text, { origin, reason }),
  );
  const own =
    source.role === 'base'
      ? [...builtinStatements('files.read', systemReads), ...builtinStatements('files.private', privatePlaces)]
      : [];
  const tables = Object.keys(source.rules) as RuleTable[];
  const rules = tables.flatMap((table) => source.rules[table].map((atom) => ruleStatement(table, atom)));
  const credentials = source.credentials.flatMap(({ credentials: all }) =>
    all.map((credential) => statement('credentials', describeCredential(credential), credential)),
  );
  return [
    ...lists,
    ...own,
    ...names,
    ...hidden,
    ...keys,
    ...rules,
    ...credentials,
    ...settingStatements(source.settings),
  ];
}

function builtinStatements(subject: string, grants: readonly DefaultGrant[]): readonly Statement[] {
  return grants.map(({ pattern, reason }) =>
    statement(subject, pattern, {
      origin: builtinOrigin(`${subject === 'files.read' ? 'system' : 'private'}:${pattern}`, 'user'),
      reason,
    }),
  );
}

type Extras = Pick<Statement, 'origin'> & { readonly reason?: string | undefined };

function statement(subject: string, value: string, { origin, reason }: Extras): Statement {
  return reason === undefined ? { subject, value, origin } : { subject, value, origin, reason };
}

function ruleStatement(table: RuleTable, { rule, origin }: RuleAtom<RuleTable>): Statement {
  const matchers = Object.entries(rule).filter(
    ([key]) => !['name', 'decision', 'reason', 'match', 'not_match'].includes(key),
  );
  const words = matchers.map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  return statement(table, `${rule.decision} ${words.join(' ')}`.trim(), { origin, reason: rule.reason });
}

function settingStatements(settings: LayerSettings): readonly Statement[] {
  const { limits, variables, requirements, approvals, llm, mcp } = settings;
  const limited = limitNames.flatMap((name) => {
    const setting = limits[name];
    return setting === undefined
      ? []
      : [statement(setting.origin.rule, limitText(name, setting.value), { origin: setting.origin })];
  });
  return [
    ...variables.map(({ name, value, origin }) =>
      statement('environment.set', `${name}=${JSON.stringify(value)}`, { origin }),
    ),
    ...limited,
    ...requirements.map(({ value, origin }) => statement('require.guarantees', value, { origin })),
    ...wordStatements(settings),
    ...(approvals === undefined ? [] : approvalStatements(approvals)),
    ...(llm === undefined
      ? []
      : llmStatements(llm).map(({ subject, value, at, reason }) =>
          statement(subject, value, { origin: { ...llm.origin, rule: at, line: lineOf(llm, at) }, reason }),
        )),
    ...(mcp === undefined
      ? []
      : mcpStatements(mcp).map(({ subject, value, at, reason }) =>
          statement(subject, value, { origin: { ...mcp.origin, rule: at, line: lineOf(mcp, at) }, reason }),
        )),
  ];
}

const wordPlaces = Object.entries(settingPlaces(features)) as readonly (readonly [keyof WordSettings, string])[];

function wordStatements(settings: WordSettings): readonly Statement[] {
  return wordPlaces.flatMap(([name, place]) => {
    const setting = settings[name];
    return setting === undefined ? [] : [statement(place, String(setting.value), { origin: setting.origin })];
  });
}

/** Shows only the host of a webhook: the path of its URL may be a secret. */
function approvalStatements({ timeout, desktop, totp, webhook }: ApprovalLayerSettings): readonly Statement[] {
  return [
    ...(timeout === undefined ? [] : [statement('approvals.timeout', `${timeout.value / 1000}s`, timeout)]),
    ...(desktop === undefined ? [] : [statement('approvals.desktop', desktop.value, desktop)]),
    ...totp.map(({ value, origin }) => statement('approvals.totp', value, { origin })),
    ...(webhook === undefined
      ? []
      : [
          statement(
            'approvals.webhook',
            `${new URL(webhook.value.url).host}, signed with a secret from ${describeSource(webhook.value.secret)}`,
            webhook,
          ),
        ]),
  ];
}

/** Writes a limit as a policy file does: `2GiB`, `75%`, `30d`. */
export function limitText(name: keyof LimitSettings, value: number | Amount): string {
  if (typeof value !== 'number') return value.kind === 'share' ? `${value.share * 100}%` : writtenBytes(value.bytes);
  switch (limitQuantities[name]) {
    case 'amount':
    case 'bytes':
      return writtenBytes(value);
    case 'duration':
      return writtenDuration(value);
    case 'number':
      return String(value);
  }
}

interface McpStatement {
  readonly subject: string;
  readonly value: string;
  /** Path in the document: `mcp.servers[0]`. */
  readonly at: string;
  readonly reason?: string | undefined;
}

/** Returns a layer's statements about MCP servers, line by line. */
export function mcpStatements({ value: { pin, servers = [], flows = [] } }: McpLayer): readonly McpStatement[] {
  return [
    ...(pin === undefined ? [] : [{ subject: 'mcp.pin', at: 'mcp.pin', value: pin }]),
    ...servers.map(({ name, ...capabilities }, index) => ({
      subject: 'mcp.servers',
      at: `mcp.servers[${index}]`,
      value: [`${name}:`, ...Object.entries(capabilities).map(([key, has]) => `${key}=${JSON.stringify(has)}`)].join(
        ' ',
      ),
    })),
    ...flows.map(({ name, from, to, decision, reason }, index) => ({
      subject: 'mcp.flows',
      at: `mcp.flows[${index}]`,
      value: `${decision} ${to.join(', ')} after ${from.join(', ')} (${name})`,
      reason,
    })),
  ];
}

interface LlmStatement {
  readonly subject: string;
  readonly value: string;
  /** Path in the document: `llm.budgets[0]`. */
  readonly at: string;
  readonly reason?: string;
}

/** A layer's statements about language models, line by line: their subject and their text. */
function llmStatements({
  gateway,
  output,
  log,
  tools,
  lookInto,
  servers,
  budgets,
  rates,
  prices,
  dlp,
}: LlmLayer): readonly LlmStatement[] {
  const single = {
    gateway,
    output,
    log: log?.what,
    log_keep: log?.keep === undefined ? undefined : `${log.keep / 1000} s`,
    log_most: log?.most === undefined ? undefined : writtenBytes(log.most),
  };
  return [
    ...Object.entries(single).flatMap(([key, value]) => (value === undefined ? [] : [{ ...at(`llm.${key}`), value }])),
    ...Object.entries({ remote_tools: tools.remote, local_tools: tools.local, look_into: lookInto }).flatMap(
      ([key, names]) => (names.length === 0 ? [] : [{ ...at(`llm.${key}`), value: names.join(', ') }]),
    ),
    ...servers.map(({ name, hosts, style, basePath }, index) => ({
      ...at('llm.servers', index),
      value: `${name}: ${style} at ${hosts.map(({ source }) => source).join(', ')}${basePath}`,
    })),
    ...budgets.map(({ name, limit, over, providers, models }, index) => ({
      ...at('llm.budgets', index),
      value: `${name}: ${limit.most} ${limit.kind === 'usd' ? 'USD' : limit.kind} per ${over}${only(providers)}${only(models)}`,
    })),
    ...rates.map(({ providers, requestsPerMinute: requests, tokensPerMinute: tokens }, index) => ({
      ...at('llm.rates', index),
      value: `${[requests === undefined ? [] : `${requests} requests`, tokens === undefined ? [] : `${tokens} tokens`].flat().join(' and ')} a minute${only(providers)}`,
    })),
    ...prices.map(({ models, input, output: out }, index) => ({
      ...at('llm.prices', index),
      value: `${models.join(', ')}: ${input} USD in, ${out} USD out`,
    })),
    ...dlp.map(({ name, decision, reason, finds, patterns, hosts }, index) => ({
      ...at('dlp', index),
      value: `${decision} ${[...finds, ...patterns.map((pattern) => JSON.stringify(pattern))].join(', ')} to ${hosts === 'models' ? 'servers of models' : hosts.map(({ source }) => source).join(', ')} (${name})`,
      ...(reason === undefined ? {} : { reason }),
    })),
  ];
}

function at(subject: string, index?: number): Pick<LlmStatement, 'subject' | 'at'> {
  return { subject, at: index === undefined ? subject : `${subject}[${index}]` };
}

function only(names: readonly string[]): string {
  return names.length === 0 ? '' : `, ${names.join(', ')} only`;
}
