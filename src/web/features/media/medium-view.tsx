import { type ReactElement, useState } from 'react';
import { FileView } from './file-view.tsx';
import { type Medium, mediaKind, mediaSource } from './media-source.ts';
import { Player } from './player.tsx';

/** Pictures, sound and film where they stand; what a browser cannot or should not show is offered as a file. */
export function MediumView({ block }: { block: Medium }): ReactElement {
  const [failed, setFailed] = useState(false);
  const kind = mediaKind(block.mimeType);
  const source = mediaSource(block);
  if (source === null || kind === undefined || kind === 'pdf') return <FileView block={block} />;
  return (
    <>
      <Player kind={kind} source={source} name={block.name} onFail={() => setFailed(true)} />
      {failed && <FileView block={block} />}
    </>
  );
}
