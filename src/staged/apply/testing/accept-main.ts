/** Accepts everything of a layer: `accept-main.ts STATE LAYER`. Prints the result. */
import process from 'node:process';
import { isHoldfastError } from '../../../errors/index.ts';
import { openLayer } from '../../store/open-layer.ts';
import { applyLayer } from '../accept.ts';
import { undoLayer } from '../undo.ts';

const [state = '', layer = '', action = 'accept'] = process.argv.slice(2);
process.stderr.write('begin\n');
try {
  if (action === 'undo') undoLayer({ state, workspace: layer });
  else applyLayer(openLayer(state, layer), { state, conflicts: 'overwrite' });
  console.log('done');
} catch (error) {
  if (!isHoldfastError(error)) throw error;
  console.log(error.code);
}
