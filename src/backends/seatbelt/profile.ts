import { HoldfastError } from '../../errors/index.ts';
import type { Plan } from '../../plan/index.ts';
import { baseRules, deviceRules, machRules, type MachServices } from './base.ts';
import { mountRules, pinRules, placeFilter, readsOf } from './mounts.ts';
import { nameRules } from './names.ts';
import { networkRules } from './network.ts';
import { list, literal, quoted, rule, ruleText, type Rule } from './sbpl.ts';
import { below } from './starts.ts';

export interface SeatbeltOptions {
  /** Stands in the system's log beside every violation; one for each command. */
  readonly tag: string;
  /**
   * Absolute path of a directory of the host that belongs to this box alone: what a plan makes in memory lies below it, `/tmp` at
   * `DIRECTORY/tmp`. It must lie neither in nor around anything that the plan shows.
   */
  readonly privateDirectory: string;
  /** Port of the host's loopback on which the supervisor's proxy listens. Of no meaning where the network is closed. */
  readonly proxyPort: number;
  /** The terminal device at which the command is started. Default: none. */
  readonly terminal?: string;
  /** Default: what C libraries need. */
  readonly mach?: MachServices;
}

/**
 * The profile of one box. Pure. Whatever has no rule is refused, and of several rules that match the last one wins. Throws
 * `HoldfastError` for what cannot be written down.
 */
export function seatbeltProfile(plan: Plan, options: SeatbeltOptions): string {
  checkOptions(plan, options);
  const { tag, privateDirectory, terminal, mach = { allow: [], block: [] } } = options;
  const rules = [
    ...baseRules(plan.seccomp.ptrace, readsOf(plan)),
    ...mountRules(plan, privateDirectory),
    ...deviceRules(terminal),
    ...nameRules({ protection: plan.protection, privateDirectory }),
    ...guardRules(plan),
    ...pinRules(plan),
    ...rule('deny', ['process-exec*'], plan.programs.map(({ path }) => literal(path))),
    ...machRules(mach),
    ...networkRules(plan, options),
  ];
  return ['(version 1)\n', `(deny default ${list('with', 'message', quoted(tag))})\n`, ...rules.map((each) => ruleText(each, tag))].join('');
}

/** What git would run is read-only, unless it is released. */
function guardRules({ protection: { guarded, released } }: Plan): readonly Rule[] {
  return rule('deny', ['file-write*'], guarded.filter((path) => !released.includes(path)).map(placeFilter));
}

function checkOptions({ mounts }: Plan, { privateDirectory, proxyPort }: SeatbeltOptions): void {
  if (!Number.isInteger(proxyPort) || proxyPort < 1 || proxyPort > 65_535) throw unusable(`${proxyPort} is no port`);
  if (!/^(?:\/(?!\.{1,2}(?:\/|$))[^/]+)+$/u.test(privateDirectory)) throw unusable(`${JSON.stringify(privateDirectory)} is no absolute path of a directory`);
  const met = mounts.find(({ kind, target }) => (kind === 'bind' || kind === 'overlay' || kind === 'mask') && (isWithin(target, privateDirectory) || isWithin(privateDirectory, target)));
  if (met !== undefined) throw unusable(`${privateDirectory} cannot be private to a box that is shown ${met.target}`);
}

function isWithin(path: string, directory: string): boolean {
  return path === directory || below(directory, [path]).length > 0;
}

function unusable(message: string): HoldfastError {
  return new HoldfastError('HF_INTERNAL', message, { remedy: 'give a directory and a port of the session' });
}
