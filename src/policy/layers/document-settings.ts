import type { Origin } from '../origin.ts';
import { lineOf, type PolicyDocument, type PolicyValue } from '../document/types.ts';
import type { LimitRow } from '../features/feature.ts';
import { features } from '../features/index.ts';
import { limitRows, settingPlaces } from '../features/merge.ts';
import { documentLlm } from '../llm/document-llm.ts';
import { readWebhook } from '../approvals/read-webhook.ts';
import type { Roots } from '../patterns/resolve-path.ts';
import type { LayerKind } from '../verdict.ts';
import { limitName } from './limit-names.ts';
import { type Amount, parseAmount, parseBytes, parseDuration } from './quantities.ts';
import type { ApprovalLayerSettings, LayerSettings, LimitSettings, Setting, WordSettings } from './settings.ts';

type Limits = NonNullable<PolicyValue['limits']>;

/** Returns a document's settings other than decisions. A limit of `"none"` is no limit. */
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
    ...words(value, from),
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
  // Errors were reported when the document was parsed.
  const hook = webhook === undefined ? undefined : readWebhook(webhook, roots);
  return {
    ...setting('timeout', parseDuration(timeout ?? 'none'), from('approvals.timeout')),
    ...setting('desktop', desktop, from('approvals.desktop')),
    totp: totp.map((value, index) => ({ value, origin: from(`approvals.totp[${index}]`) })),
    ...setting('webhook', hook?.kind === 'read' ? hook.value : undefined, from('approvals.webhook')),
  };
}

/** Returns the limits that a document mentions, including lifted ones, because they replace a default. */
export function mentionedLimits(document: PolicyDocument): ReadonlySet<keyof LimitSettings> {
  return new Set(Object.keys(document.value.limits ?? {}).map((key) => limitName(key as keyof Limits)));
}

const places = Object.entries<string>(settingPlaces(features));

/** Single words at the paths that their features name. */
function words(value: PolicyValue, from: (path: string) => Origin): WordSettings {
  const entries = places.map(([name, place]) =>
    setting(
      name,
      place
        .split('.')
        .reduce<unknown>((part, key) => (part as Readonly<Record<string, unknown>> | undefined)?.[key], value),
      from(place),
    ),
  );
  return Object.assign({}, ...entries) as WordSettings;
}

const limitKeys = Object.entries(limitRows(features));

function documentLimits(limits: Limits, from: (path: string) => Origin): LimitSettings {
  const said: Readonly<Record<string, string | number | undefined>> = limits;
  return Object.assign(
    {},
    ...limitKeys.map(([key, row]) =>
      setting(limitName(key), readQuantity(said[key] ?? 'none', row), from(`limits.${key}`)),
    ),
  ) as LimitSettings;
}

function readQuantity(value: string | number, { quantity }: LimitRow): Amount | number | undefined {
  // A number counts cores or items.
  return typeof value === 'number' ? value : readers[quantity](value);
}

const readers = { amount: parseAmount, bytes: parseBytes, duration: parseDuration, number: () => undefined } as const;

/** Returns the entry, or nothing without a value: optional properties are absent, not undefined. */
function setting<Key extends string, Value>(
  key: Key,
  value: Value | undefined,
  origin: Origin,
): { readonly [Name in Key]?: Setting<Value> } {
  return value === undefined ? {} : ({ [key]: { value, origin } } as { readonly [Name in Key]: Setting<Value> });
}
