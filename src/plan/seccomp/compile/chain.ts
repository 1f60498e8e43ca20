import { nameOf } from '../answer.ts';
import type { SyscallName, SyscallNumbers } from '../architecture.ts';
import type { Label, Step } from '../assemble.ts';
import { allow, type SeccompAction, type SyscallRule } from '../rule.ts';
import { compileTest } from './argument-test.ts';

/** The rules of one system call, in order. Calls with the same rules share one chain. */
export interface Chain {
  readonly name: string;
  readonly rules: readonly SyscallRule[];
}

/** The chains of the names that an architecture has. */
export function chainsByName(rules: readonly SyscallRule[], numbers: SyscallNumbers): ReadonlyMap<SyscallName, Chain> {
  const chains = new Map<SyscallName, Chain>();
  rules.forEach((rule, index) => {
    for (const name of rule.syscalls.filter((candidate) => candidate in numbers)) {
      const chain = chains.get(name);
      chains.set(name, { name: `${chain?.name ?? 'rules'}:${index}`, rules: [...(chain?.rules ?? []), rule] });
    }
  });
  return chains;
}

/** Where rule `index` of a chain begins. A rule without tests is its ending; past the last one the call is open. */
export function entryOf(chain: Chain, index: number): Label {
  const rule = chain.rules[index];
  if (rule === undefined) return endingOf(allow);
  return rule.when === undefined ? endingOf(rule.action) : `${chain.name}/${index}`;
}

/** The label of the return instruction for an action; `compile` puts them all at the end. */
export function endingOf(action: SeccompAction): Label {
  return nameOf(action);
}

export function compileChain(chain: Chain): readonly Step[] {
  const closing = chain.rules.findIndex((rule) => rule.when === undefined);
  const conditional = closing === -1 ? chain.rules : chain.rules.slice(0, closing);
  return conditional.flatMap((rule, index) => compileRule(rule, entryOf(chain, index), entryOf(chain, index + 1)));
}

function compileRule(rule: SyscallRule, entry: Label, miss: Label): readonly Step[] {
  const tests = rule.when ?? [];
  const stage = (index: number): Label => (index === 0 ? entry : `${entry}.${index}`);
  return tests.flatMap((test, index): readonly Step[] => {
    const hit = index + 1 === tests.length ? endingOf(rule.action) : stage(index + 1);
    return [{ kind: 'label', label: stage(index) }, ...compileTest(test, { hit, miss }, stage(index))];
  });
}
