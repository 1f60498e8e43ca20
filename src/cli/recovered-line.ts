import type { Recovered } from '../staged/apply/index.ts';
import { safeText } from './safe-text.ts';

/** What became of an accept or undo that had been killed, as a line for a terminal. */
export function recoveredLine({ layer, outcome, conflicts, kept }: Recovered): string {
  const what = { 'rolled-back': 'an accept was interrupted: all of it is staged again', completed: 'an accept was interrupted when all was done: it is accepted', undone: 'an undo was interrupted: it is done now' }[outcome];
  const rest = conflicts.length === 0 ? '' : `; left as they are, because somebody changed them: ${conflicts.map((path) => JSON.stringify(path)).join(' ')}; what they had is in ${kept}`;
  return `${safeText(`holdfast: layer ${layer}: ${what}${rest}`)}\n`;
}
