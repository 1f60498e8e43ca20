import * as v from 'valibot';
import { decisions, layerKinds } from '../verdict.ts';

/** The schema of an event. What is described stands in the published schema: docs/audit-events.schema.json. */
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

export const text = v.string();
export const texts = v.array(text);
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));
export const milliseconds = told(v.number(), 'milliseconds');
export const sha256 = v.pipe(
  v.string(),
  v.regex(/^[0-9a-f]{64}$/),
  v.description('SHA-256 or HMAC-SHA256, lower-case hexadecimal'),
);
export const workspace = told(text, 'real path of the workspace');
export const port = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(65_535));
export const host = { host: text, port } as const;
export const scheme = v.picklist(['http', 'https', 'ws', 'wss']);
export const decision = v.picklist(decisions);
export const refusal = v.object({ code: text, message: text });

/** `why` finds the refusals of a repository by its workspace. */
export const inSession = { session: text, workspace } as const;

/** What an enforcement point asked about: `PolicyRequest`. */
export const request = v.variant('kind', [
  v.object({
    kind: v.literal('file'),
    operation: v.picklist(['read', 'write', 'create', 'delete', 'execute']),
    path: text,
  }),
  v.object({
    kind: v.literal('exec'),
    program: text,
    argv: texts,
    context: v.picklist(['direct', 'nested']),
    unknown: v.optional(v.array(v.number())),
  }),
  v.object({ kind: v.literal('connect'), host: text, port, protocol: v.picklist(['tcp', 'udp']) }),
  v.object({ kind: v.literal('http'), method: text, scheme, host: text, port, path: text }),
  v.object({ kind: v.literal('dns'), name: text, recordType: text }),
  v.object({ kind: v.literal('socket'), operation: v.picklist(['connect', 'bind', 'send']), address: text }),
  v.object({
    kind: v.literal('signal'),
    signal: text,
    target: v.picklist(['self', 'child', 'box', 'supervisor', 'outside']),
  }),
  v.object({ kind: v.literal('env'), name: text, looks: v.optional(v.literal('secret')) }),
  v.object({ kind: v.literal('tool'), server: text, tool: text, arguments: text }),
  v.object({ kind: v.literal('trust'), path: text, sha256 }),
  v.object({ kind: v.literal('registry'), operation: v.picklist(['read', 'write', 'create', 'delete']), key: text }),
]);

/** What the journal keeps of a `Verdict`. */
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
    'planted-program',
    'unrepresentable',
  ]),
  rule: told(text, 'name of the rule that settled it'),
  layer: v.picklist(layerKinds),
  file: told(text, 'the policy file, or `built-in`'),
  line: told(count, '1-based; 0 for built-in rules'),
  message: text,
  remedy: text,
});

export const judged = { ...inSession, request, verdict } as const;
