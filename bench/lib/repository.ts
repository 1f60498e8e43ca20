import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './spawn.ts';

export const repositoryFiles = 20_000;
const directories = 100;

/** `tree`, a repository of small files in 100 directories, committed, and `tree.tar`, the same files as an archive. */
export async function makeRepository(workspace: string): Promise<void> {
  const tree = join(workspace, 'tree');
  for (let index = 0; index < repositoryFiles; index += 1) {
    const directory = join(tree, `d${index % directories}`);
    if (index < directories) mkdirSync(directory, { recursive: true });
    writeFileSync(
      join(directory, `f${index}.txt`),
      `file ${index}\n${index % 50 === 0 ? 'needle' : 'hay'}\n`.repeat(10),
    );
  }
  await runCommand(['tar', '-cf', join(workspace, 'tree.tar'), '-C', tree, '.']);
  const git = ['git', '-C', tree, '-c', 'user.name=bench', '-c', 'user.email=bench@example.invalid'];
  for (const command of [
    ['init', '-q'],
    ['add', '-A'],
    ['commit', '-qm', 'files'],
  ])
    await runCommand([...git, ...command]);
}
