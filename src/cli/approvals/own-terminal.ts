import { isSet, type CommandInput } from '../command.ts';
import { stderrIsTerminal } from '../front/own-name.ts';

/**
 * Set by programs in whose terminals a model types: Claude Code, Gemini CLI, Cursor, Codex and OpenCode set them for
 * the commands that they run. A question there would be answered by whom it is about.
 */
const agentVariables = ['CLAUDECODE', 'GEMINI_CLI', 'CURSOR_AGENT', 'CODEX_SANDBOX', 'OPENCODE'] as const;

/**
 * Whether a person may be asked at the terminal of a process. It is told by `stderr`, which agents and pipelines mostly
 * read themselves. Default: this process's.
 */
export function ownTerminal(
  { values, io: { environment } }: Pick<CommandInput, 'values' | 'io'>,
  stderr: 'terminal' | 'other' = stderrIsTerminal() ? 'terminal' : 'other',
): 'ours' | 'none' {
  const isAgents = agentVariables.some((name) => (environment[name] ?? '') !== '');
  return stderr === 'terminal' && !isSet(values['no-prompt']) && !isAgents ? 'ours' : 'none';
}
