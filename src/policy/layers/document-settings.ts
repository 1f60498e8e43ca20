import type { Origin } from '../origin.ts';
import { lineOf, type PolicyDocument, type PolicyValue } from '../document/types.ts';
import { documentLlm } from '../llm/document-llm.ts';
import { readWebhook } from '../approvals/read-webhook.ts';
import type { Roots } from '../patterns/resolve-path.ts';
import type { LayerKind } from '../verdict.ts';
import { parseAmount, parseBytes, parseDuration } from './quantities.ts';
import type { ApprovalLayerSettings, LayerSettings, LimitSettings, Setting } from './settings.ts';

type Limits = NonNullable<PolicyValue['limits']>;
type LimitKey = keyof Limits;

/** What a document says apart from decisions. A limit of `"none"` is no limit. */
export function documentSettings(document: PolicyDocument, layer: LayerKind, roots: Roots): LayerSettings {
  const { value } = document;
  const from = (path: string): Origin => ({ rule: path, layer, file: document.file, line: lineOf(document, path) });
  const llm = documentLlm(value);
  return {
    limits: documentLimits(value.limits ?? {}, from),
    variables: Object.entries(value.environment?.set ?? {}).map(([name, text]) => ({
      name,
      value: text,
      origin: from(`environment.set.${name}`),
    })),
    requirements: (value.require?.guarantees ?? []).map((guarantee, index) => ({
      value: guarantee,
      origin: from(`require.guarantees[${index}]`),
    })),
    ...setting('backend', value.backend?.use, from('backend.use')),
    ...setting('minimum', value.backend?.minimum, from('backend.minimum')),
    ...setting('ptrace', value.process?.ptrace, from('process.ptrace')),
    ...setting('dns', value.network?.dns, from('network.dns')),
    ...setting('watch', value.network?.watch, from('network.watch')),
    ...setting('unknownCommands', value.commands?.unknown, from('commands.unknown')),
    ...setting('gitCommands', value.commands?.git, from('commands.git')),
    ...setting('newProtected', value.files?.new_protected, from('files.new_protected')),
    ...setting('resident', value.resident, from('resident')),
    ...(value.approvals === undefined ? {} : { approvals: documentApprovals(value.approvals, roots, from) }),
    ...(llm === undefined
      ? {}
      : { llm: { ...llm, origin: from(value.llm === undefined ? 'dlp' : 'llm'), lines: document.lines } }),
    ...(value.mcp === undefined ? {} : { mcp: { value: value.mcp, origin: from('mcp'), lines: document.lines } }),
  };
}

function documentApprovals(
  { timeout, desktop, totp = [], webhook }: NonNullable<PolicyValue['approvals']>,
  roots: Roots,
  from: (path: string) => Origin,
): ApprovalLayerSettings {
  // What is wrong with one was found when the document was read.
  const hook = webhook === undefined ? undefined : readWebhook(webhook, roots);
  return {
    ...setting('timeout', parseDuration(timeout ?? 'none'), from('approvals.timeout')),
    ...setting('desktop', desktop, from('approvals.desktop')),
    totp: totp.map((value, index) => ({ value, origin: from(`approvals.totp[${index}]`) })),
    ...setting('webhook', hook?.kind === 'read' ? hook.value : undefined, from('approvals.webhook')),
  };
}

/** Limits that a document mentions, lifted ones included: those replace a default. */
export function mentionedLimits(document: PolicyDocument): ReadonlySet<keyof LimitSettings> {
  const keys = Object.keys(document.value.limits ?? {}) as LimitKey[];
  return new Set(keys.map((key) => names[key]));
}

const names: Readonly<Record<LimitKey, keyof LimitSettings>> = {
  memory: 'memory',
  processes: 'processes',
  cpus: 'cpus',
  cpu_time: 'cpuTime',
  file_size: 'fileSize',
  open_files: 'openFiles',
  tmp: 'tmp',
  staged: 'staged',
  trash: 'trash',
  trash_age: 'trashAge',
  wall: 'wall',
};

function documentLimits(limits: Limits, from: (path: string) => Origin): LimitSettings {
  const number = (value: number | 'none' | undefined): number | undefined => (value === 'none' ? undefined : value);
  return {
    ...setting('memory', parseAmount(limits.memory ?? 'none'), from('limits.memory')),
    ...setting('processes', number(limits.processes), from('limits.processes')),
    ...setting('cpus', number(limits.cpus), from('limits.cpus')),
    ...setting('cpuTime', parseDuration(limits.cpu_time ?? 'none'), from('limits.cpu_time')),
    ...setting('fileSize', parseBytes(limits.file_size ?? 'none'), from('limits.file_size')),
    ...setting('openFiles', number(limits.open_files), from('limits.open_files')),
    ...setting('tmp', parseAmount(limits.tmp ?? 'none'), from('limits.tmp')),
    ...setting('staged', parseBytes(limits.staged ?? 'none'), from('limits.staged')),
    ...setting('trash', parseBytes(limits.trash ?? 'none'), from('limits.trash')),
    ...setting('trashAge', parseDuration(limits.trash_age ?? 'none'), from('limits.trash_age')),
    ...setting('wall', parseDuration(limits.wall ?? 'none'), from('limits.wall')),
  };
}

/** An entry under `key`, or nothing when there is no value: optional properties are absent, not undefined. */
function setting<Key extends string, Value>(
  key: Key,
  value: Value | undefined,
  origin: Origin,
): { readonly [Name in Key]?: Setting<Value> } {
  return value === undefined ? {} : ({ [key]: { value, origin } } as { readonly [Name in Key]: Setting<Value> });
}
