import { hash } from 'node:crypto';
import { closeSync, constants, fstatSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { HoldfastError } from '../../errors/index.ts';
import { decodePlan, encodePlan } from './journal-format.ts';
import type { Plan } from './types.ts';

/** How far an accept came. `planned`: steps may have been made. `undo`: they are being unmade, after they were all made. */
export type Mark = 'planned' | 'commit' | 'undo';

export interface Journal {
  readonly plan: Plan;
  /** Undefined: not even the plan is complete, so nothing was done. */
  readonly mark: Mark | undefined;
}

/** Writes a whole plan, and returns when it is on the disk. */
export function writePlan(file: string, plan: Plan): void {
  const lines = encodePlan(plan).map(line);
  const descriptor = openSync(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    writeWhole(descriptor, Buffer.from(`${lines.join('')}${line({ mark: 'planned' })}`));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  syncDirectory(dirname(file));
}

/** Adds a mark, and returns when it is on the disk. */
export function appendMark(file: string, mark: Mark): void {
  const descriptor = openSync(file, constants.O_WRONLY | constants.O_APPEND);
  const { size } = fstatSync(descriptor);
  try {
    writeWhole(descriptor, Buffer.from(line({ mark })));
    fsyncSync(descriptor);
  } catch (error) {
    // Neither half a mark may stay nor one that may not be on the disk.
    ftruncateSync(descriptor, size);
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** Throws `HF_STAGED_INVALID` for a journal that was damaged or comes from another version. */
export function readJournal(file: string): Journal {
  const records: unknown[] = [];
  let mark: Mark | undefined;
  const text = readFileSync(file, 'utf8');
  // Without its newline the last line was being written when the machine stopped: it was never acknowledged.
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n').slice(0, -1);
  for (const [index, each] of lines.entries()) {
    const value = parse(each);
    if (value === undefined) throw damaged(file, `line ${index + 1} is damaged`);
    if (isMark(value)) ({ mark } = value);
    else records.push(value);
  }
  if (mark === undefined) return { plan: nothingPlanned, mark };
  const plan = decodePlan(records);
  if (typeof plan === 'string') throw damaged(file, plan);
  return { plan, mark };
}

export function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const nothingPlanned: Plan = { layer: { id: '', directory: '', workspace: '', created: 0 }, roots: [], begun: 0, nonce: '', emptied: false, steps: [], touched: [] };

const marks: readonly unknown[] = ['planned', 'commit', 'undo'] satisfies readonly Mark[];

function isMark(value: object): value is { readonly mark: Mark } {
  return 'mark' in value && marks.includes(value.mark);
}

function line(value: object): string {
  const body = JSON.stringify(value);
  return `${checksum(body)} ${body}\n`;
}

function checksum(body: string): string {
  return hash('sha256', body, 'hex').slice(0, 16);
}

function parse(text: string): object | undefined {
  const body = text.slice(17);
  if (text[16] !== ' ' || text.slice(0, 16) !== checksum(body)) return undefined;
  return JSON.parse(body) as object;
}

function writeWhole(descriptor: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}

export function damaged(file: string, reason: string): HoldfastError {
  return new HoldfastError('HF_STAGED_INVALID', `the record of an accept, ${file}, cannot be used: ${reason}`, {
    remedy: `nothing was changed: what was replaced lies in ${dirname(file)}/host; copy what you need, then remove ${dirname(file)}`,
    details: { file, reason },
  });
}
