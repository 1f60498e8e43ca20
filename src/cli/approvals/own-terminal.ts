import { isSet, type CommandInput } from '../command.ts';
import { stderrIsTerminal } from '../front/own-name.ts';

/**
 * Variables of programs in whose terminals a model types: Claude Code, Gemini CLI, Cursor, Codex and OpenCode set them
 * for their commands. There the model would answer questions about itself.
 */
const agentVariables = ['CLAUDECODE', 'GEMINI_CLI', 'CURSOR_AGENT', 'CODEX_SANDBOX', 'OPENCODE'] as const;

/**
 * Returns whether a person may be asked at the terminal of a process. `stderr` decides, which agents and pipelines
 * mostly read themselves. Default: this process.
 */
export function ownTerminal(
  { values, io: { environment } }: Pick<CommandInput, 'values' | 'io'>,
  stderr: 'terminal' | 'other' = stderrIsTerminal() ? 'terminal' : 'other',
): 'ours' | 'none' {
  const isAgents = agentVariables.some((name) => (environment[name] ?? '') !== '');
  return stderr === 'terminal' && !isSet(values['no-prompt']) && !isAgents ? 'ours' : 'none';
}
