import type { Surface } from '../types.ts';
import { ampAndVibe, cline, kiro, opencode, otherAgents, windsurf } from './agents.ts';
import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { cursor } from './cursor.ts';
import { jetbrains, otherEditors, vscode, zed } from './editors.ts';
import { gemini } from './gemini.ts';
import { git } from './git.ts';
import { packages, registries } from './packages.ts';
import { devcontainers, environments, policies, schemas } from './workplaces.ts';

/** The first that a path matches is its surface. */
export const surfaces: readonly Surface[] = [
  ...claude, ...codex, ...gemini, ...cursor, ...copilot, ...windsurf, ...kiro, ...cline, ...opencode, ...ampAndVibe, ...otherAgents,
  ...vscode, ...jetbrains, ...zed, ...otherEditors, ...devcontainers, ...environments, ...git, ...packages, ...registries, ...policies, ...schemas,
];
