import {
  type Architecture,
  architectures,
  type SyscallName,
  type SyscallNumbers,
} from '../../src/plan/seccomp/architecture.ts';
import type { Label, FilterStep } from '../../src/plan/seccomp/assemble.ts';
import {
  allow,
  seccompReturn,
  type ArgumentTest,
  kill,
  actionName,
  notImplemented,
  type SeccompAction,
  type SyscallRule,
} from '../../src/plan/seccomp/rule.ts';

/** `struct seccomp_data`. */
const numberOffset = 0;
const architectureOffset = 4;

/**
 * Returns the whole filter: the check of the architecture, a search for the call number, the tests of the rules, the
 * endings.
 */
export function compile(rules: readonly SyscallRule[], architecture: Architecture): readonly FilterStep[] {
  const { auditArch, numbers } = architectures[architecture];
  const chains = chainsByName(rules, numbers);
  return [
    { kind: 'load', offset: architectureOffset },
    { kind: 'branch', test: 'equal', value: auditArch, yes: 'native', no: endingOf(kill) },
    { kind: 'label', label: 'native' },
    { kind: 'load', offset: numberOffset },
    ...searchNumber(segmentsOf(architecture, chains)),
    ...distinct(chains.values()).flatMap(compileChain),
    ...endings(rules),
  ];
}

function distinct(chains: Iterable<Chain>): readonly Chain[] {
  return [...new Map(Array.from(chains, (chain) => [chain.name, chain])).values()];
}

function endings(rules: readonly SyscallRule[]): readonly FilterStep[] {
  const actions = new Map<Label, SeccompAction>();
  for (const action of [allow, kill, notImplemented, ...rules.map((rule) => rule.action)]) {
    actions.set(endingOf(action), action);
  }
  return [...actions].flatMap(([label, action]): readonly FilterStep[] => [
    { kind: 'label', label },
    { kind: 'return', value: seccompReturn(action) },
  ]);
}

/** A tracer sets this number for a call that it has answered itself. No call has it. */
const skippedByTracer: Segment = { from: 0xffff_ffff, label: endingOf(allow) };

/**
 * Every number from 0 to 2³² − 1.
 *
 * Numbers without a name are answered as by a kernel without the call: newer calls, gaps, and the x32 numbers 512 to
 * 547.
 *
 * Linux has filled some gaps before, and older kernels answered those x32 numbers without the x32 bit.
 */
function segmentsOf(architecture: Architecture, chains: ReadonlyMap<SyscallName, Chain>): readonly Segment[] {
  const { numbers, foreignFrom } = architectures[architecture];
  const labels = labelsByNumber(numbers, chains);
  const segments: Segment[] = [];
  for (let number = 0; number <= labels.length; number += 1) {
    const label = labels[number] ?? endingOf(notImplemented);
    if (segments.at(-1)?.label !== label) segments.push({ from: number, label });
  }
  if (foreignFrom !== undefined) segments.push({ from: foreignFrom, label: endingOf(kill) });
  return [...segments, skippedByTracer];
}

/** Sparse: gaps stay empty. */
function labelsByNumber(
  numbers: SyscallNumbers,
  chains: ReadonlyMap<SyscallName, Chain>,
): readonly (Label | undefined)[] {
  const labels: (Label | undefined)[] = [];
  for (const name in numbers) {
    const chain = chains.get(name as SyscallName);
    labels[numbers[name as SyscallName] as number] = chain === undefined ? endingOf(allow) : entryOf(chain, 0);
  }
  return labels;
}

/** All numbers from `from` up to the next segment go to `label`. */
interface Segment {
  readonly from: number;
  readonly label: Label;
}

/** A binary search for the number in the accumulator. The first segment must begin at 0. */
function searchNumber(segments: readonly Segment[]): readonly FilterStep[] {
  if (segments.length <= 1) return [];
  const half = segments.length >> 1;
  const low = segments.slice(0, half);
  const high = segments.slice(half);
  return [
    { kind: 'label', label: numberSearchEntryOf(segments) },
    {
      kind: 'branch',
      test: 'at-least',
      value: firstOf(high).from,
      yes: numberSearchEntryOf(high),
      no: numberSearchEntryOf(low),
    },
    ...searchNumber(low),
    ...searchNumber(high),
  ];
}

function numberSearchEntryOf(segments: readonly Segment[]): Label {
  const first = firstOf(segments);
  return segments.length === 1 ? first.label : `search:${first.from}+${segments.length}`;
}

function firstOf(segments: readonly Segment[]): Segment {
  return segments[0] as Segment;
}

/** The rules of one system call, in order. Calls with the same rules share one chain. */
interface Chain {
  readonly name: string;
  readonly rules: readonly SyscallRule[];
}

/** Returns chains for the names of an architecture. */
function chainsByName(rules: readonly SyscallRule[], numbers: SyscallNumbers): ReadonlyMap<SyscallName, Chain> {
  const chains = new Map<SyscallName, Chain>();
  rules.forEach((rule, index) => {
    for (const name of rule.syscalls.filter((candidate) => candidate in numbers)) {
      const chain = chains.get(name);
      chains.set(name, { name: `${chain?.name ?? 'rules'}:${index}`, rules: [...(chain?.rules ?? []), rule] });
    }
  });
  return chains;
}

/**
 * Returns the start of rule `index` in a chain. A rule without tests leads straight to its ending. After the last rule
 * the call is open.
 */
function entryOf(chain: Chain, index: number): Label {
  const rule = chain.rules[index];
  if (rule === undefined) return endingOf(allow);
  return rule.when === undefined ? endingOf(rule.action) : `${chain.name}/${index}`;
}

/** Returns the label of an action's return instruction. `compile` puts them all at the end. */
function endingOf(action: SeccompAction): Label {
  return actionName(action);
}

function compileChain(chain: Chain): readonly FilterStep[] {
  const closing = chain.rules.findIndex((rule) => rule.when === undefined);
  const conditional = closing === -1 ? chain.rules : chain.rules.slice(0, closing);
  return conditional.flatMap((rule, index) => compileRule(rule, entryOf(chain, index), entryOf(chain, index + 1)));
}

function compileRule(rule: SyscallRule, entry: Label, miss: Label): readonly FilterStep[] {
  const tests = rule.when ?? [];
  const stage = (index: number): Label => (index === 0 ? entry : `${entry}.${index}`);
  return tests.flatMap((test, index): readonly FilterStep[] => {
    const hit = index + 1 === tests.length ? endingOf(rule.action) : stage(index + 1);
    return [{ kind: 'label', label: stage(index) }, ...compileTest(test, { hit, miss }, stage(index))];
  });
}

/** The arguments of `struct seccomp_data` are six little-endian 64-bit words from offset 16. */
const lowHalf = (argument: number): number => 16 + 8 * argument;
const highHalf = (argument: number): number => lowHalf(argument) + 4;

/** Targets for a test that succeeds, and for one that fails. */
interface Exits {
  readonly hit: Label;
  readonly miss: Label;
}

/** Returns the steps of one test. `name` makes its inner labels unique. */
function compileTest(test: ArgumentTest, exits: Exits, name: string): readonly FilterStep[] {
  const low: FilterStep = { kind: 'load', offset: lowHalf(test.argument) };
  const values = Object.values(test.values);
  switch (test.kind) {
    case 'any-bit':
      return [low, anyBit(union(values), exits)];
    case 'bits-outside':
      return [
        ...(test.width === 64 ? highBits(test.argument, exits, name) : []),
        low,
        anyBit(~union(values) >>> 0, exits),
      ];
    case 'one-of':
      return [low, ...masked(test.mask), ...equalsAny(values, exits, name)];
    case 'none-of':
      return [low, ...masked(test.mask), ...equalsAny(values, { hit: exits.miss, miss: exits.hit }, name)];
  }
}

function union(bits: readonly number[]): number {
  return bits.reduce((all, bit) => all | bit, 0) >>> 0;
}

function anyBit(bits: number, { hit, miss }: Exits): FilterStep {
  return { kind: 'branch', test: 'any-bit', value: bits, yes: hit, no: miss };
}

/** All allowed bits are in the low half, so any bit in the high half is outside. */
function highBits(argument: number, { hit }: Exits, name: string): readonly FilterStep[] {
  return [
    { kind: 'load', offset: highHalf(argument) },
    { kind: 'branch', test: 'equal', value: 0, yes: `${name}/low`, no: hit },
    { kind: 'label', label: `${name}/low` },
  ];
}

function masked(mask: number | undefined): readonly FilterStep[] {
  return mask === undefined ? [] : [{ kind: 'and', mask }];
}

function equalsAny(values: readonly number[], { hit, miss }: Exits, name: string): readonly FilterStep[] {
  return values.flatMap((value, index): readonly FilterStep[] => {
    if (index === values.length - 1) return [{ kind: 'branch', test: 'equal', value, yes: hit, no: miss }];
    const next = `${name}/${index + 1}`;
    return [
      { kind: 'branch', test: 'equal', value, yes: hit, no: next },
      { kind: 'label', label: next },
    ];
  });
}
