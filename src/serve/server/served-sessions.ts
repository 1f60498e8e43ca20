import { HoldfastError } from '../../errors/index.ts';
import { Sandbox, type SandboxOptions } from '../../sandbox/index.ts';
import { limits } from '../limits.ts';
import type { ListedSession } from './listed.ts';
import type { ServedOptions } from './session-options.ts';

export interface ServedSession {
  readonly name: string;
  readonly sandbox: Sandbox;
  readonly openedAt: number;
  /** Aborted when it is stopped: what waits to start in it does not. */
  readonly stopped: AbortSignal;
}

export interface Opening {
  readonly name: string;
  /** Absent: only one that is there already. */
  readonly options?: ServedOptions | undefined;
  readonly environment?: Readonly<Record<string, string>> | undefined;
}

interface Held {
  readonly openedWith: string;
  readonly opening: Promise<ServedSession>;
  readonly stop: AbortController;
}

/** The sandboxes of a server by their names. */
export class ServedSessions {
  readonly #held = new Map<string, Held>();
  readonly #closing = new AbortController();

  /** Throws `HF_SESSION_DIFFERS`, `HF_SESSION_UNKNOWN`, `HF_SERVE_LIMIT` and what `Sandbox.create` throws. */
  async open({ name, options, environment = {} }: Opening): Promise<ServedSession> {
    if (options === undefined) return this.get(name);
    const openedWith = JSON.stringify(
      sorted(options.workspace === undefined ? options : { ...options, cwd: undefined }),
    );
    const held =
      this.#held.get(name) ?? this.#begin(name, { openedWith, sandbox: sandboxOptions(name, options, environment) });
    if (held.openedWith === openedWith) return await held.opening;
    throw new HoldfastError('HF_SESSION_DIFFERS', `the session ${name} was opened with other options`, {
      remedy: `leave them out, take another name, or \`holdfast stop ${name}\` first`,
    });
  }

  /** Throws `HF_SESSION_UNKNOWN`. */
  async get(name: string): Promise<ServedSession> {
    const held = this.#held.get(name);
    if (held !== undefined) return await held.opening;
    throw new HoldfastError('HF_SESSION_UNKNOWN', `the server has no session ${JSON.stringify(name)}`, {
      remedy: 'see `holdfast ps` for those that it has',
    });
  }

  has(name: string): boolean {
    return this.#held.has(name);
  }

  isOpen(): boolean {
    return this.#held.size > 0;
  }

  async list(): Promise<readonly ListedSession[]> {
    const opened = await Promise.allSettled([...this.#held.values()].map(({ opening }) => opening));
    return opened.flatMap((each) => (each.status === 'fulfilled' ? [listed(each.value)] : []));
  }

  /** Ends its commands and forgets it. Throws `HF_SESSION_UNKNOWN`. */
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
      throw new HoldfastError('HF_SERVE_ABSENT', 'the server ends', {
        remedy: 'start it again: `holdfast serve --detach`',
      });
    if (this.#held.size >= limits.sessions)
      throw new HoldfastError('HF_SERVE_LIMIT', `the server has ${limits.sessions} sessions`, {
        remedy: 'end one: `holdfast stop SESSION`',
      });
    const stop = new AbortController();
    const opening = Sandbox.create(sandbox).then(
      (created): ServedSession => ({ name, sandbox: created, openedAt: Date.now(), stopped: stop.signal }),
    );
    const held: Held = { openedWith, opening, stop };
    this.#held.set(name, held);
    opening.catch(() => this.#held.delete(name));
    return held;
  }
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

/** The same text for the same options, in whatever order they came. */
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
