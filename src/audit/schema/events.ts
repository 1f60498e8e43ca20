import * as v from 'valibot';
import { findingKinds, textBoundaries } from './text-names.ts';
import { count, decision, inSession, milliseconds, port, refusal, scheme, sha256, text, texts, verdict, workspace } from './fields.ts';
import { request } from './request.ts';

const layer = { workspace, layer: text } as const;
const checkpoint = { workspace, checkpoint: text } as const;
const judged = { ...inSession, request, verdict } as const;
const host = { host: text, port } as const;

/** One schema for each type of event, in the order of the documentation. */
export const eventSchemas = [
  v.object({ type: v.literal('session.start'), ...inSession, argv: texts, cwd: text, backend: text, uid: count, policy: sha256, staged: v.optional(text), partial: v.optional(v.pipe(texts, v.description('guarantees that its backend held with gaps'))), metadata: v.optional(v.pipe(v.record(text, text), v.description('labels that the program gave to its sandbox'))) }),
  v.object({ type: v.literal('session.end'), ...inSession, exitCode: v.number(), signal: count, duration: milliseconds, reason: v.picklist(['exit', 'time-out', 'failure']) }),
  v.object({ type: v.literal('refusal'), ...judged, observed: v.picklist(['output', 'arguments', 'sweep', 'enforcement']) }),
  v.object({ type: v.literal('enforcement'), ...judged, outcome: v.picklist(['audited', 'redirected', 'kept', 'approved', 'neutralised']), argv: v.optional(texts), entry: v.optional(text) }),
  v.object({ type: v.literal('approval.requested'), ...judged, hash: sha256, title: text }),
  v.object({ type: v.literal('approval.resolved'), ...inSession, hash: sha256, decision: v.picklist(['once', 'session', 'always', 'deny']), because: v.optional(v.picklist(['answer', 'time-out', 'nobody', 'repeated', 'full', 'hidden', 'closed', 'withdrawn', 'failure'])), channel: v.optional(v.picklist(['terminal', 'prompt', 'dashboard', 'webhook', 'editor', 'library'])), waited: milliseconds }),
  v.object({ type: v.literal('trust.decided'), workspace, action: v.picklist(['approve', 'revoke', 'import']), level: v.optional(v.picklist(['session', 'always'])), signer: v.optional(text), files: v.array(v.object({ path: text, sha256, surface: text })) }),
  v.object({ type: v.literal('trust.withheld'), ...inSession, files: v.array(v.object({ path: text, state: v.picklist(['new', 'changed', 'prose']) })) }),
  v.object({ type: v.literal('quarantine'), ...inSession, path: text, movedTo: text, reason: text }),
  v.object({ type: v.literal('connection'), ...inSession, front: v.picklist(['transparent', 'connect', 'absolute-form', 'socks5', 'fetch', 'loopback']), ...host, address: v.optional(text), decision: v.optional(decision), rule: v.optional(text), refusal: v.optional(refusal), sent: count, received: count, duration: milliseconds, process: v.optional(v.object({ pid: count, program: text })) }),
  v.object({ type: v.literal('request'), ...inSession, method: text, scheme, ...host, path: v.pipe(text, v.description('without its query')), status: count, decision: v.optional(decision), rule: v.optional(text), refusal: v.optional(refusal) }),
  v.object({ type: v.literal('statement'), ...inSession, protocol: v.picklist(['postgres', 'redis']), ...host, user: text, database: v.optional(text), text, decision: v.picklist(['allow', 'deny']), outcome: text, count: v.optional(count) }),
  v.object({ type: v.literal('model'), ...inSession, provider: text, dialect: text, operation: v.picklist(['generate', 'count', 'embed', 'other']), ...host, model: v.optional(text), agent: v.optional(text), status: count, tokens: v.optional(v.object({ uncachedInput: count, cacheRead: count, cacheWrite5m: count, cacheWrite1h: count, output: count, reasoning: count })), usd: v.pipe(v.nullable(v.pipe(v.number(), v.minValue(0))), v.description('US dollars; null where the model has no price')), prices: text, completeness: v.picklist(['complete', 'partial']), duration: milliseconds, firstByte: v.optional(milliseconds), toolCalls: v.array(v.object({ name: text, arguments: text })), refusal: v.optional(refusal), log: v.optional(v.pipe(text, v.description('under which ID `holdfast llm show` has the texts'))), logFailure: v.optional(text) }),
  v.object({ type: v.literal('dlp'), ...inSession, ...host, path: text, rule: text, decision: v.picklist(['audit', 'redact', 'tokenize', 'block']), found: v.record(text, count) }),
  v.object({ type: v.literal('credential'), ...inSession, credential: text, action: v.picklist(['delivered', 'used', 'missing', 'unavailable', 'refreshed', 'exposed', 'captured', 'revoked']), host: v.optional(text), port: v.optional(port), message: v.optional(text) }),
  v.object({ type: v.literal('alarm'), ...inSession, alarm: v.picklist(['phantom-unbound', 'phantom-misplaced', 'phantom-revoked', 'secret-outbound', 'secret-reflected', 'foreign-credential']), credential: text, ...host, place: text }),
  v.object({ type: v.literal('text'), ...inSession, boundary: v.picklist(textBoundaries), where: text, findings: v.partial(v.object(Object.fromEntries(findingKinds.map((kind) => [kind, count])) as Readonly<Record<(typeof findingKinds)[number], typeof count>>)), decoded: v.optional(texts), likeness: v.optional(v.object({ name: text, score: v.number(), signals: texts })) }),
  v.object({ type: v.literal('staged.accept'), ...layer, changes: count, left: count }),
  v.object({ type: v.literal('staged.discard'), ...layer, changes: v.optional(count), removed: v.boolean() }),
  v.object({ type: v.literal('staged.undo'), ...layer, entries: count }),
  v.object({ type: v.literal('staged.fork'), ...layer, forks: texts }),
  v.object({ type: v.literal('policy.narrow'), ...inSession, policy: sha256, wider: v.pipe(texts, v.description('commands that keep what they had')), ended: v.pipe(texts, v.description('commands that are ended by it')) }),
  v.object({ type: v.literal('code.run'), ...inSession, command: v.pipe(text, v.description('ID of the command that the interpreter is')), language: text, sha256, bytes: count, start: v.pipe(text, v.description('its first 200 characters; what does not show is written out')) }),
  v.object({ type: v.literal('trash.restore'), workspace, entry: text, path: text }),
  v.object({ type: v.literal('trash.purge'), entries: texts, bytes: count }),
  v.object({ type: v.literal('checkpoint.create'), ...checkpoint, name: text, entries: count, bytes: count }),
  v.object({ type: v.literal('checkpoint.restore'), ...checkpoint, undo: v.optional(text), written: count, removed: count, skipped: count }),
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
  mac: v.pipe(sha256, v.description('HMAC-SHA256, with the key beside the journal, over the bytes of the line before `,"mac":`')),
});
