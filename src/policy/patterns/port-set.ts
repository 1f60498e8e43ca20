import type { PortRange } from './host-pattern.ts';

/** Ports as ranges: sorted, separate and non-empty. */
export type PortSet = readonly PortRange[];

export const everyPort: PortSet = [{ from: 1, to: 65_535 }];

/** Returns ranges of any order and overlap as a set. */
export function portSet(ranges: readonly PortRange[]): PortSet {
  const merged: PortRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last === undefined || range.from > last.to + 1) merged.push({ from: range.from, to: range.to });
    else merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
  }
  return merged;
}

/** Returns the ports in both sets. */
export function commonPorts(a: PortSet, b: PortSet): PortSet {
  return portSet(a.flatMap((one) => b.flatMap((other) => overlap(one, other))));
}

export function isEveryPort(ports: PortSet): boolean {
  return ports.length === 1 && ports[0]?.from === 1 && ports[0].to === 65_535;
}

/** Returns the number of ports. */
export function portCount(ports: PortSet): number {
  return ports.reduce((sum, { from, to }) => sum + to - from + 1, 0);
}

export function eachPort(ports: PortSet): readonly number[] {
  return ports.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, index) => from + index));
}

function overlap(a: PortRange, b: PortRange): PortSet {
  const [from, to] = [Math.max(a.from, b.from), Math.min(a.to, b.to)];
  return from <= to ? [{ from, to }] : [];
}
