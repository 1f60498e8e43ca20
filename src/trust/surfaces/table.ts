import type { Surface } from '../types.ts';
import { otherAgents } from './agents.ts';
import { ampAndVibe } from './amp.ts';
import { cline } from './cline.ts';
import { kiro } from './kiro.ts';
import { opencode } from './opencode.ts';
import { windsurf } from './windsurf.ts';
import { otherEditors, vscode } from './editors.ts';
import { javascriptConfiguration } from './javascript-configuration.ts';
import { jetbrains } from './jetbrains.ts';
import { zed } from './zed.ts';
import { git } from './git.ts';
import { packages } from './packages.ts';
import { registries } from './registries.ts';
import { devcontainers, environments, policies, schemas } from './workplaces.ts';
import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { cursor } from './cursor.ts';
import { gemini } from './gemini.ts';

/** The first surface that matches a path counts. */
export const surfaces: readonly Surface[] = [
  ...claude,
  ...codex,
  ...gemini,
  ...cursor,
  ...copilot,
  ...windsurf,
  ...kiro,
  ...cline,
  ...opencode,
  ...ampAndVibe,
  ...otherAgents,
  ...vscode,
  ...jetbrains,
  ...zed,
  ...otherEditors,
  ...devcontainers,
  ...environments,
  ...git,
  ...packages,
  ...javascriptConfiguration,
  ...registries,
  ...policies,
  ...schemas,
];
