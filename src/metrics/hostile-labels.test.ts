import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rounds } from '../../scripts/testing/extent.ts';
import type { ModelEvent } from '../audit/index.ts';
import { everyEvent } from '../audit/testing/every-event.ts';
import { knownServers } from '../policy/llm/known-servers.ts';
import { countedOf } from './counted.ts';
import { Counters } from './journal-metrics.ts';
import { ModelNames } from './model-names.ts';
import { readMetricsText } from './testing/read-text.ts';
import { metricsText } from './sample.ts';

function call(model: string, more: Partial<ModelEvent> = {}): ModelEvent {
  const found = everyEvent('s', 'x').find((event) => event.type === 'model');
  if (found === undefined) throw new Error('there is no event of a model');
  return { ...found, completeness: 'complete', ...more, model };
}

async function complete(): Promise<ModelNames> {
  const models = new ModelNames();
  await models.complete();
  return models;
}

async function textOf(events: readonly ModelEvent[]): Promise<string> {
  const [models, counters] = [await complete(), new Counters('journal')];
  for (const event of events) counters.add(countedOf(event, { models, isNew: () => false }));
  return metricsText(counters.samples());
}

function modelsIn(text: string): ReadonlySet<string> {
  const { samples = [] } = readMetricsText(text).get('holdfast_model_calls_total') ?? {};
  return new Set(samples.map(({ labels }) => labels['model'] ?? ''));
}

const names = Array.from({ length: 10_000 }, (_, index) => `made-up-"${index}"\n\\`);
const some = names.slice(0, 500);

describe('names that a box chooses', () => {
  test('cannot leave their quotes, nor forge a line', async () => {
    const forged = 'x"} 1\nholdfast_alarms_total{alarm="secret-outbound"} 99\n# HELP';
    const text = await textOf([call(forged, { provider: forged })]);
    expect(
      readMetricsText(text)
        .get('holdfast_alarms_total')
        ?.samples.every(({ value }) => value === 0),
    ).toBe(true);
    expect(modelsIn(text).size).toBe(1);
    expect([...modelsIn(text)][0]).toMatch(/^x"\} 1\\u\{a\}holdfast_alarms_total/u);
  });

  test('keep to the format, whatever they are', async () => {
    const anyText = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 150 }),
      fc.string({ unit: fc.constantFrom('"', '\\', '\n', '\r', '}', ',', 'a', '\u{2028}', '\ud800'), maxLength: 12 }),
    );
    await fc.assert(
      fc.asyncProperty(anyText, anyText, async (model, provider) => {
        const sample = { name: 'holdfast_model_unpriced_calls_total', labels: { provider, model }, value: 1 } as const;
        const [read] = readMetricsText(metricsText([sample])).get(sample.name)?.samples ?? [];
        expect(read).toEqual({ labels: { provider, model }, value: 1 });
        readMetricsText(await textOf([call(model, { provider })]));
      }),
      { numRuns: rounds(120) },
    );
  });

  test('of 10,000 models that a server answers to, 50 count by name', async () => {
    const text = await textOf(names.map((name) => call(name)));
    expect(modelsIn(text).size).toBe(51);
    expect(modelsIn(text)).toContain('other');
    expect(text.length).toBeLessThan(100_000);
    const { samples = [] } = readMetricsText(text).get('holdfast_model_calls_total') ?? {};
    expect(samples.reduce((sum, { value }) => sum + value, 0)).toBe(10_000);
  });

  test('of models that no server answers to, none counts by name, so that they leave room for others', async () => {
    const failed = some.map((name) => call(name, { status: 404 }));
    const refused = some.map((name) => call(name, { refusal: { code: 'model-denied', message: name } }));
    expect(modelsIn(await textOf([...failed, ...refused, call('our-own-model')]))).toEqual(
      new Set(['other', 'our-own-model']),
    );
  });

  test('of models in the price table do not push each other out', async () => {
    const dated = Array.from({ length: 100 }, (_, index) =>
      call(`claude-sonnet-4-5-${20_250_000 + index}`, { usd: 1 }),
    );
    const models = modelsIn(await textOf([...some.map((name) => call(name)), ...dated]));
    expect([...models].filter((name) => name.startsWith('claude'))).toEqual(['claude-sonnet-4-5']);
  });

  test('of providers, 20 count by name beside the known ones', async () => {
    const known = new Set(knownServers.map(({ provider }) => provider));
    const events = [...some, ...known].map((provider) => call('claude-sonnet-4-5', { provider }));
    const { samples = [] } = readMetricsText(await textOf(events)).get('holdfast_model_calls_total') ?? {};
    const providers = new Set(samples.map(({ labels }) => labels['provider']));
    expect(providers.size).toBe(known.size + 21);
  });

  test('cost no memory that lasts', async () => {
    const [models, counters] = [await complete(), new Counters('journal')];
    const take = (round: number): void => {
      for (const name of some)
        counters.add(countedOf(call(`${name}${round}${'y'.repeat(400)}`), { models, isNew: () => false }));
    };
    take(0);
    const before = counters.samples().length;
    for (let round = 1; round < 4; round += 1) take(round);
    expect(counters.samples().length).toBe(before);
  });
});
