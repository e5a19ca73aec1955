import type { ReactElement } from 'react';
import type { ContentPart, ToolResult } from '#shared/tool.ts';
import { AudioPart, PicturePart } from './media-parts.tsx';

/** The pictures and sounds of a result: seen and heard without opening the call. */
export function ResultMedia({ result }: { result: ToolResult }): ReactElement | null {
  const media = result.content.filter(isMedium);
  if (media.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-3 px-3.5 pb-3 pl-10">
      {media.map(({ type, data, mimeType }, index) => {
        const Part = type === 'image' ? PicturePart : AudioPart;
        // The parts of a result never change, so their place is their identity.
        // oxlint-disable-next-line react/no-array-index-key
        return <Part key={index} data={data} mimeType={mimeType} />;
      })}
    </div>
  );
}

type Medium = Extract<ContentPart, { data: string }>;

function isMedium(part: ContentPart): part is Medium {
  return part.type === 'image' || part.type === 'audio';
}
