import type { BindMount, Mount, OverlayMount, RootFile } from '../../plan/mount.ts';
import type { LimitPlan, Plan, PlannedCommand, ProtectedName } from '../../plan/types.ts';
import { encodeNetwork, networkRecordKinds } from './network/encode-network.ts';
import { planHeaderSize, RecordWriter } from './record-writer.ts';

/** Record kinds of `native/src/launch/plan/record.h`. A test compares the two lists. */
export const recordKinds = {
  argument: 1,
  environment: 2,
  cwd: 3,
  bind: 4,
  overlay: 5,
  tmpfs: 6,
  proc: 7,
  devices: 8,
  directory: 9,
  symlink: 10,
  mask: 11,
  file: 12,
  root: 13,
  name: 14,
  landlockRule: 15,
  landlockMinimum: 16,
  seccomp: 17,
  limit: 18,
  cgroup: 19,
  cgroupFile: 20,
  tap: 21,
  helper: 22,
  helperData: 23,
  released: 24,
  gitRoot: 25,
  warm: 26,
  hit: 27,
  shownRoot: 28,
  ...networkRecordKinds,
  guarded: 33,
  keeper: 35,
  notify: 34,
  executionListed: 36,
  approved: 37,
  withholding: 38,
  held: 39,
  plain: 40,
  installedOnly: 41,
  unjudged: 42,
  seen: 43,
} as const;

/** `held`: a directory with the flag 64. */
const fileTypes = { other: 0, file: 1, directory: 2, held: 6 } as const;
const effects = { pinned: 0, 'read-only': 1, hidden: 2, withheld: 3, suspect: 3 | 8 } as const;
const notifyModes = { guard: 1, supervisor: 2 } as const;
const landlockAccess = { read: 0, write: 1, devices: 2, execute: 3 } as const;

export interface EncodeOptions {
  /** The assembled seccomp program, 8 bytes for each instruction. */
  readonly seccomp: Uint8Array;
  /** The second program, which has the listener. If it is absent, the plan's `notify` counts as `none`. */
  readonly notify?: Uint8Array | undefined;
  /** `tail`: stderr goes through the launcher, which keeps its last 64 KiB to explain refusals. */
  readonly stderr: 'direct' | 'tail';
  /**
   * `held`: waits for one byte before the command begins. `later`: waits for `encodeCommand`. The working directory is
   * the one in which the command will probably start. Default: `now`.
   */
  readonly command?: 'now' | 'held' | 'later';
  /** Bytes that `encodeBox` returned for an equal plan. */
  readonly box?: Uint8Array;
  /** The program that replaces namespaces. Required for a plan whose confinement is `landlock`. */
  readonly plain?: Uint8Array;
  /** Another program that makes the namespaces and mounts, with the data that it reads from descriptors. */
  readonly helper?: { readonly words: readonly string[]; readonly data: readonly Uint8Array[] };
}

/** Returns the bytes that `holdfast-launch` reads from its control descriptor. */
export function encodePlan(plan: Plan, options: EncodeOptions): Buffer {
  const out = new RecordWriter();
  if (options.box === undefined) writeBox(out, plan);
  else out.records(options.box);
  if (options.command === 'later') out.record(recordKinds.warm, 0).record(recordKinds.cwd, 0).text(plan.command.cwd);
  else writeCommand(out, plan.command);
  if (options.command === 'held') out.record(recordKinds.held, 0);
  for (const place of plan.mounts) if (isLate(place) && isMade(plan, place)) encodeMount(out, place);
  for (const path of plan.protection.approved ?? []) out.record(recordKinds.approved, 0).text(path);
  out.record(recordKinds.seccomp, plan.seccomp.nesting === 'runtime' ? 1 : 0).bytes(options.seccomp);
  if (plan.notify.kind !== 'none' && options.notify !== undefined)
    out.record(recordKinds.notify, notifyModes[plan.notify.kind]).bytes(options.notify);
  encodeLimits(out, plan.limits);
  if (options.plain !== undefined) out.record(recordKinds.plain, 0).bytes(options.plain);
  if (options.stderr === 'tail') out.record(recordKinds.tap, 0);
  for (const word of options.helper?.words ?? []) out.record(recordKinds.helper, 0).text(word);
  for (const content of options.helper?.data ?? []) out.record(recordKinds.helperData, 0).bytes(content);
  return out.finish();
}

/** Encodes the command for a box that was built before the command was known: records without a header. */
export function encodeCommand(command: PlannedCommand): Buffer {
  return writeCommand(new RecordWriter(), command).finish().subarray(planHeaderSize);
}

function writeCommand(out: RecordWriter, { argv, environment, cwd, files = [] }: PlannedCommand): RecordWriter {
  for (const file of files) encodeMount(out, file);
  for (const word of argv) out.record(recordKinds.argument, 0).text(word);
  for (const [name, value] of Object.entries(environment))
    out.record(recordKinds.environment, 0).text(`${name}=${value}`);
  return out.record(recordKinds.cwd, 0).text(cwd);
}

/** Encodes the part that every command of a place shares, for `EncodeOptions.box`. */
export function encodeBox(plan: Plan): Buffer {
  return writeBox(new RecordWriter(), plan).finish().subarray(planHeaderSize);
}

function writeBox(out: RecordWriter, plan: Plan): RecordWriter {
  for (const mount of plan.mounts) if (!isLate(mount) && isMade(plan, mount)) encodeMount(out, mount);
  for (const root of [...plan.protection.roots, ...plan.protection.shownRoots])
    out.record(recordKinds.root, 0).text(root);
  for (const root of plan.protection.shownRoots) out.record(recordKinds.shownRoot, 0).text(root);
  for (const path of plan.protection.gitDirectories) out.record(recordKinds.gitRoot, 0).text(path);
  for (const path of plan.protection.guarded) out.record(recordKinds.guarded, 0).text(path);
  for (const path of plan.protection.released) out.record(recordKinds.released, 0).text(path);
  for (const path of plan.protection.withholding ?? []) out.record(recordKinds.withholding, 0).text(path);
  for (const path of plan.protection.unjudged ?? []) out.record(recordKinds.unjudged, 0).text(path);
  for (const name of plan.protection.names) encodeName(out, name);
  out.record(recordKinds.landlockMinimum, 0).u32(plan.landlock.minimumAbi);
  if (plan.landlock.execution === 'listed') out.record(recordKinds.executionListed, 0);
  if (plan.runnable === 'installed') out.record(recordKinds.installedOnly, 0);
  for (const rule of plan.landlock.rules)
    out.record(recordKinds.landlockRule, landlockAccess[rule.access]).text(rule.path);
  for (const kind of ['keeper', 'seen'] as const)
    if (plan[kind] !== undefined) out.record(recordKinds[kind], 0).text(plan[kind]);
  if (plan.confinement !== 'landlock') encodeNetwork(out, plan.network);
  return out;
}

/** Private files differ between commands, so they are made last, each directly after its directories. */
function isLate(mount: Mount): boolean {
  return mount.kind === 'file' || (mount.kind === 'tmpfs' && mount.made === 'late');
}

/**
 * Without mounts, the launcher only makes private directories and compares inodes. The supervisor answers all other
 * calls about files.
 */
function isMade({ confinement }: Plan, { kind }: Mount): boolean {
  return confinement !== 'landlock' || kind === 'bind' || kind === 'tmpfs';
}

const ownerships = { 'as-is': 0, foreign: 2, 'as-root': 8 } as const;

function bindFlags({ access, ownership, presence, names, identity }: BindMount): number {
  const writable = access === 'read-write' ? 1 : 0;
  const optional = presence === 'optional' ? 4 : 0;
  return writable | optional | ownerships[ownership] | (fileTypes[names ?? identity.type] << 4);
}

function encodeMount(out: RecordWriter, mount: Mount): void {
  switch (mount.kind) {
    case 'bind':
      out
        .record(recordKinds.bind, bindFlags(mount))
        .u64(BigInt(mount.identity.device))
        .u64(BigInt(mount.identity.inode))
        .text(mount.source)
        .text(mount.target);
      return;
    case 'overlay':
      encodeOverlay(out, mount);
      return;
    case 'tmpfs':
      out.record(recordKinds.tmpfs, 0).u32(mount.mode).u64(wholeBytes(mount.size)).text(mount.target);
      return;
    case 'proc':
      out.record(recordKinds.proc, 0).text(mount.target);
      return;
    case 'devices':
      out
        .record(recordKinds.devices, mount.kvm === 'shown' ? 1 : 0)
        .u64(wholeBytes(mount.shmSize))
        .text(mount.target);
      return;
    case 'directory':
      out.record(recordKinds.directory, 0).u32(mount.mode).text(mount.target);
      return;
    case 'symlink':
      out.record(recordKinds.symlink, 0).text(mount.to).text(mount.target);
      return;
    case 'file':
      encodeFile(out, mount);
      return;
    case 'mask':
      out.record(recordKinds.mask, 0).text(mount.target);
      return;
  }
}

/** The record of a staged directory also has its upper directory and its work directory. */
function encodeOverlay(out: RecordWriter, { identity, lower, layer, ownership, target }: OverlayMount): void {
  const flags = (layer === undefined ? 0 : 1) | (ownership === 'as-root' ? 8 : 0);
  out.record(recordKinds.overlay, flags | (fileTypes[identity.type] << 4));
  for (const place of [{ path: lower, identity }, ...(layer === undefined ? [] : [layer.upper, layer.work])]) {
    out.u64(BigInt(place.identity.device)).u64(BigInt(place.identity.inode)).text(place.path);
  }
  out.text(target);
}

function encodeFile(out: RecordWriter, { mode, content, encoding, target }: RootFile): void {
  const bytes = Buffer.from(content, encoding ?? 'utf8');
  out.record(recordKinds.file, 0).u32(mode).u64(BigInt(bytes.length)).bytes(bytes).text(target);
}

function encodeName(out: RecordWriter, name: ProtectedName): void {
  const flags = effects[name.effect] | (name.scope === 'outside-packages' ? 4 : 0);
  const record = out.record(recordKinds.name, flags).u16(name.components.length).u16(name.except.length);
  for (const text of [...name.components, ...name.except]) record.text(text);
}

/** Indices of `enum limit_kind` in `native/src/launch/plan/plan.h`, with the launcher's units. */
const limitFields: readonly { readonly index: number; readonly value: (limits: LimitPlan) => number | undefined }[] = [
  { index: 0, value: (limits) => (limitsMemory(limits.cgroups) ? undefined : limits.memory) },
  { index: 1, value: (limits) => limits.processes },
  {
    index: 2,
    value: (limits) => (limits.cpuTime === undefined ? undefined : Math.max(1, Math.ceil(limits.cpuTime / 1000))),
  },
  { index: 3, value: (limits) => limits.fileSize },
  { index: 4, value: (limits) => limits.openFiles },
  { index: 5, value: (limits) => limits.wall },
  { index: 6, value: (limits) => limits.grace },
  { index: 7, value: (limits) => limits.privateDisk },
];

/** Address space is a poor measure of memory, so the rlimit is used only if no control group counts memory. */
function limitsMemory(groups: LimitPlan['cgroups']): boolean {
  return groups.some(({ files }) =>
    files.some(({ name }) => name === 'memory.max' || name === 'memory.limit_in_bytes'),
  );
}

/** A share of the machine's memory need not be a whole number. */
function wholeBytes(value: number): bigint {
  return BigInt(Math.trunc(value));
}

function encodeLimits(out: RecordWriter, limits: LimitPlan): void {
  for (const field of limitFields) {
    const value = field.value(limits);
    if (value !== undefined) out.record(recordKinds.limit, field.index).u64(wholeBytes(value));
  }
  for (const group of limits.cgroups) {
    out.record(recordKinds.cgroup, 0).text(group.directory);
    for (const file of group.files) out.record(recordKinds.cgroupFile, 0).text(file.name).text(file.value);
  }
}
