import { hash } from 'node:crypto';
import { closeSync, constants, fstatSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { HoldfastError } from '../../errors/index.ts';
import type { EntryId, StepMetadata, AcceptPlan, AcceptStep, Touched } from './types.ts';

/**
 * Progress of an accept. `planned`: steps may have been made. `commit`: all are made. `undo`: they are being unmade.
 */
export type AcceptStage = 'planned' | 'commit' | 'undo';

export interface AcceptJournal {
  readonly plan: AcceptPlan;
  /** Undefined if not even the plan is complete: nothing was done. */
  readonly mark: AcceptStage | undefined;
}

/** Writes a whole plan, and returns once it is on the disk. */
export function writePlan(file: string, plan: AcceptPlan): void {
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

/** Adds a mark, and returns once it is on the disk. */
export function appendMark(file: string, mark: AcceptStage): void {
  const descriptor = openSync(file, constants.O_WRONLY | constants.O_APPEND);
  const { size } = fstatSync(descriptor);
  try {
    writeWhole(descriptor, Buffer.from(line({ mark })));
    fsyncSync(descriptor);
  } catch (error) {
    // No partial mark may stay, nor one that may not be on the disk.
    ftruncateSync(descriptor, size);
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** Throws `HF_STAGED_INVALID` for a damaged journal, or one of another version. */
export function readJournal(file: string): AcceptJournal {
  const records: unknown[] = [];
  let mark: AcceptStage | undefined;
  const text = readFileSync(file, 'utf8');
  // A last line without a newline was being written when the machine stopped. It was never acknowledged.
  const lines = text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .slice(0, -1);
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

const nothingPlanned: AcceptPlan = {
  layer: { id: '', directory: '', workspace: '', created: 0 },
  roots: [],
  begun: 0,
  nonce: '',
  emptied: false,
  steps: [],
  touched: [],
};

const marks: readonly unknown[] = ['planned', 'commit', 'undo'] satisfies readonly AcceptStage[];

function isMark(value: object): value is { readonly mark: AcceptStage } {
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
    remedy: `copy what you need out of ${dirname(file)}/host, which holds the replaced files, then remove ${dirname(file)}; nothing was changed`,
    details: { file, reason },
  });
}

/** Version of the format of `encodePlan`. */
const version = 1;

/**
 * Returns one value for each line: a head, then steps, then directories. Paths and names have one character for each
 * byte.
 */
function encodePlan(plan: AcceptPlan): readonly object[] {
  const { steps, touched, ...head } = plan;
  return [
    { version, ...head, steps: steps.length, touched: touched.length },
    ...steps.map(encodeStep),
    ...touched.map(encodeTouched),
  ];
}

/** Returns the plan, or the reason why it is invalid. */
function decodePlan(records: readonly unknown[]): AcceptPlan | string {
  const [head, ...rest] = records as [Head | undefined, ...unknown[]];
  if (head === undefined || typeof head !== 'object') return 'it is empty';
  if (head.version !== version)
    return `it was made by another version of Holdfast (format ${String(head.version)}, this one knows ${version})`;
  if (rest.length !== head.steps + head.touched)
    return `${head.steps + head.touched} lines should follow the first, ${rest.length} do`;
  const { layer, roots, begun, nonce, emptied } = head;
  const steps = (rest.slice(0, head.steps) as EncodedStep[]).map(decodeStep);
  const touched = (rest.slice(head.steps) as EncodedTouched[]).map(decodeTouched);
  return { layer, roots, begun, nonce, emptied, steps, touched };
}

type Head = Omit<AcceptPlan, 'steps' | 'touched'> & {
  readonly version: number;
  readonly steps: number;
  readonly touched: number;
};
type EncodedId = readonly [string, string, number, number, number, string, string];
type EncodedAttributes = readonly (readonly [string, string])[];

interface EncodedStep {
  readonly kind: AcceptStep['kind'];
  readonly root: number;
  readonly path: string;
  readonly before?: EncodedId;
  readonly staged?: EncodedId;
  readonly way: AcceptStep['way'];
  readonly whiteout?: true;
  readonly marks?: EncodedAttributes;
  readonly disputed?: true;
}

interface EncodedMetadata {
  readonly mode: number;
  readonly owner: readonly [number, number];
  readonly times: readonly [string, string];
  readonly attributes?: EncodedAttributes;
}

interface EncodedTouched {
  readonly root: number;
  readonly directory: string;
  readonly old?: EncodedMetadata;
  readonly dressed?: EncodedMetadata;
  readonly disputed?: true;
}

function encodeStep({ kind, root, path, before, staged, way, whiteout, marks, disputed }: AcceptStep): EncodedStep {
  return {
    kind,
    root,
    path: path.toString('latin1'),
    way,
    ...(before === undefined ? {} : { before: encodeId(before) }),
    ...(staged === undefined ? {} : { staged: encodeId(staged) }),
    ...(whiteout ? { whiteout } : {}),
    ...(marks.size === 0 ? {} : { marks: encodeAttributes(marks) }),
    ...(disputed ? { disputed } : {}),
  };
}

function decodeStep({ kind, root, path, before, staged, way, whiteout, marks, disputed }: EncodedStep): AcceptStep {
  return {
    kind,
    root,
    path: Buffer.from(path, 'latin1'),
    way,
    whiteout: whiteout === true,
    marks: decodeAttributes(marks),
    disputed: disputed === true,
    ...(before === undefined ? {} : { before: decodeId(before) }),
    ...(staged === undefined ? {} : { staged: decodeId(staged) }),
  };
}

function encodeTouched({ root, path, old, dressed, disputed }: Touched): EncodedTouched {
  return {
    root,
    directory: path.toString('latin1'),
    ...(old === undefined ? {} : { old: encodeMetadata(old) }),
    ...(dressed === undefined ? {} : { dressed: encodeMetadata(dressed) }),
    ...(disputed ? { disputed } : {}),
  };
}

function decodeTouched({ root, directory, old, dressed, disputed }: EncodedTouched): Touched {
  return {
    root,
    path: Buffer.from(directory, 'latin1'),
    disputed: disputed === true,
    ...(old === undefined ? {} : { old: decodeMetadata(old) }),
    ...(dressed === undefined ? {} : { dressed: decodeMetadata(dressed) }),
  };
}

function encodeId({ device, inode, mode, uid, gid, size, modified }: EntryId): EncodedId {
  return [String(device), String(inode), mode, uid, gid, String(size), String(modified)];
}

function decodeId([device, inode, mode, uid, gid, size, modified]: EncodedId): EntryId {
  return {
    device: BigInt(device),
    inode: BigInt(inode),
    mode,
    uid,
    gid,
    size: BigInt(size),
    modified: BigInt(modified),
  };
}

function encodeMetadata({ mode, uid, gid, accessed, modified, attributes }: StepMetadata): EncodedMetadata {
  return {
    mode,
    owner: [uid, gid],
    times: [String(accessed), String(modified)],
    ...(attributes.size === 0 ? {} : { attributes: encodeAttributes(attributes) }),
  };
}

function decodeMetadata({
  mode,
  owner: [uid, gid],
  times: [accessed, modified],
  attributes,
}: EncodedMetadata): StepMetadata {
  return {
    mode,
    uid,
    gid,
    accessed: BigInt(accessed),
    modified: BigInt(modified),
    attributes: decodeAttributes(attributes),
  };
}

function encodeAttributes(attributes: ReadonlyMap<string, Buffer>): EncodedAttributes {
  return [...attributes].map(([name, value]) => [name, value.toString('base64')]);
}

function decodeAttributes(encoded: EncodedAttributes | undefined): ReadonlyMap<string, Buffer> {
  return new Map((encoded ?? []).map(([name, value]) => [name, Buffer.from(value, 'base64')]));
}
