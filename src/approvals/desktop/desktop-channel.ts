import { spawn } from 'node:child_process';
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../queue/options.ts';
import type { ApprovalQueue, PendingApproval } from '../types.ts';

export interface DesktopOptions {
  readonly clock: Clock;
  readonly platform: NodeJS.Platform;
  /** Shows the notification. Resolves with the reason if it was not shown. Must not reject. */
  readonly show: (command: NotificationCommand) => Promise<string | undefined>;
  /** Receives each problem once, as one line. */
  readonly tell: (message: string) => void;
}

/**
 * Milliseconds between two notifications. Questions in between are only counted, so that a flood does not cover the
 * desktop.
 */
export const quiet = 10_000;
/** Characters. Servers cut longer texts anywhere. */
const longest = 300;

/**
 * Shows waiting approvals on the desktop. Accepts no answers there: anyone who can reach the notification service could
 * answer, perhaps a box. The returned function ends the channel.
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
  /** Shows the newest question. The last notification included the number of older ones. */
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

/** A notification. Both texts are filtered, and neither is markup. */
interface Notification {
  readonly title: string;
  readonly body: string;
}

/** A program and its arguments. No shell reads them. */
export interface NotificationCommand {
  readonly program: string;
  readonly words: readonly string[];
  /** Variables set in addition to those that the program needs. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Returns the command that shows a notification on this platform. Undefined if none is known. Texts never become part
 * of a program: they are arguments or variables.
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

/** `CreateTextNode` takes plain text, so the script never changes. */
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
  /** Real paths that boxes can write. No program is run from there. */
  readonly writableRoots: readonly string[];
}

/** Milliseconds. The program passes its text to a service and ends. */
const patience = 5000;

/** Variables that a notifier needs to find the desktop. None is a credential of the user. */
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
 * Runs a notifier without waiting for it. Resolves with the reason if nothing was shown, as far as the reason is known.
 * Never rejects.
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
 * Attack: a program with the notifier's name in the workspace, or wherever a box can write. Or a link there, whose
 * target changes before it is followed again. So the program is started by its real path.
 */
function findProgram(program: string, context: NotifierContext): string | undefined {
  return directories(context)
    .flatMap((directory) => realProgram(join(directory, program), context) ?? [])
    .at(0);
}

/** A notifier may be a script that starts others, which are looked up in the same directories. */
function trustedPath(context: NotifierContext): string {
  return directories(context).join(':');
}

/** Returns the directories of `PATH`, by their real paths, that no box can write. */
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
