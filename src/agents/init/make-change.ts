import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import {
  missingDirectories,
  readRecord,
  readText,
  type SettingsChange,
  type SettingsRecord,
  sha256,
} from './plan-change.ts';
import { brokenSettings, inSystem } from './problems.ts';

/**
 * Writes what was planned. What was there before is kept first, so that a crash in between loses nothing. @throws
 * HoldfastError `HF_AGENT_SETTINGS`, `HF_DISK_FULL`
 */
export function makeInstall(change: SettingsChange): void {
  const { file, before, after, record } = change;
  if (after === undefined || after === before) return;
  refuseOther(change);
  const known = readRecord(record);
  const ours = known !== undefined && before !== undefined && sha256(before) === known.written;
  inSystem(file, 'written', () => {
    const kept: SettingsRecord = {
      v: 1,
      file,
      before: ours ? known.before : (before ?? null),
      written: sha256(after),
      made: ours ? known.made : missingDirectories(file),
    };
    mkdirSync(dirname(record), { recursive: true, mode: 0o700 });
    replace(record, `${JSON.stringify(kept)}\n`, 0o600);
    mkdirSync(dirname(file), { recursive: true });
    replace(file, after, before === undefined ? 0o600 : statSync(file).mode & 0o777);
  });
}

/** @throws HoldfastError `HF_AGENT_SETTINGS`, `HF_DISK_FULL` */
export function makeUndo(change: SettingsChange): void {
  const { file, before, after, record } = change;
  refuseOther(change);
  const made = readRecord(record)?.made ?? [];
  inSystem(file, 'written', () => {
    if (after === undefined) rmSync(file, { force: true });
    else if (after !== before) replace(file, after, statSync(file).mode & 0o777);
    rmSync(record, { force: true });
    for (const directory of after === undefined ? made : []) if (isEmpty(directory)) rmdirSync(directory);
  });
}

/** An agent keeps what it was allowed in these files, while a person still looks at what is to change. */
function refuseOther({ file, before }: SettingsChange): void {
  if (readText(file) !== before)
    throw brokenSettings('it has changed since it was shown', file, 'run the command again; nothing was changed');
}

function isEmpty(directory: string): boolean {
  try {
    return readdirSync(directory).length === 0;
  } catch {
    return false;
  }
}

/** Whoever reads meanwhile finds the old text or the new one. */
function replace(file: string, text: string, mode: number): void {
  const fresh = join(dirname(file), `.holdfast-${process.pid}.tmp`);
  const descriptor = openSync(fresh, 'wx', mode);
  try {
    writeFileSync(descriptor, text, { flush: true });
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}
