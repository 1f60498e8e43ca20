import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { replaceFile } from '../../credentials/session/secrets/user-policy.ts';
import { HoldfastError } from '../../errors/index.ts';
import { isObject } from '../../agents/hooks/json.ts';
import { planSettingsRestore, type SettingsChange } from '../../agents/init/plan-change.ts';

/** Changes of a setup, for `holdfast setup --undo`: its files, each with the record of its original. */
export interface SetupRecord {
  readonly v: 1;
  readonly files: readonly { readonly file: string; readonly record: string }[];
  /** Keyring entries that it made. */
  readonly keyring: readonly string[];
}

function setupRecordFile(state: string): string {
  return join(state, 'setup.json');
}

/** Undefined if nothing was set up. Throws `HF_AGENT_SETTINGS` for an invalid record. */
export function readSetupRecord(state: string): SetupRecord | undefined {
  const file = setupRecordFile(state);
  if (!existsSync(file)) return undefined;
  const value = parsed(readFileSync(file, 'utf8'));
  if (isRecord(value)) return value;
  throw new HoldfastError('HF_AGENT_SETTINGS', `${file} is damaged, or was written by another version`, {
    remedy: 'move it away, and undo the changes of `holdfast setup` by hand',
  });
}

/** Written before any change, so that the leftovers of a crash can be undone. */
export function keepSetup(state: string, changes: readonly SettingsChange[], keyring: readonly string[]): void {
  const known = readSetupRecord(state);
  const files = new Map([...(known?.files ?? []), ...changes].map(({ file, record }) => [file, { file, record }]));
  const record: SetupRecord = {
    v: 1,
    files: [...files.values()],
    keyring: [...new Set([...(known?.keyring ?? []), ...keyring])],
  };
  const place = setupRecordFile(state);
  mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
  replaceFile(place, `${JSON.stringify(record)}\n`);
}

export function forgetSetup(state: string): void {
  rmSync(setupRecordFile(state), { force: true });
}

/**
 * Plans the return of every file to its original. Throws `HF_AGENT_SETTINGS` if someone has changed files since, and
 * names them: those changes would be lost.
 */
export function planSetupUndo({ files }: SetupRecord): readonly SettingsChange[] {
  const changes = files.flatMap(({ file, record }) => planSettingsRestore(file, record) ?? []);
  const foreign = changes.filter(({ since }) => since === 'changed').map(({ file }) => file);
  if (foreign.length === 0) return changes;
  throw new HoldfastError('HF_AGENT_SETTINGS', `${foreign.join(' and ')} changed since the setup; nothing was undone`, {
    remedy:
      'restore these files to the state after the setup, or undo its changes by hand (`holdfast init AGENT --user --undo` for hooks)',
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is SetupRecord {
  if (!isObject(value) || value['v'] !== 1) return false;
  const { files, keyring } = value;
  return (
    Array.isArray(files) &&
    files.every((each) => isObject(each) && typeof each['file'] === 'string' && typeof each['record'] === 'string') &&
    Array.isArray(keyring) &&
    keyring.every((name) => typeof name === 'string')
  );
}
