import { isatty } from 'node:tty';
import type { Backend, BackendFacts, Descriptor, GuaranteeVector } from '../backend.ts';
import { namespaceGuarantees } from '../guarantees.ts';
import { nativeBackend } from '../native/index.ts';
import { adaptPlan } from './adapt.ts';
import { findRuntime, presence } from './find-runtime.ts';
import { bundleFile, gvisorPlan } from './gvisor-plan.ts';
import { outcomeOf } from './outcome.ts';
import { programMounts } from './probe.ts';

export const gvisorBackend: Backend = {
  name: 'gvisor',
  warm: 'possible',
  guarantees: ownGuarantees,
  presence: () => presence(),
  adapt: adaptPlan,
  start(plan, { box: _ofAnotherPlan, ...options }) {
    let [program = ''] = plan.command.argv;
    const { runsc, platform } = findRuntime(options);
    const terminal = options.stdio.every(isTerminal) ? 'yes' : 'no';
    const around = gvisorPlan(plan, { runsc, platform, programs: programMounts(runsc.path, options.launcher), terminal });
    const started = nativeBackend.start(around, options);
    return {
      ...started,
      outcome: started.outcome.then((ended) => outcomeOf(ended, program)),
      run: (command) => {
        [program = ''] = command.argv;
        started.run({ ...around.command, files: [bundleFile({ ...plan, command }, { terminal })] });
      },
    };
  },
};

/**
 * The limit of processes counts what the second kernel needs itself, and ends it as a whole when it is reached. Memory of the command is a
 * shared file of that kernel, which no limit of a process counts.
 */
function ownGuarantees(facts: BackendFacts): GuaranteeVector {
  const around = namespaceGuarantees(facts, 'kernel');
  return { ...around, 'limits.memory': around['limits.memory'] === 'kernel' ? 'kernel' : 'none', 'limits.processes': 'partial', 'kernel.separate': 'kernel' };
}

/** The runtime leads all three to the terminal where it is told that there is one. */
function isTerminal(descriptor: Descriptor, number: number): boolean {
  return descriptor === 'inherit' ? isatty(number) : typeof descriptor === 'number' && isatty(descriptor);
}
