import { describe, expect, test } from 'vitest';
import { atMost, growth, linear } from '../../../scripts/testing/work-time.ts';
import { filterText } from '../filter/filter-text.ts';
import { letters, lookalikeFindings, lookalikeOf, punctuationLookalike } from './lookalike-findings.ts';
import { mixedScripts, scriptsOf } from './mixed-scripts.ts';

describe('scripts of a character', () => {
  test.each([
    ['a', ['Latin']],
    ['а', ['Cyrillic']],
    ['ο', ['Greek']],
    ['漢', ['Han']],
    ['ー', ['Hiragana', 'Katakana']],
    ['1', []],
    [' ', []],
    ['\u{10ffff}', []],
  ])('%s: %j', (char, scripts) => {
    expect(scriptsOf(char.codePointAt(0)!).toSorted()).toEqual(scripts);
  });

  test('a character of several scripts has them all', () => {
    expect(scriptsOf(0x0964).length).toBeGreaterThan(10);
  });
});

describe('words of several scripts', () => {
  test.each([
    ['pаypal', ['Latin', 'Cyrillic']],
    ['аpple', ['Cyrillic', 'Latin']],
    ['gοogle', ['Latin', 'Greek']],
    ['scоре', ['Latin', 'Cyrillic']],
    ['Ꭺpple', ['Cherokee', 'Latin']],
    ['ցithub', ['Armenian', 'Latin']],
    ['αа', ['Greek', 'Cyrillic']],
    ['漢а', ['Han', 'Cyrillic']],
    ['abcдαև', ['Latin', 'Cyrillic', 'Greek', 'Armenian']],
  ])('%s: %j', (word, scripts) => {
    expect(mixedScripts(word)).toEqual(scripts);
  });

  test.each([
    'hello',
    'привет',
    'ελλάδα',
    '東京タワーです',
    'Tシャツ',
    'JR東日本',
    'K팝',
    '漢字한글',
    'ㄅ漢',
    'naïve',
    'e\u0301té',
    'x1',
    '123',
    'हिन्दी',
    'می\u200cخواهم',
    '',
  ])('%s is of one writing system', (word) => {
    expect(mixedScripts(word)).toBeUndefined();
  });
});

describe('CVE-2021-42694: words that look like ASCII ones', () => {
  test.each([
    ['сосо', 'coco'],
    ['аррӏе', 'apple'],
    ['аре', 'ape'],
    ['ехес', 'exec'],
    ['ЅСОРЕ', 'SCOPE'],
    ['ΡΑΤΗ', 'PATH'],
    ['οο', 'oo'],
    ['ｇｉｔ', 'git'],
    ['𝐠𝐢𝐭', 'git'],
    ['𝚛𝚖', 'rm'],
    ['ＡＢ９', 'AB9'],
    ['ɡit', 'git'],
    ['ᏟᎪᎢ', 'CAT'],
    ['pаypal', 'paypal'],
    ['с', undefined],
    ['α', undefined],
    ['привет', undefined],
    ['мир', undefined],
    ['ılık', undefined],
    ['größe', undefined],
    ['git', undefined],
  ])('%s: %s', (word, ascii) => {
    expect(lookalikeFindings(word, 'name').find(({ kind }) => kind === 'confusable')?.what).toBe(ascii);
  });

  test('both alphabets of mathematics fold to their letters', () => {
    expect([0x1d400, 0x1d419, 0x1d41a, 0x1d433, 0x1d434, 0x1d7ce, 0x1d7d7, 0x1d7ff].map(lookalikeOf)).toEqual([
      'A',
      'Z',
      'a',
      'z',
      'A',
      '0',
      '9',
      '9',
    ]);
  });

  test('ASCII is its own look-alike', () => {
    expect(lookalikeOf(0x61)).toBe('a');
    expect(lookalikeOf(0x4e00)).toBeUndefined();
  });
});

/** Every sign, so that a slip in the table is seen. */
describe('signs', () => {
  test.each([
    ['/', '⁄∕╱⧸／'],
    ['\\', '∖⧵⧹﹨＼'],
    ['.', '․ꓸ．'],
    [':', 'ː∶꞉﹕：'],
    ['@', '﹫＠'],
  ])('%s in names and in commands', (ascii, chars) => {
    for (const char of chars) {
      expect(punctuationLookalike(char.codePointAt(0)!, 'name')).toBe(ascii);
      expect(punctuationLookalike(char.codePointAt(0)!, 'command')).toBe(ascii);
    }
  });

  test.each([
    ['-', '‐‑‒–—―−➖﹘﹣－'],
    ['"', '“”„‟＂'],
    ["'", '‘’‚‛′ʹʼ＇'],
    ['`', '\u02cb\u1fef｀'],
    [';', '\u037e﹔；'],
    ['|', '∣❘｜'],
    ['!', 'ǃ！'],
    ['&', '﹠＆'],
    ['$', '﹩＄'],
    ['*', '∗⁎＊'],
    ['~', '∼˜～'],
    ['>', '›❯﹥＞'],
    ['<', '‹❮﹤＜'],
    ['=', '꞊﹦＝'],
    ['#', '﹟＃'],
  ])('%s in commands only', (ascii, chars) => {
    for (const char of chars) {
      expect([char, punctuationLookalike(char.codePointAt(0)!, 'name')]).toEqual([char, undefined]);
      expect([char, punctuationLookalike(char.codePointAt(0)!, 'command')]).toEqual([char, ascii]);
    }
  });

  test('a slash look-alike is reported at its place', () => {
    expect(lookalikeFindings('a∕b', 'name')).toEqual([{ kind: 'confusable', start: 1, end: 2, what: 'U+2215 /' }]);
  });

  test('a dash of a word processor is reported in a command', () => {
    expect(lookalikeFindings('rm –rf x', 'command')).toEqual([
      { kind: 'confusable', start: 3, end: 4, what: 'U+2013 -' },
    ]);
  });
});

describe('the table of letters', () => {
  const rows = Object.entries(letters).flatMap(([ascii, written]) =>
    written.split(',').map((point) => ({ ascii, point: Number.parseInt(point, 16) })),
  );

  test('no character looks like two letters', () => {
    expect(new Set(rows.map(({ point }) => point)).size).toBe(rows.length);
  });

  test.each(rows)('U+$point is not just an accented $ascii', ({ ascii, point }) => {
    const char = String.fromCodePoint(point);
    expect(point).toBeGreaterThan(0x7f);
    expect(char.normalize('NFKD')).not.toContain(ascii);
    expect(lookalikeOf(point)).toBe(ascii);
  });

  /** As they are drawn, so that a wrong one is seen. */
  test.each([
    ['2', 'ƧϨᒿꙄ'],
    ['3', 'ƷȜЗӠⳌꝪꞫ'],
    ['4', 'Ꮞ'],
    ['5', 'Ƽ'],
    ['6', 'бᏮⳒ'],
    ['8', 'Ȣȣ৪੪'],
    ['9', '৭੧୨൭ꝮⳊ'],
    ['a', 'ɑαа'],
    ['b', 'ƄЬᏏᖯ'],
    ['c', 'ϲсᴄⲥꮯ'],
    ['d', 'ԁᏧᑯ'],
    ['e', 'еҽ℮'],
    ['f', 'քꞙ'],
    ['g', 'ƍɡցᶃ'],
    ['h', 'һհᏂ'],
    ['i', 'ɩιіꙇꭵᎥ'],
    ['j', 'ϳј'],
    ['k', 'κĸ'],
    ['l', 'ƖǀӀӏ\u05c0\u05d5\u05df\u0627\u07caⵏꓲ'],
    ['m', 'ᴍ'],
    ['n', 'ոռ'],
    ['o', 'οσоօ\u05e1\u0647\u0665०০੦૦୦௦౦೦൦ං๐໐ဝ၀ჿᴏⲟ'],
    ['p', 'ρрⲣ'],
    ['q', 'ԛգզ'],
    ['r', 'гᴦⲅꮁ'],
    ['s', 'ƽѕꜱ'],
    ['t', 'τᴛ'],
    ['u', 'ʋυцսᴜ'],
    ['v', 'νѵ\u05d8ᴠꮩ'],
    ['w', 'ɯѡԝաᴡꮃ'],
    ['x', 'хᕁᕽ'],
    ['y', 'уүɣʏγỿყ'],
    ['z', 'ᴢꮓ'],
    ['A', 'ΑАᎪᗅꓮ'],
    ['B', 'ΒВᏴᗷꓐ'],
    ['C', 'СϹᏟⲤꓚ'],
    ['D', 'Ꭰᗞꓓ'],
    ['E', 'ΕЕᎬⴹꓰ'],
    ['F', 'Ϝᖴꓝ'],
    ['G', 'ԌᏀᏳꓖ'],
    ['H', 'ΗНᎻᕼⲎꓧ'],
    ['I', 'ΙІⲒ'],
    ['J', 'ͿЈᎫᒍꓙ'],
    ['K', 'ΚКᏦᛕⲔꓗ'],
    ['L', 'ᏞᒪⳐꓡ'],
    ['M', 'ΜϺМᎷᗰᛖⲘꓟ'],
    ['N', 'ΝⲚꓠ'],
    ['O', 'ΟОՕ\u07c0ዐⲞⵔꓳ'],
    ['P', 'ΡРᏢᑭⲢꓑ'],
    ['Q', 'Ԛⵕ'],
    ['R', 'ƦᎡᏒᖇꓣ'],
    ['S', 'ЅՏᏕᏚꓢ'],
    ['T', 'ΤТᎢⲦꓔ'],
    ['U', 'Սᑌꓴ'],
    ['V', 'ѴᏙᐯⴸꓦ'],
    ['W', 'ԜᎳᏔꓪ'],
    ['X', 'ΧХ᙭ᚷⲬⵝꓫ'],
    ['Y', 'ΥҮУᎩᎽⲨꓬ'],
    ['Z', 'ΖᏃꓜ'],
  ])('%s has the look-alikes %s', (ascii, drawn) => {
    expect([...drawn].map((char) => lookalikeOf(char.codePointAt(0)!))).toEqual(Array.from(drawn, () => ascii));
    expect(letters[ascii]?.split(',')).toHaveLength([...drawn].length);
  });

  /** A word in each alphabet whose every letter is drawn like an ASCII one. */
  test.each([
    ['асеорхуіјѕһԁԛԝ', 'aceopxyijshdqw'],
    ['АВСЕНІЈКМОРЅТХУ', 'ABCEHIJKMOPSTXY'],
    ['αικορτυνγχ', undefined],
    ['αικορτυνγ', 'aikoptuvy'],
    ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'],
    ['հոսօզց', 'hnuoqg'],
    ['ᎪᏴᏟᎠᎬ', 'ABCDE'],
    ['ꓮꓐꓚꓓꓰꓝ', 'ABCDEF'],
    ['ⲞⲢⲤⲦ', 'OPCT'],
  ])('%s reads %s', (word, ascii) => {
    expect(lookalikeFindings(word, 'name').find(({ kind }) => kind === 'confusable')?.what).toBe(ascii);
  });
});

describe('places and bounds', () => {
  test('a word is reported whole, with the foreign letter at any place', () => {
    expect(lookalikeFindings('go to googlе.example', 'name').map(({ start, end, kind }) => [start, end, kind])).toEqual(
      [
        [6, 12, 'mixed-script'],
        [6, 12, 'confusable'],
      ],
    );
  });

  test('words separated by signs are separate words', () => {
    expect(lookalikeFindings('a-б_c.д', 'name')).toEqual([]);
  });

  test('about a hundred findings are listed at most', () => {
    expect(lookalikeFindings('pаy '.repeat(10_000), 'name').length).toBeLessThanOrEqual(101);
  });

  test.each([
    (size: number) => 'а'.repeat(size),
    (size: number) => 'aа'.repeat(size / 2),
    (size: number) => '\ud800'.repeat(size),
    (size: number) => `${'a'.repeat(size - 1)}б`,
  ])('a long word takes linear time, up to the read limit', async (text) => {
    expect(await growth((size) => lookalikeFindings(text(size), 'command'), 65_536)).toBeLessThan(linear);
    atMost(6000, () => lookalikeFindings(text(1_000_000), 'command'));
  });

  test('text beyond 64 Ki is not read', () => {
    expect(lookalikeFindings(`${' '.repeat(65_000)}pаypal`, 'name')).toHaveLength(2);
    expect(lookalikeFindings(`${' '.repeat(66_000)}pаypal`, 'name')).toEqual([]);
  });

  test('ASCII has no findings', () => {
    expect(filterText('rm -rf /tmp/x; echo "$HOME"', { form: 'command' }).findings).toEqual([]);
  });
});
