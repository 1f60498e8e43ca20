import { renderQuestion, type TerminalAnswer, type TerminalChoice, type TerminalQuestion } from './render-question.ts';
import { openTerminal, type Terminal } from './terminal.ts';

export interface TerminalPrompt {
  /** Takes the question back. Default: it waits until it is answered. */
  readonly signal?: AbortSignal;
  /** Default: the controlling terminal of this process. */
  readonly open?: () => Terminal | 'absent' | 'background';
}

/**
 * Asks a person at the terminal that this process was started from. Only for moments in which no program of a box has
 * that terminal: such a one could show another text in its place. What was typed before is discarded; an answer is a
 * key and Enter; Ctrl-C is none.
 *
 * @example
 * const answer = await askAtTerminal({ title: 'approve .mcp.json?', lines: ['mcpServers.docs.command = npx'], choices: [{ key: 'y', label: 'approve' }, { key: 'n', label: 'leave out' }] });
 */
export async function askAtTerminal(
  question: TerminalQuestion,
  { signal = new AbortController().signal, open = openTerminal }: TerminalPrompt = {},
): Promise<TerminalAnswer> {
  const terminal = open();
  if (typeof terminal === 'string') return { kind: 'none', because: terminal };
  try {
    terminal.show(renderQuestion(question, terminal.columns));
    return await answerOf(question.choices, terminal, signal);
  } finally {
    terminal.close();
  }
}

async function answerOf(
  choices: readonly TerminalChoice[],
  terminal: Terminal,
  signal: AbortSignal,
): Promise<TerminalAnswer> {
  const keys = choices.map(({ key }) => key).join('/');
  for (;;) {
    terminal.show(`${keys}, then Enter: `);
    const typed = (await terminal.line(signal))?.trim();
    if (typed === undefined) {
      terminal.show('\n');
      return { kind: 'none', because: signal.aborted ? 'withdrawn' : 'interrupted' };
    }
    const chosen = choices.find(({ key }) => key === typed);
    if (chosen !== undefined) return { kind: 'chosen', key: chosen.key };
  }
}
