/** Writes the profile of system calls that `docs/containers.md` describes. Run after a change of `src/plan/seccomp`. */
import { writeFileSync } from 'node:fs';
import { containerProfile, launcherCalls } from './container/profile.ts';

export const renderContainerProfile = (): string =>
  `${JSON.stringify(containerProfile(launcherCalls), undefined, 1)}\n`;

if (import.meta.main)
  writeFileSync(new URL('../docs/seccomp-container.json', import.meta.url), renderContainerProfile());
