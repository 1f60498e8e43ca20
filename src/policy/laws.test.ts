import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rounds } from '../../scripts/testing/extent.ts';
import { fileAnchors } from './anchors.ts';
import { backendOf } from './backend-wish.ts';
import { hiddenNames, namesProtectedBy } from './check-files.ts';
import { explanationFor } from './command/explain-command.ts';
import { decide, decideAddress } from './decide.ts';
import { stricter, strictnessOf } from './verdict.ts';
import { builtinRequired } from './layers/required.ts';
import { meet, type Policy, policyOf } from './policy.ts';
import { environmentOf } from './settings/build-environment.ts';
import { limitsOf } from './settings/limits.ts';
import { networkPlan } from './settings/network-plan.ts';
import { processSettings, newProtectedOf, laterSocketsOf, gitCommandsOf } from './settings/switches.ts';
import { requirementsOf } from './settings/requirements.ts';
import { layer, request } from './testing/arbitraries.ts';
import { places } from './testing/policies.ts';

const policy: fc.Arbitrary<Policy> = fc
  .tuple(fc.array(layer, { maxLength: 3 }), fc.constantFrom('required', 'bare'))
  .map(([layers, kind]) => policyOf(kind === 'required' ? [builtinRequired(places), ...layers] : layers));

const idsOf = ({ layers }: Policy): readonly string[] => layers.map(({ id }) => id);
const facts = { memory: 8 * 2 ** 30 } as const;
const environment = { A: '1', A_B: '2', PATH: '/bin', MY_TOKEN: 'secret', LD_PRELOAD: 'x.so' } as const;
const runs = { numRuns: rounds(300) } as const;

describe('the meet', () => {
  test('is commutative', () => {
    fc.assert(
      fc.property(policy, policy, (p, q) => {
        expect(idsOf(meet(p, q))).toEqual(idsOf(meet(q, p)));
      }),
      runs,
    );
  });

  test('is associative', () => {
    fc.assert(
      fc.property(policy, policy, policy, (p, q, r) => {
        expect(idsOf(meet(meet(p, q), r))).toEqual(idsOf(meet(p, meet(q, r))));
      }),
      runs,
    );
  });

  test('is idempotent', () => {
    fc.assert(
      fc.property(policy, policy, (p, q) => {
        expect(idsOf(meet(p, p))).toEqual(idsOf(p));
        expect(idsOf(meet(meet(p, q), q))).toEqual(idsOf(meet(p, q)));
      }),
      runs,
    );
  });

  test('with a policy without layers is a policy that denies by default', () => {
    fc.assert(
      fc.property(request, (r) => {
        expect(decide(policyOf([]), r).decision).toBe('deny');
      }),
      runs,
    );
  });
});

describe('a decision', () => {
  test('is never looser than before when a policy is added', () => {
    fc.assert(
      fc.property(policy, policy, request, (p, q, r) => {
        expect(strictnessOf(decide(meet(p, q), r).decision)).toBeGreaterThanOrEqual(
          strictnessOf(decide(p, r).decision),
        );
      }),
      { numRuns: rounds(2000) },
    );
  });

  test('of a meet is the stricter of both', () => {
    fc.assert(
      fc.property(policy, policy, request, (p, q, r) => {
        expect(decide(meet(p, q), r).decision).toBe(stricter(decide(p, r).decision, decide(q, r).decision));
      }),
      { numRuns: rounds(2000) },
    );
  });

  test('does not depend on the order of the layers, down to the rule that is named', () => {
    fc.assert(
      fc.property(fc.array(layer, { maxLength: 4 }), request, (layers, r) => {
        expect(decide(policyOf(layers.toReversed()), r)).toEqual(decide(policyOf(layers), r));
      }),
      { numRuns: rounds(1000) },
    );
  });

  test('is the same when it is asked twice, and is plain data', () => {
    fc.assert(
      fc.property(policy, request, (p, r) => {
        const verdict = decide(p, r);
        expect(decide(p, r)).toEqual(verdict);
        expect(JSON.parse(JSON.stringify(verdict))).toEqual({ ...verdict });
      }),
      { numRuns: rounds(500) },
    );
  });

  test('is put into one line each, without control characters', () => {
    fc.assert(
      fc.property(policy, request, (p, r) => {
        const { message, remedy, rule, file } = decide(p, r);
        for (const text of [message, remedy, rule, file]) expect(text).toMatch(/^[^\p{Cc}]+$/u);
      }),
      { numRuns: rounds(1000) },
    );
  });

  test('never changes with the spelling of a path', () => {
    fc.assert(
      fc.property(
        policy,
        fc.constantFrom('/home/dev/app/src/a', '/home/dev/.ssh/b', '/tmp/a', '/usr/a'),
        fc.constantFrom('//', '/./', '/x/../'),
        (p, path, separator) => {
          const spelled = path.split('/').join(separator);
          const at = (text: string) => decide(p, { kind: 'file', operation: 'read', path: text });
          expect(at(spelled).decision).toBe(at(path).decision);
          expect(at(spelled).rule).toBe(at(path).rule);
        },
      ),
      runs,
    );
  });
});

describe('an address', () => {
  const address = fc.constantFrom('10.1.2.3', '0x0a010203', '127.0.0.1', '::1', '169.254.169.254', 'fd00::1', 'a.test');
  const port = fc.constantFrom(80, 443, 5432, 0);
  const target = fc.record({ address, port });

  test('is never opened further when a policy is added', () => {
    fc.assert(
      fc.property(policy, policy, target, (...[p, q, to]) => {
        const of = (each: Policy): number => strictnessOf(decideAddress(each, to).decision);
        expect(of(meet(p, q))).toBe(Math.max(of(p), of(q)));
      }),
      { numRuns: rounds(1000) },
    );
  });

  test('is never opened where a connection to it is not', () => {
    fc.assert(
      fc.property(policy, target, (p, to) => {
        const opened = decideAddress(p, to).decision;
        if (opened === 'allow' || opened === 'audit')
          expect(['allow', 'audit']).toContain(
            decide(p, { kind: 'connect', host: to.address, port: to.port, protocol: 'tcp' }).decision,
          );
      }),
      { numRuns: rounds(2000) },
    );
  });
});

describe('a network', () => {
  test('has a door for every connection that is not refused', () => {
    fc.assert(
      fc.property(
        policy,
        fc.constantFrom('a.test', 'b.a.test', 'registry.npmjs.org', '10.1.2.3', 'github.com'),
        fc.constantFrom(22, 80, 443, 5432),
        (p, host, port) => {
          if (decide(p, { kind: 'connect', host, port, protocol: 'tcp' }).decision === 'deny') return;
          const plan = networkPlan(p);
          expect(
            plan.kind === 'open' &&
              (plan.ports === 'every' || plan.ports.some(({ from, to }) => from <= port && port <= to)),
          ).toBe(true);
        },
      ),
      { numRuns: rounds(2000) },
    );
  });

  test('has no more doors when a policy is added', () => {
    fc.assert(
      fc.property(policy, policy, (p, q) => {
        const [one, both] = [networkPlan(p), networkPlan(meet(p, q))];
        if (both.kind === 'closed') return;
        if (one.kind === 'closed') throw new Error('a closed network was opened');
        for (const port of both.loopbackPorts) expect(one.loopbackPorts).toContain(port);
        for (const forward of both.forward) expect(one.forward).toContainEqual(forward);
        expect(both.dns === 'real' && one.dns === 'fake').toBe(false);
      }),
      { numRuns: rounds(500) },
    );
  });
});

describe('an explanation', () => {
  test('agrees with the decision, layer by layer', () => {
    fc.assert(
      fc.property(policy, request, (p, r) => {
        const { verdict, trace, wouldAllow } = explanationFor(p, r);
        expect(verdict).toEqual(decide(p, r));
        expect(trace).toHaveLength(p.layers.length);
        const decisions = trace.flatMap((step) => (step.kind === 'answers' ? [step.verdict.decision] : []));
        expect(decisions.reduce(stricter, 'allow')).toBe(verdict.decision);
        expect(wouldAllow.length > 0).toBe(strictnessOf(verdict.decision) > strictnessOf('redirect'));
      }),
      { numRuns: rounds(1000) },
    );
  });
});

describe('settings only narrow', () => {
  test('limits', () => {
    fc.assert(
      fc.property(policy, policy, (p, q) => {
        const [one, both] = [limitsOf(p, facts), limitsOf(meet(p, q), facts)];
        for (const key of Object.keys(one) as (keyof typeof one)[])
          expect(both[key] ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(one[key] ?? 0);
      }),
      runs,
    );
  });

  test('the environment', () => {
    fc.assert(
      fc.property(policy, policy, (p, q) => {
        const names = (of: Policy): readonly string[] => Object.keys(environmentOf(of, environment).environment);
        expect(names(p)).toEqual(expect.arrayContaining([...names(meet(p, q))]));
      }),
      runs,
    );
  });

  test('requirements, tracing and the backend', () => {
    fc.assert(
      fc.property(policy, policy, (p, q) => {
        const both = meet(p, q);
        expect(requirementsOf(both)).toEqual(expect.arrayContaining([...requirementsOf(p), ...requirementsOf(q)]));
        if (processSettings(p).ptrace === 'deny') expect(processSettings(both).ptrace).toBe('deny');
        if (gitCommandsOf(p) === 'neutral') expect(gitCommandsOf(both)).toBe('neutral');
        if (newProtectedOf(p) === 'refuse') expect(newProtectedOf(both)).toBe('refuse');
        if (laterSocketsOf(p) === 'refuse') expect(laterSocketsOf(both)).toBe('refuse');
        if (backendOf(p) !== 'auto') expect(backendOf(both)).toBe(backendOf(p));
      }),
      runs,
    );
  });

  test('names that are guarded, and paths that are named', () => {
    fc.assert(
      fc.property(policy, policy, (p, q) => {
        const both = meet(p, q);
        expect(namesProtectedBy(both)).toEqual(expect.arrayContaining([...namesProtectedBy(p)]));
        expect(hiddenNames(both)).toEqual(expect.arrayContaining([...hiddenNames(p)]));
        expect(fileAnchors(both).length).toBeGreaterThanOrEqual(fileAnchors(p).length);
      }),
      { numRuns: rounds(50) },
    );
  });
});
