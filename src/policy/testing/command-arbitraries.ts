import { commandClasses } from '../../shell/class/command-class.ts';
import * as fc from 'fast-check';
import { analyse } from '../../shell/analyse/analyse.ts';
import type { Analysis, Opacity } from '../../shell/types.ts';
import type { PolicyValue } from '../document/types.ts';
import { compileLayer, userLayer } from '../layers/compile-layer.ts';
import type { Layer } from '../layers/layer.ts';
import { places } from './policies.ts';

type Rule = NonNullable<PolicyValue['exec']>[number];
/** One policy file's statements about commands. */
export type CommandValue = Pick<PolicyValue, 'commands' | 'exec'>;

const pattern = fc.constantFrom(
  'git',
  'git push',
  'git push --force',
  'git *',
  'rm',
  'rm -r -f',
  'rm *',
  'curl',
  'ls',
  'npm publish',
  'tool',
  'tool x',
  '*',
  '/usr/bin/git',
  't*',
);
const patterns = fc.option(fc.array(pattern, { maxLength: 2 }), { nil: undefined });
const rule = (decisions: readonly string[]): fc.Arbitrary<Rule> =>
  fc
    .record({
      name: fc.constant('r'),
      decision: fc.constantFrom(...decisions),
      commands: fc.array(pattern, { minLength: 1, maxLength: 2 }),
      context: fc.constantFrom(undefined, undefined, 'direct', 'nested'),
    })
    .map(
      (each) =>
        JSON.parse(
          JSON.stringify(each.decision === 'redirect' ? { ...each, redirect_to: ['ls', '{rest}'] } : each),
        ) as Rule,
    );

const limit = fc.constantFrom(undefined, undefined, undefined, ...commandClasses.filter((name) => name !== 'anything'));

/** `restricting`: no rule claims to know a tool. */
export const commandValue = (kind: 'any' | 'restricting'): fc.Arbitrary<CommandValue> =>
  fc
    .record({
      commands: fc.record({
        allow: kind === 'any' ? patterns : fc.constant(undefined),
        ask: patterns,
        deny: patterns,
        unknown: fc.constantFrom(undefined, 'ask', 'allow', 'deny'),
        ask_above: limit,
        deny_above: limit,
      }),
      exec: fc.array(
        rule(kind === 'any' ? ['allow', 'audit', 'redirect', 'ask', 'deny'] : ['redirect', 'ask', 'deny']),
        { maxLength: 3 },
      ),
    })
    .map((each) => JSON.parse(JSON.stringify(each)) as CommandValue);

/** The layer of a file with these statements. */
export function commandLayer(kind: 'user' | 'managed' | 'project', said: CommandValue): Layer {
  const document = {
    file: `${kind}.toml`,
    value: { version: 1, ...said } as PolicyValue,
    lines: new Map<string, number>(),
  };
  return kind === 'user' ? userLayer(document, places) : compileLayer(document, { kind, ...places });
}

export const otherLayer: fc.Arbitrary<Layer> = fc
  .tuple(fc.constantFrom('managed' as const, 'project' as const), commandValue('any'))
  .map(([kind, said]) => commandLayer(kind, said));

const word = fc.constantFrom(
  'rm',
  '-rf',
  '-r',
  'git',
  'push',
  '-f',
  '--force',
  '--odd',
  'tool',
  'x',
  'npm',
  'publish',
  '$X',
  '*',
  'sudo',
  'sh',
  '-c',
  "'rm -rf x'",
  '|',
  '&&',
  ';',
  '$(',
  ')',
  'env',
  'A=b',
  '>',
  '/etc/x',
  'curl',
  'https://example.com',
  'ls',
);

/** The analyses of real texts, valid and broken. */
export const analysed: fc.Arbitrary<Analysis> = fc
  .array(word, { maxLength: 9 })
  .map((words) =>
    analyse({ kind: 'script', text: words.join(' '), shell: 'bash' }, { cwd: places.workspace, home: places.home }),
  );

/** Every opacity in an analysis. */
export function opacitiesOf({ opaque, invocations }: Analysis): readonly Opacity[] {
  return [...opaque, ...invocations.flatMap(({ effects }) => effects.opaque)];
}
