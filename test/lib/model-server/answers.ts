import type { Usage } from '../../../src/llm/index.ts';
import type { Call, ModelAnswer, Part } from './types.ts';

/** Every class has its own number, so that a mix-up is visible. */
export const defaultUsage: Usage = {
  uncachedInput: 101,
  cacheRead: 20,
  cacheWrite5m: 3,
  cacheWrite1h: 4,
  output: 55,
  reasoning: 6,
};

export function usageOf(answer: ModelAnswer): Usage {
  return answer.usage ?? defaultUsage;
}

/** All input tokens. */
export function inputOf({ uncachedInput, cacheRead, cacheWrite5m, cacheWrite1h }: Usage): number {
  return uncachedInput + cacheRead + cacheWrite5m + cacheWrite1h;
}

export function modelOf(answer: ModelAnswer, call: Call): string {
  const asked = call.body?.['model'];
  return answer.model ?? (typeof asked === 'string' ? asked : 'example');
}

export function partsOf<Kind extends Part['kind']>(
  answer: ModelAnswer,
  kind: Kind,
): readonly Extract<Part, { kind: Kind }>[] {
  return answer.parts.filter((part): part is Extract<Part, { kind: Kind }> => part.kind === kind);
}

export function callsTools(answer: ModelAnswer): boolean {
  return answer.parts.some(({ kind }) => kind === 'tool-call');
}

/** The JSON of a tool's input in the pieces of its events. */
export function argumentPieces({ input, cut = 7 }: Extract<Part, { kind: 'tool-call' }>): readonly string[] {
  const text = JSON.stringify(input);
  return Array.from({ length: Math.ceil(text.length / cut) }, (_, index) => text.slice(index * cut, (index + 1) * cut));
}
