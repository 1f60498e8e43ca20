import type { JSX } from 'preact';
import type { BudgetLine, BudgetLines } from '../../../usage/types.ts';
import { countText, numberText } from '../../format.ts';
import { Badge, Empty, Panel } from '../../parts/basics.tsx';
import { hashOf } from '../../state.ts';

export function BudgetPanel({ budgets }: { readonly budgets: BudgetLines }): JSX.Element {
  return (
    <Panel title="Budgets" note="Of the policy where this dashboard was started">
      {budgets.kind === 'known' ? (
        <Lines lines={budgets.lines} />
      ) : (
        <Unknown message={budgets.message} remedy={budgets.remedy} />
      )}
    </Panel>
  );
}

function Unknown({ message, remedy }: { readonly message: string; readonly remedy: string }): JSX.Element {
  return (
    <p class="error">
      {message}
      {remedy === '' ? null : <span class="remedy">{remedy}</span>}
    </p>
  );
}

function Lines({ lines }: { readonly lines: readonly BudgetLine[] }): JSX.Element {
  if (lines.length === 0)
    return (
      <Empty title="No budget is in use">
        A policy sets one with <code>[[llm.budgets]]</code>. Those of a session stand here when one has called a model
        in the last day.
      </Empty>
    );
  return (
    <ul class="rows">
      {lines.map((line) => (
        <Line line={line} key={`${line.name}\n${line.session ?? ''}`} />
      ))}
    </ul>
  );
}

function Line({ line }: { readonly line: BudgetLine }): JSX.Element {
  const { name, over, session, spent, most, mark, untold, until } = line;
  const tone = mark >= 95 ? 'bad' : mark >= 80 ? 'warning' : 'good';
  const text = `${amount(line, spent)} of ${amount(line, most)} ${line.unit}`;
  const percent = most > 0 ? Math.min(100, (100 * spent) / most) : 100;
  return (
    <li class="row">
      <div class="row-head">
        <span class="row-title">{name}</span>
        <Badge tone={tone}>{mark === 100 ? 'spent' : mark === 0 ? `${Math.floor(percent)} %` : `over ${mark} %`}</Badge>
      </div>
      <div
        class={`meter ${tone}`}
        role="meter"
        aria-label={`Budget ${name}`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.floor(percent)}
        aria-valuetext={text}
      >
        <div class="meter-fill" style={{ width: `${percent}%` }} />
      </div>
      <p class="row-note">
        <span>{text}</span>
        <span>{over === 'session' ? 'this session' : `this ${over} (UTC)`}</span>
        {session === undefined ? null : <a href={hashOf('journal', session)}>{session}</a>}
        {until === undefined || mark < 100 ? null : (
          <span>begins again at {until.slice(0, 16).replace('T', ' ')} UTC</span>
        )}
        {untold === 0 ? null : (
          <span>
            {countText(untold, 'call')} of unknown {line.unit === 'USD' ? 'cost' : 'usage'}, counted as the dearest one
          </span>
        )}
      </p>
    </li>
  );
}

/** With as many places as a small limit needs to be told from 0. */
function amount({ unit, most }: BudgetLine, value: number): string {
  return unit === 'USD' ? value.toFixed(most < 1 ? 6 : 2) : numberText(value);
}
