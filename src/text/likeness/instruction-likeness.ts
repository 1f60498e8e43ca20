export interface Likeness {
  /** From 0 (nothing like an instruction) to 1 (exactly like one). */
  readonly score: number;
  /** The signals that were found, with at most 80 characters of their words. */
  readonly signals: readonly { readonly name: string; readonly text: string }[];
}

/** Most characters to read. Names and descriptions are shorter, and longer ones show it at their start. */
const mostRead = 20_000;
const mostTold = 80;

/**
 * Returns how much a name or a tool's description addresses the model instead of describing something. The result is
 * reported and journalled, but decides nothing, because no table can list every variant of a wording.
 */
export function instructionLikeness(text: string): Likeness {
  // Names join words with signs, which are turned into blanks again.
  const read = text
    .slice(0, mostRead)
    .normalize('NFKC')
    .replaceAll(/[_\-./\\+]+/gu, (signs) => (signs.length === 1 ? signs.replace(/[_\-+]/u, ' ') : signs));
  const found = signals.flatMap((signal) => matchOf(signal, read));
  // The signals are independent: each leaves a fraction of the doubt.
  const doubt = found.reduce((rest, { weight }) => rest * (1 - weight), 1);
  return { score: Math.round((1 - doubt) * 100) / 100, signals: found.map(({ name, text }) => ({ name, text })) };
}

function matchOf(
  { name, weight, pattern }: Signal,
  text: string,
): readonly { readonly name: string; readonly weight: number; readonly text: string }[] {
  const found = pattern.exec(text);
  return found === null ? [] : [{ name, weight, text: found[0].slice(0, mostTold) }];
}

interface Signal {
  readonly name: string;
  /** Fraction of the doubt that it removes, from 0 to 1. */
  readonly weight: number;
  readonly pattern: RegExp;
}

/**
 * Every repetition is bounded, and no two adjacent ones match the same characters, so the time is linear in the text.
 * The words are English, because the published attacks use English.
 */
export const signals: readonly Signal[] = [
  {
    name: 'override',
    weight: 0.7,
    pattern:
      /\b(?:ignore|disregard|forget|override|bypass|discard)\s{1,4}(?:(?:all|any|the|your|of|my|these|those|every)\s{1,4}){0,4}(?:previous|prior|above|earlier|preceding|other|existing|system|safety|security|user'?s?)\b/iu,
  },
  {
    name: 'new-instructions',
    weight: 0.6,
    pattern:
      /\b(?:new|updated|real|actual|hidden|following|important)\s{1,4}(?:system\s{1,4})?(?:instructions?|prompt|directives?|rules|orders)\b/iu,
  },
  {
    name: 'role-marker',
    weight: 0.7,
    pattern:
      /<\|[^|>\n]{1,40}\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:system|assistant|important|instructions?)>|^[ \t#>*]{0,8}(?:human|assistant|system|developer)[ \t]{0,4}:/imu,
  },
  {
    name: 'persona',
    weight: 0.5,
    pattern:
      /\b(?:you\s{1,4}are\s{1,4}now|act\s{1,4}as|pretend\s{1,4}(?:to\s{1,4}be|you)|from\s{1,4}now\s{1,4}on|in\s{1,4}developer\s{1,4}mode)\b/iu,
  },
  {
    name: 'address',
    weight: 0.4,
    pattern:
      /\b(?:dear|hey|attention|note\s{1,4}(?:to|for)|for|as\s{1,4}an?|if\s{1,4}you\s{1,4}are\s{1,4}an?)\s{1,4}(?:the\s{1,4})?(?:ai|llm|assistant|agent|model|chatbot|language\s{1,4}model|copilot|claude|gpt|gemini)\b/iu,
  },
  {
    name: 'secrecy',
    weight: 0.7,
    pattern:
      /\b(?:do\s{0,4}n[o']t|never|without)\s{1,4}(?:(?:ever|first)\s{1,4})?(?:tell(?:ing)?|mention(?:ing)?|inform(?:ing)?|show(?:ing)?|reveal(?:ing)?|notify(?:ing)?|ask(?:ing)?|warn(?:ing)?|alert(?:ing)?)\s{1,4}(?:this\s{1,4}(?:to\s{1,4})?|it\s{1,4}to\s{1,4}|about\s{1,4})?(?:the\s{1,4})?(?:user|human|developer|anyone|them)\b/iu,
  },
  {
    name: 'quietly',
    weight: 0.5,
    pattern: /\b(?:silently|secretly|quietly|in\s{1,4}the\s{1,4}background\s{1,4}without)\b/iu,
  },
  {
    name: 'obligation',
    weight: 0.4,
    pattern:
      /\b(?:you|the\s{1,4}(?:assistant|agent|model|ai))\s{1,4}(?:must|should|have\s{1,4}to|need\s{1,4}to|are\s{1,4}required\s{1,4}to|will)\s{1,4}(?:always\s{1,4}|first\s{1,4}|now\s{1,4}|also\s{1,4})?(?:run|execute|call|use|read|send|open|write|fetch|include|add|install|copy|post|follow|obey|delete)\b/iu,
  },
  {
    name: 'order-of-tools',
    weight: 0.5,
    pattern:
      /\b(?:before|after|instead\s{1,4}of)\s{1,4}(?:using|calling|running|you\s{1,4}(?:use|call|run)|any\s{1,4}other)\b[^.\n]{0,40}\b(?:tools?|functions?|commands?)\b/iu,
  },
  {
    name: 'obey-file',
    weight: 0.5,
    pattern:
      /\b(?:read|open|see|load|check)\b(?:[^.\n]|\.\w){0,60}\band\s{1,4}(?:then\s{1,4})?(?:follow|obey|execute|do)\b|\bfollow\s{1,4}(?:(?:all|the|its|these|any|my|every)\s{1,4}){0,3}instructions?\b/iu,
  },
  {
    name: 'run-command',
    weight: 0.4,
    pattern:
      /\b(?:please\s{1,4})?(?:run|execute|eval|invoke)\s{1,4}(?:the\s{1,4}|this\s{1,4}|following\s{1,4}){0,3}(?:command|script|shell|code|bash|curl|wget|python|node|npx|sh)\b/iu,
  },
  {
    name: 'pipe-to-shell',
    weight: 0.6,
    pattern: /\b(?:curl|wget)\b[^\n|]{1,200}\|\s{0,4}(?:sudo\s{1,4})?(?:ba|z|da)?sh\b/iu,
  },
  {
    name: 'exfiltration',
    weight: 0.6,
    pattern:
      /\b(?:send|post|upload|forward|exfiltrate|transmit|email|leak)\b[^.\n]{0,60}\b(?:secrets?|tokens?|keys?|passwords?|credentials?|env(?:ironment)?|conversation|contents?|history|data)\b/iu,
  },
  {
    name: 'secret-file',
    weight: 0.5,
    pattern:
      /(?:~|\$HOME)\/\.(?:ssh|aws|gnupg|kube|config|netrc|npmrc|env)\b|\bid_(?:rsa|ed25519)\b|\bid (?:rsa|ed25519)\b|\/etc\/(?:passwd|shadow)\b/iu,
  },
  {
    name: 'url-with-placeholder',
    weight: 0.5,
    pattern: /\bhttps?:\/\/[^\s"'<>]{1,200}(?:\{[^}\s]{0,40}\}|\$\w|<[a-z][\w-]{0,30}>|%s|\[[A-Z_ ]{2,30}\])/iu,
  },
  {
    name: 'urgency',
    weight: 0.3,
    pattern:
      /\b(?:urgent|immediately|critical|IMPORTANT|right\s{1,4}now|at\s{1,4}once|top\s{1,4}priority|mandatory)\b\s{0,4}[:!]|\b(?:extremely|very)\s{1,4}important\b/iu,
  },
  {
    name: 'approval',
    weight: 0.5,
    pattern:
      /\b(?:auto\s?approve[ds]?|(?:already|pre)\s{0,4}(?:been\s{1,4})?(?:approved|authori[sz]ed)|no\s{1,4}(?:confirmation|approval|permission)\s{1,4}(?:is\s{1,4})?(?:needed|required|necessary)|skip\s{1,4}(?:the\s{1,4})?(?:confirmation|approval|permissions?|review))\b/iu,
  },
];
