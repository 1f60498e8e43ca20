import type { GuaranteeName } from '../guarantees.ts';

/** Guarantees of every box, under every policy. */
export const everyBox = [
  'fs.read',
  'fs.write',
  'fs.deny-in-allow',
  'pid',
  'ipc',
  'unix-sockets',
  'abstract-sockets',
  'signals',
  'syscalls',
] as const satisfies readonly GuaranteeName[];

/** Names for sets of guarantees, from least to most. Each holds all earlier ones. */
export const levelNames = ['restricted', 'contained', 'separate-kernel', 'separate-hardware'] as const;
export type LevelName = (typeof levelNames)[number];

/** Guarantees that the kernel must enforce. In a `restricted` box, some guarantees of every box may have gaps. */
export const levelGuarantees: Readonly<Record<LevelName, readonly GuaranteeName[]>> = {
  restricted: [],
  contained: everyBox,
  'separate-kernel': [...everyBox, 'kernel.separate'],
  'separate-hardware': [...everyBox, 'kernel.separate', 'hardware.separate'],
};

export type BackendChoice =
  | 'auto'
  | 'native'
  | 'bubblewrap'
  | 'landlock'
  | 'gvisor'
  | 'microvm'
  | 'seatbelt'
  | 'windows';

type NamedBackend = Exclude<BackendChoice, 'auto'>;

/** The level that each backend is designed for. The machine decides whether it reaches that level. */
const levelOfBackend: Readonly<Record<NamedBackend, LevelName>> = {
  seatbelt: 'restricted',
  windows: 'restricted',
  landlock: 'restricted',
  native: 'contained',
  bubblewrap: 'contained',
  gvisor: 'separate-kernel',
  microvm: 'separate-hardware',
};

/** Values of `[backend] minimum`: a level, or a backend for its level. */
export type Minimum = LevelName | NamedBackend;
export const minimumNames: readonly Minimum[] = [...levelNames, ...(Object.keys(levelOfBackend) as NamedBackend[])];

export function guaranteesOfMinimum(minimum: Minimum): readonly GuaranteeName[] {
  const level = levelNames.find((name) => name === minimum) ?? levelOfBackend[minimum as NamedBackend];
  return levelGuarantees[level];
}
