/**
 * Writes the pages of `docs/` that are tables of data, and the tables of `docs/command-classes.md` and `docs/metrics.md`.
 * Run after a change of `src/policy/builtin`, `src/plan/seccomp/rules`, `src/egress/ssrf`, `src/trust/surfaces`,
 * `src/metrics/table.ts`, `src/shell` or `test/peers`.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandsPage } from './docs-tables/commands.ts';
import { metricsPage } from './docs-tables/metrics.ts';
import { peersPage } from './docs-tables/peers.ts';
import { presetsPage } from './docs-tables/presets.ts';
import { protectedPathsPage } from './docs-tables/protected-paths.ts';
import { providersPage } from './docs-tables/providers.ts';
import { specialAddressesPage } from './docs-tables/special-addresses.ts';
import { systemCallsPage } from './docs-tables/system-calls.ts';
import { trustSurfacesPage } from './docs-tables/trust-surfaces.ts';

export const generatedPages: Readonly<Record<string, () => string>> = {
  'command-classes.md': commandsPage,
  'metrics.md': metricsPage,
  'peers.md': peersPage,
  'presets.md': presetsPage,
  'protected-paths.md': protectedPathsPage,
  'providers.md': providersPage,
  'special-addresses.md': specialAddressesPage,
  'system-calls.md': systemCallsPage,
  'trust-surfaces.md': trustSurfacesPage,
};

export const docsDirectory = join(import.meta.dirname, '../docs');

if (import.meta.main) {
  for (const [name, page] of Object.entries(generatedPages)) writeFileSync(join(docsDirectory, name), `${page()}\n`);
}
