import type { FakeMap, Restorer, RestorerOptions } from '../types.ts';
import { TextBeginning } from './fragment-restorer.ts';
import { skipText } from './skip.ts';

/**
 * Restores real values in decoded text that is split into chunks anywhere. If two fakes overlap, the one that ends
 * first counts. If they end together, the longer one counts. A fake that is created while text is held back counts from
 * that text on.
 *
 * The restorer holds back the longest suffix of the text that begins a fake without completing it. A fake that a model
 * writes in another form (other case, added line breaks or spaces, base64) stays unchanged.
 */
export function createRestorer(map: FakeMap, { keeps = () => false }: RestorerOptions = {}): Restorer {
  let held = '';
  let state = 0;
  const lead = new TextBeginning();

  const push = (text: string): string => {
    const automaton = map.automaton();
    const raw = held + text;
    lead.add(text, 0, text.length);
    // The offsets of `text` begin here in `raw`, which is never joined while it only grows.
    const before = held.length;
    let shown = '';
    let passed = 0;
    for (let at = 0; at < text.length; at += 1) {
      if (state === 0) at = skipText(text, at, automaton.begins);
      if (at === text.length) break;
      state = automaton.next(state, text.charCodeAt(at));
      const fake = automaton.matched(state);
      if (fake === undefined) continue;
      const end = before + at + 1;
      const isKept = keeps(lead.before(raw.length - end + fake.length));
      shown += raw.slice(passed, end - fake.length) + (isKept ? fake : (map.realOf(fake) ?? fake));
      passed = end;
      state = 0;
    }
    const undecided = raw.length - automaton.depth(state);
    held = raw.slice(undecided);
    return shown + raw.slice(passed, undecided);
  };

  const takeHeld = (): string => {
    const rest = held;
    held = '';
    state = 0;
    lead.begin();
    return rest;
  };

  return { push, end: takeHeld };
}
