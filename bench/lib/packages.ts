import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './spawn.ts';

export const packagedFiles = 5000;
const packages = 50;

/** The same program and interpreter outside and in each box. */
const searched = '/usr/local/bin:/usr/bin:/bin';

/** The reason why `npm ci` cannot be measured here, or nothing. */
export function withoutNpm(): string | undefined {
  return searched.split(':').some((directory) => existsSync(join(directory, 'npm')))
    ? undefined
    : 'npm is in no directory of the system (Debian: npm)';
}

/**
 * `project`, whose lock file names packages of `packagedFiles` files. The cache `npm-cache` beside it has all of them.
 */
export async function makeProject(workspace: string): Promise<void> {
  const names = Array.from({ length: packages }, (_, index) => `bench-${index}`);
  for (const name of names) await pack(workspace, name);
  const project = join(workspace, 'project');
  mkdirSync(project);
  const dependencies = Object.fromEntries(names.map((name) => [name, `file:../tarballs/${name}.tgz`]));
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({ name: 'bench', version: '1.0.0', private: true, dependencies }),
  );
  await runCommand(['sh', '-c', `cd ${project} && ${npm('install')} && rm -r node_modules`]);
}

/** A line of shell that installs the project into `fresh`. */
export function install(fresh: string): string {
  return `mkdir ${fresh} && cp project/package.json project/package-lock.json ${fresh} && (cd ${fresh} && ${npm('ci')})`;
}

function npm(command: string): string {
  return `PATH=${searched} npm ${command} --offline --no-audit --no-fund --no-update-notifier --cache ../npm-cache`;
}

async function pack(workspace: string, name: string): Promise<void> {
  const directory = join(workspace, 'packages', name, 'package');
  mkdirSync(join(directory, 'lib'), { recursive: true });
  mkdirSync(join(workspace, 'tarballs'), { recursive: true });
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ name, version: '1.0.0', main: 'lib/f0.js' }));
  for (let index = 1; index < packagedFiles / packages; index += 1)
    writeFileSync(join(directory, 'lib', `f${index}.js`), `exports.value = ${index};\n`.repeat(40));
  await runCommand(['tar', '-czf', join(workspace, 'tarballs', `${name}.tgz`), '-C', join(directory, '..'), 'package']);
}
