import { once } from 'node:events';
import { release } from 'node:os';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Backend,
  type BackendName,
  type BackendPresence,
  type GuaranteeVector,
  type LaunchOutcome,
  backendNames,
} from '../../backends/backend.ts';
import { demandOf, lacking, type Level, guaranteeLevel } from '../../backends/lattice/vectors.ts';
import type { NetworkReach } from '../../egress/session/session-network.ts';
import { HoldfastError, isHoldfastError } from '../../errors/index.ts';
import { backendNamed } from '../../place/backends.ts';
import { cgroupFacts } from '../../place/host/cgroups.ts';
import { forgetPlans } from '../../place/remembered-plan.ts';
import { type CgroupFacts, canHoldExecutions } from '../../plan/facts.ts';
import type { Guarantee } from '../../plan/types.ts';
import { everyBox } from '../../policy/settings/levels.ts';
import { planOwnCommand, startOwnCommand } from '../../session/own-command.ts';
import type { RunningBox } from '../../session/running-box.ts';
import type { SessionOptions } from '../../session/session-options.ts';
import { openSession } from '../../session/session.ts';
import { type ContainerReport, reportContainer } from './container/report.ts';
import type { FailedStep } from './container/changes.ts';
import { surroundingsOf, readSurroundings } from './container/signs.ts';
import { withEmptyWorkspace } from './empty-workspace.ts';
import { probe, type Probed } from './probes.ts';

/** Facilities of this machine, and the guarantees that each backend enforces on it. */
export interface Examination extends Probed {
  readonly kernel: string;
  /** Whether `strict` compares a started program and its arguments with the judged ones. It does from Linux 5.19. */
  readonly comparesPrograms: boolean;
  readonly architecture: string;
  readonly uid: number;
  readonly cgroups: CgroupFacts;
  readonly backends: readonly BackendReport[];
  readonly container: ContainerReport;
}

export interface BackendReport {
  readonly name: BackendName;
  readonly presence: BackendPresence;
  readonly guarantees: GuaranteeVector;
  /** The level that these guarantees reach. */
  readonly level: Level;
  /** Whether a box of the default policy starts and ends correctly, with the reason if it does not. */
  readonly start:
    | { readonly kind: 'works'; readonly landlockAbi: number }
    | {
        readonly kind: 'fails';
        readonly reason: string;
        readonly remedy: string;
        /** The step at which it stopped, if the launcher or the supervisor reported it. */
        readonly step?: FailedStep;
      };
  /** Guarantees of the default policy that the kernel does not enforce. */
  readonly missing: readonly Guarantee[];
  /**
   * Reach of an open network: every port by the packet filter, or listed ports if the kernel has no transparent
   * proxying.
   */
  readonly network: NetworkReport;
}

export type NetworkReport =
  | { readonly kind: 'every-port' | 'listed-ports' }
  | { readonly kind: 'fails'; readonly reason: string; readonly remedy: string };

type Environment = Readonly<Record<string, string | undefined>>;

/** Guarantees that `auto` demands for the default policy. */
const defaultDemand = demandOf({ requires: [...everyBox, 'net.closed'] });

/** Starts a few boxes for each backend that is present, and changes nothing else. Ends a box that hangs. */
export async function examine(environment: Environment): Promise<Examination> {
  const backends = await examineBackends(environment);
  return {
    kernel: release(),
    comparesPrograms: canHoldExecutions(release()),
    architecture: process.arch,
    uid: process.getuid?.() ?? -1,
    cgroups: cgroupFacts(),
    backends,
    container: reportContainer(backends, surroundingsOf(readSurroundings(environment))),
    ...(await probe(environment)),
  };
}

export async function examineBackends(environment: Environment): Promise<readonly BackendReport[]> {
  const native = await examineBackend('native', environment);
  const reports = [native];
  for (const name of backendNames) {
    if (name !== 'native')
      reports.push(
        await (insideNative.has(name) ? examineInside(name, native, environment) : examineBackend(name, environment)),
      );
  }
  return reports;
}

async function examineBackend(name: BackendName, environment: Environment): Promise<BackendReport> {
  const { backend, presence, promised } = lookAt(name);
  if (presence.kind === 'absent') return absent(backend, presence.remedy, promised);
  // Only a mount shows whether the file system at this path can hold layers.
  const staging =
    promised['fs.stage'] === 'none' ? undefined : await tryBox({ backend: name, environment, staged: 'new' });
  const network = await tryBox({ backend: name, environment, grants: { hosts: ['doctor.invalid'] } });
  return report({
    backend,
    presence,
    start: await tryBox({ backend: name, environment }),
    network: networkOf(network),
    vector: { ...promised, 'fs.stage': staging?.kind === 'fails' ? 'none' : promised['fs.stage'] },
  });
}

/** These backends run another kernel inside a native box, which is slow to start. One box is enough. */
const insideNative: ReadonlySet<BackendName> = new Set(['gvisor', 'microvm']);

async function examineInside(
  name: BackendName,
  native: BackendReport,
  environment: Environment,
): Promise<BackendReport> {
  const { backend, presence, promised } = lookAt(name);
  if (presence.kind === 'absent') return absent(backend, presence.remedy, promised);
  const staging = native.guarantees['fs.stage'] === 'none' ? 'none' : promised['fs.stage'];
  return report({
    backend,
    presence,
    start: await tryBox({ backend: name, environment }),
    network: native.network,
    vector: { ...promised, 'fs.stage': staging },
  });
}

interface LookedAt {
  readonly backend: Backend;
  readonly presence: BackendPresence;
  readonly promised: GuaranteeVector;
}

function lookAt(name: BackendName): LookedAt {
  const backend = backendNamed(name);
  return {
    backend,
    presence: presenceOf(backend),
    promised: backend.guarantees({ uid: process.getuid?.() ?? -1, cgroups: cgroupFacts() }),
  };
}

/** Treats a binary that reports false facts as missing. */
function presenceOf(backend: Backend): BackendPresence {
  try {
    return backend.presence();
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    return { kind: 'absent', remedy: error.remedy };
  }
}

interface Examined {
  readonly backend: Backend;
  readonly presence: BackendPresence;
  readonly start: Trial;
  readonly network: NetworkReport;
  readonly vector: GuaranteeVector;
}

function report({ backend, presence, start, network, vector }: Examined): BackendReport {
  const missing = start.kind === 'works' ? lacking(vector, defaultDemand) : [];
  return { name: backend.name, presence, guarantees: vector, level: guaranteeLevel(vector), start, missing, network };
}

function absent({ name }: Backend, remedy: string, promised: GuaranteeVector): BackendReport {
  const fails = { kind: 'fails', reason: 'not available here', remedy } as const;
  return {
    name,
    presence: { kind: 'absent', remedy },
    guarantees: promised,
    level: guaranteeLevel(promised),
    start: fails,
    missing: [],
    network: fails,
  };
}

function networkOf(trial: Trial): NetworkReport {
  if (trial.kind === 'fails') return trial;
  return trial.reach === undefined
    ? {
        kind: 'fails',
        reason: 'the box returned no listener',
        remedy: 'run `holdfast run --host example.com -- true` and read its message',
      }
    : { kind: trial.reach };
}

type Trial =
  | { readonly kind: 'works'; readonly landlockAbi: number; readonly reach?: NetworkReach }
  | { readonly kind: 'fails'; readonly reason: string; readonly remedy: string; readonly step?: FailedStep };

/** Milliseconds. A virtual machine without KVM starts slowly. */
const patience = 60_000;
/** Milliseconds for a box that ignores the request to end. */
const grace = 2000;

/** Starts a box of the default policy in an empty workspace, and runs `true` in it. */
async function tryBox(options: Pick<SessionOptions, 'backend' | 'environment' | 'grants' | 'staged'>): Promise<Trial> {
  try {
    return await withEmptyWorkspace(async (workspace): Promise<Trial> => {
      const session = await openSession({ ...options, cwd: workspace, workspace, whenStrict: 'carries-out' });
      try {
        const running = startOwnCommand(session, planOwnCommand(session, { argv: ['true'] }), {
          stdio: ['ignore', 'ignore', 'ignore'],
          stderr: 'direct',
        });
        const { landlockAbi } = await inTime(running);
        await whenHeard(running);
        return { kind: 'works', landlockAbi, ...(running.reach === undefined ? {} : { reach: running.reach }) };
      } finally {
        session.approvals.close();
        await session.staging?.close();
        forgetPlans(session.place);
      }
    });
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    const step = stepOf(error.details);
    return { kind: 'fails', reason: error.message, remedy: error.remedy, ...(step === undefined ? {} : { step }) };
  }
}

function stepOf({ stage, path, errno }: HoldfastError['details']): FailedStep | undefined {
  if (typeof stage !== 'string' || typeof errno !== 'string') return undefined;
  return { stage, path: typeof path === 'string' ? path : '', errno };
}

/** Waits for messages on the box's channel, which may arrive after its end. */
async function whenHeard({ box }: RunningBox): Promise<void> {
  if (box.process.connected)
    await Promise.race([once(box.process, 'disconnect'), sleep(grace, undefined, { ref: false })]);
}

/** Throws `HF_LAUNCHER_FAILED` if `true` does not end in the box, or ends with another status. */
async function inTime({ box, ended }: RunningBox): Promise<LaunchOutcome> {
  let late = false;
  const timers = [
    setTimeout(() => {
      late = true;
      box.end();
    }, patience),
    setTimeout(() => box.process.kill('SIGKILL'), patience + grace),
  ];
  try {
    const { exitCode } = await ended;
    if (exitCode !== 0)
      throw notTrue(late ? `it did not end within ${patience / 1000} s` : `it ended with status ${exitCode}`);
    return await box.outcome;
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}

function notTrue(what: string): HoldfastError {
  return new HoldfastError('HF_LAUNCHER_FAILED', `the test command \`true\` was started in a box, and ${what}`, {
    remedy: 'run `holdfast run -- true` with this --backend, and read its error',
  });
}
