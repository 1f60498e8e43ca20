import { archivesTools } from './archives/index.ts';
import { buildTools } from './build/index.ts';
import { builtinsTools } from './builtins/index.ts';
import { containersTools } from './containers/index.ts';
import { coreutilsTools } from './coreutils/index.ts';
import { editorsTools } from './editors/index.ts';
import { findutilsTools } from './findutils/index.ts';
import { gitTools } from './git/index.ts';
import { languagesTools } from './languages/index.ts';
import { machineTools } from './machine/index.ts';
import { networkTools } from './network/index.ts';
import { packagesTools } from './packages/index.ts';
import { systemTools } from './system/index.ts';
import { textTools } from './text/index.ts';
import { wrappersTools } from './wrappers/index.ts';
import type { ToolSpec } from './types.ts';

/** Returns the specification of a program by its bare name (`rm`, not `/bin/rm`). Undefined for an unknown program. */
export function toolFor(name: string): ToolSpec | undefined {
  return tools.get(name);
}

/** Every specification, those of the first folder first. */
export const allTools: readonly ToolSpec[] = [
  ...builtinsTools,
  ...coreutilsTools,
  ...findutilsTools,
  ...textTools,
  ...machineTools,
  ...wrappersTools,
  ...gitTools,
  ...networkTools,
  ...languagesTools,
  ...buildTools,
  ...containersTools,
  ...systemTools,
  ...packagesTools,
  ...editorsTools,
  ...archivesTools,
];

const tools: ReadonlyMap<string, ToolSpec> = new Map(
  allTools.flatMap((spec) => spec.names.map((name) => [name, spec] as const)),
);
