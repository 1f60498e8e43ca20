import { constants } from 'node:os';

/** Orders to a launcher, in ASCII: `supervise/orders.c` and `report/leave.c` of native/src/launch. */
export const orders = { held: 0x68, words: 0x77, exit: 0x78 } as const;

/** `s`, and the number. Sends the command a signal. Only the launcher's end kills the whole box. */
export function signalOrder(signal: NodeJS.Signals): Buffer {
  return Buffer.from([0x73, constants.signals[signal]]);
}
