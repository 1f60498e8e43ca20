import { spawn } from 'node:child_process';
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../queue/options.ts';
import type { ApprovalQueue, PendingApproval } from '../types.ts';

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
 * Shows on the desktop that something waits. It answers nothing: anyone who can speak to the notification service could
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

/** What a desktop is asked to show. Both texts are filtered, and neither is markup. */
interface Notification {
  readonly title: string;
  readonly body: string;
}

/** A program and its words; no shell reads them. */
export interface NotificationCommand {
  readonly program: string;
  readonly words: readonly string[];
  /** Set beside what the program needs of the environment. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * What shows a notification on this platform; undefined where nothing is known to. Texts never become part of a
 * program's text: they are words of their own, or variables.
 *
 * Sources: notify-send(1); AppleScript Language Guide, "display notification" and `on run argv`; the
 * ToastNotificationManager of Windows.UI.Notifications.
 */
export function notificationCommand(
  platform: NodeJS.Platform,
  { title, body }: Notification,
): NotificationCommand | undefined {
  switch (platform) {
    case 'linux':
    case 'freebsd':
      return {
        program: 'notify-send',
        words: [
          '--app-name=Holdfast',
          '--urgency=critical',
          '--category=im.received',
          '--',
          title,
          withoutMarkup(body),
        ],
        environment: {},
      };
    case 'darwin':
      return {
        program: 'osascript',
        words: [
          '-e',
          'on run argv',
          '-e',
          'display notification (item 2 of argv) with title (item 1 of argv)',
          '-e',
          'end run',
          '--',
          title,
          body,
        ],
        environment: {},
      };
    case 'win32':
      return {
        program: 'powershell.exe',
        words: ['-NoProfile', '-NonInteractive', '-Command', toast],
        environment: { HOLDFAST_TITLE: title, HOLDFAST_BODY: body },
      };
    default:
      return undefined;
  }
}

/**
 * Servers may show bold text, links and images in a body. Source: Desktop Notifications Specification 1.2, "Markup".
 */
function withoutMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** `CreateTextNode` takes texts as they are; the script itself is always the same. */
const toast = [
  '[void][Windows.UI.Notifications.ToastNotificationManager,Windows.UI.Notifications,ContentType=WindowsRuntime]',
  '$xml = [Windows.UI.Notifications.ToastNotificationManager]::GetTemplateContent(2)',
  "$texts = $xml.GetElementsByTagName('text')",
  '[void]$texts.Item(0).AppendChild($xml.CreateTextNode($env:HOLDFAST_TITLE))',
  '[void]$texts.Item(1).AppendChild($xml.CreateTextNode($env:HOLDFAST_BODY))',
  "[Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier('Holdfast').Show([Windows.UI.Notifications.ToastNotification]::new($xml))",
].join('; ');

interface NotifierContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Real paths of what boxes can write to: no program is taken from there. */
  readonly writableRoots: readonly string[];
}

/** Milliseconds: it hands its text to a service and ends. */
const patience = 5000;

/** What a notifier needs to find the desktop, and nothing else: not a credential of the user's. */
const passed = [
  'HOME',
  'USER',
  'LANG',
  'LC_ALL',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'DBUS_SESSION_BUS_ADDRESS',
  'XDG_RUNTIME_DIR',
  'SystemRoot',
  'TEMP',
] as const;

/**
 * Runs a notifier and does not wait for it. Resolves with why nothing was shown, as far as that can be told. Never
 * rejects.
 */
export function runNotifier(
  { program, words, environment: extra }: NotificationCommand,
  context: NotifierContext,
): Promise<string | undefined> {
  const path = findProgram(program, context);
  if (path === undefined)
    return Promise.resolve(`there is no ${program} in a directory of PATH that no box can write to`);
  const environment = {
    ...Object.fromEntries(
      passed.flatMap((name) => (context.environment[name] === undefined ? [] : [[name, context.environment[name]]])),
    ),
    PATH: trustedPath(context),
    ...extra,
  };
  return new Promise((resolve) => {
    const child = spawn(path, [...words], {
      cwd: '/',
      env: environment,
      stdio: 'ignore',
      timeout: patience,
      killSignal: 'SIGKILL',
    });
    child.once('error', (error: NodeJS.ErrnoException) =>
      resolve(`${program} cannot be started (${error.code ?? 'unknown error'})`),
    );
    child.once('exit', (status) =>
      resolve(
        status === 0
          ? undefined
          : `${program} failed${status === null ? '' : ` with status ${status}`}: is there a desktop to show it?`,
      ),
    );
    child.unref();
  });
}

/**
 * Attack: a program named like the notifier in the workspace, or wherever a box can write. Or a link there, which leads
 * elsewhere by the time it is followed again. So the program is started by its real path.
 */
function findProgram(program: string, context: NotifierContext): string | undefined {
  return directories(context)
    .flatMap((directory) => realProgram(join(directory, program), context) ?? [])
    .at(0);
}

/** A notifier may be a script that looks for others: they are looked for where it was. */
function trustedPath(context: NotifierContext): string {
  return directories(context).join(':');
}

/** Of `PATH`, by their real paths: those that no box can write to. */
function directories({ environment: { PATH = '' }, writableRoots }: NotifierContext): readonly string[] {
  return PATH.split(':').flatMap((directory) => {
    const real = directory.startsWith('/') ? realPath(directory) : undefined;
    return real === undefined || [directory, real].some((path) => isWritable(path, writableRoots)) ? [] : [real];
  });
}

function realProgram(path: string, { writableRoots }: NotifierContext): string | undefined {
  try {
    const real = realpathSync(path);
    accessSync(real, constants.X_OK);
    return statSync(real).isFile() && !isWritable(real, writableRoots) ? real : undefined;
  } catch {
    return undefined;
  }
}

function realPath(directory: string): string | undefined {
  try {
    return realpathSync(directory);
  } catch {
    return undefined;
  }
}

function isWritable(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`));
}
