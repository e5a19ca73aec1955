import { type ReactElement, useMemo, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { JsonObject } from '#shared/vocabulary/json.ts';
import { openWhole, useDrawn, useOpened } from '../../state/inbox/opened.ts';
import { firstSight, type Unseen } from '../../ui/text/first-sight.ts';
import { ShowRest } from '../../ui/text/unseen.tsx';
import { VisibleText } from '../../ui/text/visible-text.tsx';
import { WholeText } from '../../ui/text/whole-text.tsx';
import { type ArgumentText, argumentTexts, firstOfArguments } from './argument-texts.ts';
import { ArgumentsHead } from './arguments-head.tsx';

/** What of the arguments of a call is not drawn; undefined where all of it is. */
export function useUnseenArguments(
  toolCallId: string,
  value: JsonObject | undefined,
): Unseen | undefined {
  const opened = useOpened((state) => state.opened.has(toolCallId));
  const rest = useMemo(() => value && firstOfArguments(argumentTexts(value)).rest, [value]);
  return opened ? undefined : rest;
}

interface ExactArgumentsProps {
  toolCallId: string;
  value: JsonObject;
  /** What they are called here, if not arguments. */
  title?: string | undefined;
}

/**
 * The exact arguments a person decides on, with everything in them that would not be seen. Long ones
 * begin clipped; opened they stand in the page in full length, without a box that scrolls.
 */
export function ExactArguments(props: ExactArgumentsProps): ReactElement {
  const { toolCallId, value, title } = props;
  const t = useTranslations('tool');
  const [asJson, setAsJson] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const texts = useMemo(() => argumentTexts(value), [value]);
  const json = useMemo(() => JSON.stringify(value, null, 2), [value]);
  const rest = useUnseenArguments(toolCallId, value);
  useDrawn(toolCallId);
  const open = () => {
    openWhole([toolCallId]);
    // The button is gone then: who pressed it goes on with what it opened.
    box.current?.focus({ preventScroll: true });
  };
  return (
    <section data-testid="approval-arguments">
      <ArgumentsHead json={json} asJson={asJson} onChange={setAsJson} title={title} />
      {texts.length === 0 && <p className="text-sm text-muted">{t('noArguments')}</p>}
      {texts.length > 0 && (
        <div
          ref={box}
          tabIndex={-1}
          dir="ltr"
          className="rounded-lg border border-line bg-raised px-3.5 py-2.5 text-sm"
        >
          {asJson ? (
            <Exact text={rest ? (firstSight([json]).texts[0] ?? '') : json} cut={!!rest} />
          ) : (
            <Values texts={texts} whole={!rest} />
          )}
          {rest && <ShowRest rest={rest} onOpen={open} />}
        </div>
      )}
    </section>
  );
}

function Values({ texts, whole }: { texts: ArgumentText[]; whole: boolean }) {
  const shown = useMemo(() => (whole ? undefined : firstOfArguments(texts).texts), [texts, whole]);
  return (
    <dl className="space-y-1.5">
      {texts.map(({ name, text, isTextLikeData }, at) => {
        const [first, value] = shown ? [shown[2 * at], shown[2 * at + 1]] : [name, text];
        if (first === undefined) return null;
        const isCut = (value?.length ?? 0) < text.length || first.length < name.length;
        return (
          <div key={name} className="sm:flex sm:gap-3">
            <dt className="shrink-0 font-mono text-[0.8125rem] leading-relaxed break-all whitespace-pre-wrap text-muted sm:w-32">
              {first === '' ? <Empty /> : <VisibleText text={first} goesOn={isCut} />}
            </dt>
            <dd className="min-w-0 flex-1 max-sm:border-l-2 max-sm:border-line max-sm:pl-2.5">
              {isTextLikeData && <TextMark />}
              {value !== undefined && <Exact text={value} cut={isCut} />}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

/** Tells text from the number, list or object that it looks like. */
function TextMark() {
  const t = useTranslations('tool');
  return (
    <span className="float-right ml-2 rounded border border-line px-1 text-xs text-muted">
      {t('isText')}
    </span>
  );
}

/** A value in its own shape. */
function Exact({ text, cut }: { text: string; cut: boolean }) {
  return (
    <pre className="font-mono text-[0.8125rem] leading-relaxed whitespace-pre-wrap wrap-anywhere">
      {cut && <VisibleText text={text} goesOn />}
      {cut && '…'}
      {!cut && (text === '' ? <Empty /> : <WholeText text={text} />)}
    </pre>
  );
}

function Empty() {
  return <span className="text-muted">&quot;&quot;</span>;
}
