import { mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { LaunchedBox } from '../../../src/backends/backend.ts';
import { adaptToLandlock } from '../../../src/backends/landlock/landlock.ts';
import { encodePlan } from '../../../src/backends/launcher/encode-plan.ts';
import { launch } from '../../../src/backends/launcher/launch.ts';
import { plainFor, seccompFor } from '../../../src/backends/seccomp.ts';
import { planWith } from '../../../src/backends/testing/plan.ts';
import type { BindMount, Mount } from '../../../src/plan/mount.ts';
import type { NetworkPlan, Plan } from '../../../src/plan/types.ts';
import { repository } from '../../lib/holdfast.ts';

const launcher = join(repository, 'native/build/holdfast-launch');

export interface PlainOptions {
  readonly command: readonly string[];
  readonly mounts?: readonly Mount[];
  readonly change?: (plan: Plan) => Plan;
  /**
   * The writer of writable paths and of the private directory. Default: the command, because no supervisor takes part.
   */
  readonly writable?: 'by-the-command' | 'by-the-supervisor';
}

export interface PlainResult {
  readonly output: string;
  readonly exitCode: number;
  readonly failure: string | undefined;
}

/** A writable directory of the box, and one beside it. `[Symbol.dispose]` removes both. */
export class Places {
  readonly root = realpathSync(mkdtempSync('/var/tmp/holdfast-plain-'));
  readonly workspace = mkdtempSync(join(this.root, 'ws-'));
  readonly outside = mkdtempSync(join(this.root, 'outside-'));
  /** Made by the launcher. */
  readonly scratch = join(this.root, 'scratch');

  bind(path: string, access: BindMount['access'] = 'read-only'): BindMount {
    const { dev, ino } = statSync(path, { bigint: true });
    return {
      kind: 'bind',
      source: path,
      target: path,
      access,
      ownership: 'as-is',
      identity: { device: String(dev), inode: String(ino), type: 'directory' },
      presence: 'optional',
    };
  }

  /** The kernel's controls alone: no supervisor answers any call. */
  plan({ command, mounts = [], change = (plan) => plan, writable = 'by-the-command' }: PlainOptions): Plan {
    const network: NetworkPlan = { kind: 'closed' };
    const wanted = planWith({
      command: { argv: command, cwd: this.workspace, environment: { PATH: '/usr/bin:/bin' } },
      mounts: [
        { kind: 'proc', target: '/proc' },
        { kind: 'devices', target: '/dev', shmSize: 0 },
        this.bind('/usr'),
        this.bind('/etc'),
        this.bind(this.workspace, 'read-write'),
        ...mounts,
      ],
      protection: { roots: [this.workspace], shownRoots: [], gitDirectories: [], names: [], guarded: [], released: [] },
      landlock: { minimumAbi: 0, execution: 'any', rules: [] },
      limits: { grace: 1000, cgroups: [] },
      network,
    });
    const plan = adaptToLandlock(wanted, { scratch: this.scratch, abi: 6 });
    return { ...change(writable === 'by-the-command' ? withWriting(plan) : plan), notify: { kind: 'none' } };
  }

  start(options: PlainOptions, encode: Partial<Parameters<typeof encodePlan>[1]> = {}): LaunchedBox {
    const plan = this.plan(options);
    const encodedPlan = encodePlan(plan, {
      seccomp: seccompFor(plan),
      plain: plainFor(plan),
      stderr: 'direct',
      ...encode,
    });
    return launch({ launcher, arguments: [], encodedPlan, stdio: ['ignore', 'pipe', 'pipe'] });
  }

  async run(options: PlainOptions): Promise<PlainResult> {
    const box = this.start(options);
    const [out, err] = [box.process.stdout, box.process.stderr].map(async (stream) =>
      stream === null ? '' : String(await buffer(stream)),
    );
    const { exitCode, failure } = await box.outcome;
    return { output: `${await out}${await err}`, exitCode, failure: failure?.stage };
  }

  script(text: string, options: Omit<PlainOptions, 'command'> = {}): Promise<PlainResult> {
    return this.run({ ...options, command: ['sh', '-c', text] });
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

function withWriting(plan: Plan): Plan {
  const writable = new Set(
    plan.mounts.flatMap((mount) =>
      mount.kind === 'tmpfs' || (mount.kind === 'bind' && mount.access === 'read-write') ? [mount.target] : [],
    ),
  );
  return {
    ...plan,
    landlock: {
      ...plan.landlock,
      rules: plan.landlock.rules.map((rule) =>
        rule.access === 'read' && writable.has(rule.path) ? { ...rule, access: 'write' as const } : rule,
      ),
    },
  };
}
