import { shellQuote } from '../hooks/quote.ts';

/**
 * Returns a program for agents that know nothing but `$SHELL`. It takes bash's arguments, and runs bash in the box of
 * one workspace, wherever an agent starts it.
 */
export function shellProgram(program: readonly string[], workspace: string): string {
  const words = [...program, 'run', '--no-prompt', '--workspace', workspace, '--', 'bash'];
  return `#!/bin/sh\n# Written by \`holdfast shim\`.\nexec ${words.map(shellQuote).join(' ')} "$@"\n`;
}
