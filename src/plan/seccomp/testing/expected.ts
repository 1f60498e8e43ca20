import { architectures, type SyscallName } from '../architecture.ts';
import type { SeccompOptions } from '../filter.ts';
import { rulesFor } from '../denylist.ts';
import type { ArgumentTest, SyscallRule } from '../rule.ts';
import type { Call } from './call.ts';

/** The list's answer to a call, read rule by rule without optimisation: the reference for the compiled program. */
export function expectedAction(options: SeccompOptions, call: Call): string {
  const { auditArch, numbers, foreignFrom } = architectures[options.architecture];
  if (call.auditArch !== auditArch) return 'kill';
  if (call.number === 0xffff_ffff) return 'allow';
  if (foreignFrom !== undefined && call.number >= foreignFrom) return 'kill';
  const name = (Object.keys(numbers) as SyscallName[]).find((candidate) => numbers[candidate] === call.number);
  if (name === undefined) return 'ENOSYS';
  const rule = rulesFor(options).find((candidate) => applies(candidate, name, call));
  if (rule === undefined) return 'allow';
  return rule.action.kind === 'errno' ? rule.action.errno : rule.action.kind;
}

function applies(rule: SyscallRule, name: SyscallName, call: Call): boolean {
  return rule.syscalls.includes(name) && (rule.when ?? []).every((test) => holds(test, call.args[test.argument] ?? 0n));
}

function holds(test: ArgumentTest, value: bigint): boolean {
  const low = value & 0xffff_ffffn;
  const values = Object.values(test.values).map(BigInt);
  const all = values.reduce((union, bit) => union | bit, 0n);
  switch (test.kind) {
    case 'any-bit':
      return (low & all) !== 0n;
    case 'bits-outside':
      return ((test.width === 64 ? value : low) & ~all) !== 0n;
    case 'one-of':
      return values.includes(test.mask === undefined ? low : low & BigInt(test.mask));
    case 'none-of':
      return !values.includes(test.mask === undefined ? low : low & BigInt(test.mask));
  }
}
