import { scanProtected } from '../../src/backends/launcher/launch.ts';
import { seccompFor } from '../../src/backends/seccomp.ts';
import { findInstallation } from '../../src/place/host/installation.ts';
import type { Plan } from '../../src/plan/types.ts';
import { suspectNames } from '../../src/policy/builtin/suspects.ts';

/** Relative paths of the files that the launcher hides for their content. */
export async function secretsIn(root: string): Promise<readonly string[]> {
  const names = suspectNames.map((components) => ({
    components,
    effect: 'suspect' as const,
    except: [],
    scope: 'outside-packages' as const,
    reason: '',
  }));
  const plan = {
    command: { argv: ['true'], cwd: '/', environment: {} },
    mounts: [
      { kind: 'proc', target: '/proc' },
      { kind: 'devices', target: '/dev', shmSize: 0 },
    ],
    protection: {
      roots: [root],
      shownRoots: [],
      gitDirectories: [],
      guarded: [],
      released: [],
      names,
      withholding: [root],
    },
    landlock: { minimumAbi: 0, execution: 'any', rules: [{ path: '/', access: 'read' }] },
    seccomp: { ptrace: 'deny' },
    notify: { kind: 'none' },
    programs: [],
    limits: { grace: 0, cgroups: [] },
    network: { kind: 'closed' },
    requires: [],
  } satisfies Plan;
  const { launcher } = findInstallation();
  const found = await scanProtected(plan, { launcher, seccomp: seccompFor(plan), as: 'before' });
  return found.map(({ path }) => path.toString().slice(root.length + 1)).toSorted();
}
