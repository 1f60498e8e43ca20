import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rounds } from '../../../scripts/testing/extent.ts';
import type { Analysis, Opacity } from '../../shell/types.ts';
import { decide } from '../decide.ts';
import { goesAhead, strictnessOf } from '../verdict.ts';
import type { Layer } from '../layers/layer.ts';
import { builtinRequired } from '../layers/required.ts';
import { type Policy, policyOf } from '../policy.ts';
import { factsWith } from '../testing/analyses.ts';
import {
  analysed,
  commandLayer,
  type CommandValue,
  commandValue,
  opacitiesOf,
  otherLayer,
} from '../testing/command-arbitraries.ts';
import { places } from '../testing/policies.ts';
import { decideCommand } from './decide-command.ts';
import { commandsAreOpen, explainCommand } from './explain-command.ts';
import type { CommandFacts } from './types.ts';

const found = factsWith({ tool: { kind: 'missing' } });
const planted = factsWith({ git: { kind: 'planted', path: '/tmp/git' } });
const unresolved: CommandFacts = { ...places, resolve: () => undefined };
const missing: CommandFacts = { ...places, resolve: () => ({ kind: 'missing' }) };
const facts = fc.constantFrom(found, planted, unresolved);
const runs = { numRuns: rounds(600) } as const;

const policyWith = (user: CommandValue, ...others: readonly Layer[]): Policy =>
  policyOf([builtinRequired(places), commandLayer('user', user), ...others]);
const strictness = (policy: Policy, analysis: Analysis, told = found): number =>
  strictnessOf(decideCommand(policy, analysis, told).decision);
const asked = strictnessOf('ask');

/** Opacities that nobody can resolve before the command runs. */
const hard: ReadonlySet<Opacity['kind']> = new Set([
  'syntax',
  'uncovered',
  'budget',
  'shell',
  'dynamic-program',
  'stdin-code',
]);

describe('a decision about a command line', () => {
  test('equals that of its strictest part, which is named', () => {
    fc.assert(
      fc.property(
        commandValue('any'),
        fc.array(otherLayer, { maxLength: 2 }),
        analysed,
        facts,
        (...[user, others, analysis, told]) => {
          const { decision, parts, decisive, message, remedy } = decideCommand(
            policyWith(user, ...others),
            analysis,
            told,
          );
          const strictest = parts.reduce((most, { verdict }) => Math.max(most, strictnessOf(verdict.decision)), 0);
          expect(strictnessOf(decision)).toBe(strictest);
          expect(decisive === undefined).toBe(parts.length === 0);
          if (decisive !== undefined)
            expect([decisive.verdict.decision, decisive.verdict.message, decisive.verdict.remedy]).toEqual([
              decision,
              message,
              remedy,
            ]);
          expect(`${message}${remedy}`).not.toMatch(/\p{Cc}/u);
        },
      ),
      runs,
    );
  });

  test('never allows unknowable parts, under any policy', () => {
    fc.assert(
      fc.property(commandValue('any'), fc.array(otherLayer, { maxLength: 2 }), analysed, (user, others, analysis) => {
        if (opacitiesOf(analysis).some(({ kind }) => hard.has(kind)))
          expect(strictness(policyWith(user, ...others), analysis)).toBeGreaterThanOrEqual(asked);
      }),
      runs,
    );
  });

  test('never allows unknown constructs where unknown is "ask" and no rule knows the tool', () => {
    fc.assert(
      fc.property(
        commandValue('restricting'),
        fc.array(otherLayer, { maxLength: 2 }),
        analysed,
        (user, others, analysis) => {
          // Without its own `unknown`, a policy with `ask_above` allows opaque commands that can do no more than that
          // class.
          const { unknown, ask_above: _above, ...commands } = user.commands ?? {};
          const said = unknown === undefined || unknown === 'allow' ? {} : { unknown };
          const policy = policyWith({ ...user, commands: { ...commands, ...said } }, ...others);
          if (opacitiesOf(analysis).some(({ kind }) => kind !== 'repository-code'))
            expect(strictness(policy, analysis)).toBeGreaterThanOrEqual(asked);
        },
      ),
      runs,
    );
  });

  test('is never looser with a layer more', () => {
    fc.assert(
      fc.property(commandValue('any'), otherLayer, analysed, facts, (...[user, other, analysis, told]) => {
        expect(strictness(policyWith(user, other), analysis, told)).toBeGreaterThanOrEqual(
          strictness(policyWith(user), analysis, told),
        );
      }),
      runs,
    );
  });

  test('without a program search equals the one for missing programs', () => {
    fc.assert(
      fc.property(commandValue('any'), fc.array(otherLayer, { maxLength: 2 }), analysed, (user, others, analysis) => {
        const policy = policyWith(user, ...others);
        expect(strictness(policy, analysis, unresolved)).toBe(strictness(policy, analysis, missing));
      }),
      runs,
    );
  });

  test.each<[string, (said: CommandValue, command: string) => CommandValue]>([
    [
      'in the list',
      ({ commands, exec }, command) => ({
        ...(exec === undefined ? {} : { exec }),
        commands: { ...commands, deny: [...(commands?.deny ?? []), command] },
      }),
    ],
    [
      'before all rules',
      ({ commands, exec = [] }, command) => ({
        ...(commands === undefined ? {} : { commands }),
        exec: [{ name: 'd', decision: 'deny', commands: [command] }, ...exec],
      }),
    ],
    [
      'after all rules',
      ({ commands, exec = [] }, command) => ({
        ...(commands === undefined ? {} : { commands }),
        exec: [...exec, { name: 'd', decision: 'deny', commands: [command] }],
      }),
    ],
  ])('is never looser with a refusal more, %s', (_, refuse) => {
    fc.assert(
      fc.property(
        commandValue('any'),
        fc.constantFrom('git', 'git push -f', 'rm -r', '*', 'tool', 'curl'),
        analysed,
        (said, command, analysis) => {
          expect(strictness(policyWith(refuse(said, command)), analysis)).toBeGreaterThanOrEqual(
            strictness(policyWith(said), analysis),
          );
        },
      ),
      runs,
    );
  });

  test('a refusal of every command refuses every line that has one', () => {
    fc.assert(
      fc.property(commandValue('any'), analysed, (said, analysis) => {
        const policy = policyWith({ ...said, commands: { ...said.commands, deny: ['*'] } });
        const named = analysis.invocations.some(
          ({ argv: [program] }) => program?.kind === 'static' && program.value !== '',
        );
        if (named) expect(decideCommand(policy, analysis, found).decision).toBe('deny');
      }),
      runs,
    );
  });
});

describe('an explanation', () => {
  test('states the decision, and names an obstacle exactly if there is one', () => {
    fc.assert(
      fc.property(
        commandValue('any'),
        fc.array(otherLayer, { maxLength: 1 }),
        analysed,
        facts,
        (...[user, others, analysis, told]) => {
          const policy = policyWith(user, ...others);
          const { commands, verdict, effects, obstacles } = explainCommand(policy, analysis, told);
          if (commands === 'judged') expect(verdict).toEqual(decideCommand(policy, analysis, told));
          const against = [...verdict.parts, ...effects]
            .filter((each) => !goesAhead(each.verdict.decision))
            .map((each) => each.verdict.message);
          expect(new Set(obstacles.map(({ message }) => message))).toEqual(new Set(against));
          expect(obstacles.every(({ ways }) => ways.length > 0 && ways.every((way) => /\w/u.test(way)))).toBe(true);
        },
      ),
      runs,
    );
  });

  test('where nothing is looked at, no policy would have refused a command', () => {
    fc.assert(
      fc.property(commandValue('any'), otherLayer, analysed, (user, other, analysis) => {
        const policy = policyWith(user, other);
        if (!commandsAreOpen(policy)) return;
        for (const part of decideCommand(policy, analysis, found).parts)
          if (part.kind === 'invocation') expect(decide(policy, part.request).decision).toBe('allow');
      }),
      runs,
    );
    expect(commandsAreOpen(policyWith({}))).toBe(true);
  });
});
