import { describe, expect, test } from 'vitest';
import { keepFlagTags } from '../each-run.ts';
import { keepJoinedEmoji, keepJoiner } from './joiners.ts';
import { keepFiller, keepSelector } from './selectors.ts';

/** `|` stands before the character that is asked about. */
function asked(marked: string): { readonly text: string; readonly at: number } {
  return { text: marked.replace('|', ''), at: marked.indexOf('|') };
}

describe('joiners that stay', () => {
  test.each([
    ['Arabic letters', 'ب|\u200cب'],
    ['a joiner after an Arabic letter', 'ه|\u200d'],
    ['a joiner before one', '|\u200dه'],
    ['vowels between', 'بَ|\u200cبِ'],
    ['Syriac', 'ܫ|\u200cܠ'],
    ['a virama', 'क्|\u200dष'],
    ['a nukta after the virama', 'क़्|\u200dष'],
    ['a virama and a Latin letter', 'क्|\u200cx'],
    ['before a virama', 'র|\u200d্য'],
    ['Khmer', 'ប|\u200c៊'],
    ['a Thai word end', 'ย|\u200bง'],
    ['a Mongolian separator', 'ᠨ|\u180eᠠ'],
  ])('%s', (_name, marked) => {
    const { text, at } = asked(marked);
    expect(keepJoiner(text, at)).toBe(at + 1);
  });
});

describe('joiners that are revealed', () => {
  test.each([
    ['Latin letters', 'a|\u200cb'],
    ['digits', '1|\u200d2'],
    ['Cyrillic letters', 'а|\u200cб'],
    ['Hebrew letters, which do not join', 'א|\u200cב'],
    ['Chinese characters', '漢|\u200d字'],
    ['Arabic and Latin', 'ب|\u200ca'],
    ['the start of the text', '|\u200cب'],
    ['nine marks', `ب${'\u064e'.repeat(9)}|\u200cب`],
    ['a control beside', 'क्|\u200d\u0001'],
    ['a Devanagari vowel', 'क|\u200dा'],
    ['a virama before without a letter', 'x|\u200d्'],
    ['Thai and a digit', 'ย|\u200b1'],
    ['a word joiner', 'ب|\u2060ب'],
    ['a soft hyphen', 'a|\u00adb'],
  ])('%s', (_name, marked) => {
    const { text, at } = asked(marked);
    expect(keepJoiner(text, at)).toBe(at);
  });
});

describe('the end of a joined emoji', () => {
  test.each([
    ['👩|\u200d💻', 5],
    ['👩🏽|\u200d💻', 7],
    ['👨|\u200d👩\u200d👧\u200d👦', 11],
    ['👨\u200d👩|\u200d👧\u200d👦', 11],
    ['❤\ufe0f|\u200d🔥', 5],
    ['👩|\u200d💻👩\u200d💻', 5],
    ['👩|\u200d💻 text', 5],
    ['😀👩|\u200d💻', 7],
    ['↔\ufe0f👩|\u200d💻', 7],
    ['🏽👩|\u200d💻', 7],
    ['🏳\ufe0f|\u200d🌈\ufe0f', 7],
  ])('%s ends at %i', (marked, end) => {
    const { text, at } = asked(marked);
    expect(keepJoinedEmoji(text, at)).toBe(end);
  });

  test.each([
    '👩|\u200d👩',
    '|\u200d💻',
    '👩|\u200d',
    '👩|\u200da',
    'a|\u200d💻',
    '👩|\u200d\ufe0f💻',
    '👩\ufe0f\ufe0f|\u200d💻',
    '👩|\u200d💻\u200d💻',
    `👩${'\u200d👩'.repeat(20)}|\u200d💻`,
  ])('%s is not a joined emoji', (marked) => {
    const { text, at } = asked(marked);
    expect(keepJoinedEmoji(text, at)).toBe(at);
  });
});

describe('selectors', () => {
  test.each([
    ['❤|\ufe0f', 1],
    ['☺|\ufe0e', 1],
    ['😀|\ufe0f', 1],
    ['1|\ufe0f\u20e3', 1],
    ['#|\ufe0f\u20e3', 1],
    ['葛|\u{e0100}', 2],
    ['葛|\u{e01ef}', 2],
    ['\u{20000}|\u{e0100}', 2],
    ['侮|\ufe00', 1],
    ['ᠠ|\u180b', 1],
    ['ᠠ|\u180f', 1],
    ['a|\ufe0f', 0],
    ['1|\ufe0f', 0],
    ['1|\ufe0fx', 0],
    ['❤|\ufe00', 0],
    ['❤|\u{e0100}', 0],
    ['❤|\ufe0f\ufe0f', 0],
    ['❤|\ufe0f\u{e0100}', 0],
    ['葛|\ufe03', 0],
    ['葛|\ufe0f', 0],
    ['葛|\u{e0100}\ufe00', 0],
    ['a|\u180b', 0],
    ['|\ufe0f', 0],
    ['🇫|\ufe0f', 0],
    ['漢 |\u{e0100}', 0],
  ])('%s keeps %i units', (marked, units) => {
    const { text, at } = asked(marked);
    expect(keepSelector(text, at) - at).toBe(units);
  });
});

describe('tags of flags', () => {
  const tags = (ascii: string) =>
    Array.from(ascii, (char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0))).join('');

  test.each([
    [`🏴|${tags('gbeng')}\u{e007f}`, 12],
    [`🏴|${tags('gbsct')}\u{e007f}`, 12],
    [`🏴|${tags('gbwls')}\u{e007f}x`, 12],
    [`🏴|${tags('gbeng')}`, 0],
    [`🏴|${tags('usca')}\u{e007f}`, 0],
    [`🏴|\u{e007f}`, 0],
    [`🏳|${tags('gbeng')}\u{e007f}`, 0],
    [`|${tags('gbeng')}\u{e007f}`, 0],
  ])('%s keeps %i units', (marked, units) => {
    const { text, at } = asked(marked);
    expect(keepFlagTags(text, at) - at).toBe(units);
  });
});

describe('fillers', () => {
  test.each([
    ['|\u115f\u1161', true],
    ['\u1100|\u1160', true],
    ['|\u115f\u1160\u11a8', true],
    ['\u115f|\u1160\u11a8', true],
    ['\ua960|\u1160', true],
    ['|\u115f\ud7b0', true],
    ['⠓|\u2800⠑', true],
    ['|\u115f\u1160', false],
    ['|\u115f가', false],
    ['a|\u1160', false],
    ['가|\u1160', false],
    ['⠓|\u2800\u2800⠑', false],
    ['|\u2800⠑', false],
    ['|\u3164', false],
    ['ㄱ|\u3164ㅏ', false],
    ['|\uffa0', false],
    ['ក|\u17b4', false],
  ])('%s: %s', (marked, isKept) => {
    const { text, at } = asked(marked);
    expect(keepFiller(text, at, 'prose')).toBe(isKept);
  });
});
