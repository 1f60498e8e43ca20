/**
 * Installs the coding agents for `test/agents/real-clis`, each in its pinned version, from npm into the user's cache.
 * Usage: node scripts/install-agents.ts [AGENT…]
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import process from 'node:process';
import {
  agentPackages,
  installedProgram,
  installFolder,
  type AgentPackage,
} from '../test/agents/real-clis/packages.ts';

const wanted = process.argv.slice(2);
for (const [name, agent] of Object.entries(agentPackages))
  if (wanted.length === 0 || wanted.includes(name)) install(agent);

function install(agent: AgentPackage): void {
  if (installedProgram(agent) !== undefined) return console.log(`${agent.title} ${agent.version}: there`);
  const folder = installFolder(agent);
  mkdirSync(folder, { recursive: true });
  const { status } = spawnSync(
    'npm',
    [
      'install',
      '--prefix',
      folder,
      '--no-save',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      `${agent.package}@${agent.version}`,
    ],
    { stdio: 'inherit' },
  );
  if (status !== 0 || installedProgram(agent) === undefined)
    throw new Error(`${agent.title} ${agent.version} could not be installed from npm`);
  console.log(`${agent.title} ${agent.version}: installed`);
}
