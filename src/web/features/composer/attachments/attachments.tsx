import { FileText, LoaderCircle, Plug, RotateCcw, TriangleAlert, X } from 'lucide-react';
import { type ReactElement, type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { blobPath } from '#client/api/files.ts';
import { useDraft } from '../../../state/chat/drafts.ts';
import {
  type DraftResource,
  type DraftAttachment,
  type DraftFile,
} from '../../../state/chat/stored-draft.ts';
import { inLine, useReason } from '../../../ui/notices/use-reason.ts';
import { formatBytes } from '#shared/text/bytes.ts';
import {
  canRetry,
  previewUrl,
  removeAttachment,
  retryUpload,
  useProgress,
} from './attach-files.ts';

const problemText = {
  tooLarge: 'fileTooLarge',
  empty: 'fileEmpty',
  interrupted: 'fileInterrupted',
  expired: 'fileExpired',
} as const;

/** What goes with the message, each with its state and a way to take it out. */
export function Attachments({ topicId }: { topicId: string | null }): ReactElement {
  const t = useTranslations('composer');
  const { attachments } = useDraft(topicId);
  return (
    <ul
      aria-label={t('attachments')}
      className="flex max-h-48 flex-wrap gap-2 overflow-y-auto px-3 pt-3"
    >
      {attachments.map((one) => (
        <li
          key={one.key}
          data-testid="attachment"
          data-state={one.state}
          className={`relative flex h-13 max-w-full items-center gap-2.5 overflow-hidden rounded-xl border pr-1 pl-2 text-sm sm:max-w-72 ${one.state === 'failed' ? 'border-danger bg-danger-soft' : 'border-line bg-sunken'}`}
        >
          {one.kind === 'file' ? <FileChip file={one} /> : <ResourceChip resource={one} />}
          <RemoveButton topicId={topicId} attachment={one} />
        </li>
      ))}
    </ul>
  );
}

function RemoveButton(props: { topicId: string | null; attachment: DraftAttachment }) {
  const t = useTranslations('composer');
  const { key, name } = props.attachment;
  const label = t('remove', { name });
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={() => removeAttachment(props.topicId, key)}
      className="icon-button size-8 pointer-coarse:size-11 [&_svg]:size-4"
    >
      <X aria-hidden />
    </button>
  );
}

function FileChip({ file }: { file: DraftFile }) {
  const t = useTranslations('composer');
  const reason = useReason();
  const ratio = useProgress((all) => all[file.key] ?? 0);
  const facts = () => {
    if (file.state === 'uploading') return `${Math.round(ratio * 100)} %`;
    if (file.problem) return t(problemText[file.problem]);
    return file.error ? inLine(reason(file.error)) : formatBytes(file.size);
  };
  return (
    <>
      <Thumbnail file={file} />
      <ChipText name={file.name} facts={facts()} />
      {file.state === 'failed' && canRetry(file.key) && (
        <button
          type="button"
          aria-label={t('retryUpload', { name: file.name })}
          title={t('retryUpload', { name: file.name })}
          onClick={() => retryUpload(file.key)}
          className="icon-button -mr-1.5 size-8 pointer-coarse:size-11 [&_svg]:size-4"
        >
          <RotateCcw aria-hidden />
        </button>
      )}
      {file.state === 'uploading' && (
        <progress
          aria-label={t('uploading', { name: file.name })}
          value={ratio}
          max={1}
          className="upload-bar absolute inset-x-0 bottom-0 h-0.5 w-full"
        />
      )}
    </>
  );
}

function ResourceChip({ resource }: { resource: DraftResource }) {
  const { state, name, serverName, error, uri } = resource;
  const reason = useReason();
  const icons: Record<DraftResource['state'], ReactNode> = {
    chosen: <Plug aria-hidden />,
    reading: <LoaderCircle aria-hidden className="animate-spin" />,
    failed: <TriangleAlert aria-hidden className="text-danger" />,
  };
  return (
    <>
      <span className="grid size-9 shrink-0 place-items-center text-muted [&_svg]:size-4.5">
        {icons[state]}
      </span>
      <ChipText name={name} facts={error ? inLine(reason(error)) : serverName} title={uri} />
    </>
  );
}

function ChipText(props: { name: string; facts: string; title?: string }) {
  return (
    <span className="min-w-0 flex-1" title={props.title ?? `${props.name}\n${props.facts}`}>
      <span className="block truncate font-medium">{props.name}</span>
      <span className="block truncate text-xs text-muted">{props.facts}</span>
    </span>
  );
}

function Thumbnail({ file }: { file: DraftFile }) {
  const [broken, setBroken] = useState(false);
  const source = previewOf(file);
  if (source === undefined || broken) {
    return (
      <span className="grid size-9 shrink-0 place-items-center text-muted">
        <FileText aria-hidden className="size-4.5" />
      </span>
    );
  }
  return (
    <img
      src={source}
      alt=""
      onError={() => setBroken(true)}
      className="size-9 shrink-0 rounded-md object-cover"
    />
  );
}

/** An address for the picture: of the file while the page has it, else of what the host keeps. */
function previewOf({ key, id, mimeType }: DraftFile): string | undefined {
  if (!mimeType.startsWith('image/')) return undefined;
  return previewUrl(key) ?? (id === undefined ? undefined : blobPath(id));
}
