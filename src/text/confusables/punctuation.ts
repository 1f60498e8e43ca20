import { once } from '../unicode/once.ts';

/** Characters that part a path or an address, and what is drawn like them. */
const inNames = { '/': '2044,2215,2571,29f8,ff0f', '\\': '2216,29f5,29f9,fe68,ff3c', '.': '2024,a4f8,ff0e', ':': '2d0,2236,a789,fe55,ff1a', '@': 'fe6b,ff20' };
/** Characters that a shell reads, and what editors and chat programs put in their place. */
const inCommands = {
  ...inNames,
  '-': '2010-2015,2212,2796,fe58,fe63,ff0d',
  '"': '201c-201f,ff02',
  "'": '2018-201b,2032,2b9,2bc,ff07',
  '`': '2cb,1fef,ff40',
  ';': '37e,fe54,ff1b',
  '|': '2223,2758,ff5c',
  '!': '1c3,ff01',
  '&': 'fe60,ff06',
  $: 'fe69,ff04',
  '*': '2217,204e,ff0a',
  '~': '223c,2dc,ff5e',
  '>': '203a,276f,fe65,ff1e',
  '<': '2039,276e,fe64,ff1c',
  '=': 'a78a,fe66,ff1d',
  '#': 'fe5f,ff03',
};

/** The ASCII sign that the character can be taken for where it stands, or undefined. */
export function punctuationLookalike(point: number, form: 'name' | 'command'): string | undefined {
  return (form === 'name' ? forNames() : forCommands()).get(point);
}

const forNames = once(() => invert(inNames));
const forCommands = once(() => invert(inCommands));

function invert(table: Readonly<Record<string, string>>): ReadonlyMap<number, string> {
  return new Map(Object.entries(table).flatMap(([ascii, written]) => written.split(',').flatMap((part) => pointsOf(part).map((point) => [point, ascii] as const))));
}

function pointsOf(part: string): readonly number[] {
  const [first = 0, last = first] = part.split('-').map((bound) => Number.parseInt(bound, 16));
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
