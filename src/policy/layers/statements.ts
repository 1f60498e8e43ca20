import { type DefaultGrant, privatePlaces, systemReads } from '../builtin/defaults.ts';
import { describeCredential, describeSource } from '../credentials/describe-credential.ts';
import { llmStatements } from '../llm/llm-statements.ts';
import { mcpStatements } from '../mcp/mcp-statements.ts';
import { lineOf, type RuleTable } from '../document/types.ts';
import { builtinOrigin } from './builtin-atoms.ts';
import type { Statement } from './layer.ts';
import type { Amount, ApprovalLayerSettings, LayerSettings } from './settings.ts';
import { listNames, type LayerSource, type RuleAtom } from './source.ts';

/** Everything a layer says, line by line, as `holdfast policy show` prints it. */
export function statementsOf(source: LayerSource): readonly Statement[] {
  const lists = listNames.flatMap((subject) => (source.lists[subject] ?? []).map(({ text, origin, reason }) => statement(subject, text, { origin, reason })));
  const names = source.names.map(({ name, origin }) =>
    statement(name.effect === 'hidden' ? 'files.deny' : 'files.protect', `**/${name.components.join('/')}`, { origin, reason: name.reason }),
  );
  const hidden = source.hiddenPlaces.map(({ text, origin, reason }) => statement('files.deny', text, { origin, reason }));
  const keys = source.registryKeys.map(({ text, origin, reason }) => statement('registry.deny', text, { origin, reason }));
  const own = source.role === 'base' ? [...builtinStatements('files.read', systemReads), ...builtinStatements('files.private', privatePlaces)] : [];
  const tables = Object.keys(source.rules) as RuleTable[];
  const rules = tables.flatMap((table) => source.rules[table].map((atom) => ruleStatement(table, atom)));
  const credentials = source.credentials.flatMap(({ credentials: all }) => all.map((credential) => statement('credentials', describeCredential(credential), credential)));
  return [...lists, ...own, ...names, ...hidden, ...keys, ...rules, ...credentials, ...settingStatements(source.settings)];
}

function builtinStatements(subject: string, grants: readonly DefaultGrant[]): readonly Statement[] {
  return grants.map(({ pattern, reason }) => statement(subject, pattern, { origin: builtinOrigin(`${subject === 'files.read' ? 'system' : 'private'}:${pattern}`, 'user'), reason }));
}

type Extras = Pick<Statement, 'origin'> & { readonly reason?: string | undefined };

function statement(subject: string, value: string, { origin, reason }: Extras): Statement {
  return reason === undefined ? { subject, value, origin } : { subject, value, origin, reason };
}

function ruleStatement(table: RuleTable, { rule, origin }: RuleAtom<RuleTable>): Statement {
  const matchers = Object.entries(rule).filter(([key]) => !['name', 'decision', 'reason', 'match', 'not_match'].includes(key));
  const words = matchers.map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  return statement(table, `${rule.decision} ${words.join(' ')}`.trim(), { origin, reason: rule.reason });
}

function settingStatements({ limits, variables, requirements, backend, minimum, ptrace, dns, watch, unknownCommands, gitCommands, newProtected, resident, approvals, llm, mcp }: LayerSettings): readonly Statement[] {
  const limited = Object.entries(limits).map(([, setting]) => statement(setting.origin.rule, amountText(setting.value), { origin: setting.origin }));
  return [
    ...variables.map(({ name, value, origin }) => statement('environment.set', `${name}=${JSON.stringify(value)}`, { origin })),
    ...limited,
    ...requirements.map(({ value, origin }) => statement('require.guarantees', value, { origin })),
    ...(backend === undefined ? [] : [statement('backend.use', backend.value, { origin: backend.origin })]),
    ...(minimum === undefined ? [] : [statement('backend.minimum', minimum.value, { origin: minimum.origin })]),
    ...(ptrace === undefined ? [] : [statement('process.ptrace', ptrace.value, { origin: ptrace.origin })]),
    ...(dns === undefined ? [] : [statement('network.dns', dns.value, { origin: dns.origin })]),
    ...(watch === undefined ? [] : [statement('network.watch', watch.value, { origin: watch.origin })]),
    ...(unknownCommands === undefined ? [] : [statement('commands.unknown', unknownCommands.value, { origin: unknownCommands.origin })]),
    ...(gitCommands === undefined ? [] : [statement('commands.git', gitCommands.value, { origin: gitCommands.origin })]),
    ...(resident === undefined ? [] : [statement('resident', resident.value, { origin: resident.origin })]),
    ...(newProtected === undefined ? [] : [statement('files.new_protected', newProtected.value, { origin: newProtected.origin })]),
    ...(approvals === undefined ? [] : approvalStatements(approvals)),
    ...(llm === undefined ? [] : llmStatements(llm).map(({ subject, value, at, reason }) => statement(subject, value, { origin: { ...llm.origin, rule: at, line: lineOf(llm, at) }, reason }))),
    ...(mcp === undefined ? [] : mcpStatements(mcp).map(({ subject, value, at, reason }) => statement(subject, value, { origin: { ...mcp.origin, rule: at, line: lineOf(mcp, at) }, reason }))),
  ];
}

/** Of a webhook only its host: the path of its URL may be a secret. */
function approvalStatements({ timeout, desktop, totp, webhook }: ApprovalLayerSettings): readonly Statement[] {
  return [
    ...(timeout === undefined ? [] : [statement('approvals.timeout', `${timeout.value / 1000}s`, timeout)]),
    ...(desktop === undefined ? [] : [statement('approvals.desktop', desktop.value, desktop)]),
    ...totp.map(({ value, origin }) => statement('approvals.totp', value, { origin })),
    ...(webhook === undefined ? [] : [statement('approvals.webhook', `${new URL(webhook.value.url).host}, signed with a secret from ${describeSource(webhook.value.secret)}`, webhook)]),
  ];
}

function amountText(value: number | Amount): string {
  if (typeof value === 'number') return String(value);
  return value.kind === 'share' ? `${value.share * 100}%` : `${value.bytes} bytes`;
}
