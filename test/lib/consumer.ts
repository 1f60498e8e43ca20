import { execFileSync, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { Project, repository } from './holdfast.ts';

const patience = 120_000;

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly version: string }>>;
}

/** Another project that has installed this repository in its published form. */
export class Consumer {
  readonly project = new Project();
  readonly path = this.project.workspace;

  constructor() {
    const tarball = this.pack();
    this.describe(tarball);
    // With the lock file, npm uses the cache of the repository's own installation.
    this.npm('ci', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund');
    symlinkSync(join(repository, 'node_modules/@types'), join(this.path, 'node_modules/@types'));
  }

  /** Type-checks the project with the strictest options, including the library's declarations. */
  types(): SpawnSyncReturns<string> {
    return spawnSync(process.execPath, [join(repository, 'node_modules/typescript/bin/tsc'), '-p', this.path], {
      cwd: this.path,
      encoding: 'utf8',
      timeout: patience,
    });
  }

  node(...words: readonly string[]): SpawnSyncReturns<string> {
    return spawnSync(process.execPath, words, {
      cwd: this.path,
      env: this.project.environment,
      encoding: 'utf8',
      input: '',
      timeout: patience,
    });
  }

  /** The command line at npm's place for it. */
  holdfast(...words: readonly string[]): SpawnSyncReturns<string> {
    return spawnSync(join(this.path, 'node_modules/.bin/holdfast'), words, {
      cwd: this.path,
      env: this.project.environment,
      encoding: 'utf8',
      input: '',
      timeout: patience,
    });
  }

  [Symbol.dispose](): void {
    this.project[Symbol.dispose]();
  }

  private pack(): string {
    const output = execFileSync('npm', ['pack', '--json', '--pack-destination', this.project.root], {
      cwd: repository,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [, name = ''] = /"filename": "([^"]+)"/u.exec(output) ?? [];
    return join(this.project.root, name);
  }

  private describe(tarball: string): void {
    const { bin, dependencies, version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
      readonly bin: object;
      readonly dependencies: object;
      readonly version: string;
    };
    const lock = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8')) as Lock;
    const needed = Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && dev !== true);
    const integrity = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
    const wanted = { dependencies: { holdfast: `file:${tarball}` } };
    const packages = {
      '': wanted,
      'node_modules/holdfast': { version, resolved: `file:${tarball}`, integrity, bin, dependencies },
      ...Object.fromEntries(needed),
    };
    this.write('package.json', { type: 'module', private: true, ...wanted });
    this.write('package-lock.json', { lockfileVersion: 3, packages });
    const compilerOptions = {
      target: 'es2024',
      module: 'nodenext',
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmit: true,
      types: ['node'],
    };
    this.write('tsconfig.json', { compilerOptions, include: ['*.ts'] });
  }

  private write(name: string, value: unknown): void {
    writeFileSync(join(this.path, name), JSON.stringify(value));
  }

  private npm(...words: readonly string[]): void {
    // npm's own cache and settings in the home.
    execFileSync('npm', words, { cwd: this.path, stdio: ['ignore', 'pipe', 'pipe'], timeout: patience });
  }
}
