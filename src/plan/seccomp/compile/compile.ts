import { answerOf } from '../answer.ts';
import { architectures, type Architecture } from '../architecture.ts';
import type { Label, Step } from '../assemble.ts';
import { allow, kill, notImplemented, type SeccompAction, type SyscallRule } from '../rule.ts';
import { type Chain, chainsByName, compileChain, endingOf } from './chain.ts';
import { searchNumber } from './number-search.ts';
import { segmentsOf } from './segments.ts';

/** `struct seccomp_data`. */
const numberOffset = 0;
const architectureOffset = 4;

/** The whole filter: foreign architectures out, a search for the number, the tests of the rules, the endings. */
export function compile(rules: readonly SyscallRule[], architecture: Architecture): readonly Step[] {
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

function endings(rules: readonly SyscallRule[]): readonly Step[] {
  const actions = new Map<Label, SeccompAction>();
  for (const action of [allow, kill, notImplemented, ...rules.map((rule) => rule.action)]) {
    actions.set(endingOf(action), action);
  }
  return [...actions].flatMap(([label, action]): readonly Step[] => [
    { kind: 'label', label },
    { kind: 'return', value: answerOf(action) },
  ]);
}
