import { createAnswerEditor, dialects, type TextStage } from '../../src/llm/index.ts';
import { bytesOneByOne, cutAt, pass } from '../../src/llm/streams/testing/cut.ts';
import { slowEvents } from '../../src/llm/streams/testing/slow-sse.ts';
import { valueAt } from '../../src/llm/answer/edit-event.ts';
import { isUtf8 } from '../../src/dlp/json/testing/reference.ts';
import { seeded } from '../differential/random.ts';
import type { Exchange } from '../fixtures/llm/index.ts';
import { outcomeProblem } from './meters.ts';
import { mutated } from './mutate.ts';
import { bedrockExchanges, lineExchanges, sseExchanges, streamOf } from './seeds.ts';
import type { Target } from './types.ts';

type StreamFraming = 'sse' | 'json-lines' | 'event-stream';

export const answerTargets: readonly Target[] = [
  ...framed('sse', sseExchanges),
  ...framed('json-lines', lineExchanges),
  ...framed('event-stream', bedrockExchanges),
];

function framed(framing: StreamFraming, exchanges: readonly Exchange[]): readonly Target[] {
  const names = [...new Set(exchanges.map(({ dialect }) => dialect))];
  return names.map((name) => ({
    name: `answers of ${name}`,
    generate(random) {
      const bytes = streamOf(random.pick(exchanges.filter(({ dialect }) => dialect === name)), random);
      return framing === 'event-stream' || random.chance(0.5) ? bytes : mutated(bytes, random);
    },
    problemOf: (bytes, seed) => answerProblem(bytes, seed, { framing, name }),
    goOver: (bytes) => void edited([bytes], 3, { framing, name }),
  }));
}

interface Kind {
  readonly framing: StreamFraming;
  readonly name: Exchange['dialect'];
}

/**
 * Properties of every answer. Without a request, nothing changes. A filter that holds texts back loses and doubles
 * nothing, in pieces of any size.
 */
function answerProblem(bytes: Buffer, seed: number, kind: Kind): string | undefined {
  const random = seeded(seed);
  if (!edited([bytes], 'nothing', kind).out.equals(bytes)) return 'changed with no stages';
  if (!edited(cutAt(bytes, [random.below(1000), random.below(1000)]), 0, kind).out.equals(bytes))
    return 'changed by stages that change nothing';
  const late = 1 + random.below(9);
  const whole = edited([bytes], late, kind);
  for (const chunks of [bytesOneByOne(bytes), cutAt(bytes, [random.below(1000), random.below(1000)])]) {
    const other = edited(chunks, late, kind);
    if (!other.out.equals(whole.out) || other.outcome !== whole.outcome) return 'another result in pieces';
  }
  if (kind.framing !== 'sse' || !isUtf8(bytes)) return whole.problem;
  const [before, after] = [textsOf(bytes, kind), textsOf(whole.out, kind)];
  return whole.problem ?? (before === after ? undefined : `texts are others, ${late} late:\n${before}\n${after}`);
}

interface Edited {
  readonly out: Buffer;
  readonly outcome: string;
  readonly problem: string | undefined;
}

function edited(chunks: readonly Buffer[], late: number | 'nothing', { framing, name }: Kind): Edited {
  const dialect = dialects[name];
  const meter = dialect.openMeter();
  const editor = createAnswerEditor({
    dialect,
    framing,
    meter,
    usageOnly: 'keep',
    open: (delta) => (late === 'nothing' || delta.kind === 'thinking' ? undefined : lateStage(late)),
  });
  const out = pass(editor, chunks);
  const outcome = meter.outcome('ended');
  return { out, outcome: JSON.stringify(outcome), problem: outcomeProblem(outcome) };
}

/** Returns its input, some characters late. */
function lateStage(late: number): TextStage {
  let held = '';
  return {
    push(text) {
      const all = held + text;
      const passed = Math.max(0, all.length - late);
      held = all.slice(passed);
      return all.slice(0, passed);
    },
    end() {
      const rest = held;
      held = '';
      return rest;
    },
  };
}

/** The client's result: the pieces of each text, as JSON. */
function textsOf(bytes: Buffer, { name }: Kind): string {
  const texts = new Map<string, string>();
  const add = (channel: string, text: string): void => void texts.set(channel, (texts.get(channel) ?? '') + text);
  for (const { data, event } of slowEvents(bytes.toString())) {
    const value = parsedOr(data);
    for (const { channel, kind, path } of dialects[name].readEvent(value, event).deltas) {
      const found = valueAt(value, path);
      add(`${channel} ${kind}`, typeof found === 'string' ? found : JSON.stringify(found));
    }
  }
  return JSON.stringify([...texts].filter(([, text]) => text !== '').toSorted());
}

function parsedOr(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return data;
  }
}
