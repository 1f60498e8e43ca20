import { closeSync, constants, fstatSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { HoldfastError } from '../../errors/index.ts';
import { isKernelError, kernelCall } from '../../kernel/index.ts';
import type { StagedLayer } from '../types.ts';

/** The lock of a layer, held by this process until `release`. The kernel releases it when the process dies. */
interface LayerHold {
  release(): void;
}

/**
 * Takes a layer for this process alone. Two overlays over one upper directory lose writes, and so does an accept under
 * a mounted one. Never waits. Throws `HF_STAGED_BUSY`, and `HF_STAGED_INVALID` if the layer is gone.
 */
export function holdLayer(layer: StagedLayer): LayerHold {
  const descriptor = openLock(layer);
  try {
    lock(layer, descriptor);
    writeSync(descriptor, `${process.pid}\n`.padEnd(12), 0);
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  return { release: () => closeSync(descriptor) };
}

/** Runs `work` while no box and no other command can use the layer. */
export async function withLayerLock<T>(layer: StagedLayer, work: () => T | Promise<T>): Promise<T> {
  const hold = holdLayer(layer);
  try {
    return await work();
  } finally {
    hold.release();
  }
}

function openLock(layer: StagedLayer): number {
  const { O_RDWR, O_CREAT, O_NOFOLLOW } = constants;
  try {
    return openSync(join(layer.directory, 'lock'), O_RDWR | O_CREAT | O_NOFOLLOW, 0o600);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') throw gone(layer);
    throw new HoldfastError(
      'HF_STATE_UNWRITABLE',
      `the staged layer ${layer.id} cannot be locked: ${(cause as Error).message}`,
      { remedy: `make ${layer.directory} writable`, cause },
    );
  }
}

/** `flock(2)`: exclusive, without waiting. */
const exclusiveNow = 2 | 4;

function lock(layer: StagedLayer, descriptor: number): void {
  try {
    kernelCall('flock', descriptor, exclusiveNow);
  } catch (error) {
    if (isKernelError(error, 'EAGAIN')) throw busy(layer, descriptor);
    throw error;
  }
  // Its last holder may have removed it while this process opened it.
  if (fstatSync(descriptor).nlink === 0) throw gone(layer);
}

function busy(layer: StagedLayer, descriptor: number): HoldfastError {
  const holder = readFileSync(descriptor, 'latin1').trim();
  return new HoldfastError('HF_STAGED_BUSY', `the staged layer ${layer.id} is in use by process ${holder}`, {
    remedy: 'wait until that command has ended, or stage into a new layer',
    details: { holder: Number(holder) },
  });
}

function gone(layer: StagedLayer): HoldfastError {
  return new HoldfastError('HF_STAGED_INVALID', `the staged layer ${layer.id} no longer exists`, {
    remedy: 'see `holdfast staged list --all`',
  });
}
