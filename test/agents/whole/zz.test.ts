import { test } from 'vitest';
import process from 'node:process';
import { Project } from '../../lib/holdfast.ts';
import { agentPackages, installedProgram } from '../real-clis/packages.ts';
import { performWhole } from './perform-whole.ts';
import { wholeAgents } from './whole-agents.ts';
test('x', async () => {
  for (const agent of wholeAgents.filter(({ name }) => (process.env['AG'] ?? 'claude').split(',').includes(name)))
    for (const way of (process.env['WAYS'] ?? 'bare,boxed').split(',') as ('bare' | 'boxed')[]) {
      using project = new Project();
      const program =
        installedProgram((agentPackages as never as Record<string, typeof agentPackages.codex>)[agent.name] as never) ??
        '';
      const t = Date.now();
      process.on('exit', () => undefined);
      const out = await performWhole({ project, agent, program, way });
      console.log(
        agent.name,
        way,
        Date.now() - t,
        JSON.stringify(out, (k, v) => (typeof v === 'string' ? v.slice(0, 1500) : v), 1),
      );
    }
}, 600000);
