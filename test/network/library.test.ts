import { readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { Sandbox } from '../../src/sandbox/index.ts';
import { Project } from '../lib/holdfast.ts';
import { webServer } from './lib/servers.ts';

function sockets(): number {
  return readdirSync('/proc/self/fd').filter((fd) => linkOf(`/proc/self/fd/${fd}`).startsWith('socket:')).length;
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

async function settled(): Promise<void> {
  await sleep(200);
}

describe('a session of the library with a network', () => {
  test('runs commands in turn and keeps no resource of ended ones', async () => {
    using project = new Project();
    const { port } = await webServer();
    await using sandbox = await Sandbox.create({
      workspace: project.workspace,
      environment: project.libraryEnvironment,
      grants: { hosts: [`localhost:${port}`] },
    });
    const get = async (): Promise<string> =>
      (await sandbox.commands.run(['curl', '-sS', `http://localhost:${port}/x`])).stdout.toString();
    expect([await get(), await get()]).toEqual(['GET localhost /x\n', 'GET localhost /x\n']);
    await settled();
    const before = sockets();
    for (let count = 0; count < 5; count += 1) await get();
    await expect.poll(sockets).toBeLessThanOrEqual(before + 1);
  });

  test('returns the refusals of each command with its result', async () => {
    using project = new Project();
    const { port } = await webServer();
    await using sandbox = await Sandbox.create({
      workspace: project.workspace,
      environment: project.libraryEnvironment,
      grants: { hosts: [`localhost:${port}`] },
    });
    const [granted, refused] = await Promise.all([
      sandbox.commands.run(['curl', '-sS', `http://localhost:${port}/`]),
      sandbox.commands.run(['curl', '-sS', 'http://refused.example/']),
    ]);
    expect(granted.refusals).toEqual([]);
    expect(refused.refusals).toMatchObject([{ request: { kind: 'connect', host: 'refused.example', port: 80 } }]);
  });

  test('two sessions have separate networks', async () => {
    using project = new Project();
    const { port } = await webServer();
    await using open = await Sandbox.create({
      workspace: project.workspace,
      environment: project.libraryEnvironment,
      grants: { hosts: [`localhost:${port}`] },
    });
    await using other = await Sandbox.create({
      workspace: project.workspace,
      environment: project.libraryEnvironment,
      grants: { hosts: ['x.example'] },
    });
    const url = `http://localhost:${port}/`;
    const [first, second] = await Promise.all([
      open.commands.run(['curl', '-sS', url]),
      other.commands.run(['curl', '-sS', url]),
    ]);
    expect([first.exitCode, second.exitCode]).toEqual([0, 7]);
  });

  test('fetches and serves a proxy by the same policy', async () => {
    using project = new Project();
    const { port } = await webServer();
    await using sandbox = await Sandbox.create({
      workspace: project.workspace,
      environment: project.libraryEnvironment,
      grants: { hosts: [`localhost:${port}`] },
    });
    expect(await sandbox.fetch(`http://localhost:${port}/page`)).toMatchObject({
      kind: 'text',
      text: expect.stringContaining('/page'),
    });
    expect(await sandbox.fetch('http://refused.example/')).toMatchObject({
      kind: 'refused',
      refusal: { code: 'policy' },
    });
    const proxy = await sandbox.proxy();
    expect(proxy.port).toBeGreaterThan(0);
    await proxy.close();
  });
});
