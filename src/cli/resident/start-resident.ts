import { spawn } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { getPriority, homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { makePrivateDirectory } from '../../approvals/socket/socket-place.ts';
import { statePaths } from '../../place/host/state-paths.ts';
import { readPolicyText } from '../../place/policy-texts.ts';
import { installedFiles, residentName, ownRuntime } from '../../serve/resident/resident-name.ts';

/**
 * Resident memory, measured after 20 and after 1,020 runs: 71 and 78 MB. Without flags, it was 88 and 123 MB. Young
 * objects are few, a collection at rest gives back as much as it can, and no compiler threads keep memory. The heap may
 * grow by 70 % before a collection: by default, every second run of the gateway waited 10 ms for one.
 */
const flags = [
  '--max-semi-space-size=1',
  '--no-concurrent-recompilation',
  '--expose-gc',
  '--heap-growing-percent=70',
] as const;

/**
 * Starts this version's supervisor in its own session, for later runs. Nothing waits for it. If it cannot start, or
 * finds another supervisor of its kind, the next run loses a few milliseconds. Its log is `resident.log` beside its
 * socket.
 */
export function spawnResident(runtime: string, environment: Readonly<Record<string, string | undefined>>): void {
  // The supervisor would inherit the low priority, and all later runs would be as slow.
  if (getPriority() > 0) return;
  try {
    const path = join(makePrivateDirectory(runtime), 'resident.log');
    const log = openSync(
      path,
      constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW,
      0o600,
    );
    const files = installedFiles();
    const words = [...flags, files.script, 'serve', '--resident', '--of', residentName('front', files)];
    spawn(process.execPath, words, {
      detached: true,
      stdio: ['ignore', log, log],
      cwd: '/',
      env: ownRuntime(environment),
    })
      .on('error', () => undefined)
      .unref();
    closeSync(log);
  } catch {
    // Without a supervisor, the next run is as quick as this one.
  }
}

/**
 * Starts a supervisor after a hook, which may not have parsed a policy. If a policy has settings for the supervisor,
 * the next run starts it instead.
 */
export function startForHook(environment: Readonly<Record<string, string | undefined>>): void {
  const { runtime, userPolicy, managedPolicy } = statePaths(homedir(), environment);
  const texts = [readPolicyText('managed', managedPolicy), readPolicyText('user', userPolicy)];
  if (texts.every((policy) => policy === undefined || !policy.text.includes('resident')))
    spawnResident(runtime, environment);
}
