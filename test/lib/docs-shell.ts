import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Snippet, written } from './docs-pages.ts';
import { isInstalled, type ServiceName, startService } from './docs-services.ts';
import { Project } from './holdfast.ts';
import { type Machine, startMachine } from './machine.ts';
import { docsProject, runAsRoot, runShell } from './snippets.ts';

/** The pages with the slowest examples: each part is a test file, so that two run at a time. */
const parts = {
  first: ['README.md', 'docs/getting-started.md', 'docs/policy.md', 'docs/audit.md'],
  network: ['docs/credentials.md', 'docs/databases.md', 'docs/network.md', 'docs/fetch.md', 'docs/proxy.md'],
} as const;

const named: ReadonlySet<string> = new Set(Object.values(parts).flat());

/** Runs the shell blocks of one part of the pages. `others` are all pages without their own part. */
export function tryShellBlocks(part: keyof typeof parts | 'others'): void {
  const isOfPart = ({ page }: Snippet): boolean =>
    part === 'others' ? !named.has(page) : (parts[part] as readonly string[]).includes(page);
  const blocks = written('sh').filter(isOfPart);
  tryAlone(blocks.filter(({ words: [word = ''] }) => !services.includes(word)));
  for (const name of services as readonly ServiceName[])
    tryBesideService(
      name,
      blocks.filter(({ words: [word] }) => word === name),
    );
}

const services: readonly string[] = Object.keys(isInstalled);
const patience = { timeout: 300_000 };

function tryAlone(blocks: readonly Snippet[]): void {
  const home = new Project();
  let machine: Machine;
  beforeAll(async () => {
    machine = await startMachine({ directory: join(home.root, 'machine') });
  }, 60_000);
  afterAll(async () => {
    await machine[Symbol.asyncDispose]();
    home[Symbol.dispose]();
  });

  test.each(blocks)('$at', patience, ({ code, words }) => {
    using project = docsProject();
    const [word = 'exits=0'] = words;
    const { status, stdout, stderr } = (word === 'root' ? runAsRoot : runShell)({ project, machine }, code);
    expect(status, `${stdout}\n${stderr}`).toBe(word === 'root' ? 0 : Number(word.replace('exits=', '')));
  });
}

function tryBesideService(name: ServiceName, blocks: readonly Snippet[]): void {
  if (blocks.length === 0) return;
  describe(`with ${name}`, () => {
    test.skipIf(!isInstalled[name]).each(blocks)('$at', patience, async ({ code }) => {
      using project = docsProject();
      await using service = await startService[name]();
      await using served = await startMachine({
        directory: join(project.root, 'machine'),
        services: { [name]: service.socket },
      });
      const { status, stdout, stderr } = runShell({ project, machine: served }, code);
      expect(status, `${stdout}\n${stderr}`).toBe(0);
    });
  });
}
