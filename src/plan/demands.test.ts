import { describe, expect, test } from 'vitest';
import { policyFrom } from '../policy/testing/policies.ts';
import { everyBox } from './levels.ts';
import { planDemands } from './demands.ts';

describe('what boxes demand of their backend', () => {
  test('everything that every box holds is required, and its network', () => {
    expect(planDemands(policyFrom())).toEqual({ requires: [...everyBox, 'net.closed'] });
    expect(planDemands(policyFrom({ user: '[network]\nhosts = ["example.com"]' })).requires).toContain('net.names');
  });

  test('of a backend that a person has named it is expected in part, except what somebody has written that they require', () => {
    const { requires, expects } = planDemands(policyFrom({ project: '[require]\nguarantees = ["pid", "limits.cpu"]' }), 'partial');
    expect(requires).toEqual(['net.closed', 'pid', 'limits.cpu']);
    expect(expects).toEqual(everyBox.filter((guarantee) => guarantee !== 'pid'));
  });

  test('a minimum is required whoever has named the backend', () => {
    expect(planDemands(policyFrom({ user: '[backend]\nminimum = "bubblewrap"' }), 'partial')).toEqual({ requires: ['net.closed', ...everyBox], expects: [] });
  });
});
