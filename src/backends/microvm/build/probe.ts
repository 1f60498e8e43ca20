import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { accessSync, constants, statSync } from 'node:fs';
import { release } from 'node:os';
import type { Accelerator } from '../machine.ts';
import { type AcceleratorStep, type BootOutcome, type KvmDevice, nextStep, type ProbedFacts } from './accelerator.ts';
import type { MicrovmImage } from './image.ts';
import { readChoice, writeChoice } from './probe-memory.ts';

export type AcceleratorChoice = Exclude<AcceleratorStep, { readonly kind: 'try' }>;

export interface BootProbe {
  /** Directory of the images and of the remembered result. */
  readonly directory: string;
  /** Absolute path of qemu. */
  readonly qemu: string;
  readonly image: Pick<MicrovmImage, 'kernel' | 'initramfs' | 'digest'>;
  /** Default: `/dev/kvm`. */
  readonly device?: string;
  /** Milliseconds for a guest to boot. */
  readonly limits?: Readonly<Record<Accelerator, number>>;
}

/** A guest boots in under a second with KVM. With emulation, on a busy machine, it takes much longer. */
const usualLimits: Readonly<Record<Accelerator, number>> = { kvm: 10_000, tcg: 90_000 };

/**
 * Returns the accelerator that boots guests here: KVM only if a guest really boots with it in time, then emulation,
 * then none. The first call takes as long as a boot. The choice is remembered for the same qemu, `/dev/kvm`, host
 * kernel and image. Leaves no process behind.
 */
export async function chooseAccelerator(options: BootProbe): Promise<AcceleratorChoice> {
  const identity = identityOf(options);
  const remembered = readChoice(options.directory, identity);
  if (remembered !== undefined) return remembered;
  const choice = await probe(options);
  // A failure is not remembered: a boot may fail today for lack of memory, and succeed tomorrow.
  if (choice.kind === 'chosen') writeChoice(options.directory, identity, choice);
  return choice;
}

/**
 * Returns the earlier result of `chooseAccelerator` for the same facts. Undefined without such a result. Starts
 * nothing.
 */
export function rememberedAccelerator(options: Omit<BootProbe, 'limits'>): AcceleratorChoice | undefined {
  return readChoice(options.directory, identityOf(options));
}

async function probe({ qemu, image, device = kvm, limits = usualLimits }: BootProbe): Promise<AcceleratorChoice> {
  let facts: ProbedFacts = { device: deviceState(device), boots: {} };
  for (;;) {
    const step = nextStep(facts);
    if (step.kind !== 'try') return step;
    const outcome = await bootOnce(step.accelerator, {
      qemu,
      kernel: image.kernel,
      initramfs: image.initramfs,
      limit: limits[step.accelerator],
    });
    facts = { ...facts, boots: { ...facts.boots, [step.accelerator]: outcome } };
  }
}

const kvm = '/dev/kvm';

function deviceState(device: string): KvmDevice {
  try {
    accessSync(device, constants.R_OK | constants.W_OK);
    return 'there';
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'absent' : 'forbidden';
  }
}

/** Identifies the facts. Another program, device, kernel, image or permission may give another result. */
function identityOf({ qemu, image, device = kvm }: Omit<BootProbe, 'limits'>): string {
  return JSON.stringify([
    qemu,
    fileIdentity(qemu),
    fileIdentity(device),
    deviceState(device),
    release(),
    image.digest,
    process.getuid?.(),
  ]);
}

function fileIdentity(path: string): readonly string[] {
  try {
    const { dev, ino, size, mtimeNs, rdev, mode } = statSync(path, { bigint: true });
    const isDevice = (mode & 0o170000n) === 0o020000n;
    return isDevice ? [dev, ino, rdev, mode].map(String) : [dev, ino, size, mtimeNs, mode].map(String);
  } catch {
    return [];
  }
}

interface BootOptions {
  /** Absolute path of qemu. */
  readonly qemu: string;
  readonly kernel: string;
  readonly initramfs: string;
  /** Milliseconds until the guest's kernel has to run its first program. */
  readonly limit: number;
}

/**
 * Starts a guest without devices, network or files. Ends it, with everything it started, as soon as it has booted or
 * failed to boot.
 */
async function bootOnce(accelerator: Accelerator, options: BootOptions): Promise<BootOutcome> {
  const word = `holdfast.probe=${randomBytes(16).toString('hex')}`;
  const started = performance.now();
  // A new process group, so that every process in it can be ended.
  const child = spawn(options.qemu, qemuWords(accelerator, word, options), {
    detached: true,
    env: { LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ending = await watch(child, word, options.limit);
  endGroup(child);
  await gone(child);
  if (ending.kind === 'booted') return { kind: 'booted', milliseconds: Math.round(performance.now() - started) };
  return { kind: 'failed', why: ending.why };
}

/** Most bytes of a boot's output to read. A boot prints about 20 000. */
const mostOutput = 1 << 18;
/**
 * Milliseconds for a process to end after SIGKILL. A process that hangs in a kernel driver does not end, and is not
 * waited for.
 */
const lastWait = 5000;

type Ending = { readonly kind: 'booted' } | { readonly kind: 'failed'; readonly why: string };

function watch(child: ChildProcess, word: string, limit: number): Promise<Ending> {
  return new Promise((resolve) => {
    const booted = bootReader(word);
    let [size, errors] = [0, ''];
    const settle = (ending: Ending): void => {
      clearTimeout(timer);
      resolve(ending);
    };
    const timer = setTimeout(settle, limit, { kind: 'failed', why: `no guest booted within ${limit / 1000} seconds` });
    child.stdout?.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (booted(chunk.toString('latin1'))) settle({ kind: 'booted' });
      else if (size > mostOutput) settle({ kind: 'failed', why: 'qemu prints more than a guest does' });
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      errors = (errors + chunk.toString()).slice(-4096);
    });
    child.on('error', (error) => settle({ kind: 'failed', why: `qemu cannot be started: ${error.message}` }));
    child.on('exit', (status, signal) =>
      settle({
        kind: 'failed',
        why: `qemu ended ${signal === null ? `with status ${status}` : `by ${signal}`} before a guest booted${lastLine(errors)}`,
      }),
    );
  });
}

function lastLine(errors: string): string {
  // Printable characters only, because a hostile program's output may reach a terminal.
  const line = (errors.trim().split('\n').at(-1) ?? '').replace(/[^\x20-\x7e]/gu, '?').slice(0, 200);
  return line === '' ? '' : `: ${line}`;
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has no process left.
  }
}

async function gone(child: ChildProcess): Promise<void> {
  child.stdout?.destroy();
  child.stderr?.destroy();
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, lastWait);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
  });
  child.unref();
}

function qemuWords(accelerator: Accelerator, word: string, { kernel, initramfs }: BootOptions): readonly string[] {
  // An emulated guest has no timer to calibrate its clock with, so it is told a clock rate. For this boot any rate is
  // enough.
  const clock = accelerator === 'tcg' ? ' tsc=reliable tsc_early_khz=2000000' : '';
  const machine = [
    '-M',
    'microvm,acpi=on,pit=off,pic=off,rtc=on,isa-serial=on',
    '-accel',
    accelerator,
    '-cpu',
    accelerator === 'kvm' ? 'host' : 'max',
  ];
  const files = [
    '-kernel',
    kernel,
    '-initrd',
    initramfs,
    '-serial',
    'stdio',
    '-append',
    `console=ttyS0 panic=-1${clock} ${word}`,
  ];
  return ['-nodefaults', '-no-user-config', '-no-reboot', '-display', 'none', '-m', '256M', ...machine, ...files];
}

/**
 * Reads a guest's output piece by piece. Returns true once it shows that the kernel reached its first program. It first
 * prints the word of this boot, then the line that runs `/init`. A program that only repeats its arguments prints the
 * word but not the line.
 */
export function bootReader(word: string): (piece: string) => boolean {
  let line = '';
  let progress: 'nothing' | 'command-line' | 'init' = 'nothing';
  return (piece) => {
    const [first = '', ...others] = piece.split('\n');
    const lines = [line + first, ...others];
    line = (lines.pop() ?? '').slice(0, longestLine);
    for (const complete of lines) {
      const text = complete.replace(/^\[[ \d.]{1,24}\] /u, '');
      if (progress === 'nothing' && text.startsWith('Kernel command line: ') && text.includes(word))
        progress = 'command-line';
      else if (progress === 'command-line' && text.startsWith('Run /init as init process')) progress = 'init';
    }
    return progress === 'init';
  };
}

const longestLine = 4096;
