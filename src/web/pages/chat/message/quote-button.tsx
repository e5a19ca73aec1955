import { TextQuote } from 'lucide-react';
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { quote } from '../../../state/chat/quotes.ts';
import { IconButton } from '../../../ui/controls/icon-button.tsx';

/** Quotes a message in the composer: what is selected of it, or all of it. */
export function QuoteButton({
  messageId,
  text,
}: {
  messageId: string;
  text: string;
}): ReactElement {
  const t = useTranslations('message');
  return (
    <IconButton
      label={t('quote')}
      size="small"
      data-testid="quote"
      // A press would take the selection away before the click.
      onPointerDown={(event) => event.preventDefault()}
      onClick={({ currentTarget }) => quote(selectedIn(currentTarget) || text, messageId)}
    >
      <TextQuote />
    </IconButton>
  );
}

function selectedIn(button: Element): string {
  const selection = getSelection();
  const message = button.closest('article');
  const within = (node: Node | null | undefined) => node && message?.contains(node);
  if (!within(selection?.anchorNode) || !within(selection?.focusNode)) return '';
  return selection?.toString().trim() ?? '';
}
