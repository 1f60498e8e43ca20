import { createHmac } from 'node:crypto';
import { createFakeMap } from '../../src/dlp/fakes/fake-map.ts';
import { createFragmentRestorer } from '../../src/dlp/fakes/fragment-restorer.ts';
import { createRestorer } from '../../src/dlp/fakes/restorer.ts';
import { editJson } from '../../src/dlp/json/edit-json.ts';
import { rulePacks } from '../../src/dlp/rules/index.ts';
import { createScanner } from '../../src/dlp/scan/scanner.ts';
import type { FakeMap } from '../../src/dlp/types.ts';
import { allSamples } from '../../src/dlp/rules/testing/all-samples.ts';
import { cutInto, runOf } from '../../src/dlp/fakes/testing/reference.ts';
import { type Random, seeded } from '../differential/random.ts';
import { mutated } from './mutate.ts';
import type { Target } from './types.ts';

const scanner = createScanner({ rules: Object.values(rulePacks).flat() });
const samples = allSamples
  .flatMap(([, { found, ignored }]) => [...found, ...ignored])
  .map(({ before = '', text, after = '' }) => before + text + after);

/** Texts with keys in them: the findings, and the restored text where fakes replaced it. */
export const fakes: Target = {
  name: 'findings and fakes',
  generate: (random) =>
    mutated(
      Buffer.from(
        Array.from(
          { length: 1 + random.below(4) },
          () => `${random.pick(samples)}${random.pick([' ', '\n', '"', ',', '', '-', 'x'])}`,
        ).join(''),
      ),
      random,
    ),
  problemOf(bytes, seed) {
    const text = bytes.toString();
    const found = scanner.find(text);
    const wrong = found.find(
      ({ start, end }, index) => start < (found[index - 1]?.end ?? 0) || end <= start || end > text.length,
    );
    if (wrong !== undefined) return `found ${wrong.rule} at ${wrong.start}, which is not in order`;
    const map = createFakeMap({ keyed: (label) => createHmac('sha256', `a session ${seed}`).update(label).digest() });
    return textProblem(text, map, seeded(seed)) ?? jsonProblem(text, map, seeded(seed));
  },
  goOver: (bytes) => void scanner.find(bytes.toString()),
};

function textProblem(text: string, map: FakeMap, random: Random): string | undefined {
  const given = tokenized(text, map);
  if (tokenized(text, map) !== given) return 'another fake the second time';
  const back = runOf(createRestorer(map), cutInto(given, lengths(random)));
  return back === text ? undefined : `came back as ${JSON.stringify(back)}`;
}

/** Within a document, which comes back in fragments. */
function jsonProblem(text: string, map: FakeMap, random: Random): string | undefined {
  const document = Buffer.from(JSON.stringify({ a: [text], [text.slice(0, 3)]: 'b' }));
  const given = editJson(document, { fields: ['**'], edit: (leaf) => tokenized(leaf, map) });
  if (given.kind !== 'json') return 'is not JSON any more';
  const back = runOf(createFragmentRestorer(map), cutInto(given.bytes.toString(), lengths(random)));
  return JSON.stringify(JSON.parse(back)) === document.toString() ? undefined : `came back as ${back}`;
}

function tokenized(text: string, map: FakeMap): string {
  let out = '';
  let at = 0;
  for (const { rule, start, end } of scanner.find(text)) {
    out += text.slice(at, start) + (map.fakeFor(rule, text.slice(start, end)) ?? text.slice(start, end));
    at = end;
  }
  return out + text.slice(at);
}

function lengths(random: Random): readonly number[] {
  return Array.from({ length: 1 + random.below(5) }, () => 1 + random.below(random.chance(0.5) ? 3 : 60));
}
