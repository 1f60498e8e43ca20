import type { StreamScreen } from '../../wire/stream-screen.ts';
import type { Named, NameIndex } from '../commands/command-finder.ts';
import { CommandWalker } from '../protocol/command-walker.ts';
import { RespViolation } from '../protocol/violation.ts';
import type { StatementLog } from './statement-log.ts';

export interface ClientSideOptions {
  readonly screen: StreamScreen;
  readonly finder: NameIndex<Named>;
  readonly log: StatementLog;
  /** What goes to the server in the place of a command that is not known. */
  readonly unknown: Buffer;
  /** What goes to the server in the place of `AUTH` or `HELLO`. */
  login(args: readonly Buffer[]): Buffer;
}

/** What of a chunk goes to the server. */
export interface Carried {
  readonly pieces: readonly Buffer[];
  /** Why nothing more of the client is taken, for the client. */
  readonly problem?: string;
}

/** What a client says, chunk by chunk, with what it may not say replaced. Nothing may come after a problem. */
export function createClientSide({
  screen,
  finder,
  log,
  unknown,
  login,
}: ClientSideOptions): (chunk: Buffer) => Carried {
  let pieces: Buffer[] = [];
  const walker = new CommandWalker(finder, {
    wantsKey: () => log.wantsKey(),
    visit(permission, key) {
      const denied = permission === undefined ? unknown : permission.denied;
      log.note(permission?.command, denied === undefined ? 'allow' : 'deny', key);
      return denied ?? 'pass';
    },
    login,
    pass(bytes) {
      const screened = screen.outgoing(bytes);
      if (screened.kind === 'refused') throw new Exposed(`${screened.refusal.message}: ${screened.refusal.remedy}`);
      if (screened.bytes.length > 0) pieces.push(screened.bytes);
    },
    replace: (bytes) => void pieces.push(bytes),
  });
  return (chunk) => {
    pieces = [];
    try {
      walker.push(chunk);
      return { pieces };
    } catch (error) {
      return { pieces, problem: problemOf(error) };
    }
  };
}

/** A phantom or a secret where it does not belong. */
class Exposed extends Error {
  override readonly name = 'Exposed';
}

function problemOf(error: unknown): string {
  if (error instanceof RespViolation) return `Protocol error: ${error.message}`;
  return `holdfast: ${error instanceof Exposed ? error.message : 'the command could not be carried'}`;
}
