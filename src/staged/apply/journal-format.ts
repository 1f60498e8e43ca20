import type { EntryId, Metadata, Plan, Step, Touched } from './types.ts';

/** Version of what `encodePlan` writes. */
const version = 1;

/** One value for each line: a head, then steps, then directories. Paths and names are written one character for each byte. */
export function encodePlan(plan: Plan): readonly object[] {
  const { steps, touched, ...head } = plan;
  return [{ version, ...head, steps: steps.length, touched: touched.length }, ...steps.map(encodeStep), ...touched.map(encodeTouched)];
}

/** The plan, or what is wrong with it. */
export function decodePlan(records: readonly unknown[]): Plan | string {
  const [head, ...rest] = records as [Head | undefined, ...unknown[]];
  if (head === undefined || typeof head !== 'object') return 'it is empty';
  if (head.version !== version) return `it was made by another version of Holdfast (format ${String(head.version)}, this one knows ${version})`;
  if (rest.length !== head.steps + head.touched) return `${head.steps + head.touched} lines should follow the first, ${rest.length} do`;
  const { layer, roots, begun, nonce, emptied } = head;
  const steps = (rest.slice(0, head.steps) as EncodedStep[]).map(decodeStep);
  const touched = (rest.slice(head.steps) as EncodedTouched[]).map(decodeTouched);
  return { layer, roots, begun, nonce, emptied, steps, touched };
}

type Head = Omit<Plan, 'steps' | 'touched'> & { readonly version: number; readonly steps: number; readonly touched: number };
type EncodedId = readonly [string, string, number, number, number, string, string];
type EncodedAttributes = readonly (readonly [string, string])[];

interface EncodedStep {
  readonly kind: Step['kind'];
  readonly root: number;
  readonly path: string;
  readonly before?: EncodedId;
  readonly staged?: EncodedId;
  readonly way: Step['way'];
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

function encodeStep({ kind, root, path, before, staged, way, whiteout, marks, disputed }: Step): EncodedStep {
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

function decodeStep({ kind, root, path, before, staged, way, whiteout, marks, disputed }: EncodedStep): Step {
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
  return { root, directory: path.toString('latin1'), ...(old === undefined ? {} : { old: encodeMetadata(old) }), ...(dressed === undefined ? {} : { dressed: encodeMetadata(dressed) }), ...(disputed ? { disputed } : {}) };
}

function decodeTouched({ root, directory, old, dressed, disputed }: EncodedTouched): Touched {
  return { root, path: Buffer.from(directory, 'latin1'), disputed: disputed === true, ...(old === undefined ? {} : { old: decodeMetadata(old) }), ...(dressed === undefined ? {} : { dressed: decodeMetadata(dressed) }) };
}

function encodeId({ device, inode, mode, uid, gid, size, modified }: EntryId): EncodedId {
  return [String(device), String(inode), mode, uid, gid, String(size), String(modified)];
}

function decodeId([device, inode, mode, uid, gid, size, modified]: EncodedId): EntryId {
  return { device: BigInt(device), inode: BigInt(inode), mode, uid, gid, size: BigInt(size), modified: BigInt(modified) };
}

function encodeMetadata({ mode, uid, gid, accessed, modified, attributes }: Metadata): EncodedMetadata {
  return { mode, owner: [uid, gid], times: [String(accessed), String(modified)], ...(attributes.size === 0 ? {} : { attributes: encodeAttributes(attributes) }) };
}

function decodeMetadata({ mode, owner: [uid, gid], times: [accessed, modified], attributes }: EncodedMetadata): Metadata {
  return { mode, uid, gid, accessed: BigInt(accessed), modified: BigInt(modified), attributes: decodeAttributes(attributes) };
}

function encodeAttributes(attributes: ReadonlyMap<string, Buffer>): EncodedAttributes {
  return [...attributes].map(([name, value]) => [name, value.toString('base64')]);
}

function decodeAttributes(encoded: EncodedAttributes | undefined): ReadonlyMap<string, Buffer> {
  return new Map((encoded ?? []).map(([name, value]) => [name, Buffer.from(value, 'base64')]));
}
