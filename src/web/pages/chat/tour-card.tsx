import { X } from 'lucide-react';
import { type ReactElement, useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { useCatalog } from '../../state/catalog/catalog.ts';
import { goToStop, type TourStop, tourStops, useTour } from '../../state/chat/tour.ts';
import { Button } from '../../ui/controls/button.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { WaysOn } from './ways-on.tsx';

/** What each stop says; what it points at is marked by the styles. */
const stops = {
  answer: { title: 'tourAnswer', text: 'tourAnswerText' },
  composer: { title: 'tourComposer', text: 'tourComposerText' },
  servers: { title: 'tourServers', text: 'tourServersText' },
  settings: { title: 'tourSettings', text: 'tourSettingsText' },
} as const satisfies Record<TourStop, { title: string; text: string }>;

/** One stop, above the composer; nothing is covered or kept from being used. */
function TourCard({ stop }: { stop: TourStop }): ReactElement {
  const t = useTranslations('chat');
  const { title, text } = stops[stop];
  useMark(stop);
  return (
    <section
      data-testid="tour"
      aria-label={t('tour')}
      aria-live="polite"
      onKeyDown={(event) => event.key === 'Escape' && goToStop(undefined)}
      className="card mx-auto mb-2 w-[calc(100%-1.5rem)] max-w-[43rem] p-4 text-sm shadow-float"
    >
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <h2 className="font-semibold">{t(title)}</h2>
          <p className="mt-1 text-muted">{t(text)}</p>
        </div>
        <IconButton label={t('tourEnd')} size="small" onClick={() => goToStop(undefined)}>
          <X />
        </IconButton>
      </div>
      <Steps index={tourStops.indexOf(stop)} />
    </section>
  );
}

function Steps({ index }: { index: number }) {
  const t = useTranslations('chat');
  const hasModel = useCatalog(({ models }) => models.some(({ scripted }) => !scripted));
  const isLast = index + 1 === tourStops.length;
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2">
      <span className="mr-auto text-xs text-muted tabular-nums">
        {t('tourPlace', { index: index + 1, count: tourStops.length })}
      </span>
      {index > 0 && <Button onClick={() => goToStop(tourStops[index - 1])}>{t('tourBack')}</Button>}
      <Button
        variant={isLast && !hasModel ? 'plain' : 'primary'}
        data-testid="tour-next"
        onClick={() => goToStop(tourStops[index + 1])}
      >
        {isLast ? t('tourDone') : t('tourNext')}
      </Button>
      {isLast && <WaysOn hasModel={hasModel} onLeave={() => goToStop(undefined)} />}
    </div>
  );
}

/** The tour if there is one. */
export function Tour(): ReactElement | null {
  const stop = useTour((state) => state.stop);
  return stop === null ? null : <TourCard stop={stop} />;
}

/** Tells the styles what is spoken of, whenever it comes to be on the page. */
function useMark(stop: TourStop): void {
  useEffect(() => {
    const { dataset } = document.documentElement;
    dataset['tour'] = stop;
    return () => {
      delete dataset['tour'];
    };
  }, [stop]);
}
