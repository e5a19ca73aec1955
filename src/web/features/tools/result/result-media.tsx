import type { ReactElement } from 'react';
import type { ContentPart, ToolResult } from '#shared/vocabulary/tool.ts';
import { MediumView } from '../../media/medium-view.tsx';

/** The pictures and sounds of a result: seen and heard without opening the call. */
export function ResultMedia({ result }: { result: ToolResult }): ReactElement | null {
  const media = result.content.filter(isMedium);
  if (media.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-3">
      {media.map((part, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the parts of a result never move
        <MediumView key={index} block={part} />
      ))}
    </div>
  );
}

type Medium = Extract<ContentPart, { data: string }>;

function isMedium(part: ContentPart): part is Medium {
  return part.type === 'image' || part.type === 'audio';
}
