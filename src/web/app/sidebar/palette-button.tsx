import { Search, SquareChevronRight } from 'lucide-react';
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { showOverlay } from '../../state/page/overlay.ts';
import { ariaKeys, keyNames, shortcuts } from '../../state/page/shortcuts.ts';
import { IconButton } from '../../ui/controls/icon-button.tsx';

/** Opens the palette, where there is room for an icon only. */
export function PaletteButton(): ReactElement {
  const t = useTranslations('palette');
  return (
    <IconButton
      label={t('title')}
      aria-keyshortcuts={ariaKeys('palette')}
      data-testid="open-palette"
      onClick={() => showOverlay('palette')}
    >
      <Search />
    </IconButton>
  );
}

/** Opens the palette, and says by which keys that goes faster. */
export function PaletteHint({ onOpen }: { onOpen: () => void }): ReactElement {
  const t = useTranslations('palette');
  // Not printed: in a box that finds chats, they would promise to lead into it.
  const keys = keyNames(shortcuts.palette.keys[0]).join(' ');
  return (
    <button
      type="button"
      aria-keyshortcuts={ariaKeys('palette')}
      title={`${t('title')} (${keys})`}
      data-testid="open-palette"
      onClick={() => {
        onOpen();
        showOverlay('palette');
      }}
      className="absolute top-1/2 right-1 grid h-7 -translate-y-1/2 place-items-center rounded-md px-1.5 text-muted hover:bg-hover hover:text-ink pointer-coarse:size-11"
    >
      <span className="sr-only">{t('title')} </span>
      <SquareChevronRight aria-hidden className="size-4" />
    </button>
  );
}
