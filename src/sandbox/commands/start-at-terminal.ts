import { planCommand, startBox, type BoxOptions, type RunningBox, type Session } from '../session.ts';
import type { TerminalSize } from './command-handle.ts';
import { openOwnTerminal, type TerminalStreams } from './own-terminal.ts';

export interface Begun {
  readonly running: RunningBox;
  readonly streams: TerminalStreams;
}

/** Whoever shows its output is a terminal that knows the usual sequences; another one is said by the command's environment. */
const kindOfTerminal = { TERM: 'xterm-256color' } as const;

/** Starts a command at a terminal of its own, which no other session has and which the user's shell does not see. */
export function startAtTerminal(session: Session, command: BoxOptions, size: TerminalSize): Begun {
  const plan = planCommand(session, { ...command, environment: { ...kindOfTerminal, ...command.environment } });
  const terminal = openOwnTerminal(size);
  const { side } = terminal;
  try {
    const running = startBox(session, plan, { stdio: [side, side, side], stderr: 'terminal', terminal: 'own' });
    return { running, streams: terminal.open() };
  } catch (error) {
    terminal.close();
    throw error;
  }
}
