import type { ModelCapabilities } from './model.ts';

/** Whether a file of this type is given to models as the text it is. */
export function isTextType(mimeType: string): boolean {
  return (
    (mimeType.startsWith('text/') && mimeType !== 'text/rtf') ||
    /^application\/(json|xml|yaml|toml|sql|javascript|typescript|x-sh|x-yaml|x-ndjson|.+\+(json|xml|yaml))$/.test(
      mimeType,
    )
  );
}

/**
 * Whether a model takes a medium of this type as it is. What no model takes (archives, drawings in
 * SVG, unknown types) is never sent, whatever is known of the model.
 */
export function takesMedium(mimeType: string, capabilities?: ModelCapabilities): boolean {
  if (mimeType === 'image/svg+xml') return false;
  if (mimeType.startsWith('image/')) return capabilities?.imagesIn ?? true;
  if (mimeType.startsWith('audio/')) return capabilities?.audioIn ?? true;
  return mimeType === 'application/pdf' && (capabilities?.filesIn ?? true);
}
