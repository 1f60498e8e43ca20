import type { BackendName } from '../backends/backend.ts';
import { prove, type ProofResult } from '../sandbox/doctor/prove.ts';
import { isSet, type CommandInput } from './command.ts';
import { progressOf } from './progress.ts';

/** Returns the results of `--prove`. Shows progress: with kernels in kernels it takes a minute. */
export async function escapesTried(
  input: CommandInput,
  backends: readonly BackendName[],
): Promise<readonly ProofResult[]> {
  if (!isSet(input.values['prove'])) return [];
  using progress = progressOf(input);
  const manner = isSet(input.values['strict']) ? 'strict' : 'usual';
  return await prove(backends, { environment: input.io.environment, manner }, (tried, of) =>
    progress.tell(`trying to escape: ${tried} of ${of}`),
  );
}
