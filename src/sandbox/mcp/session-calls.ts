import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { HoldfastError, isHoldfastError } from '../../errors/index.ts';
import { withDirectoryLock } from '../../kernel/index.ts';
import type { Place } from '../place.ts';
import { sha256Of } from '../../trust/store/layout.ts';

/**
 * Which tools were called in one session of an agent, of all its servers. A session of an agent is the time in which at least one server is wrapped for this workspace: an agent
 * starts its servers when it begins, and ends them when it ends. Each process appends to a file of its own, so that none waits for another.
 */
export class SessionCalls {
  readonly #runtime: string;
  readonly #directory: string;
  readonly #own: string;
  readonly #told = new Set<string>();

  /** Throws `HF_STATE_UNWRITABLE`: what cannot be remembered would let every flow pass. */
  constructor({ paths, workspace }: Pick<Place, 'paths' | 'workspace'>) {
    this.#runtime = paths.runtime;
    this.#directory = join(paths.runtime, `mcp-${sha256Of(workspace.root).slice(0, 32)}`);
    this.#own = join(this.#directory, `${process.pid}-${startOf(process.pid) ?? '0'}`);
    this.#alone(() => {
      if (!this.#files().some(isAlive)) rmSync(this.#directory, { recursive: true, force: true });
      mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
      appendFileSync(this.#own, '', { mode: 0o600 });
    });
  }

  /** Before it is made: from then on what it gives may be in what the agent knows. Throws `HF_STATE_UNWRITABLE`. */
  note(call: string): void {
    if (this.#told.has(call)) return;
    writing(this.#own, () => appendFileSync(this.#own, `${JSON.stringify(call)}\n`, { mode: 0o600 }));
    this.#told.add(call);
  }

  /** `server/tool`, each once. Throws `HF_STATE_UNWRITABLE` where what others have written cannot be read. */
  all(): readonly string[] {
    // Its own file among them: where somebody has removed that, others are gone as well.
    return writing(this.#directory, () => [...new Set([this.#own, ...this.#files().map((name) => join(this.#directory, name))].flatMap(linesOf))]);
  }

  /** What was called is still known to the agent: only the last one takes the files along. */
  close(): void {
    this.#alone(() => {
      if (!this.#files().some((name) => join(this.#directory, name) !== this.#own && isAlive(name))) rmSync(this.#directory, { recursive: true, force: true });
    });
  }

  /** While no other process begins or ends. */
  #alone(work: () => void): void {
    writing(this.#directory, () => {
      mkdirSync(this.#runtime, { recursive: true, mode: 0o700 });
      withDirectoryLock(this.#runtime, work, () => new HoldfastError('HF_STATE_UNWRITABLE', `${this.#runtime} is locked by another process`, { remedy: 'end it, or wait for it' }));
    });
  }

  #files(): readonly string[] {
    return existsSync(this.#directory) ? readdirSync(this.#directory) : [];
  }
}

function linesOf(path: string): readonly string[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  // A last line without an end is being written: its call has not been made yet.
  return lines.slice(0, -1).map((line) => JSON.parse(line) as string);
}

function isAlive(name: string): boolean {
  const [pid = '', start] = name.split('-');
  return startOf(Number(pid)) === start;
}

/** When a process was started, in ticks of the machine: another one of the same number has another. Field 22 of proc_pid_stat(5). */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

function writing<Value>(path: string, work: () => Value): Value {
  try {
    return work();
  } catch (cause) {
    if (isHoldfastError(cause)) throw cause;
    throw new HoldfastError('HF_STATE_UNWRITABLE', `what was called cannot be kept in ${path}: ${(cause as NodeJS.ErrnoException).code ?? String(cause)}`, { remedy: 'make it and its directory writable for you alone', cause });
  }
}
