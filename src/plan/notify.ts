import type { NotifyPlan, Protection } from './types.ts';

/** Who looks at system calls that stop. */
export function planNotify(protection: Protection): NotifyPlan {
  return protection.roots.length > 0 && protection.names.length > 0 ? { kind: 'guard' } : { kind: 'none' };
}
