import { HoldfastError } from '../../errors/index.ts';
import { resolverOverTcp, type Guarantee, type Mount, type NotifyGroup, type Plan, type PlannedCommand } from '../../plan/index.ts';
import type { BoxPlace } from '../backend.ts';
import { landlockRules } from './rules.ts';

export interface LandlockPlace extends BoxPlace {
  /** That the kernel is known to have; the launcher refuses one with less. */
  readonly abi: number;
}

/** Everything that a mount, a name or a rule may be about. Signals are the kernel's. */
const everyGroup: readonly NotifyGroup[] = ['opens', 'creations', 'deletions', 'renames', 'truncations', 'metadata', 'sockets', 'executions', 'descriptors', 'listens', 'accesses'];

/**
 * A plan that needs no namespaces and no mounts: Landlock grants what binds would show, and the supervisor answers every call about
 * files and sockets. Throws `HF_GUARANTEE_MISSING` for what only a mount or a namespace could carry out.
 */
export function adaptToLandlock(plan: Plan, { scratch, abi }: LandlockPlace): Plan {
  refuseWhatNeedsMounts(plan);
  const mounts: readonly Mount[] = [...plan.mounts.flatMap(withoutMounting), { kind: 'tmpfs', target: scratch, mode: 0o700, size: 0 }];
  const asked = plan.notify.kind === 'supervisor' ? plan.notify.groups : [];
  return {
    ...plan,
    command: inScratch(plan.command, scratch),
    mounts,
    landlock: { ...plan.landlock, minimumAbi: abi, rules: [...landlockRules(mounts), ...plan.landlock.rules.filter(({ access }) => access === 'execute')] },
    notify: { kind: 'supervisor', groups: [...new Set([...everyGroup, ...asked])], reach: 'everything' },
    confinement: 'landlock',
  };
}

/** Old names of places, and the places themselves, are the host's own. */
function withoutMounting(mount: Mount): readonly Mount[] {
  switch (mount.kind) {
    case 'file':
      return [resolverOverTcp(mount)];
    case 'bind':
    case 'mask':
    case 'proc':
    case 'devices':
      return [mount];
    // A cache whose writes would be thrown away can be read.
    case 'overlay':
      return [{ kind: 'bind', source: mount.lower, target: mount.target, access: 'read-only', ownership: 'as-is', identity: mount.identity, presence: 'optional' }];
    // Empty in a box with mounts; only what is put there can be seen.
    case 'tmpfs':
      return [{ kind: 'directory', target: mount.target, mode: mount.mode }];
    case 'directory':
      return [mount];
    case 'symlink':
      return [];
  }
}

function refuseWhatNeedsMounts({ mounts, keeper, network, seccomp, requires }: Plan): void {
  const layered = mounts.some((mount) => mount.kind === 'overlay' && mount.layer !== undefined);
  if (layered || keeper !== undefined || requires.includes('fs.stage')) throw missing('fs.stage', 'writes can only be kept aside by a mount', 'run without --staged');
  const moved = mounts.find((mount) => (mount.kind === 'bind' && mount.source !== mount.target) || (mount.kind === 'overlay' && mount.lower !== mount.target));
  if (moved !== undefined) throw missing('fs.read', `nothing can be shown at another place than its own (${moved.target})`, 'grant it where it is');
  if (network.kind === 'names' && network.forward.length > 0) throw missing('net.names', 'a port of the box is one of the host', 'leave --forward out');
  if (seccomp.nesting === 'runtime') throw missing('kernel.separate', 'another kernel needs namespaces', 'use --backend gvisor where they are allowed');
}

function missing(guarantee: Guarantee, why: string, remedy: string): HoldfastError {
  return new HoldfastError('HF_GUARANTEE_MISSING', `the landlock backend cannot enforce this plan: ${why} (guarantee: ${guarantee})`, { remedy: `${remedy}, or use --backend native`, details: { missing: [guarantee] } });
}

/** Always set, and set where the caller had them. */
const temporary = ['TMP', 'TEMP', 'XDG_RUNTIME_DIR'] as const;

function inScratch(command: PlannedCommand, scratch: string): PlannedCommand {
  const had = temporary.filter((name) => command.environment[name] !== undefined);
  return { ...command, environment: { ...command.environment, TMPDIR: scratch, ...Object.fromEntries(had.map((name) => [name, scratch])) } };
}
