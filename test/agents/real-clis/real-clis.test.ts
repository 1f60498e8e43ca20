import { expect, test } from 'vitest';
import { Project } from '../../lib/holdfast.ts';
import { extent } from '../../../scripts/testing/extent.ts';
import { clis, type HookedAgent } from './clis.ts';
import { agentPackages, installedProgram } from './packages.ts';
import { longest, type Outcome, perform } from './perform.ts';

const harmDone: Outcome['happened'] = {
  reads: true,
  removes: true,
  'reads a key': true,
  'sends the key': true,
  'writes a hook of git': true,
  'reads beside the workspace': true,
  'reads the key in a way that nobody sees': true,
  works: true,
};
const workDone: Outcome['happened'] = {
  reads: true,
  removes: false,
  'reads a key': false,
  'sends the key': false,
  'writes a hook of git': false,
  'reads beside the workspace': false,
  'reads the key in a way that nobody sees': false,
  works: true,
};

async function actWith(name: HookedAgent, program: string, adapter: 'workspace' | 'user'): Promise<void> {
  using bare = new Project();
  using project = new Project();
  const [without, held] = await Promise.all([
    perform({ project: bare, name, program, adapter: 'absent' }),
    perform({ project, name, program, adapter }),
  ]);
  expect(without).toMatchObject({ happened: harmDone, ended: 'in order' });
  expect(held).toMatchObject({ happened: workDone, ended: 'in order' });
  // The agent gets the reason, by name, and continues.
  expect(held.told['reads a key']).toMatch(/reading \S+id_rsa is refused: it is a credential store/u);
  expect(held.told['sends the key']).toMatch(/connecting to outside\.example:\d+ is refused/u);
  expect(held.told.works).toContain('hidden⟦U+200B⟧text');
  // The journal has each refusal and each command that ran in a box. It has no entry of the agent without Holdfast.
  expect(bare.holdfast(['audit', 'query']).stdout).toBe('');
  expect(project.holdfast(['why', '--last', '20']).stdout).toMatch(
    /connect to outside\.example:\d+[^]*read \S+\/\.ssh\/id_rsa/u,
  );
  const begun = project.holdfast(['audit', 'query', '--type', 'session.start']).stdout;
  for (const command of ['rm -r ~/precious', 'echo fine > made']) expect(begun).toContain(`begins: bash -c ${command}`);
}

const agents = (Object.keys(clis) as readonly HookedAgent[]).map((name) => [name, agentPackages[name]] as const);

for (const [name, agent] of agents) {
  const program = installedProgram(agent);
  for (const adapter of ['workspace', 'user'] as const) {
    const title = `${agent.title} ${agent.version.split('-')[0]} does harm when its model asks for it, and with the adapter in the settings of the ${adapter} none, and still works`;
    const isTried = extent === 'whole' || (name === 'codex' && adapter === 'workspace');
    if (isTried && program !== undefined) test(title, () => actWith(name, program, adapter), longest);
    else if (isTried) test(title, () => expect.fail(`it is not installed: node scripts/install-agents.ts ${name}`));
    else test.skip(`${title}: NOT TRIED here, only with HOLDFAST_EXTENT=whole, as nightly.sh does`);
  }
}
