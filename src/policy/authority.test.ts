import { describe, expect, test } from 'vitest';
import { explanationFor } from './command/explain-command.ts';
import { decide } from './decide.ts';
import { policyFrom, type PolicyTexts } from './testing/policies.ts';
import { listText, ruleText, type Subject, subjects } from './testing/subjects.ts';
import { type Decision, decisions, type LayerKind, layerKinds, stricter, type Verdict } from './verdict.ts';

/**
 * Tests which layer may make which statement about which kind of request, and which statement wins, for every kind and
 * every layer with a file.
 */
const writable = ['managed', 'user', 'project', 'session'] as const;
const ceilings = ['managed', 'project', 'session'] as const;
const inEveryRule = ['allow', 'audit', 'ask', 'deny'] as const satisfies readonly Decision[];

const remedies = {
  audit: (): string => 'nothing is needed: it is allowed',
  ask: (layer: LayerKind): string => `approve it when asked, or change r in ${layer}.toml line 2`,
  deny: (layer: LayerKind): string => `change r in ${layer}.toml line 2`,
} as const;

/** The texts of a user who grants it, together with the other layers' texts. */
function granted(subject: Subject, texts: PolicyTexts = {}): PolicyTexts {
  const grant =
    subject.grants === undefined
      ? ruleText(subject, 'granted', { decision: 'allow', pattern: subject.wide })
      : listText(subject.grants, subject.wide);
  return { ...texts, user: `${texts.user ?? ''}${grant}` };
}

function verdictOn(subject: Subject, texts: PolicyTexts): Verdict {
  return decide(policyFrom(texts), subject.request);
}

const withLists = subjects.filter(
  (subject): subject is Subject & { readonly grants: string; readonly denies: string } => subject.denies !== undefined,
);

test('the tests know every kind and every layer', () => {
  expect(subjects.map(({ kind }) => kind).toSorted()).toEqual([
    'connect',
    'dns',
    'env',
    'exec',
    'file',
    'http',
    'registry',
    'signal',
    'socket',
    'tool',
    'trust',
  ]);
  expect(layerKinds.toSorted()).toEqual([...writable, 'required'].toSorted());
});

describe.each(subjects)('$kind', (subject) => {
  const { request, beside, base, wide, narrow } = subject;

  test(`is ${base} by default, and allowed once the user grants it`, () => {
    expect(verdictOn(subject, {}).decision).toBe(base);
    expect(verdictOn(subject, granted(subject))).toMatchObject({ decision: 'allow', layer: 'user', file: 'user.toml' });
    expect(decide(policyFrom(granted(subject)), beside)).toMatchObject({ decision: 'allow', layer: 'user' });
  });

  test.each(ceilings)('a rule that allows in a %s policy grants nothing', (layer) => {
    const rule = ruleText(subject, 'r', { decision: 'allow', pattern: wide });
    expect(verdictOn(subject, { [layer]: rule })).toMatchObject({
      decision: base,
      ...(base === 'allow' ? {} : { layer: 'user' }),
    });
  });

  test.each(writable)('a rule of a %s policy decides its matches, and nothing else', (layer) => {
    for (const decision of inEveryRule) {
      const texts = granted(subject, { [layer]: ruleText(subject, 'r', { decision, pattern: narrow }) });
      expect(verdictOn(subject, texts).decision, decision).toBe(decision);
      if (decision !== 'allow')
        expect(verdictOn(subject, texts)).toMatchObject({
          layer,
          rule: 'r',
          code: 'rule',
          file: `${layer}.toml`,
          line: 2,
          remedy: remedies[decision](layer),
        });
      expect(decide(policyFrom(texts), beside).decision, decision).toBe('allow');
    }
  });

  test('the first rule of a file that matches decides', () => {
    const rules = (...order: readonly Decision[]): string =>
      order
        .map((decision, index) =>
          ruleText(subject, `r${index}`, { decision, pattern: index === order.length - 1 ? wide : narrow }),
        )
        .join('');
    for (const [first, second] of [
      ['audit', 'deny'],
      ['deny', 'audit'],
      ['ask', 'allow'],
      ['allow', 'ask'],
    ] as const) {
      expect(verdictOn(subject, granted(subject, { project: rules(first, second) })).decision).toBe(first);
      expect(decide(policyFrom(granted(subject, { project: rules(first, second) })), beside).decision).toBe(second);
    }
  });

  test('the stricter of two layers counts, in any order', () => {
    for (const managed of inEveryRule) {
      for (const project of inEveryRule) {
        const texts = granted(subject, {
          managed: ruleText(subject, 'm', { decision: managed, pattern: narrow }),
          project: ruleText(subject, 'p', { decision: project, pattern: wide }),
        });
        expect(verdictOn(subject, texts).decision, `${managed} × ${project}`).toBe(stricter(managed, project));
      }
    }
  });

  test('of two equally strict layers, the one with more authority is named', () => {
    const rule = ruleText(subject, 'r', { decision: 'deny', pattern: wide });
    expect(verdictOn(subject, { managed: rule, project: rule, session: rule })).toMatchObject({ layer: 'managed' });
    expect(verdictOn(subject, granted(subject, { project: rule, session: rule }))).toMatchObject({ layer: 'project' });
  });

  test.each(writable)('only a change of that rule allows a refusal by a rule of a %s policy', (layer) => {
    const texts = granted(subject, { [layer]: ruleText(subject, 'r', { decision: 'deny', pattern: narrow }) });
    const { verdict, wouldAllow } = explanationFor(policyFrom(texts), request);
    expect(wouldAllow).toEqual([{ kind: 'change', layer, file: `${layer}.toml`, at: 2, rule: 'r' }]);
    expect(verdict.remedy).toBe(`change r in ${layer}.toml line 2`);
  });
});

describe.each(withLists)('the lists of $kind', (subject) => {
  const { request, beside, denies, grants, narrow, wide, base } = subject;

  test.each(writable)('a denial of a %s policy overrides every grant', (layer) => {
    const texts = granted(subject, { [layer]: listText(denies, narrow) });
    // TOML allows a table only once per file, so the user's own grant comes from a flag here.
    const [table = '', key = ''] = grants.split('.');
    const flag = { name: '--grant', file: 'command line', grants: { [table]: { [key]: [wide] } } };
    const policy =
      layer === 'user' ? policyFrom({ user: listText(denies, narrow), granted: [flag] }) : policyFrom(texts);
    expect(decide(policy, request)).toMatchObject({
      decision: 'deny',
      code: 'deny-set',
      layer,
      rule: `${denies}[0]`,
      file: `${layer}.toml`,
      line: 3,
      remedy: `change ${denies}[0] in ${layer}.toml line 3`,
    });
    if (layer !== 'user') expect(decide(policy, beside).decision).toBe('allow');
  });

  test.each(writable)('in a %s policy no rule of the same file comes before its deny list', (layer) => {
    for (const decision of ['allow', 'audit', 'ask'] as const) {
      const text = `${listText(denies, narrow)}${ruleText(subject, 'r', { decision, pattern: wide })}`;
      expect(verdictOn(subject, layer === 'user' ? { user: text } : granted(subject, { [layer]: text }))).toMatchObject(
        { decision: 'deny', code: 'deny-set', layer },
      );
    }
  });

  test.each(ceilings)('a list of grants in a %s policy grants nothing, and limits other grants', (layer) => {
    const [all, part] = [listText(grants, wide), listText(grants, narrow)];
    expect(verdictOn(subject, { [layer]: all }).decision).toBe(base);
    expect(verdictOn(subject, granted(subject, { [layer]: part })).decision).toBe('allow');
    const policy = policyFrom(granted(subject, { [layer]: part }));
    expect(decide(policy, beside)).toMatchObject({
      decision: 'deny',
      code: 'outside-ceiling',
      layer,
      rule: grants,
      file: `${layer}.toml`,
      line: 3,
    });
    const [way, ...others] = explanationFor(policy, beside).wouldAllow;
    expect(others).toEqual([]);
    expect(way).toMatchObject({
      kind: 'add',
      layer,
      file: `${layer}.toml`,
      line: expect.stringContaining(`${grants} = [`),
    });
    expect(way).not.toHaveProperty('flag');
  });

  test.each(ceilings)('a rule of a %s policy may let through what its ceiling leaves out', (layer) => {
    const text = `${listText(grants, narrow)}${ruleText(subject, 'r', { decision: 'audit', pattern: wide })}`;
    expect(decide(policyFrom(granted(subject, { [layer]: text })), beside)).toMatchObject({
      decision: 'audit',
      layer,
      rule: 'r',
    });
  });
});

describe.each(withLists.flatMap((subject) => (subject.asks === undefined ? [] : [{ ...subject, asks: subject.asks }])))(
  'the list of $kind that asks',
  (subject) => {
    const { asks, denies, narrow, wide } = subject;

    test.each(writable)('a question of a %s policy is asked, unless the request is denied', (layer) => {
      const asking = listText(asks, narrow);
      expect(
        verdictOn(subject, layer === 'user' ? { user: asking } : granted(subject, { [layer]: asking })),
      ).toMatchObject({
        decision: 'ask',
        code: 'rule',
        layer,
        rule: `${asks}[0]`,
        remedy: `approve it when asked, or change ${asks}[0] in ${layer}.toml line 3`,
      });
      const other = layer === 'project' ? 'session' : 'project';
      expect(verdictOn(subject, { [layer]: asking, [other]: listText(denies, wide) })).toMatchObject({
        decision: 'deny',
        layer: other,
      });
    });
  },
);

describe('decisions that only some kinds know', () => {
  const knowing: Readonly<Record<string, readonly Decision[]>> = {
    file: decisions,
    registry: ['allow', 'audit', 'ask', 'deny'],
    tool: ['allow', 'audit', 'stage', 'ask', 'deny'],
    exec: ['allow', 'audit', 'redirect', 'ask', 'deny'],
  };

  test.each(subjects.filter(({ kind }) => knowing[kind] !== undefined))(
    '$kind: every pair of them, in two layers',
    (subject) => {
      const known = knowing[subject.kind] ?? [];
      const rule = (name: string, decision: Decision): string =>
        `${ruleText(subject, name, { decision, pattern: subject.narrow })}${decision === 'redirect' ? 'redirect_to = "/elsewhere"\n' : ''}`;
      for (const one of known) {
        for (const other of known) {
          const verdict = verdictOn(subject, granted(subject, { project: rule('p', one), session: rule('s', other) }));
          expect(verdict.decision, `${one} × ${other}`).toBe(stricter(one, other));
          expect('redirectTo' in verdict, `${one} × ${other}`).toBe(verdict.decision === 'redirect');
        }
      }
    },
  );
});

describe('other spellings of a name at any depth, as file systems that fold letters have them,', () => {
  test.each([
    ['files', 'deny', 'read', { kind: 'file', operation: 'read', path: '/srv/Data/KEY' }],
    ['sockets', 'deny', 'allow', { kind: 'socket', operation: 'connect', address: '/srv/Data/KEY' }],
  ] as const)('are denied with it, and not granted with it: %s', (...[table, denies, grants, request]) => {
    expect(
      decide(policyFrom({ user: `[${table}]\n${grants} = ["/srv"]\n${denies} = ["**/data/key"]` }), request),
    ).toMatchObject({ decision: 'deny', code: 'deny-set' });
    expect(decide(policyFrom({ user: `[${table}]\n${grants} = ["**/data/key"]` }), request)).toMatchObject({
      decision: 'deny',
      code: 'not-granted',
    });
    expect(decide(policyFrom({ user: `[${table}]\n${grants} = ["**/Data/KEY"]` }), request).decision).toBe('allow');
  });

  test.each([
    ['file', 'paths', { kind: 'file', operation: 'read', path: '/srv/Data/KEY' }, '[files]\nread = ["/srv"]\n'],
    [
      'socket',
      'addresses',
      { kind: 'socket', operation: 'connect', address: '/srv/Data/KEY' },
      '[sockets]\nallow = ["/srv"]\n',
    ],
  ] as const)('are refused by a rule, and not allowed by one: %s', (...[table, key, request, grant]) => {
    const rule = (decision: Decision): string =>
      `[[${table}]]\nname = "r"\ndecision = "${decision}"\n${key} = ["**/data/key"]\n`;
    for (const decision of ['deny', 'ask'] as const)
      expect(decide(policyFrom({ user: `${grant}${rule(decision)}` }), request)).toMatchObject({ decision, rule: 'r' });
    for (const decision of ['allow', 'audit'] as const)
      expect(decide(policyFrom({ user: rule(decision) }), request)).toMatchObject({
        decision: 'deny',
        code: 'not-granted',
      });
  });
});

describe('no user rule lifts a built-in one', () => {
  test.each(['allow', 'audit'] as const)(
    'a rule that decides %s for a directory leaves its hidden and protected names alone',
    (decision) => {
      for (const user of [
        `[[file]]\nname = "r"\ndecision = "${decision}"\npaths = ["."]`,
        `[files]\nread = ["/srv"]\n[[file]]\nname = "r"\ndecision = "${decision}"\npaths = [".", "**/.env", "**/.git"]`,
      ]) {
        const policy = policyFrom({ user });
        for (const name of ['.env', 'a/.env.local', 'id_ed25519'])
          expect(
            decide(policy, { kind: 'file', operation: 'read', path: `/home/dev/app/${name}` }),
            name,
          ).toMatchObject({ decision: 'deny', code: 'hidden-file' });
        for (const name of ['.git/hooks/x', 'sub/.vscode/y', '.envrc'])
          expect(
            decide(policy, { kind: 'file', operation: 'write', path: `/home/dev/app/${name}` }),
            name,
          ).toMatchObject({ decision: 'deny', code: 'protected-path' });
        expect(decide(policy, { kind: 'file', operation: 'write', path: '/home/dev/app/plain' }).decision).toBe(
          decision,
        );
      }
    },
  );

  test.each(['supervisor', 'outside'] as const)('no layer’s rule sends a signal to a process %s', (target) => {
    for (const layer of writable) {
      for (const decision of inEveryRule) {
        const verdict = decide(policyFrom({ [layer]: `[[signal]]\nname = "r"\ndecision = "${decision}"` }), {
          kind: 'signal',
          signal: 'SIGTERM',
          target,
        });
        expect(verdict).toMatchObject({ decision: 'deny', layer: 'required' satisfies LayerKind, code: 'deny-set' });
      }
    }
  });
});
