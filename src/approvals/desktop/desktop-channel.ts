import type { Clock } from '../queue/clock.ts';
import type { ApprovalQueue, PendingApproval } from '../types.ts';
import { notificationCommand, type NotificationCommand } from './notification.ts';

export interface DesktopOptions {
  readonly clock: Clock;
  readonly platform: NodeJS.Platform;
  /** Shows it. Resolves with why it was not shown. Must not reject. */
  readonly show: (command: NotificationCommand) => Promise<string | undefined>;
  /** What goes wrong, one line each, each once. */
  readonly tell: (message: string) => void;
}

/** Milliseconds between two notifications. What comes meanwhile is counted, so that a flood covers no desktop. */
export const quiet = 10_000;
/** Characters: servers cut longer texts where they like. */
const longest = 300;

/**
 * Shows on the desktop that something waits. It answers nothing: whoever can speak to the notification service could
 * answer too, and a box may be among them. Ends with what it returns.
 */
export function desktopChannel(
  queue: Pick<ApprovalQueue, 'subscribe' | 'pending'>,
  { clock, platform, show, tell }: DesktopOptions,
): () => void {
  const told = new Set<string>();
  let waiting: (() => void) | undefined;
  let shown: string | undefined;
  const notify = (approval: PendingApproval): void => {
    waiting = clock.after(quiet, next);
    shown = approval.hash;
    const others = queue.pending().length - 1;
    const command = notificationCommand(platform, {
      title: `Holdfast asks: ${shortened(approval.title)}`,
      body: shortened(
        `${others > 0 ? `${others} more wait. ` : ''}Rule ${approval.rule} in ${approval.workspace}. Answer with: holdfast approvals allow ${approval.id}`,
      ),
    });
    void (
      command === undefined ? Promise.resolve(`nothing is known to show notifications on ${platform}`) : show(command)
    ).then((problem) => {
      if (problem !== undefined && !told.has(problem)) tell(`the desktop was not told: ${problem}`);
      if (problem !== undefined) told.add(problem);
    });
  };
  /** The newest: the older ones were counted with what was shown before. */
  const next = (): void => {
    waiting = undefined;
    const newest = queue.pending().at(-1);
    if (newest !== undefined && newest.hash !== shown) notify(newest);
  };
  const unsubscribe = queue.subscribe(({ kind, approval }) => {
    if (kind === 'asked' && waiting === undefined) notify(approval);
  });
  return () => {
    unsubscribe();
    waiting?.();
  };
}

function shortened(text: string): string {
  const characters = Array.from(text);
  return characters.length > longest ? `${characters.slice(0, longest).join('')}…` : text;
}
