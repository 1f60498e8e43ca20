import { realpathSync } from 'node:fs';
import { expect, test } from 'vitest';
import { dealt } from '../../../scripts/testing/extent.ts';
import { readPlace } from '../../place/place.ts';
import { policyOfPlace } from '../../place/planner.ts';
import { scratchDirectory } from '../../place/testing/scratch.ts';
import { tryExamples } from '../../policy/document/examples.ts';
import { policyFrom } from '../../policy/testing/policies.ts';
import { classLine, commandTree, explainCommandLine } from '../../sandbox/explain-command.ts';
import { whyAt } from '../../sandbox/why.ts';
import { hostileTexts } from '../../shell/analyse/testing/hostile-texts.ts';
import { labelledLines } from '../../shell/class/testing/labelled-lines.ts';
import { corpusLines, outcomes } from '../../shell/corpus/testing/corpus-lines.ts';
import { decideAction } from './fresh-decisions.ts';

/* Every text of the corpora, passed to all code that analyses command lines. A crash would be no answer. */

const lines = [
  ...outcomes.flatMap(corpusLines).map(([, line]) => line),
  ...Object.values(labelledLines).flat(),
  ...hostileTexts.map(({ text }) => text),
  ...['a', '$', '(', ')', '[', ']', '{', '}', '*', '+', '?', '.', '^', '|', '\\', '/', '-', ':', '@', '%'].map(
    (name) => `${name}(){ ${name}|${name}& };${name}`,
  ),
];
const text = 'version = 1\n[commands]\nask_above = "reads"\ndeny = ["rm -r"]\n';

test('explain and why answer', () => {
  const root = '/home/dev/app';
  const policy = policyFrom({ user: text });
  for (const words of dealt([...lines.map((line) => [line]), ...lines.map((line) => line.split(/\s+/u))], 4)) {
    const explained = explainCommandLine({ policy, home: '/home/dev', workspace: root }, { words, cwd: root });
    expect(commandTree(explained)).toBeTypeOf('string');
    expect(classLine(explained)).not.toMatch(/\p{Cc}/u);
  }
});

test('a hook answers', () => {
  const root = realpathSync(scratchDirectory());
  const environment = { XDG_CONFIG_HOME: root, XDG_STATE_HOME: root, PATH: '/usr/bin:/bin' };
  const place = readPlace({ cwd: root, workspace: root, environment });
  const sources = [{ kind: 'user' as const, file: place.paths.userPolicy, text }];
  const why = whyAt({ ...place, sources }, { environment, policyOf: policyOfPlace });
  const world = { why, box: ['/node', '/holdfast.cjs', 'run', '--'] };
  for (const line of dealt(lines, 4)) {
    const { answer } = decideAction(
      world,
      { kind: 'command', text: line, member: 'command' },
      {
        moment: 'before',
        event: 'x',
        tool: 'x',
        input: {},
        cwd: root,
      },
    );
    expect(['rewrite', 'deny']).toContain(answer.kind);
  }
});

test('examples of rules are tried', () => {
  const results = tryExamples({
    version: 1,
    exec: [{ name: 'a', decision: 'deny', commands: ['rm -r'], match: lines, not_match: lines }],
  });
  expect(results).toHaveLength(2 * lines.length);
});
