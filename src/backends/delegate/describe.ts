import { nameOf, type Guest } from './find-guests.ts';
import type { DelegatedCommand } from './run.ts';
import type { InsideWsl } from './wsl/inside.ts';

/** None of this runs on a machine of this project. */
export const delegateLabel = 'generated, not run';

/** One line for `holdfast doctor`. */
export function describeGuest(guest: Guest): string {
  const state = guest.kind === 'lima' ? `Lima instance, ${guest.instance.status}` : `WSL ${guest.distribution.version}`;
  return `${guest.kind}:${nameOf(guest)} (${state}): boxes of the Linux inside it (${delegateLabel})`;
}

/** One line, or none where this is no WSL. */
export function describeInside(inside: InsideWsl): readonly string[] {
  if (inside.kind === 'no') return [];
  const interop = inside.interop === 'on' ? '; programs of Windows can be started outside of boxes' : '';
  return [
    `this is a Linux of ${inside.kind === 'wsl2' ? 'WSL2' : 'WSL 1, whose kernel holds no box'}${interop} (${delegateLabel})`,
  ];
}

/** The command as data: its words are never one line. */
export function describeDelegation({ program, arguments: words, environment }: DelegatedCommand): string {
  return [
    `# ${delegateLabel}`,
    ...Object.entries(environment).map(([name, value]) => `${name}=${JSON.stringify(value)}`),
    program,
    ...words.map((word) => `  ${JSON.stringify(word)}`),
    '',
  ].join('\n');
}
