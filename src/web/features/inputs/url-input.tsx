import { ExternalLink, TriangleAlert } from 'lucide-react';
import { type ReactElement, useId } from 'react';
import { useTranslations } from 'use-intl';
import type { InputView } from '#shared/api/input-api.ts';
import { openWhole, useUnseenTexts } from '../../state/inbox/opened.ts';
import { Button } from '../../ui/controls/button.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { useStill } from '../../state/inbox/still.ts';
import { firstSight, type Unseen } from '../../ui/text/first-sight.ts';
import { ShowRest, UnseenNote } from '../../ui/text/unseen.tsx';
import { VisibleText } from '../../ui/text/visible-text.tsx';
import { addressFacts } from './address-facts.ts';
import { type AnswerProps, Refusals, ServerWords } from './question-parts.tsx';

type Url = Extract<InputView, { kind: 'url' }>;

/** A page that a server asks to visit: the whole address, whose it is, and a link for the person alone. */
export function UrlInput({ input, busy, answer }: AnswerProps & { input: Url }): ReactElement {
  const t = useTranslations('inputs');
  const facts = addressFacts(input.url);
  const { href, host } = facts;
  const unseen = useUnseenTexts(input.id, [facts.before + host, facts.after]);
  const noteId = useId();
  return (
    <>
      <ServerWords text={input.message} />
      <Address input={input} facts={facts} unseen={unseen} />
      <Warnings facts={facts} />
      {unseen && <UnseenNote id={noteId} rest={unseen} />}
      <div className="flex flex-wrap gap-2">
        {href === undefined && <p className="w-full text-sm text-danger">{t('notOpenable')}</p>}
        {href !== undefined && unseen && (
          <Button variant="primary" disabled aria-describedby={noteId}>
            {t('open', { host })}
          </Button>
        )}
        {href !== undefined && !unseen && (
          <OpenLink id={input.id} href={href} host={host} busy={busy} answer={answer} />
        )}
        <Refusals busy={busy} answer={answer} />
      </div>
    </>
  );
}

type AddressFacts = ReturnType<typeof addressFacts>;

interface AddressProps {
  input: Url;
  facts: AddressFacts;
  unseen: Unseen | undefined;
}

/** The whole address, its host marked; what is long begins clipped. */
function Address({ input, facts, unseen }: AddressProps) {
  const t = useTranslations('inputs');
  const { before, host, after } = facts;
  const [, shown = ''] = unseen ? firstSight([before + host, after]).texts : ['', after];
  return (
    <div className="rounded-lg border border-line bg-raised px-3.5 py-2.5">
      <div className="flex items-center gap-1">
        <p className="mr-auto text-xs font-medium text-muted">{t('address')}</p>
        <CopyButton text={input.url} />
      </div>
      <p
        dir="ltr"
        data-testid="input-address"
        className="font-mono text-[0.8125rem] break-all whitespace-pre-wrap text-muted"
      >
        <VisibleText text={before} />
        <strong className="rounded bg-warn-soft px-0.5 font-semibold text-ink">
          <VisibleText text={host} />
        </strong>
        <VisibleText text={shown} goesOn={unseen !== undefined} />
        {unseen && '…'}
      </p>
      {unseen && <ShowRest rest={unseen} onOpen={() => openWhole([input.id])} />}
    </div>
  );
}

function Warnings({ facts: { warnings, host } }: { facts: AddressFacts }) {
  const t = useTranslations('inputs');
  if (warnings.length === 0) return null;
  return (
    <ul className="space-y-1.5 rounded-lg bg-danger-soft px-3 py-2 text-sm">
      {warnings.map((warning) => (
        <li key={warning} className="flex gap-2" data-testid={`warning-${warning}`}>
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
          {t(`warnings.${warning}`, { host })}
        </li>
      ))}
    </ul>
  );
}

/** A click that was meant for what stood here a moment ago opens nothing; a key always means this. */
function OpenLink(props: AnswerProps & { id: string; href: string; host: string }) {
  const { id, href, host, busy, answer } = props;
  const t = useTranslations('inputs');
  const still = useStill(id);
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      data-testid="open-address"
      aria-disabled={busy || !still}
      className="button button-primary max-w-full min-w-0"
      onClick={(event) => {
        if (still || event.detail === 0) void answer({ action: 'accept' });
        else event.preventDefault();
      }}
    >
      <ExternalLink aria-hidden className="shrink-0" />
      <span className="truncate">{t('open', { host })}</span>
    </a>
  );
}
