import { matches, type ObjectStore, type StoredObject } from './object-store.ts';

export interface FakeAnswer {
  readonly stdout: string;
  readonly exitCode: number;
  /** Default: the program ends after its output. */
  readonly end?: 'with-its-input';
}

const stopped = (attempt: string) => ({ attempt, result: 'stopped', how: 'EPERM' });
const proof = { title: 'read a secret of the home', guarantee: 'fs.read', backend: 'native', promised: 'kernel' };

/**
 * The answers of the image's Holdfast to a client. It imitates clusters that enforce the parts of a run, and others.
 */
export class FakeHoldfast {
  /** `ignored`: pods reach each other through a NetworkPolicy. `broken`: no pod reaches another one. */
  network: 'enforced' | 'ignored' | 'broken' = 'enforced';
  /** Whether the rules of the `packet-rules` container are in force. */
  packetRules: 'enforced' | 'ignored' = 'enforced';
  /** Output of `cluster probe escape`, as JSON. */
  attempts: unknown = ['raw-socket', 'token', 'root-file-system', 'root'].map(stopped);
  /** Output of `doctor --prove --json`, as JSON. */
  proof: unknown = { verdict: 'holds', proofs: [{ ...proof, result: 'held' }] };
  /** Output of `approvals relay`, in place of the real one. */
  relay: string | undefined;
  /** Output of `audit show`. */
  journal = '';
  audit: 'there' | 'absent' = 'there';
  readonly #store: ObjectStore;

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  /** Undefined for another program, which runs as a process. */
  answer([program, ...words]: readonly string[], pod: StoredObject | undefined): FakeAnswer | undefined {
    if (program !== 'holdfast') return undefined;
    const line = words.join(' ');
    if (line.startsWith('cluster probe reach ')) return says(`${this.#reach(words[3] ?? '', pod)}\n`);
    if (line === 'cluster probe escape') return says(JSON.stringify(this.attempts));
    if (line === 'doctor --prove --json') return says(JSON.stringify(this.proof));
    if (line === 'approvals relay' && this.relay !== undefined) return { ...says(this.relay), end: 'with-its-input' };
    if (line === 'audit show') return this.audit === 'there' ? says(this.journal) : { stdout: '', exitCode: 127 };
    return undefined;
  }

  #reach(words: string, from: StoredObject | undefined): string {
    const [address] = words.split('/');
    const [namespace = ''] = [from?.metadata.namespace];
    const to = this.#store.list('pods', namespace).find(({ status }) => status?.['podIP'] === address);
    if (to === undefined || from === undefined || this.network === 'broken') return 'stopped ETIMEDOUT';
    const isGuarded = this.network === 'enforced' && [from, to].some((pod) => this.#isSelected(pod));
    return isGuarded || (this.packetRules === 'enforced' && hasRules(from)) ? 'stopped ETIMEDOUT' : 'reached';
  }

  #isSelected(pod: StoredObject): boolean {
    return this.#store.list('networkpolicies', pod.metadata.namespace).some(({ spec }) => {
      const selected = spec?.['podSelector'] as { readonly matchLabels?: Readonly<Record<string, string>> } | undefined;
      const selector = Object.entries(selected?.matchLabels ?? {}).map(([name, value]) => `${name}=${value}`);
      return matches(pod, selector.join(','));
    });
  }
}

function says(stdout: string): FakeAnswer {
  return { stdout, exitCode: 0 };
}

function hasRules({ spec }: StoredObject): boolean {
  const first = (spec?.['initContainers'] ?? []) as readonly { readonly name: string }[];
  return first.some(({ name }) => name === 'packet-rules');
}
