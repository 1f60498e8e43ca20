import { architectures, type Architecture, type SyscallName, type SyscallNumbers } from '../architecture.ts';
import type { Label } from '../assemble.ts';
import { allow, kill, notImplemented } from '../rule.ts';
import { type Chain, endingOf, entryOf } from './chain.ts';
import type { Segment } from './number-search.ts';

/** What a tracer puts in place of the number of a call that it has answered itself. No call has this number. */
const skippedByTracer: Segment = { from: 0xffff_ffff, label: endingOf(allow) };

/**
 * Every number from 0 to 2³² − 1. Those without a name answer as a kernel that does not have them: calls that are newer
 * than the table, its gaps (Linux has filled some of them before), and the x32 numbers 512 to 547, which older kernels
 * answered without the x32 bit.
 */
export function segmentsOf(architecture: Architecture, chains: ReadonlyMap<SyscallName, Chain>): readonly Segment[] {
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
