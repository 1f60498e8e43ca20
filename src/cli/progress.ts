import process from 'node:process';
import { type CommandInput, type CommandIo, safeText } from './command.ts';
import { isSet } from './command.ts';

/** One line of a terminal that shows the progress of long work, and disappears at the end. */
export interface Progress extends Disposable {
  /** Names the current step. */
  begin(text: string): void;
  /** Shows progress. Costs nothing if nobody looks, and little if called for every entry of a tree. */
  tell(text: string): void;
}

/** Shows progress on stderr, if that is a terminal and `--json` is not given. */
export function progressOf({ io, values }: Pick<CommandInput, 'io' | 'values'>): Progress {
  return isSet(values['json']) || !isTerminal(io)
    ? silent
    : lineProgress({
        write: (text) => void io.stderr.write(text),
        columns: () => process.stderr.columns,
        colours: (io.environment['NO_COLOR'] ?? '') === '' ? 'coloured' : 'plain',
      });
}

export interface LineOptions {
  readonly write: (text: string) => void;
  /** Current columns of the terminal. 0 if it does not know. */
  readonly columns: () => number;
  readonly colours: 'coloured' | 'plain';
  /** Milliseconds. Default: a clock that never goes back. */
  readonly now?: () => number;
}

export function lineProgress({ write, columns, colours, now = () => performance.now() }: LineOptions): Progress {
  let last = Number.NEGATIVE_INFINITY;
  const show = (text: string): void => {
    last = now();
    // The last column stays free: a terminal that wraps there would keep the line.
    const shown = safeText(`holdfast: ${text}`)
      .replaceAll(/[\n\t]/gu, ' ')
      .slice(0, (columns() || usualColumns) - 1);
    write(`\r${colours === 'coloured' ? `\u001B[2m${shown}\u001B[m` : shown}${toEndOfLine}`);
  };
  return {
    begin: show,
    tell(text) {
      if (now() - last >= pause) show(text);
    },
    [Symbol.dispose]() {
      if (last !== Number.NEGATIVE_INFINITY) write(`\r${toEndOfLine}`);
    },
  };
}

const usualColumns = 80;
/** Milliseconds between two updates, which people can still read. */
const pause = 100;
const toEndOfLine = '\u001B[K';
const silent: Progress = { begin: () => undefined, tell: () => undefined, [Symbol.dispose]: () => undefined };

/** A terminal that cannot clear a line would show all updates. */
function isTerminal({ stderr, environment }: CommandIo): boolean {
  return stderr === process.stderr && process.stderr.isTTY && environment['TERM'] !== 'dumb';
}
