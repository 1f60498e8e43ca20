import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { AnswerResult, ApprovalDecision, PendingApproval } from '../../../approvals/types.ts';
import { focusOn } from '../focus-on.ts';
import { postJson } from '../state.ts';
import { shortPath, spanText } from '../format.ts';
import { Badge, Empty, ErrorNote, useNow } from '../parts/basics.tsx';

export function Approvals({ pending }: { readonly pending: readonly PendingApproval[] }): JSX.Element {
  const ready = useSettled(pending.map(({ hash }) => hash).join());
  if (pending.length === 0)
    return (
      <Empty title="No approvals are waiting" command="holdfast approvals watch">
        A rule with <code>decision = "ask"</code> puts its question here. To answer in a terminal, run:
      </Empty>
    );
  return (
    <div class="cards">
      {pending.map((approval) => (
        <Card key={approval.hash} approval={approval} ready={ready} />
      ))}
    </div>
  );
}

/** Buttons that have just moved ignore clicks, because another question may be under the pointer now. */
function useSettled(key: string): 'settled' | 'moving' {
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSettled(key), settleFor);
    return () => clearTimeout(timer);
  }, [key]);
  return settled === key ? 'settled' : 'moving';
}

const settleFor = 400;

type Step = { readonly kind: 'ask' } | { readonly kind: 'always' } | { readonly kind: 'sent' };

function Card({
  approval,
  ready,
}: {
  readonly approval: PendingApproval;
  readonly ready: 'settled' | 'moving';
}): JSX.Element {
  const [step, setStep] = useState<Step>({ kind: 'ask' });
  const [error, setError] = useState<unknown>();
  const code = useRef<HTMLInputElement>(null);
  const card = useRef<HTMLElement>(null);
  // A layout effect, because it runs while the card still exists.
  useLayoutEffect(() => {
    const { current } = card;
    return () => {
      if (current?.contains(document.activeElement) === true) focusOn('main');
    };
  }, []);
  const send = (decision: ApprovalDecision): void => {
    setError(undefined);
    setStep({ kind: 'sent' });
    // The card's buttons are about to be disabled.
    card.current?.focus();
    answer(approval, decision, code.current?.value ?? '').catch((problem: unknown) => {
      setError(problem);
      setStep({ kind: 'ask' });
    });
  };
  const disabled = ready === 'moving' || step.kind === 'sent';
  return (
    <article class="card" ref={card} tabIndex={-1} aria-label={`Approval: ${approval.title}`}>
      <header>
        <h3>{approval.title}</h3>
        <Remaining approval={approval} />
      </header>
      <pre class="lines" tabIndex={0} aria-label="The request">
        {approval.lines.join('\n')}
      </pre>
      <Facts approval={approval} />
      {approval.confirmation === 'totp' ? (
        <label class="code">
          Six-digit code <input ref={code} inputMode="numeric" autoComplete="one-time-code" maxLength={6} size={8} />
        </label>
      ) : null}
      <ErrorNote error={error} />
      {step.kind === 'always' ? (
        <AlwaysStep approval={approval} disabled={disabled} send={send} back={() => setStep({ kind: 'ask' })} />
      ) : (
        <Buttons approval={approval} disabled={disabled} send={send} always={() => setStep({ kind: 'always' })} />
      )}
    </article>
  );
}

function Remaining({ approval: { expiresAt, waiting } }: { readonly approval: PendingApproval }): JSX.Element {
  const left = expiresAt - useNow(1000);
  return (
    <div class="remaining">
      {waiting > 1 ? <Badge tone="plain">asked {waiting} times</Badge> : null}
      <Badge tone="waiting">{left > 0 ? `denied in ${spanText(left)}` : 'expired'}</Badge>
    </div>
  );
}

function Facts({ approval }: { readonly approval: PendingApproval }): JSX.Element {
  const { message, rule, file, line, workspace, session, id } = approval;
  return (
    <dl class="facts">
      <dt>Why</dt>
      <dd>{message}</dd>
      <dt>Rule</dt>
      <dd>
        <code>{rule}</code> in {line > 0 ? `${file}:${line}` : file}
      </dd>
      <dt>Workspace</dt>
      <dd title={workspace}>{shortPath(workspace)}</dd>
      <dt>Session</dt>
      <dd>
        <code>{session}</code>, question <code>{id}</code>
      </dd>
    </dl>
  );
}

interface ButtonsProps {
  readonly approval: PendingApproval;
  readonly disabled: boolean;
  readonly send: (decision: ApprovalDecision) => void;
  readonly always: () => void;
}

function Buttons({ approval, disabled, send, always }: ButtonsProps): JSX.Element {
  return (
    <div class="buttons">
      <button type="button" class="good" disabled={disabled} onClick={() => send('once')}>
        Allow once
      </button>
      <button type="button" disabled={disabled} onClick={() => send('session')}>
        For this session
      </button>
      {approval.always === undefined ? null : (
        <button type="button" disabled={disabled} onClick={always}>
          Always …
        </button>
      )}
      <button type="button" class="bad" disabled={disabled} onClick={() => send('deny')}>
        Deny
      </button>
    </div>
  );
}

function AlwaysStep({
  approval: { always },
  disabled,
  send,
  back,
}: Omit<ButtonsProps, 'always'> & { readonly back: () => void }): JSX.Element {
  return (
    <div class="always">
      <p>Holdfast adds this rule to {always?.file ?? 'your policy'}. It holds for every later session:</p>
      <pre class="lines" tabIndex={0} aria-label="The rule">
        {always?.text ?? ''}
      </pre>
      <div class="buttons">
        <button type="button" class="good" disabled={disabled} onClick={() => send('always')}>
          Add the rule and allow
        </button>
        <button type="button" onClick={back}>
          Back
        </button>
      </div>
    </div>
  );
}

/** Rejects with the reason why the answer does not count. */
async function answer({ hash }: PendingApproval, decision: ApprovalDecision, code: string): Promise<void> {
  const result = await postJson<AnswerResult>('/approvals', {
    hash,
    decision,
    ...(/^\d{6}$/u.test(code) ? { code } : {}),
  });
  switch (result.kind) {
    case 'taken':
      return;
    case 'unknown':
      throw new Error('The question was answered elsewhere, or has expired.');
    case 'code-needed':
      throw new Error('This rule asks for a code. Enter the six digits from your authenticator.');
    case 'code-wrong':
      throw new Error('The code is wrong, or was used before. Wait for the next one.');
    case 'refused':
      throw new Error(result.message);
  }
}
