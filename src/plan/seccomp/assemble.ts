import { HoldfastError } from '../../errors/index.ts';

export type Label = string;

/** A classic BPF instruction with symbolic jump targets. Covers only the instructions that a seccomp filter needs. */
export type FilterStep =
  | { readonly kind: 'label'; readonly label: Label }
  | { readonly kind: 'load'; readonly offset: number }
  | { readonly kind: 'and'; readonly mask: number }
  | {
      readonly kind: 'branch';
      readonly test: BranchTest;
      readonly value: number;
      readonly yes: Label;
      readonly no: Label;
    }
  | { readonly kind: 'return'; readonly value: number };

export type BranchTest = 'equal' | 'at-least' | 'any-bit';

/** `struct sock_filter`: operation, jump offsets, operand. */
type Instruction = readonly [code: number, yes: number, no: number, operand: number];

/** Source: `linux/bpf_common.h` and `linux/filter.h`. */
const code = { load: 0x20, and: 0x54, return: 0x06, goto: 0x05, equal: 0x15, 'at-least': 0x35, 'any-bit': 0x45 };

/** `BPF_MAXINSNS`. */
const maximumLength = 4096;

/** A jump offset is one byte. One less leaves room for the other branch's trampoline in between. */
const longestJump = 254;

/** Returns the bytes of an array of `struct sock_filter`, little endian. The kernel allows only forward jumps. */
export function assemble(steps: readonly FilterStep[]): Uint8Array<ArrayBuffer> {
  const program = layOut(steps);
  if (program.length > maximumLength) throw defect(`the filter has ${program.length} instructions, 4096 are possible`);
  return encode(program);
}

/**
 * Works from the last step to the first, so that every target's distance is known when a jump to it is written. The
 * result is reversed: a position is the number of instructions from there to the end of the program.
 */
function layOut(steps: readonly FilterStep[]): readonly Instruction[] {
  const reversed: Instruction[] = [];
  const positions = new Map<Label, number>();
  for (let index = steps.length - 1; index >= 0; index -= 1) {
    const step = steps[index] as FilterStep;
    if (step.kind === 'label') define(positions, step.label, reversed.length);
    else reversed.push(instruction(step, reversed, positions));
  }
  return reversed.toReversed();
}

function instruction(
  step: Exclude<FilterStep, { kind: 'label' }>,
  reversed: Instruction[],
  positions: ReadonlyMap<Label, number>,
): Instruction {
  switch (step.kind) {
    case 'load':
      return [code.load, 0, 0, step.offset];
    case 'and':
      return [code.and, 0, 0, step.mask];
    case 'return':
      return [code.return, 0, 0, step.value];
    case 'branch': {
      const yes = reach(step.yes, reversed, positions);
      const no = reach(step.no, reversed, positions);
      return [code[step.test], reversed.length - yes, reversed.length - no, step.value];
    }
  }
}

/** Returns the position of a label. If it is too far for one byte, places a trampoline here and returns that. */
function reach(label: Label, reversed: Instruction[], positions: ReadonlyMap<Label, number>): number {
  const target = positions.get(label);
  if (target === undefined) throw defect(`“${label}” does not lie ahead of the jump to it`);
  const distance = reversed.length - target;
  if (distance <= longestJump) return target;
  reversed.push([code.goto, 0, 0, distance]);
  return reversed.length;
}

function define(positions: Map<Label, number>, label: Label, position: number): void {
  if (positions.has(label)) throw defect(`“${label}” is defined twice`);
  positions.set(label, position);
}

function encode(program: readonly Instruction[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(program.length * 8);
  const view = new DataView(bytes.buffer);
  program.forEach(([operation, yes, no, operand], index) => {
    view.setUint16(index * 8, operation, true);
    view.setUint8(index * 8 + 2, yes);
    view.setUint8(index * 8 + 3, no);
    view.setUint32(index * 8 + 4, operand, true);
  });
  return bytes;
}

function defect(message: string): HoldfastError {
  return new HoldfastError('HF_INTERNAL', `seccomp filter: ${message}`, {
    remedy: 'Report this as a defect of Holdfast.',
  });
}

/** Returns a program as text. The second byte of each instruction is always zero, and the text leaves it out. */
export function packProgram(program: Uint8Array): string {
  return Buffer.from(program.filter((_, index) => index % 8 !== 1)).toString('base64');
}

export function unpackProgram(text: string): Uint8Array<ArrayBuffer> {
  const packed = Buffer.from(text, 'base64');
  const byteAt = (index: number): number => packed[index - Math.floor((index + 6) / 8)] ?? 0;
  return Uint8Array.from({ length: (packed.length / 7) * 8 }, (_, index) => (index % 8 === 1 ? 0 : byteAt(index)));
}
