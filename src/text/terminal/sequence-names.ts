/** Names of terminal effects, from the standards and from xterm's list of control sequences. Data only. */

/**
 * Names of C0 controls and DEL, by code, for marks. Undefined codes are shown as a line break, or not at all: see
 * `silentControls`.
 */
export const controlNames: Readonly<Record<number, string>> = {
  0x00: 'NUL',
  0x01: 'SOH',
  0x02: 'STX',
  0x03: 'ETX',
  0x04: 'EOT',
  0x05: 'ENQ',
  0x06: 'ACK',
  0x08: 'BS',
  0x0e: 'SO',
  0x0f: 'SI',
  0x10: 'DLE',
  0x11: 'DC1',
  0x12: 'DC2',
  0x13: 'DC3',
  0x14: 'DC4',
  0x15: 'NAK',
  0x16: 'SYN',
  0x17: 'ETB',
  0x18: 'CAN',
  0x19: 'EM',
  0x1a: 'SUB',
  0x1c: 'FS',
  0x1d: 'GS',
  0x1e: 'RS',
  0x1f: 'US',
  0x7f: 'DEL',
};

/** The bell makes a sound, and hides nothing. */
export const silentControls: readonly number[] = [0x07];

/** VT and FF move to the next line on a terminal, so they count as line breaks. */
export const lineControls: readonly number[] = [0x0b, 0x0c];

/** Keys are intermediates and final byte. NEL (E) and IND (D) are line breaks, in `lineEscapes`. */
export const escapeNames: Readonly<Record<string, string>> = {
  '7': 'DECSC',
  '8': 'DECRC',
  c: 'RIS',
  l: 'HPML',
  m: 'HPMU',
  n: 'LS2',
  o: 'LS3',
  '|': 'LS3R',
  '}': 'LS2R',
  '~': 'LS1R',
  '6': 'DECBI',
  '9': 'DECFI',
  F: 'HPLL',
  H: 'HTS',
  M: 'RI',
  N: 'SS2',
  O: 'SS3',
  V: 'SPA',
  W: 'EPA',
  Z: 'DECID',
  '#8': 'DECALN',
  '#3': 'DECDHL',
  '#4': 'DECDHL',
  '#5': 'DECSWL',
  '#6': 'DECDWL',
  '(0': 'SCS (0',
  ')0': 'SCS )0',
};

/**
 * Keypad modes, the usual character sets, and a terminator without a string, as `tput sgr0` and similar programs write
 * them.
 */
export const silentEscapes: readonly string[] = ['=', '>', '\\', '(B', ')B', '%G', '%@', ' F', ' G'];

export const lineEscapes: readonly string[] = ['D', 'E'];

/** Keys are the prefix of the parameters, intermediates and final byte. */
export const csiNames: Readonly<Record<string, string>> = {
  '@': 'ICH',
  A: 'CUU',
  B: 'CUD',
  C: 'CUF',
  D: 'CUB',
  E: 'CNL',
  F: 'CPL',
  G: 'CHA',
  H: 'CUP',
  I: 'CHT',
  J: 'ED',
  K: 'EL',
  L: 'IL',
  M: 'DL',
  P: 'DCH',
  S: 'SU',
  T: 'SD',
  X: 'ECH',
  Z: 'CBT',
  '`': 'HPA',
  a: 'HPR',
  b: 'REP',
  c: 'DA',
  d: 'VPA',
  e: 'VPR',
  f: 'HVP',
  g: 'TBC',
  h: 'SM',
  i: 'MC',
  l: 'RM',
  n: 'DSR',
  r: 'DECSTBM',
  s: 'SCOSC',
  t: 'XTWINOPS',
  u: 'SCORC',
  '?J': 'DECSED',
  '?K': 'DECSEL',
  '?h': 'DECSET',
  '?l': 'DECRST',
  '?n': 'DSR',
  '?i': 'MC',
  '>c': 'DA2',
  '=c': 'DA3',
  '>m': 'XTMODKEYS',
  '>u': 'keyboard protocol',
  '<u': 'keyboard protocol',
  '=u': 'keyboard protocol',
  '?u': 'keyboard protocol',
  '>q': 'XTVERSION',
  '!p': 'DECSTR',
  '?$p': 'DECRQM',
  $p: 'DECRQM',
  '>p': 'XTSMPOINTER',
  $r: 'DECCARA',
  $x: 'DECFRA',
  $z: 'DECERA',
  $v: 'DECCRA',
  '*y': 'DECRQCRA',
  '#p': 'XTPUSHSGR',
};

/**
 * Private modes that change the screen: columns, reverse, origin, and the alternate screens. Other modes only concern
 * keys and the cursor.
 */
export const paintingModes: readonly string[] = ['3', '5', '6', '47', '1047', '1048', '1049'];

/** OSC sequences that only tell the terminal about prompts and directories. */
export const silentOsc: readonly string[] = ['7', '133', '633', '697', '1337;CurrentDir', '3008'];
