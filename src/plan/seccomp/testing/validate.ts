import { type Decoded, decode } from './decode.ts';

const known = new Set([0x20, 0x54, 0x05, 0x15, 0x35, 0x45, 0x06]);
const branches = new Set([0x15, 0x35, 0x45]);

/**
 * The errors of a program, by the rules of `bpf_check_classic` and `seccomp_check_filter` in the kernel. A dead
 * instruction also counts as an error.
 */
export function problemsOf(bytes: Uint8Array): readonly string[] {
  const program = decode(bytes);
  const reached = new Set([0]);
  const problems = program.flatMap((step, at) => {
    for (const next of successors(step, at)) reached.add(next);
    return problemsAt(step, at, program.length);
  });
  const dead = program.flatMap((_, at) => (reached.has(at) ? [] : [`${at}: unreachable`]));
  return [...(program.length > 4096 ? ['longer than BPF_MAXINSNS'] : []), ...problems, ...dead];
}

function problemsAt(step: Decoded, at: number, length: number): readonly string[] {
  return [
    ...(known.has(step.code) ? [] : [`${at}: unknown operation ${step.code}`]),
    ...(step.code === 0x20 && (step.operand % 4 !== 0 || step.operand > 60) ? [`${at}: load outside the data`] : []),
    ...successors(step, at).flatMap((next) => (next < length ? [] : [`${at}: leaves the program`])),
  ];
}

function successors(step: Decoded, at: number): readonly number[] {
  if (step.code === 0x06) return [];
  if (step.code === 0x05) return [at + 1 + step.operand];
  return branches.has(step.code) ? [at + 1 + step.yes, at + 1 + step.no] : [at + 1];
}
