import { spawn } from 'node:child_process';
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { NotificationCommand } from './notification.ts';

export interface NotifierContext {
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
 * Attack: a program in the workspace, or wherever a box can put one, that is called like the notifier; or a link there,
 * which leads elsewhere by the time it is followed again. So what is started is where all links end.
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
