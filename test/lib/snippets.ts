import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { runToStatus } from '../../src/cli/main.ts';
import { policyCommand } from '../../src/cli/policy/index.ts';
import { hostTrustFiles } from '../../src/egress/tls/host-trust.ts';
import { Project, repository } from './holdfast.ts';
import type { Machine } from './machine.ts';
import { withOwnEtc } from './own-etc.ts';

/** A limit for hanging examples. Their time depends on the machine's load. */
const patience = 240_000;

/**
 * The pages' assumptions: a package with a test script and a dependency, a secret, and a directory of the user beside
 * it.
 */
export function docsProject(): Project {
  const project = new Project();
  const app = { name: 'app', version: '1.0.0', dependencies: { 'left-pad': '1.3.0' } };
  project.write('package.json', JSON.stringify({ ...app, scripts: { test: 'node test.js' } }));
  const locked = { version: '1.3.0', resolved: 'https://registry.npmjs.org/left-pad/-/left-pad-1.3.0.tgz' };
  project.write(
    'package-lock.json',
    JSON.stringify({
      name: 'app',
      version: '1.0.0',
      lockfileVersion: 3,
      packages: { '': app, 'node_modules/left-pad': locked },
    }),
  );
  // Node trusts its built-in authorities; npm also those of a file.
  project.write('.npmrc', `cafile=${hostTrustFiles().find(({ format }) => format === 'pem')?.target ?? ''}\n`);
  project.write('.gitignore', 'node_modules\n');
  project.write('test.js', "require('node:fs').writeFileSync('result.txt', 'ok');\n");
  project.write('.env', 'API_KEY=do-not-leak\n');
  project.write('../home/data/table.csv', 'a,b\n1,2\n');
  project.outside('git', ['add', 'package.json', 'package-lock.json', 'test.js']);
  project.outside('git', ['commit', '-qm', 'first']);
  return project;
}

/** Runs a block as a reader would who stops at the first failure. */
export function runShell({ project, machine }: Place, code: string): SpawnSyncReturns<string> {
  return runOnMachine({ project, machine }, ['sh', '-e', '-c', code]);
}

/** Runs the block as the machine's administrator. Changes in /etc end with it. */
export function runAsRoot({ project, machine }: Place, code: string): SpawnSyncReturns<string> {
  return runOnMachine({ project, machine }, withOwnEtc(project.root, ['sh', '-e', '-c', code]));
}

export interface Place {
  readonly project: Project;
  readonly machine: Machine;
}

/** Runs `policy check` on a text, in this process: 0 if a box could start under it, 1 with every problem otherwise. */
export async function checkPolicy(
  project: Project,
  { text, place }: { readonly text: string; readonly place: 'user' | 'project' },
): Promise<{ readonly status: number; readonly printed: string }> {
  const printed: string[] = [];
  const output = { write: (line: string) => printed.push(line) };
  const file = project.write(place === 'user' ? '../policy.toml' : 'holdfast.toml', text);
  const status = await runToStatus(policyCommand, ['check', file], {
    stdout: output,
    stderr: output,
    cwd: project.workspace,
    environment: project.environment,
  });
  rmSync(file);
  return { status, printed: printed.join('') };
}

/** A directory in which `import … from 'holdfast'` finds this repository as an installed package. */
export class SnippetDirectory {
  readonly project = docsProject();
  readonly path = join(this.project.root, 'snippets');

  constructor() {
    mkdirSync(join(this.path, 'node_modules'), { recursive: true });
    symlinkSync(repository, join(this.path, 'node_modules/holdfast'));
    writeFileSync(join(this.path, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(this.path, 'tsconfig.json'), JSON.stringify(this.settings()));
  }

  add(name: string, code: string): void {
    writeFileSync(join(this.path, name), code);
  }

  types(): SpawnSyncReturns<string> {
    return spawnSync(join(repository, 'node_modules/.bin/tsc'), ['-p', this.path], {
      encoding: 'utf8',
      timeout: patience,
    });
  }

  run(machine: Machine, name: string): SpawnSyncReturns<string> {
    return runOnMachine({ project: this.project, machine }, [process.execPath, join(this.path, name)]);
  }

  [Symbol.dispose](): void {
    this.project[Symbol.dispose]();
  }

  /** The repository's own types. The library has the types of its publication. */
  private settings(): unknown {
    const { compilerOptions } = JSON.parse(readFileSync(join(repository, 'tsconfig.json'), 'utf8')) as {
      readonly compilerOptions: object;
    };
    return {
      compilerOptions: { ...compilerOptions, rootDir: '/', typeRoots: [join(repository, 'node_modules/@types')] },
      include: ['*.ts'],
    };
  }
}

function runOnMachine({ project, machine }: Place, argv: readonly string[]): SpawnSyncReturns<string> {
  const [program = '', ...words] = machine.words(project.workspace, argv);
  return spawnSync(program, words, {
    env: { ...environmentOf(project), MACHINE: machine.directory },
    encoding: 'utf8',
    input: '',
    timeout: patience,
  });
}

function environmentOf(project: Project): NodeJS.ProcessEnv {
  const { environment } = project;
  return { ...environment, PATH: `${join(repository, 'bin')}:${environment['PATH']}` };
}
