import process from 'node:process';
import { inspect } from 'node:util';
import { type Credential, groupOf } from '../../policy/credentials/types.ts';
import { escapeHidden } from '../../text/index.ts';
import type { KnownSecret, Secret, SecretRead, SecretStore, Unavailable } from '../types.ts';
import { readSecretSource } from './readers/index.ts';
import { type Runner, runProgram } from './run-program.ts';
import { secretProblem } from './source-state.ts';
import type { SourceAnswer, ExtractSecret, SourceFailure, SourceContext, SourceEvent } from './types.ts';

export interface SecretStoreOptions {
  /** Environment of the supervisor: `env` sources, `PATH`, and the variables of password managers. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Reads credential files of a known format. */
  readonly extract: ExtractSecret;
  /** Real paths that boxes can write. */
  readonly writableRoots: readonly string[];
  /** Must not throw. */
  readonly onEvent?: (event: SourceEvent) => void;
  /** Default: real processes. */
  readonly runner?: Runner;
  /** Milliseconds since the epoch. Default: the clock. */
  readonly now?: () => number;
  /** Default: the current platform. */
  readonly platform?: NodeJS.Platform;
}

/** Reads nothing before it is asked. Events never contain its secrets, and neither `inspect` nor JSON shows them. */
export function createSecretStore(options: SecretStoreOptions): SecretStore {
  return new SourceStore(options);
}

/**
 * Milliseconds before its expiry at which a secret is read again. A secret with less than twice this lifetime is read
 * again halfway.
 */
const margin = 60_000;
/** Milliseconds until a failed source is asked again. A box may cause the reading in a loop. */
const pause = 5000;
/**
 * Milliseconds for which a freshly read secret is trusted, even if a server refuses it. A box may loop over requests
 * that the server refuses.
 */
const fresh = 60_000;

/** State of one source of one group. */
interface Entry {
  readonly group: string;
  held?: { readonly secret: Secret; readonly readAt: number; readonly readAgain: number };
  failed?: { readonly answer: Unavailable; readonly until: number };
  waiting?: Promise<SecretRead>;
}

class SourceStore implements SecretStore {
  readonly #context: SourceContext;
  readonly #tell: (event: SourceEvent) => void;
  readonly #entries = new Map<string, Entry>();
  readonly #texts = new Map<string, Set<string>>();
  /** Cached, because every chunk that is searched asks for it. */
  #known: readonly KnownSecret[] | undefined;
  /** Groups whose secret was read before. */
  readonly #read = new Set<string>();
  readonly #ending = new AbortController();

  constructor({
    environment,
    extract,
    writableRoots,
    onEvent = () => undefined,
    runner = runProgram,
    now = Date.now,
    platform = process.platform,
  }: SecretStoreOptions) {
    this.#context = { environment, extract, writableRoots, runner, now, platform, signal: this.#ending.signal };
    this.#tell = onEvent;
  }

  async read(credential: Credential): Promise<SecretRead> {
    if (this.#ending.signal.aborted) return ended(groupOf(credential));
    const entry = this.#entryOf(credential);
    const now = this.#context.now();
    const { held, failed } = entry;
    const good = held !== undefined && now < (held.secret.expires ?? Infinity) ? held : undefined;
    if (good !== undefined && now < good.readAgain) return this.#give(good.secret, credential);
    if (failed !== undefined && now < failed.until)
      return good === undefined ? failed.answer : this.#give(good.secret, credential);
    const waiting = (entry.waiting ??= this.#readNow(credential, entry));
    // Callers do not wait while a still valid secret is being renewed.
    const read = good === undefined ? await waiting : ({ kind: 'secret', secret: good.secret } as const);
    return read.kind === 'secret' ? this.#give(read.secret, credential) : read;
  }

  forget(name: string): void {
    for (const [key, { group }] of this.#entries) if (group === name) this.#entries.delete(key);
  }

  doubt(name: string): void {
    const now = this.#context.now();
    for (const entry of this.#entries.values())
      if (entry.group === name && entry.held !== undefined && now >= entry.held.readAt + fresh) delete entry.held;
  }

  known(): readonly KnownSecret[] {
    return (this.#known ??= [...this.#texts].flatMap(([credential, texts]) =>
      [...texts].map((text) => ({ credential, text })),
    ));
  }

  remember(credential: string, text: string): void {
    if (this.#ending.signal.aborted || text === '') return;
    const texts = this.#texts.get(credential) ?? new Set();
    this.#texts.set(credential, texts.add(text));
    this.#known = undefined;
  }

  unremember(credential: string, text: string): void {
    this.#texts.get(credential)?.delete(text);
    this.#known = undefined;
  }

  close(): void {
    this.#ending.abort();
    this.#entries.clear();
    this.#texts.clear();
    this.#known = undefined;
  }

  /**
   * The policy may change during a session and give a name another source. A file may hold a different secret for each
   * host.
   */
  #entryOf(credential: Credential): Entry {
    const { source, binding } = credential;
    const group = groupOf(credential);
    const key = JSON.stringify([
      group,
      source,
      source.kind === 'file' && source.format !== undefined ? binding.hosts : [],
    ]);
    const entry = this.#entries.get(key) ?? { group };
    this.#entries.set(key, entry);
    return entry;
  }

  async #readNow(credential: Credential, entry: Entry): Promise<SecretRead> {
    const answer = await this.#ask(credential);
    delete entry.waiting;
    if (this.#ending.signal.aborted) return ended(entry.group);
    if (answer.kind !== 'answer') return this.#fail(entry, answer);
    const problem = secretProblem(answer, credential.injection.kind);
    return problem === undefined ? this.#hold(entry, answer) : this.#fail(entry, unusable(problem));
  }

  /** The text of an unexpected error is dropped, because it may quote its input. */
  async #ask(credential: Credential): Promise<SourceAnswer | SourceFailure> {
    try {
      return await readSecretSource(credential, this.#context);
    } catch {
      return {
        kind: 'unavailable',
        why: 'its source could not be asked',
        remedy: 'correct the source of this credential',
      };
    }
  }

  #hold(entry: Entry, { value, fields, expires, notice }: SourceAnswer): SecretRead {
    const now = this.#context.now();
    const { group } = entry;
    const secret = sealed({ value, fields, ...(expires === undefined ? {} : { expires }) });
    if (this.#read.has(group)) this.#tell({ credential: group, action: 'refreshed' });
    this.#read.add(group);
    if (notice !== undefined) this.#tell({ credential: group, action: 'exposed', message: escapeHidden(notice) });
    entry.held = {
      secret,
      readAt: now,
      readAgain: expires === undefined ? Infinity : expires - Math.min(margin, (expires - now) / 2),
    };
    delete entry.failed;
    this.remember(group, value);
    this.remember(group, fields['sessionToken'] ?? '');
    return { kind: 'secret', secret };
  }

  #fail(entry: Entry, failure: SourceFailure): Unavailable {
    const answer = unavailable(entry.group, failure);
    entry.failed = { answer, until: this.#context.now() + pause };
    this.#tell({ credential: entry.group, action: failure.kind, message: answer.message });
    return answer;
  }

  /** The credentials of a group share a secret, but each may put it into a different part of a request. */
  #give(secret: Secret, credential: Credential): SecretRead {
    const problem = secretProblem(secret, credential.injection.kind);
    return problem === undefined ? { kind: 'secret', secret } : unavailable(groupOf(credential), unusable(problem));
  }
}

function unusable(why: string): SourceFailure {
  return { kind: 'unavailable', why, remedy: 'correct the output of the source: only the secret, on one line' };
}

function unavailable(name: string, { why, remedy }: SourceFailure): Unavailable {
  return {
    kind: 'unavailable',
    message: escapeHidden(`the secret of the credential "${name}" cannot be read: ${why}`),
    remedy: escapeHidden(remedy),
  };
}

function ended(name: string): Unavailable {
  return unavailable(name, { kind: 'unavailable', why: 'the session has ended', remedy: 'start a new session' });
}

/**
 * Returns the same secret, hidden from `util.inspect` and JSON: logging it by mistake prints `[a secret]`. JavaScript
 * cannot wipe a string. The secret is safe only because no one else can read the memory.
 */
export function sealed({ value, fields, expires }: Secret): Secret {
  const secret = { value, fields: hidden({ ...fields }), ...(expires === undefined ? {} : { expires }) };
  return hidden(secret);
}

function hidden<Value extends object>(value: Value): Value {
  const say = { value: () => '[a secret]', enumerable: false };
  return Object.defineProperties(value, { toJSON: say, toString: say, [inspect.custom]: say });
}
