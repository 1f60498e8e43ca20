import { dialects } from '../../src/llm/index.ts';
import type { CallOutcome, CallMeter } from '../../src/llm/types.ts';
import { seeded } from '../differential/random.ts';
import { eventOf, exchanges } from '../fixtures/llm/index.ts';
import { damaged, mutated } from './mutate.ts';
import type { Target } from './types.ts';

const mostCalls = 256;
const mostArguments = 1024 * 1024;

/** Meters' results for damaged, doubled and foreign events. Bytes are events, one on each line. */
export const meters: Target = {
  name: 'meters',
  generate(random) {
    const exchange = random.pick(exchanges);
    const events = exchange.stream.flatMap((raw) => eventOf(exchange, raw) ?? []).filter(() => !random.chance(0.1));
    const bytes = Buffer.from(
      events
        .map(({ data }) => JSON.stringify(random.chance(0.5) ? damaged(structuredClone(data), random) : data) ?? 'null')
        .join('\n'),
    );
    return random.chance(0.3) ? mutated(bytes, random) : bytes;
  },
  problemOf(bytes, seed) {
    const random = seeded(seed);
    const dialect = dialects[random.pick(Object.keys(dialects) as (keyof typeof dialects)[])];
    const read = [dialect.openMeter(), dialect.openMeter()] as const;
    for (const event of eventsOf(bytes)) {
      const name = dialect.eventName(event);
      for (const meter of read) meter.read(event, name);
      // A request for the outcome in the middle must not change it.
      const problem = random.chance(0.3) ? outcomeProblem(read[0].outcome('cut')) : undefined;
      if (problem !== undefined) return `${dialect.name}: ${problem}`;
    }
    const problem = endProblem(read);
    return problem === undefined ? undefined : `${dialect.name}: ${problem}`;
  },
  goOver(bytes) {
    const meter = dialects['anthropic-messages'].openMeter();
    for (const event of eventsOf(bytes)) meter.read(event, undefined);
  },
};

function eventsOf(bytes: Buffer): readonly unknown[] {
  return bytes
    .toString()
    .split('\n')
    .map((line): unknown => {
      try {
        return JSON.parse(line);
      } catch {
        return line;
      }
    });
}

function endProblem([asked, unasked]: readonly [CallMeter, CallMeter]): string | undefined {
  const outcome = asked.outcome('ended');
  if (JSON.stringify(outcome) !== JSON.stringify(unasked.outcome('ended'))) return 'asking for the outcome changes it';
  return outcomeProblem(outcome);
}

export function outcomeProblem({ usage, toolCalls, model }: CallOutcome): string | undefined {
  const wrong = Object.entries(usage ?? {}).find(([, tokens]) => !Number.isSafeInteger(tokens) || tokens < 0);
  if (wrong !== undefined) return `${wrong[0]} is ${wrong[1]}`;
  if (usage !== undefined && usage.reasoning > usage.output)
    return `${usage.reasoning} of ${usage.output} tokens are reasoning`;
  if (toolCalls.length > mostCalls || toolCalls.reduce((sum, call) => sum + call.arguments.length, 0) > mostArguments)
    return 'keeps too much of the tools';
  return (model?.length ?? 0) > 256 ? 'keeps a long model' : undefined;
}
