import * as v from 'valibot';
import type { Fresh } from '../../agents/hooks/fresh-decisions.ts';
import type { AgentName, HookReply } from '../../agents/hooks/types.ts';
import { backendNames } from '../../backends/backend.ts';
import { HoldfastError } from '../../errors/index.ts';
import { Sandbox, type SandboxOptions } from '../../sandbox/sandbox.ts';
import { serveLimits } from '../limits.ts';
import type { HookQuestion } from '../requests/hook-question.ts';

const path = v.pipe(v.string(), v.startsWith('/', 'not an absolute path'));
const list = v.optional(v.array(v.string()));

/**
 * Options that make a different box, and so another session. Paths are absolute, because the server runs in another
 * directory.
 */
export const sessionOptionsSchema = v.strictObject({
  /** Default working directory of commands. */
  cwd: path,
  workspace: v.optional(path),
  backend: v.optional(v.picklist([...backendNames, 'auto'])),
  grants: v.optional(
    v.strictObject({
      read: list,
      write: list,
      hosts: list,
      presets: list,
      forward: list,
      environment: list,
      sockets: list,
    }),
  ),
  staged: v.optional(v.union([v.literal('new'), v.strictObject({ into: v.string() })])),
});
type ServedOptions = v.InferOutput<typeof sessionOptionsSchema>;

/** A name that no command's ID can have. */
export const sessionName = v.pipe(
  v.string(),
  v.regex(
    /^(?!c\d+$)[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/u,
    'a name of letters, digits, dots and hyphens, and not that of a command',
  ),
);

/** Variables to which the policy's allow-list is applied: those of the client that opened the session first. */
export const environmentSchema = v.record(v.string(), v.string());

export interface ServedSession {
  readonly name: string;
  readonly sandbox: Sandbox;
  readonly openedAt: number;
  /** Aborted when the session is stopped, so that waiting commands do not start. */
  readonly stopped: AbortSignal;
}

export interface SessionOpening {
  readonly name: string;
  /** Undefined: only an existing session is acceptable. */
  readonly options?: ServedOptions | undefined;
  readonly environment?: Readonly<Record<string, string>> | undefined;
}

interface Held {
  readonly openedWith: string;
  readonly opening: Promise<ServedSession>;
  readonly stop: AbortController;
}

/** The sandboxes of a server by name. */
export class ServedSessions {
  readonly #held = new Map<string, Held>();
  readonly #closing = new AbortController();

  /** Throws `HF_SESSION_DIFFERS`, `HF_SESSION_UNKNOWN`, `HF_SERVE_LIMIT` and the errors of `Sandbox.create`. */
  async open({ name, options, environment = {} }: SessionOpening): Promise<ServedSession> {
    if (options === undefined) return this.get(name);
    const openedWith = JSON.stringify(
      sorted(options.workspace === undefined ? options : { ...options, cwd: undefined }),
    );
    const held =
      this.#held.get(name) ?? this.#begin(name, { openedWith, sandbox: sandboxOptions(name, options, environment) });
    if (held.openedWith === openedWith) return await held.opening;
    throw new HoldfastError('HF_SESSION_DIFFERS', `the session ${name} was opened with other options`, {
      remedy: `leave these options out, use another name, or run \`holdfast stop ${name}\` first`,
    });
  }

  /** Throws `HF_SESSION_UNKNOWN`. */
  async get(name: string): Promise<ServedSession> {
    const held = this.#held.get(name);
    if (held !== undefined) return await held.opening;
    throw new HoldfastError('HF_SESSION_UNKNOWN', `the server has no session ${JSON.stringify(name)}`, {
      remedy: 'run `holdfast ps` to see all of them',
    });
  }

  has(name: string): boolean {
    return this.#held.has(name);
  }

  get size(): number {
    return this.#held.size;
  }

  async list(): Promise<readonly ListedSession[]> {
    const opened = await Promise.allSettled([...this.#held.values()].map(({ opening }) => opening));
    return opened.flatMap((each) => (each.status === 'fulfilled' ? [listed(each.value)] : []));
  }

  /** Ends a session's commands and removes it. Throws `HF_SESSION_UNKNOWN`. */
  async close(name: string): Promise<void> {
    const { sandbox } = await this.get(name);
    this.#held.get(name)?.stop.abort(stopped(name));
    this.#held.delete(name);
    await sandbox.close();
  }

  async closeAll(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled([...this.#held.keys()].map((name) => this.close(name)));
  }

  #begin(
    name: string,
    { openedWith, sandbox }: { readonly openedWith: string; readonly sandbox: SandboxOptions },
  ): Held {
    if (this.#closing.signal.aborted)
      throw new HoldfastError('HF_SERVE_ABSENT', 'the server is stopping', {
        remedy: 'start it again with `holdfast serve --detach`',
      });
    if (this.#held.size >= serveLimits.sessions)
      throw new HoldfastError('HF_SERVE_LIMIT', `the server already has ${serveLimits.sessions} sessions`, {
        remedy: 'stop one with `holdfast stop SESSION`',
      });
    const stop = new AbortController();
    const opening = createServed(sandbox).then(
      (created): ServedSession => ({ name, sandbox: created, openedAt: Date.now(), stopped: stop.signal }),
    );
    const held: Held = { openedWith, opening, stop };
    this.#held.set(name, held);
    opening.catch(() => this.#held.delete(name));
    return held;
  }
}

/** Clients show the output of commands unchanged, even at terminals, but a strict policy requires it to be filtered. */
async function createServed(options: SandboxOptions): Promise<Sandbox> {
  const sandbox = await Sandbox.create(options);
  if (sandbox.policy.current().manner === 'usual') return sandbox;
  await sandbox.close();
  throw new HoldfastError('HF_STRICT', 'the policy is strict, and a server shows output unfiltered', {
    remedy: 'use `holdfast run`, or take `strict` out of the policy (docs/strict.md)',
  });
}

function sandboxOptions(
  name: string,
  { cwd, workspace, backend, grants = {}, staged }: ServedOptions,
  environment: Readonly<Record<string, string>>,
): SandboxOptions {
  const given = Object.fromEntries(Object.entries(grants).filter(([, list]) => list !== undefined));
  return {
    cwd,
    environment,
    grants: given,
    metadata: { served: name },
    ...(workspace === undefined ? {} : { workspace }),
    ...(backend === undefined ? {} : { backend }),
    ...(staged === undefined ? {} : { staged }),
  };
}

function stopped(name: string): HoldfastError {
  return new HoldfastError('HF_SESSION_UNKNOWN', `the session ${name} was stopped`, { remedy: 'open it again' });
}

/** Returns the same text for the same options in any order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  );
}

function listed({ name, sandbox, openedAt }: ServedSession): ListedSession {
  const { layer } = sandbox;
  return { name, id: sandbox.id, workspace: sandbox.workspace, openedAt, ...(layer === undefined ? {} : { layer }) };
}

/** A sandbox of a server. */
export interface ListedSession {
  readonly name: string;
  /** ID of the sandbox, as in the journal. */
  readonly id: string;
  readonly workspace: string;
  /** Milliseconds since 1970. */
  readonly openedAt: number;
  /** The staged layer with its writes. */
  readonly layer?: string;
}

/** A `holdfast run` whose box a resident supervisor serves. */
export interface ListedRun {
  /** PID of the process that a person started, which became the launcher. */
  readonly pid: number;
  /** Arguments after `holdfast run`. */
  readonly words: readonly string[];
  readonly cwd: string;
  /** Milliseconds since 1970. */
  readonly askedAt: number;
}

/** Answers hooks of coding agents, as a process of each would. Parses unchanged policies only once. */
export class HookAnswers {
  #fresh: Fresh | undefined;

  async answer(agent: AgentName, { place, environment, text }: HookQuestion): Promise<HookReply> {
    // Lazy, because most servers never answer hooks, and loading this takes time.
    const [{ answerHook }, { openHookHost }, { freshDecisions }] = await Promise.all([
      import('../../agents/hooks/answer-hook.ts'),
      import('../../agents/hooks/open-host.ts'),
      import('../../agents/hooks/fresh-decisions.ts'),
    ]);
    const fresh = (this.#fresh ??= freshDecisions());
    return answerHook(agent, text, openHookHost({ agent, environment, program: place.program, fresh }));
  }
}
