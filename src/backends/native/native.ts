import { release } from 'node:os';
import type { Backend } from '../backend.ts';
import { namespaceGuarantees } from '../guarantees.ts';
import { encodePlan, launch } from '../launcher/index.ts';
import { seccompFor } from '../seccomp.ts';

export const nativeBackend: Backend = {
  name: 'native',
  warm: 'possible',
  guarantees: namespaceGuarantees,
  presence: () => ({ kind: 'present', version: `Linux ${release()}` }),
  start(plan, options) {
    const encodedPlan = encodePlan(plan, { seccomp: seccompFor(plan), stderr: options.stderr, command: options.command ?? 'now', ...(options.box === undefined ? {} : { box: options.box }) });
    return launch({ launcher: options.launcher, arguments: [], encodedPlan, stdio: options.stdio, ...(options.network === undefined ? {} : { network: options.network }) });
  },
};
