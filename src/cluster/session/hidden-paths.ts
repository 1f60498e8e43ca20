import type { Mount } from '../../plan/mount.ts';
import type { Plan } from '../../plan/types.ts';

/** Returns the paths of a workspace, relative to it, that the box hides: they do not leave this machine. */
export function hiddenPaths({ mounts }: Pick<Plan, 'mounts'>, workspace: string): ReadonlySet<string> {
  return new Set(
    mounts.flatMap((mount) => {
      const inside = hides(mount) && mount.target.startsWith(`${workspace}/`);
      return inside ? [Buffer.from(mount.target.slice(workspace.length + 1)).toString('latin1')] : [];
    }),
  );
}

function hides(mount: Mount): boolean {
  switch (mount.kind) {
    case 'mask':
    case 'tmpfs':
    case 'file':
      return true;
    case 'bind':
    case 'overlay':
    case 'proc':
    case 'devices':
    case 'directory':
    case 'symlink':
      return false;
  }
}
