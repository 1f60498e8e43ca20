import type { JSX } from 'preact';
import type { BudgetLine, BudgetLines } from '../../../usage/types.ts';
import { countText, numberText } from '../../format.ts';
import { Badge, Empty, Panel, RowList } from '../../parts/basics.tsx';
import { hashOf } from '../../state.ts';

export function BudgetPanel({ budgets }: { readonly budgets: BudgetLines }): JSX.Element {
  return (
    <Panel title="Budgets" note="From the policy of the directory where the dashboard started">
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
      <Empty title="No budgets yet">
        Add <code>[[llm.budgets]]</code> to the policy. The budget of a session appears here for a day after its last
        call.
      </Empty>
    );
  return (
    <RowList label="Budgets">
      {lines.map((line) => (
        <Line line={line} key={`${line.name}\n${line.session ?? ''}`} />
      ))}
    </RowList>
  );
}

function Line({ line }: { readonly line: BudgetLine }): JSX.Element {
  const { name, over, session, spent, most, mark, untold, until } = line;
  const tone = mark === 100 ? 'refused' : mark >= 80 ? 'warning' : 'plain';
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
        {until === undefined || mark < 100 ? null : <span>resets at {until.slice(0, 16).replace('T', ' ')} UTC</span>}
        {untold === 0 ? null : (
          <span>
            {countText(untold, 'call')} of unknown {line.unit === 'USD' ? 'cost' : 'usage'}, counted as the most
            expensive
          </span>
        )}
      </p>
    </li>
  );
}

/** With enough decimals to distinguish a small limit from 0. */
function amount({ unit, most }: BudgetLine, value: number): string {
  return unit === 'USD' ? value.toFixed(most < 1 ? 6 : 2) : numberText(value);
}
