import { nameOf } from './answer.ts';
import { architectures, type Architecture } from './architecture.ts';
import { rulesFor } from './denylist.ts';
import type { SeccompOptions } from './filter.ts';
import type { ArgumentTest, SyscallRule } from './rule.ts';

/** One line of the explanation that `holdfast plan` prints. */
export interface SeccompRow {
  /** Names of system calls; empty where the row is about calls by their number or ABI. */
  readonly names: readonly string[];
  /** In words; empty means always. */
  readonly when: string;
  /** `allow`, `kill`, or the errno that the caller gets. */
  readonly action: string;
  readonly reason: string;
}

/** What the filter does, as rows: the ABI first, then the list in its order, then everything without a name. */
export function describeSeccomp(options: SeccompOptions): readonly SeccompRow[] {
  const { architecture } = options;
  const rows = rulesFor(options).map((rule) => row(rule, architecture));
  return [foreignAbi[architecture], ...rows.filter(({ names }) => names.length > 0), unnamed];
}

const foreignReason = 'its calls have other numbers, which this list does not judge';

const foreignAbi: Readonly<Record<Architecture, SeccompRow>> = {
  x64: { names: [], when: 'the call comes through the i386 or x32 ABI', action: 'kill', reason: foreignReason },
  arm64: { names: [], when: 'the call comes through the 32-bit ABI', action: 'kill', reason: foreignReason },
};

const unnamed: SeccompRow = {
  names: [],
  when: 'the number is newer than Linux 6.18 or has no name',
  action: 'ENOSYS',
  reason: 'a new call stays closed until it has been reviewed',
};

function row(rule: SyscallRule, architecture: Architecture): SeccompRow {
  const { numbers } = architectures[architecture];
  return {
    names: rule.syscalls.filter((name) => numbers[name] !== undefined),
    when: (rule.when ?? []).map(inWords).join(' and '),
    action: nameOf(rule.action),
    reason: rule.reason,
  };
}

function inWords(test: ArgumentTest): string {
  const names = Object.keys(test.values).join(', ');
  switch (test.kind) {
    case 'any-bit':
      return `${test.called} has any of ${names}`;
    case 'bits-outside':
      return `${test.called} has bits other than ${names}`;
    case 'one-of':
      return `${test.called} is one of ${names}`;
    case 'none-of':
      return `${test.called} is none of ${names}`;
  }
}
