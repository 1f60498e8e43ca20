import * as v from 'valibot';
import { compilePattern, rulePacks } from '../../dlp/rules/index.ts';
import { hostFindings, twice } from '../document/entry-findings.ts';
import type { PolicyPart } from '../document/policy-part.ts';
import type { DocumentFinding } from '../document/problem.ts';
import { dlpEntry } from '../llm/schema.ts';
import { count, event, host, inSession, textPart, told } from './event-parts.ts';
import type { Feature } from './feature.ts';

const names: ReadonlySet<string> = new Set([
  ...Object.keys(rulePacks),
  ...Object.values(rulePacks).flatMap((rules) => rules.map(({ name }) => name)),
]);

/** Rules about data that may not leave unchanged in requests. */
export const dlp = {
  name: 'dlp',
  policy: { dlp: dlpEntry },
  findings: dlpFindings,
  events: [
    event('dlp', 'a request held content that a rule keeps from leaving unchanged; never the content itself', {
      ...inSession,
      ...host,
      path: textPart,
      rule: told(textPart, 'name of the rule in the policy'),
      decision: v.picklist(['audit', 'redact', 'tokenize', 'block']),
      found: told(v.record(textPart, count), 'number of findings of each kind'),
    }),
  ],
} as const satisfies Feature;

/** Returns the problems of one document's `[[dlp]]`. */
function dlpFindings({ dlp = [] }: PolicyPart<{ dlp: typeof dlpEntry }>): readonly DocumentFinding[] {
  return [
    ...twice('dlp', dlp),
    ...dlp.flatMap(({ finds = [], patterns = [], hosts = [] }, index) => [
      ...(finds.length === 0 && patterns.length === 0
        ? [
            {
              at: `dlp[${index}]`,
              message: 'the rule looks for nothing',
              remedy: 'write finds = ["keys"], or patterns',
            },
          ]
        : []),
      ...finds.flatMap((find, at) =>
        isRule(find)
          ? []
          : [
              {
                at: `dlp[${index}].finds[${at}]`,
                message: `nothing is called "${find}"`,
                remedy: `write a pack (${Object.keys(rulePacks).join(', ')}), or a rule of one such as "github-token"`,
              },
            ],
      ),
      ...patterns.flatMap((pattern, at) => patternFindings(`dlp[${index}].patterns[${at}]`, pattern)),
      ...hostFindings(`dlp[${index}].hosts`, hosts),
    ]),
  ];
}

/** A misspelt rule would silently find nothing. */
function isRule(find: string): boolean {
  return names.has(find);
}

function patternFindings(at: string, pattern: string): readonly DocumentFinding[] {
  const compiled = compilePattern(pattern);
  return compiled.kind === 'rule'
    ? []
    : [
        {
          at,
          message: `"${pattern}" cannot be looked for: ${compiled.why}`,
          remedy: 'write a pattern that begins with fixed characters, such as "ACME-[0-9]{6}"',
        },
      ];
}
