import type { GuaranteeName } from '../guarantees.ts';
import { everyBox } from '../settings/levels.ts';
import { builtinOrigin } from './builtin-atoms.ts';
import type { LimitSettings, Setting } from './settings.ts';

const gibibyte = 2 ** 30;
const day = 86_400_000;

/**
 * Limits that stop a fork bomb, a memory bomb and a full disk, and that no build meets. There is no wall time: an agent
 * may work all night. Processes: a parallel build of a browser has about 300; threads count too.
 */
export const defaultLimits: LimitSettings = {
  memory: { value: { kind: 'share', share: 0.75 }, origin: builtinOrigin('limits.memory', 'user') },
  processes: { value: 2048, origin: builtinOrigin('limits.processes', 'user') },
  openFiles: { value: 65_536, origin: builtinOrigin('limits.open_files', 'user') },
  tmp: { value: { kind: 'bytes', bytes: 2 * gibibyte }, origin: builtinOrigin('limits.tmp', 'user') },
  trash: { value: 2e9, origin: builtinOrigin('limits.trash', 'user') },
  trashAge: { value: 30 * day, origin: builtinOrigin('limits.trash_age', 'user') },
};

/** Without these the defaults would be words. Limits are not among them: not every host lets a user make control groups. */
export const defaultRequirements: readonly Setting<GuaranteeName>[] = everyBox.map((value) => ({ value, origin: builtinOrigin(`require:${value}`, 'user') }));
