import type { ChildProcess, StdioOptions } from 'node:child_process';
import { Socket as DatagramSocket } from 'node:dgram';
import { constants } from 'node:os';
import type { Duplex } from 'node:stream';
import { HoldfastError } from '../../errors/index.ts';
import type { Plan } from '../../plan/types.ts';
import type {
  FoundName,
  Descriptor,
  LaunchedBox,
  LauncherProcess,
  LaunchOutcome,
  NetworkSink,
  BackendStart,
  ProtectedPath,
} from '../backend.ts';
import { encodeCommand, encodePlan } from './encode-plan.ts';
import { ReportReader, type LauncherReport } from './reports.ts';
import { brokenLauncher, notStarted, spawnLauncher } from './spawn-launcher.ts';

interface LaunchOptions {
  /** Absolute path of `holdfast-launch`. */
  readonly launcher: string;
  readonly arguments: readonly string[];
  readonly encodedPlan: Buffer;
  /** For descriptors 0, 1 and 2 of the command. */
  readonly stdio: readonly [Descriptor, Descriptor, Descriptor];
  readonly terminal?: BackendStart['terminal'];
  /** Present exactly if the plan's network is open. */
  readonly network?: NetworkSink;
  /** Present exactly if the plan's `notify` is `supervisor`. */
  readonly listener?: BackendStart['listener'];
  readonly known?: BackendStart['known'];
  readonly launchers?: BackendStart['launchers'];
  readonly adopted?: BackendStart['adopted'];
}

const controlDescriptor = 3;

/** Starts one box. The launcher's own environment is empty. The plan has the environment of the command. */
export function launch(options: LaunchOptions): LaunchedBox {
  const child =
    options.adopted?.process ?? (isPlain(options) ? options.launchers?.take() : undefined) ?? start(options);
  const control = child.stdio[controlDescriptor] as Duplex | null | undefined;
  const reports: LauncherReport[] = [];
  const initPid = (): number => reports.find((report) => report.kind === 'started')?.initPid ?? 0;
  return {
    process: child,
    outcome: collect(child, options, reports),
    initPid,
    forward: (port, id) => control?.write(forwardFrame(port, id)),
    end: () => control?.write('k'),
    begin: () => control?.write('g'),
    run: (command) => control?.write(commandFrame(encodeCommand(command))),
  };
}

/** Whether a launcher with only its four streams is enough. */
function isPlain({ stdio, network, listener, terminal, arguments: words }: LaunchOptions): boolean {
  return (
    network === undefined &&
    listener === undefined &&
    (terminal ?? 'callers') === 'callers' &&
    words.length === 0 &&
    stdio.every((descriptor) => descriptor === 'pipe')
  );
}

function start({ launcher, arguments: words, stdio, network, terminal }: LaunchOptions): LauncherProcess {
  const streams: StdioOptions = network === undefined ? [...stdio, 'pipe'] : [...stdio, 'pipe', 'ipc'];
  const child = spawnLauncher(launcher, words, {
    stdio: streams,
    detached: terminal !== undefined && terminal !== 'callers',
  });
  if (network !== undefined) receiveListeners(child, network);
  const kill = child.kill.bind(child);
  // A signal that reaches the launcher before it can handle signals would kill it instead of the command.
  child.kill = (signal = 'SIGTERM') =>
    signal === 'SIGKILL'
      ? kill(signal)
      : (child.stdio[controlDescriptor] as Duplex).write(signalOrder(signal as NodeJS.Signals));
  return child;
}

/** The letter `p`, a u16 port and a u32 id. */
function forwardFrame(port: number, id: number): Buffer {
  const frame = Buffer.alloc(7, 'p', 'latin1');
  frame.writeUInt16LE(port, 1);
  frame.writeUInt32LE(id, 3);
  return frame;
}

/** The letter `r`, a u32 length and records. */
function commandFrame(records: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write('r', 'latin1');
  head.writeUInt32LE(records.length, 1);
  return Buffer.concat([head, records]);
}

function collect(child: LauncherProcess, options: LaunchOptions, reports: LauncherReport[]): Promise<LaunchOutcome> {
  return new Promise((resolve, reject) => {
    const reader = new ReportReader();
    const control = child.stdio[controlDescriptor] as Duplex | null | undefined;
    child.once('error', (cause) => {
      reject(notStarted(options.launcher, cause));
    });
    control?.on('data', (chunk: Buffer) => {
      try {
        const news = reader.push(chunk);
        reports.push(...news);
        const found = reports.filter((each) => each.kind === 'protected');
        for (const report of news) {
          if (report.kind === 'listener')
            handOver(child, { descriptor: report.descriptor, found }, options.listener).catch(reject);
          if (report.kind === 'handle' && options.network !== undefined) options.adopted?.take(report, options.network);
          if (report.kind === 'found') orEnd(child, 'f', () => options.known?.(found)).catch(reject);
        }
      } catch (cause) {
        // Without its reports the state of the box is unknown, and an error thrown here would end the supervisor.
        child.kill('SIGKILL');
        reject(brokenLauncher(options.launcher, cause));
      }
    });
    // A launcher that dies early breaks the pipe. Its exit is reported instead.
    control?.on('error', () => undefined);
    control?.write(options.encodedPlan);
    whenEnded(child, control, (status, signal) => {
      resolve(summarise(reports, status, signal));
    });
  });
}

/** Calls back after the process has ended and its control stream was read to the end. Either may come first. */
function whenEnded(
  child: LauncherProcess,
  control: Duplex | null | undefined,
  then: (status: number | null, signal: NodeJS.Signals | null) => void,
): void {
  let ended: { status: number | null; signal: NodeJS.Signals | null } | undefined;
  let drained = control ? 'open' : 'closed';
  const settle = (): void => {
    if (ended !== undefined && drained === 'closed') then(ended.status, ended.signal);
  };
  child.once('exit', (status, signal) => {
    ended = { status, signal };
    settle();
  });
  control?.once('close', () => {
    drained = 'closed';
    settle();
  });
}

/**
 * Waits for the receiver and then sends `n`, which starts the command. Without `n` the launcher waits, and ends the box
 * after a while.
 */
function handOver(
  child: LauncherProcess,
  { descriptor, found }: { readonly descriptor: number; readonly found: readonly FoundName[] },
  take: BackendStart['listener'],
): Promise<void> {
  return orEnd(child, 'n', () => take?.(child.pid ?? 0, descriptor, found));
}

/** Tells the launcher to continue, or ends the box. */
async function orEnd(child: LauncherProcess, word: 'n' | 'f', act: () => Promise<void> | undefined): Promise<void> {
  const control = child.stdio[controlDescriptor] as Duplex | null | undefined;
  try {
    const done = act();
    if (done === undefined)
      throw new HoldfastError('HF_INTERNAL', 'a box with a listener was started without a receiver for it', {
        remedy: 'Report this as a defect of Holdfast.',
      });
    await done;
    control?.write(word);
  } catch (error) {
    control?.write('k');
    throw error;
  }
}

function summarise(
  reports: readonly LauncherReport[],
  status: number | null,
  signal: NodeJS.Signals | null,
): LaunchOutcome {
  const find = <K extends LauncherReport['kind']>(kind: K) =>
    reports.find((report): report is Extract<LauncherReport, { kind: K }> => report.kind === kind);
  const exit = find('exit');
  const lost = exit === undefined && find('failed') === undefined;
  return {
    exitCode: exit === undefined ? (status ?? 128 + 9) : exit.signal > 0 ? 128 + exit.signal : exit.code,
    signal: exit?.signal ?? 0,
    failure: find('failed') ?? (lost ? { stage: 'launcher killed', path: signal ?? '', errno: 0 } : undefined),
    landlockAbi: find('started')?.landlockAbi ?? 0,
    initPid: find('started')?.initPid ?? 0,
    protectedBefore: reports.flatMap((report) =>
      report.kind === 'protected'
        ? [{ path: report.path, identity: report.identity, born: report.born, effect: report.effect }]
        : [],
    ),
    appeared: reports.flatMap((report) => (report.kind === 'appeared' ? [report.path] : [])),
    refused: distinct(reports.flatMap((report) => (report.kind === 'refused' ? [report.path] : []))),
    covered: reports.filter((report) => report.kind === 'covered'),
    stderrTail: find('tail')?.bytes ?? Buffer.alloc(0),
    ending: find('timeout') === undefined ? 'exited' : 'timed-out',
  };
}

/** Compares bytes, because paths need not be text. */
function distinct(paths: readonly Buffer[]): readonly Buffer[] {
  return [...new Map(paths.map((path) => [path.toString('latin1'), path])).values()];
}

/**
 * Receives the launcher's listeners, which arrive as handles in the form that Node's own children use. Anything else
 * ends the box.
 */
export function receiveListeners(child: ChildProcess, sink: NetworkSink): void {
  child.on('message', (message: unknown, handle: unknown) => {
    const { listener, reach, forward } = (typeof message === 'object' && message !== null ? message : {}) as {
      readonly listener?: unknown;
      readonly reach?: unknown;
      readonly forward?: unknown;
    };
    if (listener === 'dns' && handle instanceof DatagramSocket) sink.dns(handle);
    else if (listener === 'tcp' && typeof handle === 'object' && handle !== null) sink.tcp(handle);
    else if (typeof forward === 'number')
      sink.forwarded(forward, typeof handle === 'object' && handle !== null ? handle : undefined);
    else if (reach === 'every-port' || reach === 'listed-ports') sink.complete(reach);
    else child.kill('SIGKILL');
  });
}

/** Searches for the plan's protected names without a box, as the launcher does before or after a run. Default: after. */
export async function scanProtected(
  plan: Plan,
  options: Pick<BackendStart, 'launcher'> & { readonly seccomp: Uint8Array; readonly as?: 'before' },
): Promise<readonly ProtectedPath[]> {
  const encodedPlan = encodePlan(plan, { seccomp: options.seccomp, stderr: 'direct' });
  const scan = launch({
    launcher: options.launcher,
    arguments: options.as === undefined ? ['scan'] : ['scan', options.as],
    encodedPlan,
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  return (await scan.outcome).protectedBefore;
}

/** Orders to a launcher, in ASCII. See `supervise/orders.c` and `report/leave.c` of native/src/launch. */
export const orders = { held: 0x68, words: 0x77, exit: 0x78 } as const;

/** Encodes `s` and the number of a signal for the command. Only the end of the launcher kills the whole box. */
export function signalOrder(signal: NodeJS.Signals): Buffer {
  return Buffer.from([0x73, constants.signals[signal]]);
}
