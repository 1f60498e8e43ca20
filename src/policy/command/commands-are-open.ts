import { builtinFile } from '../origin.ts';
import type { Policy } from '../policy.ts';

/** Whether no layer says anything about commands: then none is analysed, and `run` is as quick as it can be. */
export function commandsAreOpen(policy: Policy): boolean {
  return policy.layers.every(({ commands, limitsCommands, settings: { unknownCommands } }) => commands().length === 0 && !limitsCommands && (unknownCommands === undefined || unknownCommands.value === 'allow' || unknownCommands.origin.file === builtinFile));
}
