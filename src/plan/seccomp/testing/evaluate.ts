import { type Call, seccompData } from './call.ts';
import { decode } from './decode.ts';

/**
 * Runs a filter as the kernel would and returns its answer (`SECCOMP_RET_*`). Written from
 * `Documentation/networking/filter.rst`.
 */
export function evaluate(bytes: Uint8Array, call: Call): number {
  const program = decode(bytes);
  const data = seccompData(call);
  let accumulator = 0;
  for (let at = 0; at < program.length; at += 1) {
    const step = program[at];
    if (step === undefined) break;
    const jump = (holds: boolean): number => (holds ? step.yes : step.no);
    if (step.code === 0x20) accumulator = data.getUint32(step.operand, true);
    else if (step.code === 0x54) accumulator = (accumulator & step.operand) >>> 0;
    else if (step.code === 0x05) at += step.operand;
    else if (step.code === 0x15) at += jump(accumulator === step.operand);
    else if (step.code === 0x35) at += jump(accumulator >= step.operand);
    else if (step.code === 0x45) at += jump((accumulator & step.operand) !== 0);
    else if (step.code === 0x06) return step.operand;
    else throw new Error(`unknown operation ${step.code} at ${at}`);
  }
  throw new Error('the program ran past its end');
}
