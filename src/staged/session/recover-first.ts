import { isHoldfastError } from '../../errors/index.ts';
import { recoverAccepts, type Recovered } from '../apply/unmake.ts';

/**
 * Completes an accept or undo that was killed, before anyone looks at a layer: half of the layer may be on the host. If
 * a command uses the layer, leaves it for later. Throws `HF_STAGED_INVALID` for a damaged record.
 */
export function recoverFirst(state: string): readonly Recovered[] {
  try {
    return recoverAccepts(state);
  } catch (error) {
    if (isHoldfastError(error) && error.code === 'HF_STAGED_BUSY') return [];
    throw error;
  }
}
