import { isContinuousIntegration } from '../approvals/session/continuous-integration.ts';
import type { Backend } from '../backends/backend.ts';
import { HoldfastError } from '../errors/index.ts';
import type { Place } from '../place/place.ts';
import type { Guarantee } from '../plan/types.ts';
import { type CommandInput, isSet } from './command.ts';

/**
 * Guarantees that `--sandbox` demands beyond the policy: all that a box on this kernel can have. Left out are
 * `fs.stage`, which `--staged` asks for, and `limits.disk`, because nothing bounds a workspace of the host. A kernel or
 * a machine of its own is left out too.
 */
const fullGuarantees: readonly Guarantee[] = [
  'fs.read',
  'fs.write',
  'fs.deny-in-allow',
  'net.closed',
  'net.names',
  'pid',
  'ipc',
  'unix-sockets',
  'abstract-sockets',
  'signals',
  'syscalls',
  'limits.memory',
  'limits.processes',
  'limits.cpu',
];

interface Chosen {
  readonly backend: Pick<Backend, 'name' | 'guarantees'>;
  readonly place: Pick<Place, 'uid' | 'cgroups'>;
}

/** Checks that the options fit together. Throws `HF_USAGE`, in CI too, where nobody reads a warning. */
export function checkSandboxOptions({ values, io }: CommandInput): void {
  if (!isSet(values['no-sandbox-strict'])) return;
  if (!isSet(values['sandbox']))
    throw new HoldfastError('HF_USAGE', '--no-sandbox-strict needs --sandbox', {
      remedy: 'add --sandbox, or leave --no-sandbox-strict out: the requirements of the policy hold in any case',
    });
  if (isContinuousIntegration(io.environment))
    throw new HoldfastError('HF_USAGE', '--no-sandbox-strict is refused in CI, where nobody reads a warning', {
      remedy: 'leave the option out, and run on a machine where `holdfast doctor` finds every guarantee',
    });
}

/** Returns a warning about missing guarantees, or undefined. Throws `HF_GUARANTEE_MISSING` if they are required. */
export function missingOfSandbox(
  { values }: Pick<CommandInput, 'values'>,
  { backend, place }: Chosen,
): string | undefined {
  if (!isSet(values['sandbox'])) return undefined;
  const held = backend.guarantees({ uid: place.uid, cgroups: place.cgroups });
  const missing = fullGuarantees.filter((guarantee) => held[guarantee] !== 'kernel');
  if (missing.length === 0) return undefined;
  const what = `the ${backend.name} backend cannot enforce here: ${missing.join(', ')}`;
  if (isSet(values['no-sandbox-strict'])) return what;
  throw new HoldfastError('HF_GUARANTEE_MISSING', what, {
    remedy:
      'run `holdfast doctor` to see why, leave --sandbox out, or add --no-sandbox-strict to get a warning instead',
    details: { missing },
  });
}
