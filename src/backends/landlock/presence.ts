import { readFileSync } from 'node:fs';
import { release } from 'node:os';
import process from 'node:process';
import type { BackendPresence } from '../backend.ts';
import { promisedAbi } from './abi.ts';

const moduleList = '/sys/kernel/security/lsm';

/** By the kernel's release and its list of security modules; where that cannot be read, the launcher finds out. */
export function landlockPresence(): BackendPresence {
  const version = release();
  const abi = process.platform === 'linux' ? promisedAbi(version) : 0;
  if (abi === 0) return { kind: 'absent', remedy: 'Landlock came with Linux 5.13; this backend needs 6.12 for all that a box requires' };
  if (securityModules()?.includes('landlock') === false) return { kind: 'absent', remedy: 'add landlock to the kernel parameter lsm=, and start the machine again' };
  return { kind: 'present', version: `Linux ${version}, Landlock ABI ${abi}${abi === 6 ? ' or newer' : ''}` };
}

function securityModules(): readonly string[] | undefined {
  try {
    return readFileSync(moduleList, 'latin1').trim().split(',');
  } catch {
    return undefined;
  }
}
