import * as v from 'valibot';
import { decisions, layerKinds } from '../verdict.ts';

/** Returns the schema of an event. Descriptions appear in the published schema: docs/audit-events.schema.json. */
export function event<const Type extends string, Entries extends v.ObjectEntries>(
  type: Type,
  description: string,
  entries: Entries,
) {
  return v.pipe(v.object({ type: v.literal(type), ...entries }), v.description(description));
}

export function told<Schema extends v.GenericSchema>(schema: Schema, description: string) {
  return v.pipe(schema, v.description(description));
}

export const textPart = v.string();
export const textsPart = v.array(textPart);
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));
export const millisecondsPart = told(v.number(), 'milliseconds');
export const sha256Part = v.pipe(
  v.string(),
  v.regex(/^[0-9a-f]{64}$/),
  v.description('SHA-256 or HMAC-SHA256, lower-case hexadecimal'),
);
export const workspace = told(textPart, 'real path of the workspace');
export const port = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(65_535));
export const host = { host: textPart, port } as const;
export const scheme = v.picklist(['http', 'https', 'ws', 'wss']);
export const decision = v.picklist(decisions);
export const refusal = v.object({ code: textPart, message: textPart });

/** `why` finds refusals of a repository by its workspace. */
export const inSession = { session: textPart, workspace } as const;

/** The request of an enforcement point: `PolicyRequest`. */
export const request = v.variant('kind', [
  v.object({
    kind: v.literal('file'),
    operation: v.picklist(['read', 'write', 'create', 'delete', 'execute']),
    path: textPart,
  }),
  v.object({
    kind: v.literal('exec'),
    program: textPart,
    argv: textsPart,
    context: v.picklist(['direct', 'nested']),
    unknown: v.optional(v.array(v.number())),
  }),
  v.object({ kind: v.literal('connect'), host: textPart, port, protocol: v.picklist(['tcp', 'udp']) }),
  v.object({ kind: v.literal('http'), method: textPart, scheme, host: textPart, port, path: textPart }),
  v.object({ kind: v.literal('dns'), name: textPart, recordType: textPart }),
  v.object({ kind: v.literal('socket'), operation: v.picklist(['connect', 'bind', 'send']), address: textPart }),
  v.object({
    kind: v.literal('signal'),
    signal: textPart,
    target: v.picklist(['self', 'child', 'box', 'supervisor', 'outside']),
  }),
  v.object({ kind: v.literal('env'), name: textPart, looks: v.optional(v.literal('secret')) }),
  v.object({ kind: v.literal('tool'), server: textPart, tool: textPart, arguments: textPart }),
  v.object({ kind: v.literal('trust'), path: textPart, sha256: sha256Part }),
  v.object({
    kind: v.literal('registry'),
    operation: v.picklist(['read', 'write', 'create', 'delete']),
    key: textPart,
  }),
]);

/** The part of a `Verdict` that the journal keeps. */
export const verdict = v.object({
  decision,
  code: v.picklist([
    'granted',
    'rule',
    'deny-set',
    'not-granted',
    'outside-ceiling',
    'credential-store',
    'protected-path',
    'hidden-file',
    'policy-file',
    'withheld',
    'unknown-word',
    'not-understood',
    'command-class',
    'planted-program',
    'unrepresentable',
  ]),
  rule: told(textPart, 'name of the rule that settled it'),
  layer: v.picklist(layerKinds),
  file: told(textPart, 'the policy file, or `built-in`'),
  line: told(count, '1-based; 0 for built-in rules'),
  message: textPart,
  remedy: textPart,
});

export const judged = { ...inSession, request, verdict } as const;
