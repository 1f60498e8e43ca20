import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { Accelerator, BootOutcome } from './accelerator.ts';
import { bootReader } from './boot-output.ts';

export interface BootOptions {
  /** Absolute path of qemu. */
  readonly qemu: string;
  readonly kernel: string;
  readonly initramfs: string;
  /** Milliseconds until the guest's kernel has to run its first program. */
  readonly limit: number;
}

/** Starts a guest without devices, network or files, and ends it, with everything it started, as soon as it is known whether it boots. */
export async function bootOnce(accelerator: Accelerator, options: BootOptions): Promise<BootOutcome> {
  const word = `holdfast.probe=${randomBytes(16).toString('hex')}`;
  const started = performance.now();
  // In a group of its own, so that all of it can be ended.
  const child = spawn(options.qemu, qemuWords(accelerator, word, options), { detached: true, env: { LC_ALL: 'C' }, stdio: ['ignore', 'pipe', 'pipe'] });
  const ending = await watch(child, word, options.limit);
  endGroup(child);
  await gone(child);
  if (ending.kind === 'booted') return { kind: 'booted', milliseconds: Math.round(performance.now() - started) };
  return { kind: 'failed', why: ending.why };
}

/** Bytes of a boot's output that are looked at. A boot prints about 20 000. */
const mostOutput = 1 << 18;
/** Milliseconds that a process gets to go after SIGKILL. One that hangs in a driver of the kernel does not, and is not waited for. */
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
      else if (size > mostOutput) settle({ kind: 'failed', why: 'qemu prints what no guest prints' });
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      errors = (errors + chunk.toString()).slice(-4096);
    });
    child.on('error', (error) => settle({ kind: 'failed', why: `qemu cannot be started: ${error.message}` }));
    child.on('exit', (status, signal) => settle({ kind: 'failed', why: `qemu ended ${signal === null ? `with status ${status}` : `by ${signal}`} before a guest booted${lastLine(errors)}` }));
  });
}

function lastLine(errors: string): string {
  // What a lying program prints may stand on a terminal.
  const line = (errors.trim().split('\n').at(-1) ?? '').replace(/[^\x20-\x7e]/gu, '?').slice(0, 200);
  return line === '' ? '' : `: ${line}`;
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody of it is left.
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
  // An emulated guest without a timer to compare with has to be told how fast its clock runs; for a boot any rate will do.
  const clock = accelerator === 'tcg' ? ' tsc=reliable tsc_early_khz=2000000' : '';
  const machine = ['-M', 'microvm,acpi=on,pit=off,pic=off,rtc=on,isa-serial=on', '-accel', accelerator, '-cpu', accelerator === 'kvm' ? 'host' : 'max'];
  const files = ['-kernel', kernel, '-initrd', initramfs, '-serial', 'stdio', '-append', `console=ttyS0 panic=-1${clock} ${word}`];
  return ['-nodefaults', '-no-user-config', '-no-reboot', '-display', 'none', '-m', '256M', ...machine, ...files];
}
