import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Backend,
  type BackendName,
  type GuaranteeVector,
  backendNames,
  namespaceGuarantees,
} from '../backends/backend.ts';
import { atLeast, demandOf } from '../backends/lattice/vectors.ts';
import { isHoldfastError } from '../errors/index.ts';
import { planDemands } from '../plan/compile.ts';
import { guaranteeNames as guarantees } from '../policy/guarantees.ts';
import { policyFrom } from '../policy/testing/policies.ts';
import { chooseBackend, type ChosenBackend } from './choose-backend.ts';

const facts = { uid: 1000, cgroups: { kind: 'none', reason: 'a test' } } as const;
const namespaces = namespaceGuarantees(facts, 'kernel');
const vectors: Readonly<Record<BackendName, GuaranteeVector>> = {
  native: namespaces,
  bubblewrap: { ...namespaces, 'fs.stage': 'none' },
  landlock: { ...namespaces, pid: 'partial', ipc: 'partial', 'fs.stage': 'none' },
  gvisor: { ...namespaces, 'kernel.separate': 'kernel' },
  microvm: { ...namespaces, 'kernel.separate': 'kernel', 'hardware.separate': 'kernel' },
};

/** A machine on which these are absent. */
const machine = (...absent: readonly BackendName[]) => ({
  look: (name: BackendName): Backend => ({
    name,
    warm: 'impossible',
    guarantees: () => vectors[name],
    presence: () =>
      absent.includes(name) ? { kind: 'absent', remedy: `install ${name}` } : { kind: 'present', version: '1' },
    start: () => expect.unreachable(),
  }),
});
const place = (backend: BackendName | 'auto' = 'auto') => ({ backend, ...facts });
const chosen = (choose: () => ChosenBackend) => {
  try {
    const { backend, named } = choose();
    return { name: backend.name, named };
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    return { code: error.code, message: error.message, remedy: error.remedy, missing: error.details['missing'] };
  }
};

describe('the chosen backend', () => {
  test.each<[string, Parameters<typeof policyFrom>[0], BackendName, ChosenBackend['named']]>([
    ['nobody says anything', {}, 'native', 'nobody'],
    ['a project demands another kernel', { project: '[backend]\nminimum = "separate-kernel"' }, 'gvisor', 'nobody'],
    [
      'the administrator demands another machine',
      { managed: '[require]\nguarantees = ["hardware.separate"]' },
      'microvm',
      'nobody',
    ],
    ['the user names one with gaps', { user: '[backend]\nuse = "landlock"' }, 'landlock', 'person'],
    ['a project names what is as good', { project: '[backend]\nuse = "bubblewrap"' }, 'bubblewrap', 'policy'],
    ['a project names what is better', { project: '[backend]\nuse = "gvisor"' }, 'gvisor', 'policy'],
  ])('%s', (...[, texts, name, named]) => {
    expect(chosen(() => chooseBackend(place(), policyFrom(texts), machine()))).toEqual({ name, named });
  });

  test('the next in order where the first is absent or does not work', () => {
    expect(chosen(() => chooseBackend(place(), policyFrom(), machine('native')))).toMatchObject({ name: 'bubblewrap' });
    expect(
      chosen(() => chooseBackend(place(), policyFrom(), { ...machine(), troubles: { native: 'no namespaces' } })),
    ).toMatchObject({ name: 'bubblewrap' });
  });
});

describe('a refusal names the missing parts, and every place involved', () => {
  test('where namespaces are forbidden: what Landlock alone would hold, and what of it in part', () => {
    expect(
      chosen(() =>
        chooseBackend(place(), policyFrom(), { ...machine('bubblewrap'), troubles: { native: 'no namespaces' } }),
      ),
    ).toEqual({
      code: 'HF_GUARANTEE_MISSING',
      message:
        'no backend meets the requirements here (missing: pid, ipc): native: no namespaces; bubblewrap: not here: install bubblewrap; landlock: cannot enforce pid, ipc',
      remedy:
        'allow user namespaces (in a container `holdfast doctor` says how), or accept gaps: --backend landlock holds 8 of 10 guarantees in the kernel, and pid, ipc in part',
      missing: ['pid', 'ipc'],
    });
  });

  test('where another backend holds it all: its name, and nothing that would be refused as well', () => {
    const vectorsHere = {
      ...vectors,
      microvm: { ...vectors.microvm, 'limits.memory': 'kernel' },
    } satisfies typeof vectors;
    const look = (name: BackendName): Backend => ({ ...machine().look(name), guarantees: () => vectorsHere[name] });
    const policy = policyFrom({ user: '[require]\nguarantees = ["limits.memory"]' });
    expect(chosen(() => chooseBackend(place(), policy, { look }))).toMatchObject({
      missing: ['limits.memory'],
      remedy: 'run with --backend microvm, which holds all of it',
    });
    expect(chosen(() => chooseBackend(place(), policy, machine()))).toMatchObject({
      missing: ['limits.memory'],
      remedy: 'run `holdfast backends` to see the needs of each backend, or take the requirement out of the policy',
    });
  });

  test.each<[string, BackendName | 'auto', Parameters<typeof policyFrom>[0], string]>([
    [
      'a person and a minimum',
      'auto',
      { user: '[backend]\nuse = "landlock"', project: '[backend]\nminimum = "bubblewrap"' },
      'the landlock backend cannot enforce here: pid, ipc; user.toml:3 demands landlock, project.toml:3 requires pid, project.toml:3 requires ipc',
    ],
    [
      'a flag and a requirement',
      'native',
      { managed: '[require]\nguarantees = ["kernel.separate"]' },
      'the native backend cannot enforce here: kernel.separate; --backend demands native, managed.toml:3 requires kernel.separate',
    ],
    [
      'a flag and a name',
      'native',
      { project: '[backend]\nuse = "gvisor"' },
      'project.toml:3 requires the gvisor backend, but --backend names native',
    ],
    [
      'a project that widens',
      'auto',
      { project: '[backend]\nuse = "landlock"' },
      'project.toml:3 demands the landlock backend, which cannot enforce here: pid, ipc; that is less than the native one, which would be taken without it',
    ],
    [
      'a project below what is demanded',
      'auto',
      { user: '[backend]\nminimum = "gvisor"', project: '[backend]\nuse = "native"' },
      'project.toml:3 demands the native backend, which cannot enforce here: kernel.separate; that is less than the gvisor one, which would be taken without it',
    ],
    [
      'one that runs nothing',
      'auto',
      { user: '[backend]\nuse = "seatbelt"' },
      'the seatbelt backend cannot run commands in this version: Holdfast only generates its plan',
    ],
  ])('%s', (...[, flag, texts, message]) => {
    expect(chosen(() => chooseBackend(place(flag), policyFrom(texts), machine()))).toMatchObject({ message });
  });
});

const minimum = fc.constantFrom(
  undefined,
  'restricted',
  'contained',
  'landlock',
  'native',
  'bubblewrap',
  'gvisor',
  'separate-hardware',
);
const text = (use: fc.Arbitrary<string | undefined>) =>
  fc
    .record({ use, minimum, required: fc.uniqueArray(fc.constantFrom(...guarantees), { maxLength: 2 }) })
    .map((said) =>
      [
        `[backend]`,
        ...(said.use === undefined ? [] : [`use = "${said.use}"`]),
        ...(said.minimum === undefined ? [] : [`minimum = "${said.minimum}"`]),
        `[require]`,
        `guarantees = ${JSON.stringify(said.required)}`,
      ].join('\n'),
    );
const ofPerson = text(fc.constantFrom<string | undefined>(undefined, undefined, 'auto', 'landlock', 'native'));
const ofProject = text(fc.constantFrom<string | undefined>(undefined, 'auto', ...backendNames));

test('a project or a session can only tighten, whatever it says', () => {
  fc.assert(
    fc.property(
      ofPerson,
      ofProject,
      fc.constantFrom<'project' | 'session'>('project', 'session'),
      fc.subarray([...backendNames]),
      fc.constantFrom<BackendName | 'auto'>('auto', 'auto', 'landlock', 'native'),
      (...[user, narrowing, kind, absent, flag]) => {
        const [without, together] = [policyFrom({ user }), policyFrom({ user, [kind]: narrowing })];
        const [before, after] = [without, together].map((policy) =>
          chosen(() => chooseBackend(place(flag), policy, machine(...absent))),
        );
        expect(chosen(() => chooseBackend(place(flag), together, machine(...absent)))).toEqual(after);
        if (after === undefined || !('name' in after)) return;
        const held = vectors[after.name];
        const always = after.named === 'person' ? 'partial' : 'kernel';
        expect(atLeast(held, demandOf(planDemands(together, always)))).toBe(true);
        expect(atLeast(held, demandOf(planDemands(without, always)))).toBe(true);
        if (before !== undefined && 'name' in before)
          expect(atLeast(held, { ...vectors[before.name], 'fs.stage': 'none' })).toBe(true);
      },
    ),
  );
});
