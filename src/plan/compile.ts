import { environmentOf, limitsOf, processOf, type Policy } from '../policy/index.ts';
import { resolveAnchors } from './anchors.ts';
import type { HostFacts } from './facts.ts';
import { sessionFile } from './session-file.ts';
import { planDemands } from './demands.ts';
import { planExecutables } from './executables.ts';
import { planLandlock } from './landlock.ts';
import { planPrograms, programMasks } from './programs.ts';
import { planLimits } from './limits.ts';
import { planMounts } from './mounts.ts';
import { planProtection } from './protection.ts';
import { planNotify } from './notify.ts';
import { planNetwork, resolverMounts } from './network.ts';
import type { Plan } from './types.ts';

export interface CompileOptions {
  readonly argv: readonly string[];
  /** Set as `HOLDFAST` in the environment. */
  readonly sessionId: string;
  /** Names control groups; unique among running boxes. */
  readonly boxId: string;
  /** Content of `/run/holdfast/session.json`, from which `holdfast why` answers inside the box. */
  readonly session: string;
  /** How what every box holds must be held. `partial`: a person has named the backend. Default `kernel`. */
  readonly always?: 'kernel' | 'partial';
  /** Set or replaced after the policy has filtered the environment. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Pure: equal policy, facts and options give an equal plan. Throws `HoldfastError` for what cannot be enforced. */
export function compilePlan(policy: Policy, facts: HostFacts, options: CompileOptions): Plan {
  const anchors = resolveAnchors(policy, facts);
  const limits = limitsOf(policy, { memory: facts.memory });
  const network = planNetwork(policy, facts);
  const mounts = planMounts(anchors, facts, { tmp: limits.tmp ?? 0, files: [{ path: sessionFile, content: options.session }], resolver: resolverMounts(network, facts) });
  const programs = planPrograms(policy, facts, mounts);
  const executables = planExecutables(policy, facts, mounts);
  const protection = planProtection(policy, { mounts, anchors, workspace: facts.workspace, gitPrograms: facts.gitPrograms, home: facts.user.home, withheld: facts.withheld ?? [] });
  return {
    command: { argv: options.argv, cwd: facts.workspace.cwd, environment: planEnvironment(policy, facts, options) },
    mounts: [...mounts, ...programMasks(programs, facts)],
    protection,
    landlock: planLandlock(mounts, executables),
    seccomp: { ptrace: processOf(policy).ptrace },
    notify: planNotify(policy, protection, executables),
    programs,
    limits: planLimits(limits, facts, options.boxId),
    network,
    ...planDemands(policy, options.always),
  };
}

function planEnvironment(policy: Policy, facts: HostFacts, options: CompileOptions): Readonly<Record<string, string>> {
  const { environment } = environmentOf(policy, facts.environment);
  // Without SHLVL bash takes a socket on stdin for a remote login and runs ~/.bashrc, with `-c` as well (bash, shell.c).
  return { ...environment, TMPDIR: '/tmp', SHLVL: '1', HOLDFAST: options.sessionId, ...options.environment };
}
