import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { missingDirectories, readRecord, type SettingsChange, type SettingsRecord, sha256 } from './plan-change.ts';

/** Writes what was planned. What was there before is kept first, so that a crash in between loses nothing. */
export function makeInstall({ file, before, after, record }: SettingsChange): void {
  if (after === undefined || after === before) return;
  const known = readRecord(record);
  const ours = known !== undefined && before !== undefined && sha256(before) === known.written;
  const made = missingDirectories(file);
  const kept: SettingsRecord = { v: 1, file, before: ours ? known.before : (before ?? null), written: sha256(after), made: ours ? known.made : made };
  mkdirSync(dirname(record), { recursive: true, mode: 0o700 });
  replace(record, `${JSON.stringify(kept)}\n`, 0o600);
  mkdirSync(dirname(file), { recursive: true });
  replace(file, after, before === undefined ? 0o600 : statSync(file).mode & 0o777);
}

export function makeUndo({ file, before, after, record }: SettingsChange): void {
  const made = readRecord(record)?.made ?? [];
  if (after === undefined) rmSync(file, { force: true });
  else if (after !== before) replace(file, after, statSync(file).mode & 0o777);
  rmSync(record, { force: true });
  for (const directory of after === undefined ? made : []) if (isEmpty(directory)) rmdirSync(directory);
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
  writeFileSync(fresh, text, { flag: 'wx', mode, flush: true });
  renameSync(fresh, file);
}
