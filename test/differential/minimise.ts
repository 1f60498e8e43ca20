import { missed, read, type Subject } from './compare.ts';
import type { Observed } from './run-programs.ts';

/** Milliseconds. A failing test should report soon. */
const patience = 20_000;

/** Removes parts that the miss does not need, in ever smaller pieces, within the time limit. */
export async function minimise(program: string, subject: Subject): Promise<string> {
  let text = program;
  const end = Date.now() + patience;
  for (let size = Math.ceil(text.length / 2); size >= 1 && Date.now() < end; ) {
    const shorter = await firstMiss(candidates(text, size), subject);
    if (shorter === undefined) size = size === 1 ? 0 : Math.floor(size / 2);
    else text = shorter;
  }
  return text;
}

function candidates(text: string, size: number): readonly string[] {
  return Array.from(
    { length: Math.ceil(text.length / size) },
    (_, index) => text.slice(0, index * size) + text.slice((index + 1) * size),
  );
}

async function firstMiss(texts: readonly string[], subject: Subject): Promise<string | undefined> {
  const observed = await subject.observe(texts);
  return texts.find((text, index) => missed(read(text, subject), observed[index] as Observed) !== undefined);
}
