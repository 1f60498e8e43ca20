import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { constants, homedir, release } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { isatty } from 'node:tty';
import { HoldfastError } from '../../errors/index.ts';
import type { Guarantee, Plan } from '../../plan/types.ts';
import {
  type Backend,
  type BackendFacts,
  type BackendPresence,
  type Descriptor,
  type GuaranteeVector,
  type LaunchFailure,
  type LaunchOutcome,
  namespaceGuarantees,
} from '../backend.ts';
import { nativeBackend } from '../native/native.ts';
import { bundleFile, gvisorPlan } from './gvisor-plan.ts';
import {
  askRunsc,
  choosePlatform,
  findRunsc,
  type Platform,
  type PlatformChoice,
  platforms,
  type ProbeResult,
  type Runsc,
} from './platform.ts';
import { probePlatform, programMounts } from './probe.ts';

export const gvisorBackend: Backend = {
  name: 'gvisor',
  warm: 'possible',
  guarantees: ownGuarantees,
  presence: () => gvisorPresence(),
  adapt: gvisorAdapted,
  start(plan, { box: _ofAnotherPlan, ...options }) {
    let [program = ''] = plan.command.argv;
    const { runsc, platform } = findRuntime(options);
    const terminal = options.stdio.every(isTerminal) ? 'yes' : 'no';
    const around = gvisorPlan(plan, {
      runsc,
      platform,
      programs: programMounts(runsc.path, options.launcher),
      terminal,
    });
    const started = nativeBackend.start(around, options);
    return {
      ...started,
      outcome: started.outcome.then((ended) => gvisorOutcome(ended, program)),
      run: (command) => {
        [program = ''] = command.argv;
        started.run({ ...around.command, files: [bundleFile({ ...plan, command }, { terminal })] });
      },
    };
  },
};

/**
 * The process limit also counts the second kernel's own threads, and reaching it ends that kernel as a whole. The
 * command's memory is a shared file of that kernel, which no process limit counts.
 */
function ownGuarantees(facts: BackendFacts): GuaranteeVector {
  const around = namespaceGuarantees(facts, 'kernel');
  return {
    ...around,
    'limits.memory': around['limits.memory'] === 'kernel' ? 'kernel' : 'none',
    'limits.processes': 'partial',
    'kernel.separate': 'kernel',
  };
}

/** If the bundle requests a terminal, the runtime connects all three descriptors to it. */
function isTerminal(descriptor: Descriptor, number: number): boolean {
  return descriptor === 'inherit' ? isatty(number) : typeof descriptor === 'number' && isatty(descriptor);
}

/** Status of `runsc run` if it could not start the command. It then explains on stderr. */
const notStarted = 128;

/**
 * Turns the outcome into a failure if the command never began, which the end of stderr shows. The exit status is then
 * the runtime's, not the command's.
 */
export function gvisorOutcome(outcome: LaunchOutcome, command: string): LaunchOutcome {
  if (outcome.exitCode !== notStarted || outcome.failure !== undefined) return outcome;
  const said = outcome.stderrTail.toString('utf8').trimEnd().split('\n').at(-1) ?? '';
  const failure = said.startsWith('running container: ') ? failureOf(said, command) : undefined;
  return failure === undefined ? outcome : { ...outcome, exitCode: 125, failure };
}

function failureOf(said: string, command: string): LaunchFailure {
  if (said.endsWith('no such file or directory'))
    return { stage: 'exec', path: command, errno: constants.errno.ENOENT };
  if (said.endsWith('permission denied')) return { stage: 'exec', path: command, errno: constants.errno.EACCES };
  return { stage: 'start gVisor', path: '', errno: 0 };
}

interface Problem {
  readonly what: string;
  readonly guarantee: Guarantee;
}

/**
 * Returns the plan unchanged. Throws `HF_GUARANTEE_MISSING` for demands about events inside the second kernel, which no
 * one outside can see.
 */
export function gvisorAdapted(plan: Plan): Plan {
  const problem = unseen(plan);
  if (problem === undefined) return plan;
  throw new HoldfastError(
    'HF_GUARANTEE_MISSING',
    `the gvisor backend cannot enforce ${problem.what} (guarantee: ${problem.guarantee})`,
    {
      remedy: 'use --backend native, or remove it from the policy',
      details: { missing: [problem.guarantee] },
    },
  );
}

function unseen({ landlock, programs, notify }: Plan): Problem | undefined {
  const noticed = programs.find(({ held }) => held === 'notification');
  if (landlock.execution === 'listed')
    return {
      what: 'a list of programs, because gVisor’s kernel starts programs without asking',
      guarantee: 'syscalls',
    };
  if (noticed !== undefined)
    return {
      what: `that ${noticed.program} is refused, because it shares its file with other programs`,
      guarantee: 'syscalls',
    };
  if (notify.kind !== 'supervisor') return undefined;
  const group =
    notify.groups.find((name) => name === 'signals' || name === 'sockets') ?? notify.groups[0] ?? 'executions';
  return {
    what: `rules that look at system calls of the command (${group}), because gVisor’s kernel answers them`,
    guarantee: group === 'signals' ? 'signals' : group === 'sockets' ? 'unix-sockets' : 'fs.write',
  };
}

const remedy =
  'install gVisor’s runsc in /usr/bin or /usr/local/bin (Debian: `apt-get install runsc`), or use another --backend';

interface RuntimeOptions {
  /** Absolute path of `holdfast-launch`. */
  readonly launcher: string;
  /** Directory of the remembered results. Default: the user's state directory. */
  readonly directory?: string;
  /** Default: the system's own paths. */
  readonly places?: readonly string[];
  /** Milliseconds for each platform. Default: 5000. */
  readonly patience?: number;
}

/**
 * Returns the runtime and the platform that works here. Uses the result that was remembered for the same files, or
 * tries the platforms. Throws `HF_BACKEND_MISSING`.
 */
export function findRuntime({ launcher, directory = memoryDirectory(), places, patience }: RuntimeOptions): Known {
  const path = findRunsc(places);
  if (path === undefined) throw missing('runsc is not installed');
  const identity = `${filesIdentity(path, launcher)}\n${release()}`;
  const known = recall(directory, identity);
  // Attack: XDG_STATE_HOME names a directory that has another person's file, and the file names another program.
  if (known?.runsc.path === path) return known;
  const runsc = askRunsc(path);
  if (runsc === undefined) throw missing(`${path} does not say its version, as gVisor’s runsc does`);
  const found = {
    runsc,
    ...tryPlatforms(runsc, (platform) =>
      probePlatform({ runsc, platform, launcher, ...(patience === undefined ? {} : { patience }) }),
    ),
  };
  remember(directory, identity, found);
  return found;
}

function tryPlatforms(runsc: Runsc, probe: (platform: Platform) => ProbeResult): Pick<Known, 'platform' | 'statx'> {
  const results: Partial<Record<Platform, ProbeResult>> = {};
  for (;;) {
    const choice: PlatformChoice = choosePlatform(runsc, results);
    if (choice.kind === 'chosen') return { platform: choice.platform, statx: choice.statx };
    if (choice.kind === 'none')
      throw missing(`${runsc.path} (${runsc.version}) runs nothing in a box here: ${choice.reasons}`);
    results[choice.platform] = probe(choice.platform);
  }
}

function missing(message: string): HoldfastError {
  return new HoldfastError('HF_BACKEND_MISSING', message, { remedy });
}

/** Asks for the version and starts nothing else. */
export function gvisorPresence(places?: readonly string[]): BackendPresence {
  const path = findRunsc(places);
  const runsc = path === undefined ? undefined : askRunsc(path);
  return runsc === undefined
    ? { kind: 'absent', remedy }
    : { kind: 'present', version: `runsc ${runsc.version}${remark(runsc)}` };
}

/** Returns a remark about old releases. With Debian's build of 2022, `statx` refuses flags that coreutils use. */
function remark({ date }: Runsc): string {
  return date < 20230101 ? ' (old: `ls` and `stat` fail inside; install a newer release)' : '';
}

/** Results for a runtime that has not changed since then. */
interface Known {
  readonly runsc: Runsc;
  readonly platform: Platform;
  readonly statx: 'answered' | 'refused';
}

const fileName = 'gvisor.json';

/** The user's state directory, where no box can write. */
function memoryDirectory(): string {
  const state = process.env['XDG_STATE_HOME'];
  return join(state?.startsWith('/') === true ? state : join(homedir(), '.local/state'), 'holdfast');
}

/** Returns one text that identifies the current files at these paths. Throws if one is missing. */
export function filesIdentity(...paths: readonly string[]): string {
  return paths.map((path) => [path, ...numbersOf(path)].join(' ')).join('\n');
}

function numbersOf(path: string): readonly bigint[] {
  const { dev, ino, mtimeNs, size } = statSync(path, { bigint: true });
  return [dev, ino, mtimeNs, size];
}

export function recall(directory: string, identity: string): Known | undefined {
  try {
    const value = JSON.parse(readFileSync(join(directory, fileName), 'utf8')) as Partial<
      Record<'identity' | 'path' | 'version' | 'date' | 'platform' | 'statx', unknown>
    > | null;
    if (value === null || value.identity !== identity) return undefined;
    const { path, version, date, statx } = value;
    const platform = platforms.find((name) => name === value.platform);
    if (
      platform === undefined ||
      typeof path !== 'string' ||
      typeof version !== 'string' ||
      typeof date !== 'number' ||
      (statx !== 'answered' && statx !== 'refused')
    )
      return undefined;
    return { runsc: { path, version, date }, platform, statx };
  } catch {
    return undefined;
  }
}

/** If the result cannot be written, the next run tries the platforms again. */
export function remember(directory: string, identity: string, { runsc, platform, statx }: Known): void {
  const fresh = join(directory, `${fileName}.${randomUUID()}`);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    writeFileSync(fresh, JSON.stringify({ identity, ...runsc, platform, statx }), { mode: 0o600, flag: 'wx' });
    renameSync(fresh, join(directory, fileName));
  } catch {
    if (existsSync(fresh)) rmSync(fresh, { force: true });
  }
}
