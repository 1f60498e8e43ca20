import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Read by tools of every user, who may put logins there. */
const files: readonly string[] = [
  '/etc/environment',
  '/etc/profile',
  '/etc/bash.bashrc',
  '/etc/pip.conf',
  '/etc/npmrc',
  '/usr/etc/npmrc',
  '/usr/local/etc/npmrc',
  '/etc/wgetrc',
  '/etc/curlrc',
  '/etc/my.cnf',
  '/etc/odbc.ini',
  '/etc/boto.cfg',
  '/etc/ansible/hosts',
  '/etc/apt/sources.list',
];

/** Directories of such files. */
const directories: readonly string[] = [
  '/etc/default',
  '/etc/sysconfig',
  '/etc/conf.d',
  '/etc/environment.d',
  '/etc/profile.d',
  '/etc/apt/apt.conf.d',
  '/etc/apt/sources.list.d',
  '/etc/mysql/conf.d',
];

/** Every box sees them, and an administrator who installs an application there may leave its secrets beside it. */
const installed = [
  { path: '/opt', depth: 2 },
  { path: '/usr/local', depth: 1 },
  { path: '/etc', depth: 0 },
];
const installedAtHome = ['.local/bin', 'bin', '.cargo/bin', 'go/bin'];
const most = { directories: 64, files: 512 };

/** Files of the system and of installed programs that may hold secrets. `look` remembers its paths. */
export function systemFiles(home: string, look: (path: string) => string): readonly string[] {
  const beside = [...installed, ...installedAtHome.map((name) => ({ path: join(home, name), depth: 0 }))];
  const found: string[] = [];
  for (let at = 0; at < beside.length && at < most.directories; at += 1) {
    const { path, depth } = beside[at] ?? { path: '', depth: 0 };
    for (const entry of entriesOf(look(path))) {
      if (entry.isDirectory() && depth > 0) beside.push({ path: join(path, entry.name), depth: depth - 1 });
      else if (isSecretFile(entry.name)) found.push(join(path, entry.name));
    }
  }
  return [...files, ...directories.flatMap((path) => filesIn(look(path))), ...found].slice(0, most.files);
}

/** A file that consists of secrets, by its name alone. Templates do not. */
export function isSecretFile(name: string): boolean {
  return (
    /^(?:\.env(?:\..+|rc)?|.+\.env|\.pgpass|\.netrc|\.htpasswd|\.git-credentials|\.my\.cnf|credentials\.json)$/u.test(
      name,
    ) && !/example|sample|template|\.dist$/u.test(name)
  );
}

function filesIn(directory: string): readonly string[] {
  return entriesOf(directory).flatMap((entry) => (entry.isDirectory() ? [] : [join(directory, entry.name)]));
}

function entriesOf(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}
