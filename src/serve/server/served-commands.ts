import { availableParallelism } from 'node:os';
import { HoldfastError } from '../../errors/index.ts';
import type { CommandHandle } from '../../sandbox/index.ts';
import { limits } from '../limits.ts';
import type { ListedCommand } from './listed.ts';
import { ServedCommand, type CommandWish } from './served-command.ts';
import { Turnstile } from '../../session/commands/turnstile.ts';

/**
 * The commands of a server, oldest first: those that wait or run, and the last that have ended and that somebody may
 * want to read.
 */
export class ServedCommands {
  readonly #known = new Map<string, ServedCommand>();
  readonly #over = new Set<string>();
  readonly #turnstile = new Turnstile({ starting: availableParallelism() + 1, running: limits.running });
  #last = 0;

  /** Throws `HF_SERVE_LIMIT`. */
  add(wish: CommandWish): ServedCommand {
    if (this.#known.size - this.#over.size >= limits.commands)
      throw new HoldfastError('HF_SERVE_LIMIT', `${limits.commands} commands run or wait`, {
        remedy: 'wait until some have ended, or end some',
      });
    this.#last += 1;
    const command = new ServedCommand(`c${this.#last}`, wish);
    this.#known.set(command.id, command);
    return command;
  }

  /** Rejects with what the command cannot be started for. */
  start(command: ServedCommand): Promise<CommandHandle> {
    return command.start(this.#turnstile);
  }

  /** Nobody asks about it any more. */
  forget({ id }: ServedCommand): void {
    this.#known.delete(id);
    this.#over.delete(id);
  }

  /** Those of a session that is closed. */
  forgetThoseOf(session: string): void {
    for (const command of this.#known.values()) if (command.session === session) this.forget(command);
  }

  /** It has ended, and can be asked for until others have. */
  retire(command: ServedCommand): void {
    if (this.#known.has(command.id)) this.#over.add(command.id);
    for (const id of this.#over) {
      if (this.#over.size <= limits.ended) return;
      this.#over.delete(id);
      this.#known.delete(id);
    }
  }

  /** By its ID, or the newest of a session. Throws `HF_COMMAND_UNKNOWN`. */
  find(target: string): ServedCommand {
    const found = this.#known.get(target) ?? [...this.#known.values()].findLast(({ session }) => session === target);
    if (found !== undefined) return found;
    throw new HoldfastError(
      'HF_COMMAND_UNKNOWN',
      `the server has no command and no session with one that is called ${JSON.stringify(target)}`,
      { remedy: 'see `holdfast ps` for those that it has' },
    );
  }

  list(): readonly ListedCommand[] {
    return [...this.#known.values()].map((command) => command.listed());
  }
}
