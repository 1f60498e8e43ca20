import { toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import * as v from 'valibot';
import type { BoundaryName, FindingKind } from '../../text/index.ts';
import { techniques } from '../techniques/table.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * An entry of the journal as a JSON Schema. Fields are only added, and types of events too: a reader takes what it
 * knows, and leaves the rest. `x-mitre-attack` names the techniques that `techniquesOf` may find.
 */
export function auditJsonSchema(): JsonObject {
  const common = convert(entrySchema);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'An entry of the Holdfast journal, version 2',
    ...common,
    oneOf: eventSchemas.map(convert),
    'x-mitre-attack': techniques,
  };
}

function convert(schema: GenericSchema): JsonObject {
  const { $schema: _draft, ...converted } = toJsonSchema(schema, { target: 'draft-2020-12' });
  return converted;
}

const text = v.string();

const workspace = v.pipe(v.string(), v.description('real path of the workspace'));

const layer = { workspace, layer: text } as const;
const checkpoint = { workspace, checkpoint: text } as const;

const texts = v.array(text);

const sha256 = v.pipe(
  v.string(),
  v.regex(/^[0-9a-f]{64}$/),
  v.description('SHA-256 or HMAC-SHA256, lower-case hexadecimal'),
);

const port = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(65_535));

const scheme = v.picklist(['http', 'https', 'ws', 'wss']);

/** What an enforcement point asked about: `PolicyRequest`. */
const request = v.variant('kind', [
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

/** Descriptions stand in the published schema. */
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const decision = v.picklist(['allow', 'audit', 'redirect', 'stage', 'ask', 'deny']);

const inSession = { session: text, workspace } as const;

const verdict = v.object({
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
  rule: v.pipe(text, v.description('name of the rule that settled it')),
  layer: v.picklist(['required', 'managed', 'user', 'project', 'session']),
  file: v.pipe(text, v.description('the policy file, or `built-in`')),
  line: v.pipe(count, v.description('1-based; 0 for built-in rules')),
  message: text,
  remedy: text,
});

const judged = { ...inSession, request, verdict } as const;
const host = { host: text, port } as const;

/** Spelled out, so that the compiler tells when one is missing here. */
const findingKinds = [
  'invisible',
  'bidi',
  'tag',
  'variation-selector',
  'filler',
  'annotation',
  'separator',
  'control',
  'noncharacter',
  'surrogate',
  'escape-sequence',
  'outbound',
  'mixed-script',
  'confusable',
] as const satisfies readonly FindingKind[];

export const textBoundaries = [
  'file-name',
  'branch-name',
  'file-content',
  'search-result',
  'command-output',
  'terminal-output',
  'page',
  'tool-description',
  'tool-result',
  'commit-text',
  'report',
  'approval-prompt',
  'command',
  'policy-file',
  'memory',
] as const satisfies readonly BoundaryName[];

const milliseconds = v.pipe(v.number(), v.description('milliseconds'));

const refusal = v.object({ code: text, message: text });

/** One schema for each type of event, in the order of the documentation. */
export const eventSchemas = [
  v.object({
    type: v.literal('session.start'),
    ...inSession,
    argv: texts,
    cwd: text,
    backend: text,
    uid: count,
    policy: sha256,
    staged: v.optional(text),
    partial: v.optional(v.pipe(texts, v.description('guarantees that its backend held with gaps'))),
    metadata: v.optional(v.pipe(v.record(text, text), v.description('labels that the program gave to its sandbox'))),
  }),
  v.object({
    type: v.literal('session.end'),
    ...inSession,
    exitCode: v.number(),
    signal: count,
    duration: milliseconds,
    reason: v.picklist(['exit', 'time-out', 'failure']),
  }),
  v.object({
    type: v.literal('refusal'),
    ...judged,
    observed: v.picklist(['output', 'arguments', 'sweep', 'enforcement']),
  }),
  v.object({
    type: v.literal('enforcement'),
    ...judged,
    outcome: v.picklist(['audited', 'redirected', 'kept', 'approved', 'neutralised']),
    argv: v.optional(texts),
    entry: v.optional(text),
  }),
  v.object({ type: v.literal('approval.requested'), ...judged, hash: sha256, title: text }),
  v.object({
    type: v.literal('approval.resolved'),
    ...inSession,
    hash: sha256,
    decision: v.picklist(['once', 'session', 'always', 'deny']),
    because: v.optional(
      v.picklist(['answer', 'time-out', 'nobody', 'repeated', 'full', 'hidden', 'closed', 'withdrawn', 'failure']),
    ),
    channel: v.optional(v.picklist(['terminal', 'prompt', 'dashboard', 'webhook', 'editor', 'library'])),
    waited: milliseconds,
  }),
  v.object({
    type: v.literal('trust.decided'),
    workspace,
    action: v.picklist(['approve', 'revoke', 'import']),
    level: v.optional(v.picklist(['session', 'always'])),
    signer: v.optional(text),
    files: v.array(v.object({ path: text, sha256, surface: text })),
  }),
  v.object({
    type: v.literal('trust.withheld'),
    ...inSession,
    files: v.array(v.object({ path: text, state: v.picklist(['new', 'changed', 'prose']) })),
  }),
  v.object({ type: v.literal('quarantine'), ...inSession, path: text, movedTo: text, reason: text }),
  v.object({
    type: v.literal('connection'),
    ...inSession,
    front: v.picklist(['transparent', 'connect', 'absolute-form', 'socks5', 'fetch', 'loopback']),
    ...host,
    address: v.optional(text),
    decision: v.optional(decision),
    rule: v.optional(text),
    refusal: v.optional(refusal),
    sent: count,
    received: count,
    duration: milliseconds,
    process: v.optional(v.object({ pid: count, program: text })),
  }),
  v.object({
    type: v.literal('request'),
    ...inSession,
    method: text,
    scheme,
    ...host,
    path: v.pipe(text, v.description('without its query')),
    status: count,
    decision: v.optional(decision),
    rule: v.optional(text),
    refusal: v.optional(refusal),
  }),
  v.object({
    type: v.literal('statement'),
    ...inSession,
    protocol: v.picklist(['postgres', 'redis']),
    ...host,
    user: text,
    database: v.optional(text),
    text,
    decision: v.picklist(['allow', 'deny']),
    outcome: text,
    count: v.optional(count),
  }),
  v.object({
    type: v.literal('model'),
    ...inSession,
    provider: text,
    dialect: text,
    operation: v.picklist(['generate', 'count', 'embed', 'other']),
    ...host,
    model: v.optional(text),
    agent: v.optional(text),
    status: count,
    tokens: v.optional(
      v.object({
        uncachedInput: count,
        cacheRead: count,
        cacheWrite5m: count,
        cacheWrite1h: count,
        output: count,
        reasoning: count,
      }),
    ),
    usd: v.pipe(
      v.nullable(v.pipe(v.number(), v.minValue(0))),
      v.description('US dollars; null where the model has no price'),
    ),
    prices: text,
    completeness: v.picklist(['complete', 'partial']),
    duration: milliseconds,
    firstByte: v.optional(milliseconds),
    toolCalls: v.array(v.object({ name: text, arguments: text })),
    refusal: v.optional(refusal),
    log: v.optional(v.pipe(text, v.description('under which ID `holdfast llm show` has the texts'))),
    logFailure: v.optional(text),
  }),
  v.object({
    type: v.literal('dlp'),
    ...inSession,
    ...host,
    path: text,
    rule: text,
    decision: v.picklist(['audit', 'redact', 'tokenize', 'block']),
    found: v.record(text, count),
  }),
  v.object({
    type: v.literal('credential'),
    ...inSession,
    credential: text,
    action: v.picklist(['delivered', 'used', 'missing', 'unavailable', 'refreshed', 'exposed', 'captured', 'revoked']),
    host: v.optional(text),
    port: v.optional(port),
    message: v.optional(text),
  }),
  v.object({
    type: v.literal('alarm'),
    ...inSession,
    alarm: v.picklist([
      'phantom-unbound',
      'phantom-misplaced',
      'phantom-revoked',
      'secret-outbound',
      'secret-reflected',
      'foreign-credential',
    ]),
    credential: text,
    ...host,
    place: text,
  }),
  v.object({
    type: v.literal('text'),
    ...inSession,
    boundary: v.picklist(textBoundaries),
    where: text,
    findings: v.partial(
      v.object(
        Object.fromEntries(findingKinds.map((kind) => [kind, count])) as Readonly<
          Record<(typeof findingKinds)[number], typeof count>
        >,
      ),
    ),
    decoded: v.optional(texts),
    likeness: v.optional(v.object({ name: text, score: v.number(), signals: texts })),
  }),
  v.object({ type: v.literal('staged.accept'), ...layer, changes: count, left: count }),
  v.object({ type: v.literal('staged.discard'), ...layer, changes: v.optional(count), removed: v.boolean() }),
  v.object({ type: v.literal('staged.undo'), ...layer, entries: count }),
  v.object({ type: v.literal('staged.fork'), ...layer, forks: texts }),
  v.object({
    type: v.literal('policy.narrow'),
    ...inSession,
    policy: sha256,
    wider: v.pipe(texts, v.description('commands that keep what they had')),
    ended: v.pipe(texts, v.description('commands that are ended by it')),
  }),
  v.object({
    type: v.literal('code.run'),
    ...inSession,
    command: v.pipe(text, v.description('ID of the command that the interpreter is')),
    language: text,
    sha256,
    bytes: count,
    start: v.pipe(text, v.description('its first 200 characters; what does not show is written out')),
  }),
  v.object({ type: v.literal('trash.restore'), workspace, entry: text, path: text }),
  v.object({ type: v.literal('trash.purge'), entries: texts, bytes: count }),
  v.object({ type: v.literal('checkpoint.create'), ...checkpoint, name: text, entries: count, bytes: count }),
  v.object({
    type: v.literal('checkpoint.restore'),
    ...checkpoint,
    undo: v.optional(text),
    written: count,
    removed: count,
    skipped: count,
  }),
  v.object({ type: v.literal('checkpoint.remove'), ...checkpoint }),
  v.object({ type: v.literal('journal.keyed'), key: v.pipe(text, v.regex(/^[0-9a-f]{16}$/)) }),
  v.object({ type: v.literal('journal.rotated'), part: count }),
  v.object({ type: v.literal('journal.repaired'), bytes: count }),
  v.object({ type: v.literal('journal.lost'), entries: count }),
  v.object({ type: v.literal('journal.clock'), jump: milliseconds }),
  v.object({ type: v.literal('journal.begun'), aside: text, reason: text }),
] as const;

/** What every entry has besides. */
export const entrySchema = v.object({
  v: v.pipe(v.literal(2), v.description('version of the format')),
  seq: v.pipe(v.number(), v.integer(), v.minValue(1)),
  time: v.pipe(v.string(), v.isoTimestamp()),
  prev: sha256,
  mac: v.pipe(
    sha256,
    v.description('HMAC-SHA256, with the key beside the journal, over the bytes of the line before `,"mac":`'),
  ),
});
