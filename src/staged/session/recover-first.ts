import { isHoldfastError } from '../../errors/index.ts';
import { recoverAccepts, type Recovered } from '../apply/index.ts';

/**
 * Ends what a killed accept or undo left half done, before someone looks at a layer: half of what it holds may be on
 * the host. What cannot be ended because a command uses its layer waits. Throws `HF_STAGED_INVALID` for a damaged
 * record.
 */
export function recoverFirst(state: string): readonly Recovered[] {
  try {
    return recoverAccepts(state);
  } catch (error) {
    if (isHoldfastError(error) && error.code === 'HF_STAGED_BUSY') return [];
    throw error;
  }
}
