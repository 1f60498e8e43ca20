import { shellQuote } from '../hooks/quote.ts';

/**
 * A program for agents that know nothing but `$SHELL`: it takes the words that bash takes, and runs them in the box of
 * one workspace, wherever an agent starts it.
 */
export function shellProgram(program: readonly string[], workspace: string): string {
  const words = [...program, 'run', '--no-prompt', '--workspace', workspace, '--', 'bash'];
  return `#!/bin/sh\n# Written by \`holdfast shim\`.\nexec ${words.map(shellQuote).join(' ')} "$@"\n`;
}
