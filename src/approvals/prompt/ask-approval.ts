import type { ApprovalDecision, PendingApproval } from '../types.ts';
import { askAtTerminal, type TerminalPrompt } from './ask-at-terminal.ts';
import { renderQuestion, type TerminalAnswer, type TerminalChoice } from './render-question.ts';
import { openTerminal } from './terminal.ts';

export type TerminalDecision =
  | { readonly kind: 'decided'; readonly decision: ApprovalDecision; readonly code?: string }
  | Extract<TerminalAnswer, { readonly kind: 'none' }>;

/**
 * Asks about one approval. `always` first shows the new rule and asks again. Asks for a code if the approval needs one.
 */
export async function askApproval(approval: PendingApproval, options: TerminalPrompt = {}): Promise<TerminalDecision> {
  for (;;) {
    const answer = await askAtTerminal(
      { title: approval.title, lines: linesOf(approval), choices: choicesFor(approval) },
      options,
    );
    if (answer.kind === 'none') return answer;
    const decision = decisionOf(answer.key);
    if (decision === 'deny') return { kind: 'decided', decision };
    if (decision === 'always' && approval.always !== undefined) {
      const sure = await sureOf(approval.always, options);
      if (sure.kind === 'none') return sure;
      if (sure.key !== 'yes') continue;
    }
    return approval.confirmation === 'none' ? { kind: 'decided', decision } : askCode(approval, decision, options);
  }
}

/**
 * Shows the rule that `always` would write, and asks for confirmation. Asks nothing if no rule can express the request.
 */
export async function askSure({ always }: PendingApproval, options: TerminalPrompt = {}): Promise<'sure' | 'not-sure'> {
  const sure = always === undefined ? undefined : await sureOf(always, options);
  return sure?.kind === 'chosen' && sure.key === 'yes' ? 'sure' : 'not-sure';
}

function sureOf(
  { file, text }: NonNullable<PendingApproval['always']>,
  options: TerminalPrompt,
): Promise<TerminalAnswer> {
  return askAtTerminal(
    { title: 'add this rule to your policy, for every session?', lines: [`to ${file}:`, text], choices: sureChoices },
    options,
  );
}

/** The subject of the approval, its session, and the asking rule. */
function linesOf({
  lines,
  message,
  rule,
  file,
  line,
  workspace,
  session,
  waiting,
  always,
}: PendingApproval): readonly string[] {
  const more = waiting > 1 ? [`${waiting} processes wait for this answer`] : [];
  const noRule = always === undefined ? ['no rule can express exactly this, so it cannot be allowed forever'] : [];
  return [
    ...lines,
    '',
    message,
    `rule ${rule} in ${file}:${line}`,
    `workspace ${workspace}, session ${session}`,
    ...more,
    ...noRule,
  ];
}

function choicesFor({ always }: PendingApproval): readonly TerminalChoice[] {
  return decisionChoices.filter(({ decision }) => decision !== 'always' || always !== undefined);
}

const decisionChoices: readonly (TerminalChoice & { readonly decision: ApprovalDecision })[] = [
  { key: 'o', label: 'allow it once', decision: 'once' },
  { key: 's', label: 'allow exactly this until the session ends', decision: 'session' },
  { key: 'a', label: 'allow it forever, with a rule that is shown first', decision: 'always' },
  { key: 'd', label: 'deny it', decision: 'deny' },
];

const sureChoices: readonly TerminalChoice[] = [
  { key: 'yes', label: 'add it' },
  { key: 'no', label: 'go back' },
];

function decisionOf(key: string): ApprovalDecision {
  return decisionChoices.find((choice) => choice.key === key)?.decision ?? 'deny';
}

async function askCode(
  { title }: PendingApproval,
  decision: ApprovalDecision,
  { signal = new AbortController().signal, open = openTerminal }: TerminalPrompt,
): Promise<TerminalDecision> {
  const terminal = open();
  if (typeof terminal === 'string') return { kind: 'none', because: terminal };
  try {
    terminal.show(
      renderQuestion(
        { title, lines: ['this rule needs a code from your authenticator'], choices: [] },
        terminal.columns,
      ),
    );
    for (;;) {
      terminal.show('six digits, then Enter: ');
      const code = (await terminal.line(signal))?.replaceAll(' ', '');
      if (code === undefined) return { kind: 'none', because: signal.aborted ? 'withdrawn' : 'interrupted' };
      if (/^[0-9]{6}$/u.test(code)) return { kind: 'decided', decision, code };
    }
  } finally {
    terminal.close();
  }
}
