import { HoldfastError } from '../errors/index.ts';

/** Most characters of a tool's own text that an error quotes. */
const longest = 500;

/** Limits that end a tool. They come from the manifest, except for `output`, which is Holdfast's own. */
export type ToolLimit = 'deadline' | 'fuel' | 'memory' | 'output';

const remedies: Readonly<Record<ToolLimit, string>> = {
  deadline: 'raise `deadline` in its manifest, if it may take longer',
  fuel: 'raise `fuel` in its manifest, if it may take more steps',
  memory: 'raise `memory` in its manifest, if it may use more pages',
  output: 'let it write a file, or return less',
};

export function invalidTool(file: string, problems: readonly string[]): HoldfastError {
  return new HoldfastError(
    'HF_TOOL_INVALID',
    problems.map((problem) => `${file}: ${oneLineText(problem)}`).join('\n'),
    {
      remedy: 'correct the tool; docs/tools.md lists all keys of a manifest',
      details: { file, problems },
    },
  );
}

export function toolFailed(tool: string, message: string, cause?: unknown): HoldfastError {
  return new HoldfastError('HF_TOOL_FAILED', `the tool ${tool} failed: ${oneLineText(message)}`, {
    remedy: 'the message is from the tool, and the sandbox is unchanged: correct the tool or its input',
    details: { tool },
    cause,
  });
}

export function limited(tool: string, limit: ToolLimit, message: string): HoldfastError {
  return new HoldfastError('HF_TOOL_LIMIT', `the tool ${tool} was ended: ${oneLineText(message)}`, {
    remedy: remedies[limit],
    details: { tool, limit },
  });
}

/** Makes a tool's text safe: no line break can forge a second message, and no escape sequence can repaint the first. */
export function oneLineText(text: string): string {
  const safe = text
    .slice(0, 4 * longest)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Co}\p{Cn}]+/gu, ' ')
    .trim();
  return safe.length > longest ? `${safe.slice(0, longest)}…` : safe;
}
