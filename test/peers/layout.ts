import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Project, repository } from '../lib/holdfast.ts';

/** A text that no box may see. */
export const canary = 'zq9-what-no-box-may-see';

const inHome: Readonly<Record<string, string>> = {
  'single.txt': 'visible\n',
  'beside.txt': canary,
  'data/visible.txt': 'visible\n',
  'data/deep/er/visible.txt': 'visible\n',
  'data/private/secret.txt': canary,
  'data/private/open/secret.txt': canary,
  'data/customers/secret.txt': canary,
  'closed/secret.txt': canary,
  'closed/open/visible.txt': 'visible\n',
  'shared/config/guarded.json': '{}\n',
  'shared/fixed/file.txt': 'fixed\n',
  'spaced dir/visible.txt': 'visible\n',
  '.sshfoo/visible.txt': 'visible\n',
  'target/visible.txt': 'visible\n',
};
const secrets = [
  '.ssh/id_rsa',
  '.aws/credentials',
  '.kube/config',
  '.docker/config.json',
  '.azure/token.json',
  '.config/gcloud/token.json',
  '.gnupg/key',
  '.password-store/entry.gpg',
  '.bashrc',
  '.zshrc',
  '.bash_profile',
  '.profile',
  '.env',
  '.envrc',
  '.zsh_history',
  '.bash_history',
];
const inWorkspace = [
  '.bashrc',
  '.bash_profile',
  '.gitconfig',
  '.zshrc',
  '.zprofile',
  '.profile',
  '.ripgreprc',
  '.mcp.json',
  '.git/hooks/pre-commit',
  '.vscode/settings.json',
  '.idea/workspace.xml',
  '.claude/commands/test.md',
  '.claude/agents/test.md',
  '.codex/config.toml',
  'linked/decoy/config.toml',
  'nested/.git/config',
  'notes.txt',
];

/** The cases' part of a machine: a home directory, a workspace, and an ungranted directory. */
export class Layout {
  readonly project = new Project();
  readonly outside = join(this.project.root, 'outside');
  /** Expected contents afterwards. */
  readonly #first = new Map<string, string>();

  constructor(policy: string) {
    const { project } = this;
    for (const [path, text] of Object.entries(inHome)) this.#keep(`../home/${path}`, text);
    for (const path of secrets) this.#keep(`../home/${path}`, canary);
    for (const path of inWorkspace) project.write(path, '# first\n');
    this.#keep('../outside/secret.txt', canary);
    this.#keep('../outside/program', '#!/bin/sh\nexit 0\n');
    this.#keep('../home/.config/holdfast/policy.toml', `version = 1\n${policy}\n`);
    copyFileSync('/usr/bin/true', join(this.outside, 'true'));
    for (const name of ['program', 'true']) chmodSync(join(this.outside, name), 0o755);
    for (const directory of ['home/data/empty', 'home/slash', 'home/shared/nested', 'ws/dangling', 'bare'])
      mkdirSync(join(project.root, directory), { recursive: true });
    symlinkSync('target', join(project.home, 'link-to-target'));
    symlinkSync('decoy', join(project.workspace, 'linked/.codex'));
    symlinkSync('nowhere', join(project.workspace, 'dangling/.codex'));
    copyFileSync(join(repository, 'test/fixtures/peers/t.py'), project.write('lib/t.py', ''));
    for (const path of inWorkspace.filter((name) => name !== 'notes.txt'))
      this.#remember(join(project.workspace, path));
    this.#remember(join(project.workspace, '.git/config'));
  }

  /** Approves files that agents obey, so that nothing withholds them and only their protection counts. */
  approve(): this {
    this.project.write('../seen.json', this.project.holdfast(['trust', 'status', '--json']).stdout);
    const { status, stderr } = this.project.holdfast(['trust', 'add', '--yes', '--from', '../seen.json']);
    // 1: the dangling link stays unapproved.
    if (status !== 1) throw new Error(`nothing was approved: ${stderr}`);
    return this;
  }

  #keep(path: string, text: string): void {
    this.#remember(this.project.write(path, text));
  }

  #remember(file: string): void {
    this.#first.set(file, readFileSync(file, 'utf8'));
  }

  /** Files that a box changed or made without the right to. */
  damage(released: readonly string[] = []): readonly string[] {
    const changed = [...this.#first].filter(
      ([file, text]) => contentOf(file) !== text && !released.some((name) => file.endsWith(name)),
    );
    const planted = readdirSync(this.project.root, { recursive: true, encoding: 'utf8' }).filter(
      (path) => /(?:^|\/)planted/u.test(path) && !path.includes('/cases/'),
    );
    return [...changed.map(([file]) => file), ...planted];
  }
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
