import { flags, type ToolParts, tool } from '../notation.ts';
import type { StandingEffect, ToolSpec } from '../types.ts';

/** A program of GNU coreutils: all of them have `--help` and `--version`. */
export function gnu(names: string, parts: ToolParts & Pick<ToolSpec, 'dash'> = {}): ToolSpec {
  return {
    ...tool(names, { ...parts, options: [...(parts.options ?? []), ...flags('--help', '--version')] }),
    ...(parts.dash === undefined ? {} : { dash: parts.dash }),
  };
}

/** The option names a file that lists files: which ones are read is not in the command. */
export const namesFiles: StandingEffect = {
  kind: 'opaque',
  reason: 'dynamic-word',
  message: 'reads files that another file lists',
};
