import type { Backend } from '../backends/index.ts';
import { isHoldfastError } from '../errors/index.ts';
import type { Plan } from '../plan/index.ts';
import { failureError } from './failures.ts';

const patience = 5000;
/** Characters of what it says about it. */
const longest = 300;
/** What no box has, so that a box was built when this alone is missing. */
const nothing = '/run/holdfast/nothing';

/** An empty box, in which nothing runs. */
const emptyPlan: Plan = {
  command: { argv: [nothing], cwd: '/', environment: {} },
  mounts: [{ kind: 'proc', target: '/proc' }, { kind: 'devices', target: '/dev', shmSize: 0 }],
  protection: { roots: [], shownRoots: [], gitDirectories: [], names: [], guarded: [], released: [] },
  landlock: { minimumAbi: 0, execution: 'any', rules: [{ path: '/', access: 'read' }] },
  seccomp: { ptrace: 'deny' },
  notify: { kind: 'none' },
  programs: [],
  limits: { grace: 0, cgroups: [] },
  network: { kind: 'closed' },
  requires: [],
};

/** Why a backend cannot build a box here, found by building one; undefined when it can. Only for those whose boxes are cheap. */
export async function backendTrouble(backend: Backend, launcher: string): Promise<string | undefined> {
  if (backend.name !== 'native' && backend.name !== 'bubblewrap') return undefined;
  try {
    const box = backend.start(emptyPlan, { launcher, stdio: ['ignore', 'ignore', 'pipe'], stderr: 'direct' });
    let told = '';
    box.process.stderr?.on('data', (chunk: Buffer) => {
      told = `${told}${chunk.toString()}`.slice(0, longest);
    });
    const timer = setTimeout(() => box.process.kill('SIGKILL'), patience);
    const { failure } = await box.outcome.finally(() => clearTimeout(timer));
    if (failure?.stage === 'exec') return undefined;
    const [said = ''] = told.split('\n');
    const message = failure === undefined ? 'it did not start what it was told to' : failureError(failure, nothing).message;
    return said === '' ? message : `${message}: ${said}`;
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    return error.message;
  }
}
