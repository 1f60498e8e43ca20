import { commandPatternOf } from '../patterns/command-pattern.ts';
import { commandPattern } from './pattern-parsers.ts';
import type { DocumentFinding } from './problem.ts';
import type { RuleOf } from './rule-schema.ts';

/** Checks the subject of a rule about commands: either patterns, or the exact arguments of one command. */
export function execFindings(rule: RuleOf<'exec'>, index: number): readonly DocumentFinding[] {
  return [
    ...eitherFindings(rule, `exec[${index}]`),
    ...exactlyFindings(rule.exactly ?? [], `exec[${index}].exactly`),
    ...variableFindings(rule, `exec[${index}].env`),
  ];
}

function variableFindings({ name, decision, env }: RuleOf<'exec'>, at: string): readonly DocumentFinding[] {
  return env === undefined || decision === 'allow' || decision === 'audit'
    ? []
    : [
        {
          at,
          message: `"${name}" sets variables but decides "${decision}"`,
          remedy: 'decide "allow" or "audit", or leave env out',
        },
      ];
}

function eitherFindings({ name, commands, exactly }: RuleOf<'exec'>, at: string): readonly DocumentFinding[] {
  if (commands === undefined && exactly === undefined)
    return [
      {
        at: `${at}.commands`,
        message: '"commands" is missing',
        remedy: 'add commands = …, or exactly = ["program", "word"] for one command and nothing more',
      },
    ];
  if (commands === undefined || exactly === undefined) return [];
  return [
    {
      at: `${at}.exactly`,
      message: `"${name}" has both commands and exactly`,
      remedy: 'leave one of them out, or make two rules of it',
    },
  ];
}

/** No argument can contain a NUL, so such a rule could never match. */
function exactlyFindings([program, ...words]: readonly string[], at: string): readonly DocumentFinding[] {
  const bad = words.findIndex((word) => word.includes('\0'));
  if (bad !== -1)
    return [{ at: `${at}[${bad + 1}]`, message: 'a word of a command cannot hold U+0000', remedy: 'leave it out' }];
  if (program === undefined) return [];
  if (program === '' || /\p{Cc}/u.test(program))
    return [
      {
        at: `${at}[0]`,
        message: `${JSON.stringify(program)} is not a program`,
        remedy: 'write the name or the absolute path of a program, and each of its words as an item of its own',
      },
    ];
  const parsed = commandPattern(commandPatternOf([program]));
  return parsed.kind === 'problem' && 'message' in parsed
    ? [{ at: `${at}[0]`, message: parsed.message, remedy: parsed.remedy }]
    : [];
}
