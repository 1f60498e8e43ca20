import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { repository } from '../../lib/holdfast.ts';

/**
 * A coding agent as npm publishes it. Each is one complete program for this machine: its installation builds and
 * downloads nothing.
 */
export interface AgentPackage {
  readonly title: string;
  readonly package: string;
  readonly version: string;
  /** Below the package's folder. */
  readonly program: string;
}

const machine = `linux-${process.arch}`;

export const agentPackages = {
  // A dependency of the repository, so that each change tests at least one agent.
  codex: {
    title: 'Codex',
    package: `@openai/codex-${machine}`,
    version: `0.169.0-${machine}`,
    program: `vendor/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-unknown-linux-musl/bin/codex`,
  },
  claude: {
    title: 'Claude Code',
    package: `@anthropic-ai/claude-code-${machine}`,
    version: '2.1.330',
    program: 'claude',
  },
  gemini: { title: 'Gemini CLI', package: '@google/gemini-cli', version: '0.61.0', program: 'bundle/gemini.js' },
  qwen: { title: 'Qwen Code', package: '@qwen-code/qwen-code', version: '0.24.4', program: 'cli-entry.js' },
  copilot: {
    title: 'GitHub Copilot CLI',
    package: `@github/copilot-${machine}`,
    version: '1.0.102',
    program: 'copilot',
  },
  cline: { title: 'Cline', package: 'cline', version: '3.0.65', program: 'bin/cline' },
  pi: { title: 'Pi', package: '@earendil-works/pi-coding-agent', version: '1.6.0', program: 'dist/bundle/cli.js' },
  opencode: { title: 'OpenCode', package: `opencode-${machine}`, version: '1.18.33', program: 'bin/opencode' },
} as const satisfies Readonly<Record<string, AgentPackage>>;

export type InstalledAgent = keyof typeof agentPackages;

/** `scripts/install-agents.ts` puts agents there: outside the repository, a folder for each version. */
export function installFolder({ package: name, version }: AgentPackage): string {
  return join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'holdfast-tests', `${name}@${version}`);
}

/** The program of the pinned version, or undefined if it is not installed. */
export function installedProgram(agent: AgentPackage): string | undefined {
  const folders = [repository, installFolder(agent)].map((root) => join(root, 'node_modules', agent.package));
  return folders
    .filter((folder) => versionIn(folder) === agent.version)
    .map((folder) => join(folder, agent.program))
    .find((program) => existsSync(program));
}

function versionIn(folder: string): unknown {
  const file = join(folder, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>)['version'] : undefined;
}
