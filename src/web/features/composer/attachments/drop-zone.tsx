import { Upload } from 'lucide-react';
import { type ReactElement, useEffect, useEffectEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useLimits } from '../../../state/session/limits.ts';
import { showNotice } from '../../../ui/notices/notices.ts';
import { droppedFiles } from './pasted-files.ts';

/** Takes files that are dropped anywhere on the page, and says so while they are over it. */
export function DropZone({ onFiles }: { onFiles: (files: File[]) => void }): ReactElement | null {
  const t = useTranslations('composer');
  const [over, setOver] = useState(false);
  const take = useEffectEvent((data: DataTransfer) => {
    const { files, hasFolder } = droppedFiles(data);
    if (hasFolder) showNotice(t('noFolders'));
    if (files.length > 0) onFiles(files);
  });
  useEffect(() => followDrags(setOver, take), []);
  const limits = useLimits();
  if (!over) return null;
  const most = { size: limits.file / 1024 / 1024, count: limits.filesPerMessage };
  return (
    <div
      data-testid="drop-zone"
      className="pointer-events-none fixed inset-0 z-50 grid place-items-center bg-canvas/80 p-4 backdrop-blur-xs"
    >
      <div className="grid size-full place-content-center gap-2 rounded-3xl border-2 border-dashed border-accent-text text-center">
        <Upload aria-hidden className="mx-auto size-8 text-accent-text" />
        <p className="text-lg font-semibold">{t('dropHere')}</p>
        <p className="text-sm text-muted">{t('attachHint', most)}</p>
      </div>
    </div>
  );
}

/** Leaving an element for one inside it is no leaving of the page, so both are counted. */
function followDrags(onOver: (over: boolean) => void, onDrop: (data: DataTransfer) => void) {
  let depth = 0;
  const ending = new AbortController();
  const on = (
    type: 'dragenter' | 'dragover' | 'dragleave' | 'drop',
    act: (data: DataTransfer) => void,
  ) =>
    addEventListener(
      type,
      (event) => {
        if (!event.dataTransfer?.types.includes('Files')) return;
        event.preventDefault();
        act(event.dataTransfer);
      },
      { signal: ending.signal },
    );
  const move = (step: number) => {
    depth = Math.max(0, depth + step);
    onOver(depth > 0);
  };
  on('dragenter', () => move(1));
  on('dragleave', () => move(-1));
  on('dragover', (data) => {
    data.dropEffect = 'copy';
  });
  on('drop', (data) => {
    move(-depth);
    onDrop(data);
  });
  return () => ending.abort();
}
