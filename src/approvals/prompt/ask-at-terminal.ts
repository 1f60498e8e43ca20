import { renderQuestion, type TerminalAnswer, type TerminalChoice, type TerminalQuestion } from './render-question.ts';
import { openTerminal, type Terminal } from './terminal.ts';

export interface TerminalPrompt {
  /** Withdraws the question when aborted. Default: it waits for an answer. */
  readonly signal?: AbortSignal;
  /** Opens the terminal. Default: the controlling terminal of this process. */
  readonly open?: () => Terminal | 'absent' | 'background';
}

/**
 * Asks a person at the terminal from which this process was started. Call it only while no program of a box can use
 * that terminal: it could show another text instead. Keys typed before are discarded. An answer is a key and Enter.
 * Ctrl-C is no answer.
 *
 * @example const answer = await askAtTerminal({ title: 'approve .mcp.json?', lines: ['mcpServers.docs.command = npx'],
 * choices: [{ key: 'y', label: 'approve' }, { key: 'n', label: 'leave out' }] });
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
