import { isHoldfastError } from '../../errors/index.ts';
import { type Problem, refusalInstead } from '../../policy/index.ts';
import { buildPolicy } from '../../place/build-policy.ts';
import { render, type Rendered } from './render.ts';
import type { Item, NotCarried, Place, Reading } from './types.ts';

/** Where the policy is to hold. */
export interface ImportPlaces {
  /** Absolute. */
  readonly home: string;
  /** Absolute. */
  readonly workspace: string;
}

export interface Settled {
  readonly policy: string;
  readonly notCarried: readonly NotCarried[];
}

interface SettleOptions {
  readonly title: string;
  readonly places: ImportPlaces;
}

/**
 * The policy of a reading that Holdfast accepts as a user's. What it would refuse as a line is written as the next
 * stricter one, or taken out and told: a policy with one wrong line starts no box at all.
 */
export function settle(reading: Reading, { title, places }: SettleOptions): Settled {
  const told = [...reading.notCarried];
  const lists = reading.items.some(({ place }) => place === 'commands.allow');
  let items = reading.items.filter((item) => isWritable(item) || (told.push(hiddenText(item)), false));
  for (;;) {
    const rendered = render(items, title);
    const broken = new Map<Item, Problem>();
    const problems = problemsOf(rendered.text, places);
    for (const problem of problems) for (const item of itemsAt(problem.line, rendered)) broken.set(item, problem);
    if (problems.length === 0) return { policy: rendered.text, notCarried: told };
    if (broken.size === 0) throw new Error(`an import made a policy that is none: ${problems[0]?.message ?? ''}`);
    const mended = items.flatMap((item) => {
      const problem = [...broken].find(([each]) => each.place === item.place && each.text === item.text)?.[1];
      return problem === undefined ? [item] : mend(item, problem, told);
    });
    items =
      lists && !mended.some(({ place }) => place === 'commands.allow')
        ? [...mended.filter((item) => item !== everyCommand), everyCommand]
        : mended;
  }
}

/** What a problem is about: the entry on its line, or all those of the rule that begins there. */
function itemsAt(line: number, { text, items }: Rendered): readonly Item[] {
  const own = items.get(line);
  if (own !== undefined) return [own];
  const next = text.split('\n').findIndex((each, index) => index >= line && each.startsWith('['));
  return [...items].filter(([at]) => at > line && (next < 0 || at <= next)).map(([, item]) => item);
}

/** A list of all that may run, of which no entry is left, has let everything run. */
const everyCommand: Item = { place: 'commands.ask', text: '*', from: 'nothing of a list of all that may run is left' };

/** A character that does not show has no place in a policy, and none that cannot be written in UTF-8. */
function isWritable({ text }: Item): boolean {
  return text !== '' && text.isWellFormed() && !/\p{C}|\p{Zl}|\p{Zp}/u.test(text);
}

function hiddenText({ place, from }: Item): NotCarried {
  return {
    at: from,
    why: 'it is empty, or holds characters that do not show',
    effect: restricts(place) ? 'looser' : 'stricter',
  };
}

function mend(item: Item, { message, remedy }: Problem, told: NotCarried[]): readonly Item[] {
  if (remedy.startsWith('take it out of') || message.includes('has no effect') || message.includes('can never match')) {
    told.push({ at: item.from, why: message, effect: 'none' });
    return [];
  }
  const wider = isRefusedPath(item.place) ? refusalInstead(item.text) : item.text;
  if (wider !== item.text && wider.startsWith('**/')) {
    told.push({
      at: item.from,
      why: `written as ${JSON.stringify(wider)}, which a kernel can hold`,
      effect: 'stricter',
    });
    return [{ ...item, text: wider }];
  }
  told.push({ at: item.from, why: `${message}; ${remedy}`, effect: restricts(item.place) ? 'looser' : 'stricter' });
  return [];
}

function isRefusedPath(place: Place): boolean {
  return place === 'files.deny' || place === 'files.protect';
}

const grants: ReadonlySet<Place> = new Set<Place>([
  'files.read',
  'files.write',
  'commands.allow',
  'network.hosts',
  'sockets.allow',
  'environment.pass',
  'rule.allow-programs',
  'rule.ask-to-connect',
]);

/** `commands.allow` is a list of all that may run: without an entry of it, less may. */
function restricts(place: Place): boolean {
  return !grants.has(place);
}

/** Exactly what opening a box with it as the user's policy would say. */
function problemsOf(text: string, { home, workspace }: ImportPlaces): readonly Problem[] {
  const file = 'imported policy';
  try {
    buildPolicy({
      home,
      workspace: { root: workspace, gitDirectories: [], cwd: workspace },
      visible: [],
      userFile: file,
      sources: [{ kind: 'user', file, text }],
      grants: {},
      ownDirectories: [],
    });
    return [];
  } catch (error) {
    if (!isHoldfastError(error) || !error.code.startsWith('HF_POLICY')) throw error;
    return (error.details['problems'] as readonly Problem[] | undefined) ?? [];
  }
}
