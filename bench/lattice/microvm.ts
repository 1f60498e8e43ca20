import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findImage, type MicrovmImage } from '../../src/backends/microvm/build/image.ts';
import { findQemu } from '../../src/backends/microvm/parts.ts';
import { ratio } from '../lib/compare.ts';
import { absent, type Contestant, runner } from '../lib/contestant.ts';
import { measure, type Result } from '../lib/measure.ts';
import { holdfast } from '../lib/peers.ts';
import { type Report, timeTable } from '../lib/report.ts';
import { makeScratch, type Scratch } from '../lib/scratch.ts';
import { runCommand } from '../lib/spawn.ts';

const bare = 'qemu alone: the same kernel and initramfs, emulated, to the first process and its end';
const ours = 'holdfast run --backend microvm -- true';

/** From the start of the command line to its end, with `true` inside, beside a boot that finds no root and ends. */
export async function microvm(): Promise<Report> {
  const results = await measure(await contestants(makeScratch()), { rounds: 7, warmups: 1 });
  return { title: 'microVM: one command, from nothing', parts: [timeTable(results, bare)], budgets: budgets(results) };
}

async function contestants(scratch: Scratch): Promise<readonly Contestant[]> {
  const options = { cwd: scratch.workspace, env: scratch.environment };
  const peer = holdfast();
  const qemu = findQemu(process.arch);
  if (peer.kind === 'absent' || qemu === undefined)
    return neither(peer.kind === 'absent' ? peer.reason : 'qemu is not installed');
  const command = peer.prefix.slice(0, peer.prefix.indexOf('run'));
  try {
    await runCommand([...command, 'microvm', 'build'], options);
  } catch (error) {
    return neither(error instanceof Error ? error.message : String(error));
  }
  const image = findImage(join(scratch.environment['XDG_STATE_HOME'] ?? '', 'holdfast/microvm'));
  if (image.kind === 'absent') return neither(image.remedy);
  return [
    runner(bare, () => runCommand(bareBoot(qemu, image), options)),
    runner(ours, () => runCommand([...command, 'run', '--backend', 'microvm', '--', 'true'], options)),
  ];
}

function neither(reason: string): readonly Contestant[] {
  return [absent(bare, reason), absent(ours, reason)];
}

/**
 * With the arguments of `src/backends/microvm/machine.ts`, but without the devices through which the guest would get
 * its command.
 */
function bareBoot(qemu: string, image: MicrovmImage): readonly string[] {
  const khz = Math.round(Number(/^cpu MHz\s*: ([\d.]+)/mu.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[1]) * 1000);
  const machine =
    '-nodefaults -no-user-config -no-reboot -display none -M microvm,acpi=on,pit=off,pic=off,rtc=on,isa-serial=on -accel tcg,tb-size=64 -cpu max -m 3072M -serial stdio';
  return [
    qemu,
    ...machine.split(' '),
    '-kernel',
    image.kernel,
    '-initrd',
    image.initramfs,
    '-append',
    `console=ttyS0 quiet loglevel=1 panic=-1 random.trust_cpu=on tsc=reliable tsc_early_khz=${khz}`,
  ];
}

function budgets(results: readonly Result[]): Report['budgets'] {
  return [
    {
      claim: `${ours} ÷ qemu alone`,
      measured: ratio(results, ours, bare),
      limit: 1.2,
      unit: '×',
      direction: 'at-most',
    },
  ];
}
