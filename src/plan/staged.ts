import { HoldfastError } from '../errors/index.ts';
import type { BindMount, Mount, OverlayLayer, OverlayMount } from './mount.ts';
import type { NotifyPlan, Plan } from './types.ts';

/** The layer of each staged root, by the root's real path. */
export type StagedLayers = ReadonlyMap<string, OverlayLayer>;

/**
 * Returns the host directories that a live plan makes writable, in the order of its mounts. A layer must cover them.
 */
export function stagedRootsOf(plan: Pick<Plan, 'mounts'>): readonly string[] {
  return plan.mounts.flatMap((mount) =>
    isWritable(mount) && mount.identity.type === 'directory' ? [mount.source] : [],
  );
}

/**
 * Returns the plan with an overlay over every writable host directory, so that no write of the command reaches the
 * host. `keeper` is the directory of an already mounted layer. Throws `HF_GUARANTEE_MISSING` for a writable grant of a
 * single file, and for a root without a layer.
 */
export function stagePlan(plan: Plan, layers: StagedLayers, keeper?: string): Plan {
  return {
    ...plan,
    ...(keeper === undefined ? {} : { keeper }),
    notify: withoutNames(plan.notify),
    mounts: plan.mounts.map((mount) => (isWritable(mount) ? stagedMount(mount, layers) : mount)),
    requires: [...new Set([...plan.requires, 'fs.stage' as const])],
  };
}

/** Names that appear in a layer are judged when they are accepted. */
function withoutNames(notify: NotifyPlan): NotifyPlan {
  if (notify.kind !== 'guard') return notify;
  return notify.groups.includes('connections')
    ? { kind: 'guard', groups: ['connections', 'watches'] }
    : { kind: 'none' };
}

function isWritable(mount: Mount): mount is BindMount {
  return mount.kind === 'bind' && mount.access === 'read-write';
}

function stagedMount(mount: BindMount, layers: StagedLayers): BindMount | OverlayMount {
  const { source, target, identity } = mount;
  switch (identity.type) {
    case 'other':
      // A socket or a device holds no data, only a connection to another program or hardware.
      return mount;
    case 'file':
      throw notStaged(
        `${source} is a single file that may be written, and only directories can be staged`,
        'grant the directory around it, or take it out of files.write and --write',
      );
    case 'directory': {
      const layer = layers.get(source);
      if (layer === undefined)
        throw notStaged(
          `${source} may be written, and the staged layer has no place for it`,
          'stage into a new layer, or run with the grants that the layer was made with',
        );
      const ownership = mount.ownership === 'as-root' ? ({ ownership: 'as-root' } as const) : {};
      return { kind: 'overlay', lower: source, target, identity, ...ownership, layer };
    }
  }
}

function notStaged(message: string, remedy: string): HoldfastError {
  return new HoldfastError('HF_GUARANTEE_MISSING', `${message} (guarantee: fs.stage)`, {
    remedy,
    details: { missing: ['fs.stage'] },
  });
}
