import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

/**
 * Opens a link in the user's browser, where there is a desktop. The link itself stays out of command lines, which every user of the machine
 * can read: the browser gets a file that only this user can, and it leads on. It is gone when the process ends.
 */
export function openInBrowser(link: string, { directory, environment }: { readonly directory: string; readonly environment: Readonly<Record<string, string | undefined>> }): void {
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open';
  if (process.platform !== 'darwin' && environment['DISPLAY'] === undefined && environment['WAYLAND_DISPLAY'] === undefined) return;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, `dashboard-${process.pid}.html`);
  rmSync(file, { force: true });
  writeFileSync(file, `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=${link}"><title>Holdfast</title>\n`, { mode: 0o600, flag: 'wx' });
  process.once('exit', () => rmSync(file, { force: true }));
  // Without such a program there is still the link.
  spawn(opener, [file], { stdio: 'ignore', detached: true }).on('error', () => {}).unref();
}
