import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isRunning } from '../../../../scripts/testing/processes.ts';
import { chooseAccelerator, rememberedAccelerator, type AcceleratorChoice, type BootProbe } from './probe.ts';
import { TestDirectory } from './testing/directory.ts';

const boots =
  'for word; do last=$word; done; echo "[ 0.0] Kernel command line: $last"; echo "[ 0.5] Run /init as init process"; sleep 1000';

/** A program in the place of qemu, and a file in the place of the device. */
function options(directory: string, script: string, limit = 60_000): BootProbe {
  const [qemu, device] = [join(directory, 'qemu'), join(directory, 'kvm')];
  writeFileSync(qemu, `#!/bin/sh\necho $$ >> ${join(directory, 'started')}\n${script}\n`);
  chmodSync(qemu, 0o755);
  writeFileSync(device, '');
  return {
    directory,
    qemu,
    device,
    image: { kernel: '/kernel', initramfs: '/initramfs', digest: 'a' },
    limits: { kvm: limit, tcg: limit },
  };
}

function started(directory: string): readonly number[] {
  return readFileSync(join(directory, 'started'), 'utf8').trim().split('\n').map(Number);
}

async function probed(script: string, limit?: number): Promise<AcceleratorChoice> {
  using directory = new TestDirectory();
  const choice = await chooseAccelerator(options(directory.path, script, limit));
  // Anyone who was killed with it needs a moment to go.
  await expect.poll(() => started(directory.path).filter(isRunning)).toEqual([]);
  return choice;
}

test('KVM where it boots, and what boots is ended', async () => {
  expect(await probed(boots)).toMatchObject({ kind: 'chosen', accelerator: 'kvm' });
});

test.each([
  ['hangs', 'case "$*" in *"-accel kvm"*) sleep 1000;; esac', /KVM: no guest booted within/u],
  [
    'ends at once',
    'case "$*" in *"-accel kvm"*) echo "no KVM" >&2; exit 1;; esac',
    /KVM: qemu ended with status 1 before a guest booted: no KVM/u,
  ],
  [
    'says that all is well',
    'case "$*" in *"-accel kvm"*) echo booted; exit 0;; esac',
    /KVM: qemu ended with status 0/u,
  ],
])('emulation where KVM %s', async (_name, broken, why) => {
  // Long enough for a shell on a machine that has much else to do.
  expect(await probed(`${broken}; ${boots}`, 5000)).toMatchObject({
    kind: 'chosen',
    accelerator: 'tcg',
    why: expect.stringMatching(why),
  });
});

test.each<readonly [string, { readonly script: string; readonly limit?: number }, RegExp]>([
  ['that hangs', { script: 'sleep 1000', limit: 300 }, /no guest booted within 0\.3 seconds/u],
  [
    'that leaves others behind and hangs',
    { script: `sleep 1000 & echo $! >> "$(dirname "$0")/started"; sleep 1000`, limit: 1000 },
    /no guest booted/u,
  ],
  [
    'that ignores signals',
    { script: `trap '' TERM INT HUP; while :; do sleep 1; done`, limit: 300 },
    /no guest booted/u,
  ],
  ['that exits with 0', { script: 'exit 0' }, /ended with status 0/u],
  ['that prints rubbish without an end', { script: 'cat /dev/zero' }, /prints more than a guest does/u],
  [
    'that prints terminal sequences',
    { script: String.raw`printf '\033]0;owned\007' >&2; exit 3` },
    /status 3 before a guest booted: \?\]0;owned\?/u,
  ],
  ['that repeats its arguments', { script: 'echo "$@"; exit 0' }, /ended with status 0/u],
  ['that kills itself', { script: 'kill -SEGV $$' }, /ended by SIGSEGV/u],
])('finds nothing with a qemu %s', async (_name, { script, limit }, why) => {
  expect(await probed(script, limit)).toMatchObject({ kind: 'absent', why: expect.stringMatching(why) });
});

test('finds nothing with a qemu that cannot be executed', async () => {
  using directory = new TestDirectory();
  const wanted = options(directory.path, '');
  expect(await chooseAccelerator({ ...wanted, qemu: join(directory.path, 'none') })).toMatchObject({
    kind: 'absent',
    why: expect.stringContaining('cannot be started'),
  });
  expect(await chooseAccelerator({ ...wanted, qemu: directory.path })).toMatchObject({ kind: 'absent' });
});

test('a device that is not there is not tried', async () => {
  using directory = new TestDirectory();
  const choice = await chooseAccelerator({ ...options(directory.path, boots), device: join(directory.path, 'none') });
  expect(choice).toEqual({ kind: 'chosen', accelerator: 'tcg', why: 'there is no /dev/kvm' });
  expect(started(directory.path)).toHaveLength(1);
});

test('a device that cannot be opened is not tried', async () => {
  using directory = new TestDirectory();
  // Root may open whatever there is; nobody opens what stands below a file.
  const choice = await chooseAccelerator({
    ...options(directory.path, boots),
    device: join(directory.path, 'kvm/below'),
  });
  expect(choice).toMatchObject({ accelerator: 'tcg', why: expect.stringContaining('may not open') });
  expect(started(directory.path)).toHaveLength(1);
});

test('a result is remembered for the same program, device and image only', async () => {
  using directory = new TestDirectory();
  const wanted = options(directory.path, boots);
  expect(rememberedAccelerator(wanted)).toBeUndefined();
  const first = await chooseAccelerator(wanted);
  expect(await chooseAccelerator(wanted)).toEqual(first);
  expect(rememberedAccelerator(wanted)).toEqual(first);
  expect(started(directory.path)).toHaveLength(1);
  expect(rememberedAccelerator({ ...wanted, image: { ...wanted.image, digest: 'b' } })).toBeUndefined();
  expect(rememberedAccelerator({ ...wanted, device: join(directory.path, 'none') })).toBeUndefined();
  writeFileSync(wanted.qemu, `#!/bin/sh\nexit 1 # another\n`);
  expect(rememberedAccelerator(wanted)).toBeUndefined();
  for (const text of ['', '{}', 'null', '{"identity":1}', '['.repeat(10_000)]) {
    writeFileSync(join(directory.path, 'accelerator.json'), text);
    expect(rememberedAccelerator(wanted)).toBeUndefined();
  }
});

test('that nothing boots is not remembered', async () => {
  using directory = new TestDirectory();
  expect((await chooseAccelerator(options(directory.path, 'exit 1'))).kind).toBe('absent');
  expect(readdirSync(directory.path).toSorted()).toEqual(['kvm', 'qemu', 'started']);
});
