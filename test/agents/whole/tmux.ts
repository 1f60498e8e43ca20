import { spawnSync } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import process from 'node:process';
import { lastWords } from '../real-clis/dialog.ts';

/** The keys that a person would press, by the text on the screen. */
const presses: readonly { readonly seen: RegExp; readonly keys: readonly string[] }[] = [
  { seen: /Detected a custom API key/u, keys: ['Up', 'Enter'] },
  { seen: /Yes, I accept/u, keys: ['Down', 'Enter'] },
  { seen: /(?:Do you trust|trust the (?:files|folder|contents)|Trust folder)[^]*(?:1\.|❯)/iu, keys: ['Enter'] },
  { seen: /Press enter to continue/iu, keys: ['Enter'] },
];

/** Milliseconds. */
const longest = 120_000;

/** Runs a full-screen program in tmux until the model has ended, and returns the screen. */
export async function seenInTmux(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ readonly output: string; readonly status: number | null }> {
  const name = `holdfast-${process.pid}-${Date.now()}`;
  const tmux = (...words: readonly string[]) =>
    spawnSync('tmux', ['-L', name, '-f', '/dev/null', ...words], { env, encoding: 'utf8' });
  const screen = (): string => tmux('capture-pane', '-p', '-S', '-500').stdout;
  tmux('new-session', '-d', '-x', '150', '-y', '50', '--', ...argv);
  const end = Date.now() + longest;
  const pressed = new Set<RegExp>();
  let seen = '';
  try {
    while (Date.now() < end && !seen.includes(lastWords)) {
      await setTimeout(500);
      const now = screen();
      if (now === '') break;
      seen = now;
      const next = presses.find((each) => !pressed.has(each.seen) && each.seen.test(seen));
      if (next === undefined) continue;
      pressed.add(next.seen);
      tmux('send-keys', ...next.keys);
    }
    return { output: seen, status: seen.includes(lastWords) ? 0 : 1 };
  } finally {
    tmux('kill-server');
  }
}
