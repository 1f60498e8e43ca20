import { flags, type ToolParts, tool } from '../notation.ts';
import type { StandingEffect, ToolSpec } from '../types.ts';

/** A program of GNU coreutils. All of them have `--help` and `--version`. */
export function gnu(names: string, parts: ToolParts & Pick<ToolSpec, 'dash'> = {}): ToolSpec {
  return {
    ...tool(names, { ...parts, options: [...(parts.options ?? []), ...flags('--help', '--version')] }),
    ...(parts.dash === undefined ? {} : { dash: parts.dash }),
  };
}

/** The option names a file that lists files, so the command does not say which ones are read. */
export const namesFiles: StandingEffect = {
  kind: 'opaque',
  reason: 'dynamic-word',
  message: 'reads files that another file lists',
};
