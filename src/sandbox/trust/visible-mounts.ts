import type { Mount, Plan } from '../../plan/index.ts';
import { endsName, matchesName } from './withheld-place.ts';

/**
 * Approved files that the box shows at all: an approval widens nothing (attack: a hook that names a script which the policy denies,
 * or `. ./.env`, so that its copy would lie over the mask). What is hidden by name, or lies in no directory of the host, is left out.
 */
export function visibleMounts(shown: readonly Mount[], plan: Pick<Plan, 'mounts' | 'protection'>): readonly Mount[] {
  const directories = shown.filter(({ kind, target }) => kind === 'tmpfs' && isShown(target, plan)).map(({ target }) => target);
  const isBelow = (target: string): boolean => directories.some((directory) => target.startsWith(`${directory}/`));
  return shown.filter(({ kind, target }) => (kind === 'tmpfs' ? directories.includes(target) : !isHidden(target, plan) && (isBelow(target) || isShown(target, plan))));
}

/** By the deepest mount there, of several the last. */
function isShown(target: string, { mounts }: Pick<Plan, 'mounts'>): boolean {
  const covers = mounts.filter((mount) => mount.kind !== 'directory' && mount.kind !== 'symlink' && (target === mount.target || target.startsWith(`${mount.target}/`)));
  const cover = covers.reduce<Mount | undefined>((deepest, mount) => (deepest === undefined || mount.target.length >= deepest.target.length ? mount : deepest), undefined);
  return cover?.kind === 'bind' || cover?.kind === 'overlay';
}

function isHidden(target: string, { protection: { names, released } }: Pick<Plan, 'protection'>): boolean {
  const components = target.slice(1).split('/');
  const hidden = names.filter(({ effect }) => effect === 'hidden');
  return components.some((component, end) => !released.includes(`/${components.slice(0, end + 1).join('/')}`) && hidden.some((name) => endsName(name.components, components, end) && !name.except.some((except) => matchesName(except, component))));
}
