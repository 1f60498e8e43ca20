import { release } from 'node:os';
import { HoldfastError } from '../../errors/index.ts';
import type { BackendPresence } from '../backend.ts';
import { choosePlatform, type Platform, type PlatformChoice, type ProbeResult } from './platform.ts';
import { probePlatform } from './probe.ts';
import { identityOf, memoryDirectory, recall, remember, type Known } from './remembered.ts';
import { askRunsc, findRunsc, type Runsc } from './runsc.ts';

const remedy = 'install gVisor’s runsc in /usr/bin or /usr/local/bin (Debian: `apt-get install runsc`), or use another --backend';

export interface RuntimeOptions {
  /** Absolute path of `holdfast-launch`. */
  readonly launcher: string;
  /** Where what was found out is kept. Default: the user's state directory. */
  readonly directory?: string;
  /** Default: the places of the system. */
  readonly places?: readonly string[];
  /** Milliseconds for each platform. Default 5000. */
  readonly patience?: number;
}

/** The runtime and the platform it works on here: as remembered for the same files, else tried. Throws `HF_BACKEND_MISSING`. */
export function findRuntime({ launcher, directory = memoryDirectory(), places, patience }: RuntimeOptions): Known {
  const path = findRunsc(places);
  if (path === undefined) throw missing('runsc is not installed');
  const identity = `${identityOf(path, launcher)}\n${release()}`;
  const known = recall(directory, identity);
  // Attack: a state directory that XDG_STATE_HOME leads to somebody's file, which names another program.
  if (known?.runsc.path === path) return known;
  const runsc = askRunsc(path);
  if (runsc === undefined) throw missing(`${path} does not say its version, as gVisor’s runsc does`);
  const found = { runsc, ...tryPlatforms(runsc, (platform) => probePlatform({ runsc, platform, launcher, ...(patience === undefined ? {} : { patience }) })) };
  remember(directory, identity, found);
  return found;
}

function tryPlatforms(runsc: Runsc, probe: (platform: Platform) => ProbeResult): Pick<Known, 'platform' | 'statx'> {
  const results: Partial<Record<Platform, ProbeResult>> = {};
  for (;;) {
    const choice: PlatformChoice = choosePlatform(runsc, results);
    if (choice.kind === 'chosen') return { platform: choice.platform, statx: choice.statx };
    if (choice.kind === 'none') throw missing(`${runsc.path} (${runsc.version}) runs nothing in a box here: ${choice.reasons}`);
    results[choice.platform] = probe(choice.platform);
  }
}

function missing(message: string): HoldfastError {
  return new HoldfastError('HF_BACKEND_MISSING', message, { remedy });
}

/** Asks for the version and starts nothing else. */
export function presence(places?: readonly string[]): BackendPresence {
  const path = findRunsc(places);
  const runsc = path === undefined ? undefined : askRunsc(path);
  return runsc === undefined ? { kind: 'absent', remedy } : { kind: 'present', version: `runsc ${runsc.version}${remark(runsc)}` };
}

/** Seen with Debian's build of that year: `statx` is refused with flags that coreutils give. */
function remark({ date }: Runsc): string {
  return date < 20230101 ? ' (old: `ls` and `stat` fail inside; install a newer release)' : '';
}
