import { closeSync, fstatSync } from 'node:fs';
import { kernelCall, KernelError, openAt, oPath } from '../../kernel/index.ts';
import { openFlags } from '../perform/open-flags.ts';
import { asJudged } from '../perform/side.ts';
import type { Supervision } from '../supervise/context.ts';

/** Terminals that the box has made: others of the user's are not its business. */
export interface Terminals {
  /** Throws `KernelError` (`ENOSPC`) where the box has as many as it may. */
  note(master: number): void;
  /**
   * A descriptor that stands for the terminal of this number, and stays here. Undefined where the box has made none, or
   * it is gone by now.
   */
  at(number: string): number | undefined;
}

/** At one time. */
const most = 256;
const noSpace = 28;
/** `TIOCGPTN`. */
const terminalNumber = 0x8004_5430;

/**
 * The terminal itself is kept, not its number: when it has gone, the next that anybody opens gets that (attack: open
 * and close twenty, and read what is typed in the user's next window). `root` is a descriptor of the box's root
 * directory.
 */
export function openTerminals(root: number, atEnd: Supervision['atEnd']): Terminals {
  const slaves = new Map<string, number>();
  atEnd(() => [...slaves.values()].forEach((slave) => closeSync(slave)));
  const forgetGone = (): void => {
    for (const [number, slave] of slaves) {
      if (fstatSync(slave).nlink > 0) continue;
      slaves.delete(number);
      closeSync(slave);
    }
  };
  return {
    note(master) {
      forgetGone();
      if (slaves.size >= most) throw new KernelError('open', noSpace);
      const number = numberOf(master);
      slaves.set(number, openAt(root, `dev/pts/${number}`, { flags: oPath | openFlags.noFollow, resolve: asJudged }));
    },
    at(number) {
      forgetGone();
      return slaves.get(number);
    },
  };
}

function numberOf(master: number): string {
  const number = Buffer.alloc(4);
  kernelCall('ioctl', master, terminalNumber, number);
  return String(number.readUInt32LE(0));
}
