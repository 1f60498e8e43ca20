import process from 'node:process';
import { type CommandInput, type CommandIo, safeText } from './command.ts';
import { isSet } from './command.ts';

/** One line of a terminal that says how far a long work is, and is gone when that is over. */
export interface Progress extends Disposable {
  /** What has begun now. */
  begin(text: string): void;
  /** How far it is. Costs nothing where nobody looks, and little where it is called for every entry of a tree. */
  tell(text: string): void;
}

/** On stderr where that is a terminal; nothing elsewhere, and nothing beside the one value of `--json`. */
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
  /** Of the terminal as it is now; 0 where it does not know. */
  readonly columns: () => number;
  readonly colours: 'coloured' | 'plain';
  /** Milliseconds; default: a clock that never goes back. */
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
/** Milliseconds between two lines: what people can read. */
const pause = 100;
const toEndOfLine = '\u001B[K';
const silent: Progress = { begin: () => undefined, tell: () => undefined, [Symbol.dispose]: () => undefined };

/** A terminal that cannot clear a line would show all of them. */
function isTerminal({ stderr, environment }: CommandIo): boolean {
  return stderr === process.stderr && process.stderr.isTTY && environment['TERM'] !== 'dumb';
}
