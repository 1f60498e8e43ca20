import type { Pace } from '../staged/apply/index.ts';
import type { CommandInput } from './command.ts';
import { progressOf } from './progress.ts';

/** Does what moves entries between a layer and the host, and tells of each. */
export function withSteps<T>(input: CommandInput, doing: string, work: (pace: Pace) => T): T {
  using progress = progressOf(input);
  let steps = 0;
  return work((moment) => {
    if (!counted.has(moment)) return;
    steps += 1;
    progress.tell(`${doing}: ${steps} entries`);
  });
}

/** One of these stands for each entry. */
const counted: ReadonlySet<string> = new Set(['step', 'unstep']);
