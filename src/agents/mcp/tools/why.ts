import { resolve } from 'node:path';
import {
  array,
  description,
  maxLength,
  minLength,
  optional,
  picklist,
  pipe,
  strictObject,
  string,
  type InferOutput,
} from 'valibot';
import { explainCommandLine } from '../../../sandbox/explain-command.ts';
import { describeRequest } from '../../../place/refusals/describe.ts';
import { explainRequest, openWhy, type Why } from '../../../sandbox/why.ts';
import { rulePlace } from '../failures.ts';
import { defineTool, readsOnly, type ToolAnswer, type ToolContext } from '../tool.ts';
import { textField, wholeNumber } from './fields.ts';
import { refusalFacts, refusalText } from './refusal-facts.ts';

const input = strictObject({
  last: optional(wholeNumber('Number of the last refusals to list.', [1, 100]), 10),
  path: optional(pipe(textField('A path to ask about.', 4096), minLength(1))),
  operation: optional(picklist(['read', 'write', 'create', 'delete', 'execute']), 'read'),
  host: optional(pipe(textField('A host to ask about.', 253), minLength(1))),
  port: optional(wholeNumber('Port of the host.', [1, 65_535]), 443),
  command: optional(pipe(textField('A text for bash to ask about; it does not run.', 32_768), minLength(1))),
});

const answer = strictObject({
  request: string(),
  decision: string(),
  message: string(),
  rule: string(),
  remedy: string(),
});
const output = strictObject({
  refusals: pipe(
    array(strictObject({ time: string(), request: string(), message: string(), rule: string(), remedy: string() })),
    description('Newest first; empty where something was asked.'),
  ),
  answers: pipe(array(answer), maxLength(3), description('Answers to the questions.')),
});

export const whyTool = defineTool({
  name: 'why',
  title: 'Explain refusals',
  description:
    'Lists recent refusals in this workspace, their rules, the place of each rule, and the grants that would allow them. With a path, host or command: the decision of the policy; nothing is tried.',
  annotations: readsOnly,
  input,
  output,
  run,
});

/** Entries of the journal. */
const mostRead = 1000;

type Question = InferOutput<typeof input>;
type Answer = InferOutput<typeof answer>;

function run(question: Question, { options, refused }: ToolContext): Promise<ToolAnswer<InferOutput<typeof output>>> {
  const why = openWhy(options);
  const { path, operation, host, port } = question;
  const answers = [
    ...(path === undefined ? [] : [answerTo(why, { kind: 'file', operation, path: resolve(options.cwd, path) })]),
    ...(host === undefined ? [] : [answerTo(why, { kind: 'connect', host, port, protocol: 'tcp' })]),
    ...commandAnswers(why, question, options.cwd),
  ];
  const refusals =
    answers.length > 0
      ? []
      : refused
          .with(why.refusals.slice(0, mostRead).map(({ time, ...refusal }) => ({ time, ...refusalFacts(refusal) })))
          .slice(0, question.last);
  const lines = [
    ...answers.map(
      ({ request, decision, message, rule, remedy }) =>
        `${decision} ${request}\n  ${message} (${rule})${decision === 'allow' ? '' : `\n  ${remedy}`}`,
    ),
    ...refusals.map((each) => `${each.time} ${each.request}\n  ${refusalText(each)}`),
  ];
  return Promise.resolve({
    text: lines.length === 0 ? 'nothing was refused in this workspace' : lines.join('\n'),
    structured: { refusals, answers },
  });
}

function answerTo(why: Why, request: Parameters<typeof explainRequest>[1]): Answer {
  const { decision, message, remedy, ...place } = explainRequest(why, request).verdict;
  return { request: describeRequest(request), decision, message, rule: rulePlace(place), remedy };
}

/** Reports the part that decides, which may be a command within the command. */
function commandAnswers(why: Why, { command }: Question, cwd: string): readonly Answer[] {
  if (command === undefined) return [];
  const { decision, decisive } = explainCommandLine(why, { words: [command], cwd }).explanation.verdict;
  if (decisive === undefined)
    return [{ request: command, decision, message: 'no rule is about it', rule: '', remedy: '' }];
  const { message, remedy, ...place } = decisive.verdict;
  return [{ request: command, decision, message, rule: rulePlace(place), remedy }];
}
