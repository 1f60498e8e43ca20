import type { JSX } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { LayerList, LayerReview, LayerRow } from '../../wire.ts';
import { bytesText, countText, shortPath } from '../format.ts';
import { focusOn } from '../focus-on.ts';
import { Ago, Badge, Empty, ErrorNote, Panel, Dialog, RowList } from '../parts/basics.tsx';
import { get, hashOf, postJson } from '../state.ts';

/** The newest layers, for the overview. */
export function StagedPanel(): JSX.Element {
  const { list } = useLayers();
  return (
    <Panel title="Staged changes" note={<a href={hashOf('staged')}>All layers</a>}>
      {list === undefined ? (
        <p class="loading">Reading the layers …</p>
      ) : (
        <LayerRows layers={list.layers.slice(0, 3)} chosen="" />
      )}
    </Panel>
  );
}

export function Staged({ layer }: { readonly layer: string }): JSX.Element {
  const { list, error, reload } = useLayers();
  const chosen = list?.layers.find(({ id }) => id === layer);
  return (
    <>
      <ErrorNote error={error} />
      {list === undefined ? <p class="loading">Reading the layers …</p> : <LayerPanel list={list} chosen={layer} />}
      {chosen === undefined ? null : <Review key={chosen.id} layer={chosen} decided={reload} />}
    </>
  );
}

interface Layers {
  readonly list: LayerList | undefined;
  readonly error: unknown;
  readonly reload: () => void;
}

/** Reloaded regularly, because layers grow without an event in the journal. */
function useLayers(): Layers {
  const [list, setList] = useState<LayerList>();
  const [error, setError] = useState<unknown>();
  const reload = useCallback(() => void get<LayerList>('/layers').then(setList, setError), []);
  useEffect(() => {
    reload();
    const timer = setInterval(reload, lookEvery);
    return () => clearInterval(timer);
  }, [reload]);
  return { list, error, reload };
}

const lookEvery = 3000;

function LayerPanel({
  list: { layers, problems },
  chosen,
}: {
  readonly list: LayerList;
  readonly chosen: string;
}): JSX.Element {
  return (
    <Panel title="Layers" note="Changes that wait for your review">
      <LayerRows layers={layers} chosen={chosen} />
      {problems.map(({ id, message, remedy }) => (
        <p class="error" key={id}>
          {id}: {message}
          <span class="remedy">{remedy}</span>
        </p>
      ))}
    </Panel>
  );
}

function LayerRows({ layers, chosen }: { readonly layers: readonly LayerRow[]; readonly chosen: string }): JSX.Element {
  if (layers.length === 0)
    return (
      <Empty title="No staged changes" command="holdfast run --staged -- COMMAND">
        A staged command writes to a layer, and you review the layer here. Run one:
      </Empty>
    );
  return (
    <RowList label="Layers">
      {layers.map(({ id, workspace, created, changed, bytes }) => (
        <li key={id}>
          <a class="row" href={hashOf('staged', id)} aria-current={id === chosen ? 'true' : undefined}>
            <div class="row-head">
              <span class="row-title" title={workspace}>
                {shortPath(workspace)}
              </span>
              <Badge tone="staged">{countText(changed, 'path')} staged</Badge>
            </div>
            <p class="row-note">
              <code>{id}</code>
              <span>{bytesText(bytes)}</span>
              <Ago time={created} />
            </p>
          </a>
        </li>
      ))}
    </RowList>
  );
}

type Choice = 'accept' | 'discard';

function Review({ layer, decided }: { readonly layer: LayerRow; readonly decided: () => void }): JSX.Element {
  const [review, setReview] = useState<LayerReview>();
  const [error, setError] = useState<unknown>();
  const [asked, setAsked] = useState<Choice>();
  const path = `/layers/${encodeURIComponent(layer.id)}`;
  const load = (): void => void get<LayerReview>(path).then(setReview, setError);
  useEffect(load, [path]);
  const decide = (choice: Choice, digest: string): void => {
    setError(undefined);
    postJson(`${path}/${choice}`, { digest }).then(
      () => {
        decided();
        location.hash = hashOf('staged');
        focusOn('main');
      },
      (problem: unknown) => {
        setError(problem);
        load();
      },
    );
  };
  return (
    <Panel title="Review" note={review === undefined ? undefined : <Decision review={review} ask={setAsked} />}>
      <ErrorNote error={error} />
      {review === undefined ? <p class="loading">Comparing with the host …</p> : <Diff review={review} />}
      {asked === undefined || review === undefined ? null : (
        <Confirm
          {...questions[asked]}
          text={`${countText(review.changes, 'change')} in ${layer.workspace}. ${questions[asked].text}`}
          done={(answer) => {
            setAsked(undefined);
            if (answer === 'yes') decide(asked, review.digest);
          }}
        />
      )}
    </Panel>
  );
}

const questions: Readonly<
  Record<
    Choice,
    { readonly title: string; readonly text: string; readonly action: string; readonly tone: 'good' | 'bad' }
  >
> = {
  accept: {
    title: 'Apply these changes to your files?',
    text: '“holdfast undo” reverses it.',
    action: 'Accept',
    tone: 'good',
  },
  discard: {
    title: 'Discard these changes for good?',
    text: 'You cannot undo this. Your own files stay as they are.',
    action: 'Discard',
    tone: 'bad',
  },
};

function Decision({
  review,
  ask,
}: {
  readonly review: LayerReview;
  readonly ask: (choice: Choice) => void;
}): JSX.Element {
  const isBlocked = review.conflicts + review.refused > 0;
  return (
    <div class="buttons">
      {isBlocked ? <span class="refused-text">✗ Some changes cannot be accepted: see below</span> : null}
      <button type="button" class="good" disabled={isBlocked || review.changes === 0} onClick={() => ask('accept')}>
        Accept …
      </button>
      <button type="button" class="bad" onClick={() => ask('discard')}>
        Discard …
      </button>
    </div>
  );
}

function Diff({ review: { id, lines, omitted } }: { readonly review: LayerReview }): JSX.Element {
  return (
    <>
      <div class="diff" role="region" aria-label="Differences" tabIndex={0}>
        {lines.map(({ kind, text }, index) => (
          <div key={index} class={`diff-line ${kind}`}>
            {text === '' ? ' ' : text}
          </div>
        ))}
      </div>
      {omitted === 0 ? null : (
        <p class="row-note">
          {countText(omitted, 'more line')}: see <code>holdfast review {id}</code>
        </p>
      )}
    </>
  );
}

interface ConfirmProps {
  readonly title: string;
  readonly text: string;
  readonly action: string;
  readonly tone: 'good' | 'bad';
  readonly done: (answer: string) => void;
}

/** Asks before an action. Escape means no. */
function Confirm({ title, text, action, tone, done }: ConfirmProps): JSX.Element {
  return (
    <Dialog title={title} closed={done}>
      {(close) => (
        <>
          <p>{text}</p>
          <div class="buttons">
            <button type="button" onClick={() => close('no')}>
              Cancel
            </button>
            <button type="button" class={tone} onClick={() => close('yes')}>
              {action}
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
}
