import type { TextForm } from '../../types.ts';
import type { HiddenKind } from '../../unicode/classes.ts';
import { bidiKeeper } from './bidi.ts';
import { keepFiller } from './fillers.ts';
import { keepJoiner } from './joiners.ts';
import { keepFlagTags } from './flag-tags.ts';
import { keepSelector } from './selectors.ts';

/** Where what is meant to stand at `at` ends, or `at` itself if nothing there explains it. */
export type Keeper = (kind: HiddenKind, at: number) => number;

/** Each looks only at characters that are shown, so that taking out what it refuses changes no other answer. */
export function keeperOf(text: string, form: TextForm): Keeper {
  if (form === 'command') return (_kind, at) => at;
  const keepBidi = form === 'prose' ? bidiKeeper(text) : undefined;
  return (kind, at) => {
    switch (kind) {
      case 'bidi':
        return keepBidi?.(at) === true ? at + 1 : at;
      case 'invisible':
        return keepJoiner(text, at);
      case 'variation-selector':
        return keepSelector(text, at);
      case 'tag':
        return keepFlagTags(text, at);
      case 'filler':
        return keepFiller(text, at, form) ? at + 1 : at;
      case 'annotation':
      case 'separator':
      case 'control':
      case 'noncharacter':
      case 'surrogate':
        return at;
      default:
        return kind satisfies never;
    }
  };
}
