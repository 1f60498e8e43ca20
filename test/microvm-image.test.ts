import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { childrenOf } from '../scripts/testing/processes.ts';
import { findImage } from '../src/backends/microvm/build/image.ts';
import { makePackage } from '../src/backends/microvm/build/testing/make-package.ts';
import { qemuMachine } from '../src/backends/microvm/firecracker/index.ts';
import { findQemu } from '../src/backends/microvm/parts.ts';
import { binary, has, Project } from './lib/holdfast.ts';

const isRoot = process.getuid?.() === 0;
const qemu = findQemu(process.arch);
if (!has('script'))
  console.warn('SKIPPED: a build that is killed, because script is not installed (Debian: apt-get install bsdutils)');
/** Makes an image from the real kernel. */
const isDebian = has('apt-get') && spawnSync('apt-cache', ['show', 'linux-image-amd64']).status === 0;

test.skipIf(!isRoot)('a full disk is reported, and nothing is left on it', () => {
  using project = new Project();
  const file = makePackage(project.root);
  const state = join(project.root, 'state');
  mkdirSync(state);
  // A private mount.
  const { status, stdout, stderr } = spawnSync(
    'unshare',
    [
      '--mount',
      'sh',
      '-c',
      'mount -t tmpfs -o size=48k none "$1" && shift && "$@"; echo "status $?"; find "$XDG_STATE_HOME" -type f -o -type l',
      'sh',
      state,
      binary,
      'microvm',
      'build',
      '--package',
      file,
    ],
    { env: { ...project.environment, XDG_STATE_HOME: state }, encoding: 'utf8' },
  );
  expect({ status, stdout }, stderr).toEqual({ status: 0, stdout: 'status 125\n' });
  expect(stderr).toMatch(/no space for an image.*\n.*\[HF_DISK_FULL\]/u);
});

test.skipIf(!has('script'))('a killed build leaves nothing valid, and the next one continues', async () => {
  using project = new Project();
  const file = makePackage(project.root);
  const images = join(project.state, 'microvm');
  for (const line of ['unpacking', 'choosing', 'writing']) {
    // Only a terminal shows the progress.
    const terminal = spawn('script', ['-qec', `exec ${binary} microvm build --package ${file}`, '/dev/null'], {
      cwd: project.workspace,
      env: { ...project.environment, TERM: 'xterm' },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const ended = once(terminal, 'exit');
    let said = '';
    terminal.stdout.on('data', (chunk: Buffer) => {
      const isKilled = said.includes(line);
      said += chunk.toString();
      // Killed once: more output may come after the end.
      if (!isKilled && said.includes(line))
        for (const build of childrenOf(terminal.pid ?? 0)) process.kill(build, 'SIGKILL');
    });
    await ended;
    expect(said).toContain(line);
    const found = findImage(images);
    if (found.kind === 'absent') expect(found.remedy).toMatch(/which makes a guest kernel/u);
  }
});

test.skipIf(!isDebian || qemu === undefined || process.arch !== 'x64')(
  'the image of the distribution boots, and a snapshot of its guest continues',
  { timeout: 400_000 },
  async () => {
    using project = new Project();
    const built = spawnSync(binary, ['microvm', 'build', '--json'], {
      env: project.environment,
      encoding: 'utf8',
      timeout: 300_000,
    });
    expect(built.status, built.stderr).toBe(0);
    expect(JSON.parse(built.stdout)).toMatchObject({ kind: 'found', accelerator: { kind: 'chosen' } });
    const shown = project.holdfast(['microvm', 'status', '--json']);
    expect(JSON.parse(shown.stdout), shown.stderr).toMatchObject({
      kind: 'found',
      program: 'same',
      accelerator: JSON.parse(built.stdout).accelerator,
    });
    const image = findImage(join(project.state, 'microvm'));
    if (image.kind === 'absent' || qemu === undefined) throw new Error('no image');
    expect(readdirSync(join(project.state, 'microvm')).toSorted()).toEqual(
      ['accelerator.json', image.digest, 'current'].toSorted(),
    );

    const directory = join(project.root, 'vm');
    mkdirSync(directory);
    const description = {
      kernel: image.kernel,
      initramfs: image.initramfs,
      kernelWords: 'console=ttyS0 panic=-1 tsc=reliable tsc_early_khz=2000000',
      memory: 128,
      processors: 1,
      drives: [],
      channels: [7],
      directory,
    };
    const files = { state: join(project.root, 'snapshot'), memory: '' };
    const first = qemuMachine({ program: qemu, accelerator: 'tcg' }, description);
    await first.start();
    (await first.openChannel(7)).destroy();
    await first.snapshot(files);
    await expect(first.snapshot(files)).rejects.toThrow(/cannot be written/u);
    await first.kill();
    expect(statSync(files.state).size).toBeGreaterThan(1 << 16);
    const second = qemuMachine({ program: qemu, accelerator: 'tcg' }, description);
    await second.restore(files);
    await second.kill();
    const third = qemuMachine({ program: qemu, accelerator: 'tcg' }, description);
    await expect(third.restore({ ...files, state: binary })).rejects.toThrow(/rejects the snapshot/u);
    await expect(
      qemuMachine({ program: qemu, accelerator: 'tcg' }, description).restore({ ...files, state: '/nowhere' }),
    ).rejects.toThrow(/cannot be read/u);
    expect(readdirSync(directory)).toEqual([]);
    const removed = project.holdfast(['microvm', 'remove']);
    expect([removed.status, existsSync(image.kernel)]).toEqual([0, false]);
  },
);
