import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { HoldfastError, isHoldfastError } from '../../errors/index.ts';
import { isObject } from '../hooks/json.ts';
import { realPath } from '../hooks/real-path.ts';
import type { AgentName } from '../hooks/types.ts';
import { agentSettings, type SettingsPlaces, type SettingsScope } from './agent-settings.ts';
import { brokenSettings, inSystem } from './hook-entries.ts';

export interface InitOptions extends SettingsPlaces {
  readonly agent: AgentName;
  readonly scope: SettingsScope;
  /** Words that start Holdfast. */
  readonly program: readonly string[];
  /** Directory where Holdfast keeps the original files. */
  readonly state: string;
}

/** A planned change of one settings file. */
export interface SettingsChange {
  /** Absolute path after following links. */
  readonly file: string;
  /** Undefined if there is no file. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly record: string;
  /** `changed`: someone has changed the file since, so undo only removes our part. */
  readonly since: 'unchanged' | 'changed';
}

/** The original of a file that we changed. */
export interface SettingsRecord {
  readonly v: 1;
  readonly file: string;
  readonly before: string | null;
  /** SHA-256 of the text that we wrote, in hexadecimal. */
  readonly written: string;
  /** Directories that we made, innermost first. */
  readonly made: readonly string[];
}

/** @throws HoldfastError `HF_AGENT_SETTINGS` */
export function planInstall(options: InitOptions): SettingsChange {
  const { file, record, before } = look(options);
  const after = inFile(file, () => agentSettings[options.agent].install(before, options.program));
  return { file, before, after, record, since: 'unchanged' };
}

/** @throws HoldfastError `HF_AGENT_SETTINGS` if nothing was installed there. */
export function planUndo(options: InitOptions): SettingsChange {
  const { file, record } = look(options);
  const restored = planSettingsRestore(file, record);
  if (restored === undefined)
    throw new HoldfastError('HF_AGENT_SETTINGS', `Holdfast installed nothing in ${file}`, {
      remedy: 'there is nothing to undo; to undo the settings of another place, add --user or --workspace',
    });
  const { before, since } = restored;
  if (since === 'unchanged') return restored;
  const after = before === undefined ? undefined : inFile(file, () => agentSettings[options.agent].remove(before));
  return { ...restored, after };
}

/** Plans a file that is entirely Holdfast's. @throws HoldfastError `HF_AGENT_SETTINGS` */
export function planFile(named: string, after: string, state: string): SettingsChange {
  const file = placeOf(named);
  return { file, before: readSettings(file), after, record: recordOf(file, state), since: 'unchanged' };
}

/** Plans the return to a file's original. Undefined if none was kept. @throws HoldfastError `HF_AGENT_SETTINGS` */
export function planSettingsRestore(file: string, record: string): SettingsChange | undefined {
  const known = readSettingsRecord(record);
  if (known === undefined) return undefined;
  const before = readSettings(file);
  const isOurs = before !== undefined && textDigest(before) === known.written;
  return { file, before, after: known.before ?? undefined, record, since: isOurs ? 'unchanged' : 'changed' };
}

function readSettingsRecord(path: string): SettingsRecord | undefined {
  const text = readSettings(path);
  if (text === undefined) return undefined;
  const record = parsed(text);
  if (isRecord(record)) return record;
  const isOther = isObject(record) && typeof record['v'] === 'number' && record['v'] !== 1;
  throw brokenSettings(
    isOther ? 'it is of another version' : 'it is damaged',
    path,
    'inspect it and move it away; then remove the entries of `holdfast init` from the settings by hand',
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is SettingsRecord {
  if (!isObject(value) || value['v'] !== 1) return false;
  const { file, before, written, made } = value;
  return (
    typeof file === 'string' &&
    (before === null || typeof before === 'string') &&
    typeof written === 'string' &&
    Array.isArray(made) &&
    made.every((each) => typeof each === 'string')
  );
}

function textDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function look(options: InitOptions): Pick<SettingsChange, 'file' | 'record' | 'before'> {
  const named = agentSettings[options.agent].file(options.scope, options);
  const file = placeOf(named);
  return {
    file,
    record: recordOf(file, options.state),
    before: readSettings(file),
  };
}

function recordOf(file: string, state: string): string {
  return join(state, 'agents', `${textDigest(file).slice(0, 32)}.json`);
}

function placeOf(named: string): string {
  try {
    return realPath(named);
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    throw brokenSettings(error.message, named);
  }
}

/** Undefined if there is no file. @throws HoldfastError `HF_AGENT_SETTINGS` */
function readSettings(file: string): string | undefined {
  return inSystem(file, 'read', () => {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    if (!stats.isFile()) throw brokenSettings('it is not a file', file);
    const bytes = readFileSync(file);
    const text = bytes.toString('utf8');
    if (!Buffer.from(text).equals(bytes)) throw brokenSettings('it is not UTF-8', file);
    return text;
  });
}

function inFile<Value>(file: string, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    if (!isHoldfastError(error) || error.code !== 'HF_AGENT_SETTINGS') throw error;
    throw brokenSettings(error.message.replace(/^.*?cannot be changed: /su, ''), file);
  }
}

/** Returns the missing directories above the file, innermost first. */
function missingDirectories(file: string): readonly string[] {
  const missing: string[] = [];
  for (let directory = dirname(file); !existsSync(directory); directory = dirname(directory)) missing.push(directory);
  return missing;
}

/**
 * Makes a planned change. Keeps the original first, so that a crash in between loses nothing. @throws HoldfastError
 * `HF_AGENT_SETTINGS`, `HF_DISK_FULL`
 */
export function makeInstall(change: SettingsChange): void {
  const { file, before, after, record } = change;
  if (after === undefined || after === before) return;
  refuseOther(change);
  const known = readSettingsRecord(record);
  const ours = known !== undefined && before !== undefined && textDigest(before) === known.written;
  inSystem(file, 'written', () => {
    const kept: SettingsRecord = {
      v: 1,
      file,
      before: ours ? known.before : (before ?? null),
      written: textDigest(after),
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
  const made = readSettingsRecord(record)?.made ?? [];
  inSystem(file, 'written', () => {
    if (after === undefined) rmSync(file, { force: true });
    else if (after !== before) replace(file, after, statSync(file).mode & 0o777);
    rmSync(record, { force: true });
    for (const directory of after === undefined ? made : []) if (isEmpty(directory)) rmdirSync(directory);
  });
}

/** An agent may write permissions to these files while a person still reads the plan. */
function refuseOther({ file, before }: SettingsChange): void {
  if (readSettings(file) !== before)
    throw brokenSettings('it has changed since it was shown', file, 'run the command again; nothing was changed');
}

function isEmpty(directory: string): boolean {
  try {
    return readdirSync(directory).length === 0;
  } catch {
    return false;
  }
}

/** Replaces a file at once: readers find the old text or the new one. */
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
