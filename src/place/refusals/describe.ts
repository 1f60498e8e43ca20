// Not imported through the index, because `run` would load the whole policy room.
import { originPlace } from '../../policy/origin.ts';
import { byProgram, printable } from '../../policy/words/describe-request.ts';
import type { Refusal } from './refusal.ts';

export { byProgram, describeRequest } from '../../policy/words/describe-request.ts';

/** Returns one line that an agent can act on, for the command's stderr. */
export function refusalLine({ verdict, program }: Refusal): string {
  return `holdfast: ${verdict.message}${byProgram(program)} (${verdict.rule}, ${place(verdict)}); ${verdict.remedy}`;
}

export function place(verdict: { readonly file: string; readonly line: number }): string {
  return printable(originPlace(verdict));
}
