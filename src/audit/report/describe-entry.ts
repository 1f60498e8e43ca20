import { byProgram, describeRequest } from '../../policy/words/describe-request.ts';
import type { SignTone } from '../../text/signs.ts';
import type { JournalEvent, ModelTokens } from '../events.ts';
import type { JournalEntry } from '../entries.ts';

type EventType = JournalEvent['type'];
type EventOf<Type extends EventType> = Extract<JournalEvent, { readonly type: Type }>;

/**
 * Describes an event in one line. Its texts are the event's own, so the caller must escape them. An event of a later
 * version, or one with invalid fields, is shown as JSON.
 */
export function describeEntry(entry: JournalEntry): string {
  const describe = Object.hasOwn(descriptions, entry.type)
    ? (descriptions[entry.type] as (event: JournalEvent) => string)
    : undefined;
  if (describe === undefined || !isKnown(entry)) return rawText(entry);
  try {
    return describe(entry);
  } catch {
    // Fields that every event has are missing, so the line is handwritten.
    return rawText(entry);
  }
}

/** Returns whether Holdfast knows the entry's version. */
export function isKnown({ v, type }: JournalEntry): boolean {
  return v <= newestVersion && Object.hasOwn(descriptions, type);
}

/** Returns the entry without its fields of the chain. */
export function rawText(entry: JournalEntry): string {
  const { seq: _seq, time: _time, prev: _prev, mac: _mac, ...event } = entry;
  return jsonOf(event);
}

/** JSON can be read at any depth, but written only to a few thousand levels. */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '(nested too deep to show)';
  }
}

const newestVersion = 2;

const descriptions: { readonly [Type in EventType]: (event: EventOf<Type>) => string } = {
  'journal.keyed': () => 'entries are chained with a key from here on',
  'journal.rotated': ({ part }) => `file ${part} begins`,
  'journal.repaired': ({ bytes }) =>
    `a partial line of ${bytes} B was removed, from an event that was never acknowledged`,
  'journal.lost': ({ entries }) => `${entries} entries were lost when the machine stopped`,
  'journal.clock': ({ jump }) => `the clock was set by ${jump} ms`,
  'journal.begun': ({ aside, reason }) => `begun again: ${reason}; the previous journal is in ${aside}`,
  'session.start': ({ argv, backend, staged, partial }) =>
    `begins: ${argv.join(' ')} (${backend}${partial === undefined ? '' : `, in part: ${partial.join(' ')}`}${staged === undefined ? '' : `, staged in ${staged}`})`,
  'session.end': ({ exitCode, signal, duration, reason }) =>
    reason === 'failure'
      ? `ends after ${milliseconds(duration)}: the command could not be started`
      : `ends after ${milliseconds(duration)}: ${signal > 0 ? `signal ${signal}` : `status ${exitCode}`}${reason === 'exit' ? '' : `, ${reason}`}`,
  refusal: ({ request, verdict, program }) =>
    `${describeRequest(request)}${byProgram(program)}: ${verdict.message} (${verdict.rule}); ${verdict.remedy}`,
  enforcement: ({ outcome, request, verdict }) => `${outcome} ${describeRequest(request)} (${verdict.rule})`,
  quarantine: ({ path, movedTo, reason }) => `${path} was moved to ${movedTo}: ${reason}`,
  covered: ({ path, effect, change, times }) =>
    `a program outside ${change === 'replaced' ? 'replaced' : 'made'} ${path}${times === 1 ? '' : ` (${times} times)`}; it was made ${effect === 'hidden' ? 'hidden' : 'read-only'}`,
  trace: ({ path, what, detail }) => `${what}: ${path}${detail === '' ? '' : ` (${detail})`}`,
  connection: ({ host, port, address, front, sent, received, duration, refusal }) =>
    refusal === undefined
      ? `${host}:${port} (${address ?? 'no address'}, ${front}): ${sent} B out, ${received} B in, ${milliseconds(duration)}`
      : `${host}:${port} (${front}): ${refusal.message}`,
  request: ({ method, scheme, host, port, path, status, refusal }) =>
    `${method} ${scheme}://${host}:${port}${path}: ${refusal?.message ?? (status === 0 ? 'no answer' : status)}`,
  statement: ({ protocol, host, port, text, outcome, count }) =>
    `${protocol} ${host}:${port}: ${text}: ${outcome}${count === undefined ? '' : ` (${count} of them)`}`,
  model: ({ provider, model, status, tokens, usd, completeness, duration, refusal }) =>
    `${provider}${model === undefined ? '' : ` ${model}`}: ${refusal?.message ?? (status === 0 ? 'no answer' : status)}${tokens === undefined ? '' : `, ${inputOf(tokens)} tokens in, ${tokens.output} out`}, ${usd === null ? 'no price known' : `${usd.toFixed(4)} USD`}${completeness === 'partial' ? ', cut short' : ''} after ${milliseconds(duration)}`,
  dlp: ({ rule, decision, found, host, port, path }) =>
    `${decision} by ${rule} at ${host}:${port}${path}: ${describeCounts(found)}`,
  credential: ({ credential, action, host, port, message }) =>
    `${credential} ${action}${host === undefined ? '' : ` at ${host}${port === undefined ? '' : `:${port}`}`}${message === undefined ? '' : `: ${message}`}`,
  alarm: ({ alarm, credential, host, port, place }) =>
    `${alarm}${credential === '' ? '' : ` of ${credential}`} to ${host}:${port} in ${place}`,
  'approval.requested': ({ title, verdict }) => `${title} (${verdict.rule})`,
  'approval.resolved': ({ decision, channel, because, waited, hash }) =>
    `${hash.slice(0, 12)}: ${decision}${channel === undefined ? '' : ` by ${channel}`}${because === undefined || because === 'answer' ? '' : ` (${because})`} after ${milliseconds(waited)}`,
  'trust.decided': ({ action, level, workspace, files, signer }) =>
    `${action}${level === undefined ? '' : ` (${level})`}${signer === undefined ? '' : ` signed by ${signer}`} ${workspace}: ${files.map(({ path }) => path).join(' ')}`,
  'trust.withheld': ({ files }) => files.map(({ path, state }) => `${path} (${state})`).join(' '),
  text: ({ boundary, where, findings, decoded }) =>
    `${boundary} ${where}: ${describeCounts(findings)}${decoded === undefined ? '' : `, says ${decoded.map((words) => JSON.stringify(words)).join(' ')}`}`,
  'staged.accept': ({ layer, changes, left }) => `${layer}: ${changes} accepted, ${left} left`,
  'staged.discard': ({ layer, changes, removed }) =>
    `${layer}: ${changes ?? 'all'} discarded${removed ? ', the layer was removed' : ''}`,
  'staged.undo': ({ layer, entries }) => `${layer}: ${entries} names restored`,
  'staged.fork': ({ layer, forks }) => `${layer}: copied to ${forks.join(' ')}`,
  'cluster.run': ({ server, namespace, name, argv }) => `${name} in ${namespace} at ${server}: ${argv.join(' ')}`,
  'cluster.proof': ({ server, namespace, name }) => `${name} in ${namespace} at ${server}`,
  'cluster.pool': ({ change, server, namespace, name, size }) =>
    `${change} ${name} in ${namespace} at ${server}${size === undefined ? '' : `: ${size} sandboxes`}`,
  'cluster.collect': ({ run, layer, changes }) =>
    `${run}: ${changes} changes${layer === undefined ? '' : ` in ${layer}`}`,
  'cluster.journal': ({ run, events, leftOut }) => `${run}: ${events} events of its supervisor, ${leftOut} left out`,
  'policy.narrow': ({ policy, wider, ended }) =>
    `to ${policy.slice(0, 12)}${wider.length === 0 ? '' : `; ${wider.join(' ')} had more rights, and continues`}${ended.length === 0 ? '' : `; ended: ${ended.join(' ')}`}`,
  'code.run': ({ command, language, bytes, start }) =>
    `${language} in ${command}, ${bytes} B: ${JSON.stringify(start)}`,
  'trash.restore': ({ entry, path }) => `${entry} to ${path}`,
  'trash.purge': ({ entries, bytes }) => `${entries.length} entries, ${bytes} B`,
  'bundle.enforced': ({ action, name, serial, policy, source }) =>
    `${action} ${name} ${serial} from ${source}: policy ${policy}`,
  'bundle.refused': ({ source, reason }) => `${source}: ${reason}`,
  'checkpoint.create': ({ checkpoint, name, entries, bytes }) =>
    `${checkpoint}${name === '' ? '' : ` ${JSON.stringify(name)}`}: ${entries} entries, ${bytes} B`,
  'checkpoint.restore': ({ checkpoint, written, removed, skipped }) =>
    `${checkpoint}: ${written} written, ${removed} removed, ${skipped} skipped`,
  'checkpoint.remove': ({ checkpoint }) => `${checkpoint} is gone`,
};

/** `12 ms`, `3.4 s`, `2 min 5 s`. */
/** Tokens that a model read, including those from caches. */
export function inputOf({ uncachedInput, cacheRead, cacheWrite5m, cacheWrite1h }: ModelTokens): number {
  return uncachedInput + cacheRead + cacheWrite5m + cacheWrite1h;
}

export function milliseconds(duration: number): string {
  if (duration < 1000) return `${Math.round(duration)} ms`;
  if (duration < 60_000) return `${(duration / 1000).toFixed(1)} s`;
  return `${Math.floor(duration / 60_000)} min ${Math.round((duration % 60_000) / 1000)} s`;
}

/** `2 × tag, 1 × bidi`. */
export function describeCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count} × ${name}`)
    .join(', ');
}

/**
 * Counts texts, in the order of their first use. Bounded, because anyone who chooses the texts could otherwise fill the
 * memory.
 */
export class TextTally {
  readonly #counts = new Map<string, number>();
  #others = 0;

  add(text: string, count = 1): void {
    const known = this.#counts.get(text);
    if (known === undefined && this.#counts.size >= mostTexts) this.#others += count;
    else this.#counts.set(text, (known ?? 0) + count);
  }

  /** `allow × 2, deny`; empty without texts. */
  toString(): string {
    const texts = Array.from(this.#counts, ([text, count]) => (count === 1 ? text : `${text} × ${count}`));
    return [...texts, ...(this.#others === 0 ? [] : [`${this.#others} others`])].join(', ');
  }
}

const mostTexts = 20;

const tones: Readonly<Partial<Record<JournalEvent['type'], SignTone>>> = {
  refusal: 'refused',
  quarantine: 'refused',
  alarm: 'alarm',
  'journal.lost': 'alarm',
  'approval.requested': 'waiting',
  'approval.resolved': 'allowed',
  'trust.withheld': 'waiting',
  'bundle.refused': 'refused',
  text: 'warning',
  dlp: 'warning',
  'journal.clock': 'warning',
  'journal.begun': 'warning',
  'journal.repaired': 'warning',
  'staged.accept': 'staged',
  'staged.discard': 'staged',
  'staged.undo': 'staged',
  'staged.fork': 'staged',
  'cluster.collect': 'staged',
};

/** The meaning of an entry for its reader. Never throws, for any journal. */
export function toneOfEntry(entry: JournalEntry): SignTone {
  const { refusal, decision, outcome } = entry as {
    readonly refusal?: unknown;
    readonly decision?: unknown;
    readonly outcome?: unknown;
  };
  if (refusal !== undefined || decision === 'deny' || decision === 'block') return 'refused';
  if (outcome === 'kept') return 'staged';
  return (Object.hasOwn(tones, entry.type) ? tones[entry.type as keyof typeof tones] : undefined) ?? 'plain';
}
