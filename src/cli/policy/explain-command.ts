import { commandTree, decisionText, explainCommandLine, type ExplainedCommand } from '../../sandbox/explain-command.ts';
import { openWhy } from '../../sandbox/why.ts';
import { type CommandInput, isSet } from '../command.ts';
import { jsonText } from '../json-text.ts';
import { safeText } from '../safe-text.ts';
import { placeOptions } from './sources.ts';

/** `holdfast policy explain -- COMMAND`: what a command line would do, what becomes of it, and what stands in its way. Nothing of it runs. */
export function explainCommandWords(input: CommandInput, words: readonly string[]): number {
  const { io, values } = input;
  const explained = explainCommandLine(openWhy(placeOptions(input)), { words, cwd: io.cwd });
  if (isSet(values['json'])) io.stdout.write(jsonText(jsonOf(explained)));
  else io.stdout.write(safeText(isSet(values['why-not']) ? obstaclesText(explained) : `${headline(explained)}${commandTree(explained)}${wayText(explained)}`));
  return 0;
}

function headline({ explanation: { commands, verdict } }: ExplainedCommand): string {
  return commands === 'open' ? 'allowed: no policy says anything about commands, so none is looked at when it runs\n' : `${decisionText(verdict)}\n`;
}

function wayText(explained: ExplainedCommand): string {
  return explained.explanation.obstacles.length === 0 ? '' : `what stands in the way\n${obstaclesText(explained)}`;
}

function obstaclesText({ explanation: { obstacles } }: ExplainedCommand): string {
  if (obstacles.length === 0) return 'nothing that is known stands in the way\n';
  return obstacles.map(({ message, ways }) => `  ${message}\n${ways.map((way) => `    ${way}\n`).join('')}`).join('');
}

function jsonOf({ analysis, explanation }: ExplainedCommand): unknown {
  const { verdict, ...others } = explanation;
  const { decision, message, remedy, parts } = verdict;
  return { decision, message, remedy, ...others, parts, analysis };
}
