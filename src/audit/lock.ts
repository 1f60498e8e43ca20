import { lstatSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import process from 'node:process';
import { unusable } from './failure.ts';

/** Milliseconds. */
const patience = 10_000;
const pause = 2;

/**
 * Runs `work` while it holds a lock file. Takes over the lock of a process that is gone. Throws after ten seconds.
 *
 * The lock is a symlink whose text names its holder. A symlink is created together with its content, so a lock always
 * has an owner, even on a full disk.
 */
export function withLock<T>(file: string, work: () => T): T {
  acquire(file, process.hrtime.bigint() + BigInt(patience) * 1_000_000n);
  try {
    return work();
  } finally {
    rmSync(file, { force: true });
  }
}

/** The deadline uses `process.hrtime()`: the time of day may jump, and `performance` loads a dozen modules. */
function acquire(file: string, deadline: bigint): void {
  const own = newHolder();
  for (let holder = tryAcquire(file, own); holder !== own; holder = tryAcquire(file, own)) {
    if (holder !== undefined && isAbandoned(file, holder)) takeAway(file, holder);
    else if (process.hrtime.bigint() > deadline) throw new Error(`another process holds ${file}`);
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
  }
}

/** Returns the holder after the attempt. Undefined if the lock was just released. */
function tryAcquire(file: string, own: string): string | undefined {
  try {
    symlinkSync(own, file);
    return own;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  return holderOf(file);
}

function holderOf(file: string): string | undefined {
  try {
    return readlinkSync(file);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    if (codeOf(error) === 'EINVAL') throw unusable(file, 'it is not a lock', 'move it away');
    throw error;
  }
}

/**
 * Removes the lock of a dead holder. If several processes notice it, a slow one could remove the fresh lock of a quick
 * one. So the removal itself needs a lock, named after this dead holder, and checks again first.
 */
function takeAway(file: string, dead: string): void {
  withLock(`${file}.${dead}`, () => {
    if (holderOf(file) === dead) rmSync(file, { force: true });
  });
}

/** `PLACE.PID.START.NONCE`: unique for each acquisition, because PIDs are reused. */
function newHolder(): string {
  return [host(), process.pid, ownStart(), process.hrtime.bigint()].join('.');
}

/** Cached, because each read makes the kernel add up the times of all threads. */
const ownStart = once(() => startOf(process.pid) ?? '0');

/** Identifies the PID namespace, because a container may have the same name as its host. See pid_namespaces(7). */
function host(): string {
  return encodeURIComponent(`${hostname()} ${pidNamespace()}`).replaceAll('.', '%2E');
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replaceAll(/\D/gu, '');
  } catch {
    return 'unknown';
  }
}

function isAbandoned(file: string, holder: string): boolean {
  const [where, pid, start] = holder.split('.');
  if (where === host() && /^[1-9]\d*$/u.test(pid ?? '')) return !isAlive(Number(pid), start ?? '');
  // The processes of another machine or container that shares the home directory cannot be checked.
  const stats = lstatSync(file, { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs > patience;
}

function isAlive(pid: number, start: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return false;
  }
  const found = startOf(pid);
  return found === undefined || found === start;
}

/**
 * Returns when a process started, in clock ticks since boot. `ended` for a zombie, undefined if procfs does not tell.
 * See proc_pid_stat(5).
 */
function startOf(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? 'ended' : fields[19];
  } catch {
    return undefined;
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

function once<Value>(read: () => Value): () => Value {
  let kept: { readonly value: Value } | undefined;
  return () => (kept ??= { value: read() }).value;
}
