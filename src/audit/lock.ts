import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import process from 'node:process';

const patience = 10_000;
const pause = 2;
/** A lock without a process id is being written; older than this it was left by a full disk or a crash. */
const staleAfter = 2000;

/** Runs `work` while holding a lock file. A lock whose process is gone is taken over. Throws after ten seconds. */
export function withLock<T>(file: string, work: () => T): T {
  acquire(file, Date.now() + patience);
  try {
    return work();
  } finally {
    rmSync(file, { force: true });
  }
}

function acquire(file: string, deadline: number): void {
  while (!tryAcquire(file)) {
    if (isAbandoned(file)) rmSync(file, { force: true });
    else if (Date.now() > deadline) throw new Error(`another process holds ${file}`);
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
  }
}

function tryAcquire(file: string): boolean {
  try {
    const fd = openSync(file, 'wx', 0o600);
    writeSync(fd, String(process.pid));
    closeSync(fd);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    rmSync(file, { force: true });
    throw error;
  }
}

function isAbandoned(file: string): boolean {
  try {
    const owner = Number.parseInt(readFileSync(file, 'utf8'), 10);
    if (Number.isNaN(owner)) return Date.now() - statSync(file).mtimeMs > staleAfter;
    process.kill(owner, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
