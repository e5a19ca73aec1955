import { type ReactElement, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import {
  type ComparedStep,
  comparedText,
  compareVersions,
  isSameBlock,
  isSameThroughout,
} from '#client/conversation/compare-versions.ts';
import type { Block } from '#shared/vocabulary/block.ts';
import type { Conversation, Message } from '#shared/vocabulary/message.ts';
import { useCatalog } from '../../state/catalog/catalog.ts';
import { api } from '../../state/session/api.ts';
import { Select } from '../../ui/controls/select.tsx';
import { Modal } from '../../ui/dialog/modal.tsx';
import { useLoaded } from '../../ui/hooks/use-loaded.ts';
import { ErrorNote } from '../../ui/notices/error-note.tsx';
import { Markdown } from '../markdown/markdown.tsx';

interface CompareDialogProps {
  message: Message;
  open: boolean;
  onClose: () => void;
}

/** Two versions of an answer side by side, step by step. */
export function CompareDialog({ message, open, onClose }: CompareDialogProps): ReactElement {
  const t = useTranslations('versions');
  const { topicId, id } = message;
  const load = () => api.topics.whole(topicId);
  const { value, error } = useLoaded<Conversation>(load, `${id} ${open}`);
  const versions = (value?.messages ?? []).filter(
    ({ parentId, role }) => parentId === message.parentId && role === message.role,
  );
  return (
    <Modal open={open} onClose={onClose} title={t('compareTitle')} isWide>
      {error && <ErrorNote error={error} />}
      {versions.length > 1 && <Compared versions={versions} shown={id} />}
    </Modal>
  );
}

/** The one that is shown stands on the right; on the left, the one before it unless another is chosen. */
function Compared({ versions, shown }: { versions: Message[]; shown: string }) {
  const t = useTranslations('versions');
  const at = Math.max(
    0,
    versions.findIndex(({ id }) => id === shown),
  );
  const [places, setPlaces] = useState<[number, number]>(at === 0 ? [0, 1] : [at - 1, at]);
  const [left, right] = places.map((place) => versions[place]);
  if (!left || !right) return null;
  const steps = compareVersions(left, right);
  return (
    <div className="space-y-4">
      <div className="grid grid-cols-2 gap-3">
        <Version
          label={t('left')}
          versions={versions}
          place={places[0]}
          onChoose={(place) => setPlaces([place, places[1]])}
        />
        <Version
          label={t('right')}
          versions={versions}
          place={places[1]}
          onChoose={(place) => setPlaces([places[0], place])}
        />
      </div>
      {isSameThroughout(steps) && <p className="text-sm text-muted">{t('same')}</p>}
      {steps.map((step) => (
        <Step key={step.step} {...step} isOnly={steps.length === 1} />
      ))}
    </div>
  );
}

interface VersionProps {
  label: string;
  versions: Message[];
  place: number;
  onChoose: (place: number) => void;
}

function Version({ label, versions, place, onChoose }: VersionProps) {
  const format = useFormatter();
  const models = useCatalog((state) => state.models);
  const facts = versions.map(({ model = '', createdAt }) => {
    const name = models.find(({ id }) => id === model)?.name ?? model;
    const time = format.dateTime(createdAt, { dateStyle: 'short', timeStyle: 'short' });
    return `${name} · ${time}`;
  });
  return (
    <div className="min-w-0">
      <Select
        aria-label={label}
        options={facts.map((fact, index) => [String(index), `${index + 1} · ${fact}`] as const)}
        value={String(place)}
        onChoose={(value) => onChoose(Number(value))}
      />
      {/* Where the box is too narrow for what tells them apart. */}
      <p
        aria-hidden
        data-testid="version-facts"
        className="mt-1 px-1 text-xs break-words text-muted sm:hidden"
      >
        {facts[place]}
      </p>
    </div>
  );
}

/** What differs stands out. */
function Step({ step, left, right, isOnly }: ComparedStep & { isOnly: boolean }) {
  const t = useTranslations('versions');
  const rows = Array.from({ length: Math.max(left.length, right.length) }, (_, at) => at);
  return (
    <section aria-label={t('step', { step })} data-testid="compared-step">
      {!isOnly && <h3 className="mb-1.5 text-xs font-medium text-muted">{t('step', { step })}</h3>}
      <div className="grid grid-cols-2 gap-x-3 gap-y-1.5 text-sm">
        {rows.map((at) => {
          const isSame = isSameBlock(left[at], right[at]);
          return [
            <Side key={`${at} left`} block={left[at]} isSame={isSame} />,
            <Side key={`${at} right`} block={right[at]} isSame={isSame} />,
          ];
        })}
      </div>
    </section>
  );
}

/** A dash stands where only the other version has something. */
function Side({ block, isSame }: { block: Block | undefined; isSame: boolean }) {
  const t = useTranslations('versions');
  const isWritten = block?.type === 'main_text' || block?.type === 'thinking';
  return (
    <div
      data-same={isSame}
      title={isSame ? undefined : t('different')}
      className={`min-w-0 rounded-lg px-2.5 py-1.5 break-words ${isSame ? 'bg-sunken' : 'bg-warn-soft'} ${isWritten ? '' : 'whitespace-pre-wrap'}`}
    >
      {isWritten ? <Markdown text={block.content} /> : block ? comparedText(block) : '—'}
    </div>
  );
}
