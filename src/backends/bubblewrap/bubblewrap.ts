import { spawnSync } from 'node:child_process';
import { HoldfastError } from '../../errors/index.ts';
import type { Backend, BackendPresence } from '../backend.ts';
import { firstProgram } from '../first-program.ts';
import { namespaceGuarantees } from '../guarantees.ts';
import { encodePlan, launch } from '../launcher/index.ts';
import { notifyFor, seccompFor } from '../seccomp.ts';
import { bubblewrapCommand } from './arguments.ts';

/** Only where the system puts it: a `bwrap` in a writable root would be the box's own. */
const places = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap', '/run/current-system/sw/bin/bwrap'] as const;
const remedy = 'install bubblewrap 0.8 or newer (Debian: `apt-get install bubblewrap`)';
const oldest = { major: 0, minor: 8 } as const;

export const bubblewrapBackend: Backend = {
  name: 'bubblewrap',
  warm: 'impossible',
  guarantees: namespaceGuarantees,
  presence,
  start(plan, options) {
    const bwrap = firstProgram(places);
    if (bwrap === undefined) throw new HoldfastError('HF_BACKEND_MISSING', 'bubblewrap is not installed', { remedy });
    const helper = bubblewrapCommand(plan, { bwrap, launcher: options.launcher });
    const encodedPlan = encodePlan(plan, { seccomp: seccompFor(plan), notify: notifyFor(plan), stderr: options.stderr, command: options.command ?? 'now', helper, ...(options.box === undefined ? {} : { box: options.box }) });
    return launch({ launcher: options.launcher, arguments: [], encodedPlan, stdio: options.stdio, terminal: options.terminal ?? 'callers', ...(options.network === undefined ? {} : { network: options.network }), ...(options.listener === undefined ? {} : { listener: options.listener }) });
  },
};

function presence(): BackendPresence {
  const bwrap = firstProgram(places);
  if (bwrap === undefined) return { kind: 'absent', remedy };
  const version = /(\d+)\.(\d+)[\d.]*/u.exec(spawnSync(bwrap, ['--version'], { encoding: 'utf8', timeout: 2000, killSignal: 'SIGKILL', stdio: ['ignore', 'pipe', 'ignore'] }).stdout ?? '');
  const [text, major = 0, minor = 0] = version === null ? [undefined] : [version[0], Number(version[1]), Number(version[2])];
  const recent = major > oldest.major || (major === oldest.major && minor >= oldest.minor);
  return text !== undefined && recent ? { kind: 'present', version: `bubblewrap ${text}` } : { kind: 'absent', remedy };
}
