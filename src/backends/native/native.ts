import { release } from 'node:os';
import { type Backend, namespaceGuarantees } from '../backend.ts';
import { encodePlan } from '../launcher/encode-plan.ts';
import { launch } from '../launcher/launch.ts';
import { notifyFor, seccompFor } from '../seccomp.ts';

export const nativeBackend: Backend = {
  name: 'native',
  warm: 'possible',
  guarantees: (facts) => ({ ...namespaceGuarantees(facts, 'kernel'), 'fs.exec': 'kernel' }),
  presence: () => ({ kind: 'present', version: `Linux ${release()}` }),
  start(plan, options) {
    const encodedPlan = encodePlan(plan, {
      seccomp: seccompFor(plan),
      notify: notifyFor(plan),
      stderr: options.stderr,
      command: options.command ?? 'now',
      ...(options.box === undefined ? {} : { box: options.box }),
    });
    return launch({
      launcher: options.launcher,
      arguments: [],
      encodedPlan,
      stdio: options.stdio,
      terminal: options.terminal ?? 'callers',
      launchers: options.launchers,
      adopted: options.adopted,
      ...(options.network === undefined ? {} : { network: options.network }),
      ...(options.listener === undefined ? {} : { listener: options.listener }),
    });
  },
};
