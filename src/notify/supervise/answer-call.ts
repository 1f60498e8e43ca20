import { KernelError } from '../../kernel/index.ts';
import type { Supervision } from './context.ts';

/** `asm-generic/errno-base.h`. */
export const eacces = 13;
export const efault = 14;

/** Answers a call with the result of `act`, or with the errno of its failure. Any other failure refuses the call. */
export function answerWith({ listener }: Supervision, id: bigint, act: () => number): void {
  listener.answer(id, resultOf(act));
}

function resultOf(act: () => number): number {
  try {
    return act();
  } catch (error) {
    return error instanceof KernelError ? -error.errno : -eacces;
  }
}
