/** An agent's commands, with their expected results. Equal numbers mean equal commands. */
export interface Traffic {
  readonly argv: readonly string[];
  readonly stdout: string;
  readonly status: number;
}

const kinds: readonly ((number: number) => Traffic)[] = [
  (number) => ({ argv: ['echo', `word ${number}`], stdout: `word ${number}\n`, status: 0 }),
  (number) => inShell(`echo ${number} > note-${number % 97} && cat note-${number % 97}`, `${number}\n`),
  () => ({ argv: ['git', 'log', '--oneline'], stdout: '', status: 128 }),
  (number) => inShell(`seq ${(number % 50) + 1} | tail -1`, `${(number % 50) + 1}\n`),
  (number) => ({ ...inShell(`echo ${number}; exit ${number % 7}`, `${number}\n`), status: number % 7 }),
  () => inShell('echo planted > .bashrc || echo refused', 'refused\n'),
  () => inShell('cat ~/.ssh/id_rsa || echo hidden', 'hidden\n'),
  (number) => inShell(`sleep 0.0${number % 4}; (sleep 60 &) ; echo late`, 'late\n'),
];

export function traffic(number: number): Traffic {
  return (kinds[number % kinds.length] as (number: number) => Traffic)(number);
}

function inShell(script: string, stdout: string): Traffic {
  return { argv: ['sh', '-c', `{ ${script}; } 2>/dev/null`], stdout, status: 0 };
}

/** `failed`: it reports an error, with its own status. `wrong`: it reports something untrue. */
export type Came = 'right' | 'failed' | 'wrong';

/** Holdfast returns 125. 137 and 143 end a killed supervisor's command. */
const owns = new Set([125, 137, 143]);

export function judged(
  { stdout, status }: Traffic,
  came: { readonly stdout: string; readonly status: number | null },
): Came {
  if (came.stdout === stdout && came.status === status) return 'right';
  return came.status === null || owns.has(came.status) ? 'failed' : 'wrong';
}

/** Runs some at a time, until all numbers are done. */
export async function inLanes(count: number, lanes: number, work: (number: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
