import type { TextForm } from '../../types.ts';
import { pointAt, pointBefore } from '../../unicode/points.ts';

/** A Hangul filler that stands for a missing jamo, or the blank between two Braille cells. */
export function keepFiller(text: string, at: number, form: TextForm): boolean {
  const point = text.charCodeAt(at);
  const before = pointBefore(text, at);
  const after = pointAt(text, at + 1);
  if (point === 0x2800) return form !== 'name' && isBrailleCell(before) && isBrailleCell(after);
  if (point === choseongFiller)
    return isVowelJamo(after) || (after === jungseongFiller && isFinalJamo(pointAt(text, at + 2)));
  if (point === jungseongFiller) return isInitialJamo(before) || (before === choseongFiller && isFinalJamo(after));
  return false;
}

const choseongFiller = 0x115f;
const jungseongFiller = 0x1160;

function isBrailleCell(point: number): boolean {
  return point > 0x2800 && point <= 0x28ff;
}

function isInitialJamo(point: number): boolean {
  return (point >= 0x1100 && point < choseongFiller) || (point >= 0xa960 && point <= 0xa97c);
}

function isVowelJamo(point: number): boolean {
  return (point > jungseongFiller && point <= 0x11a7) || (point >= 0xd7b0 && point <= 0xd7c6);
}

function isFinalJamo(point: number): boolean {
  return (point >= 0x11a8 && point <= 0x11ff) || (point >= 0xd7cb && point <= 0xd7fb);
}
