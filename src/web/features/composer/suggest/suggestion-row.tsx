import { Braces, FileText, MessageSquareText, SquareSlash } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { commandText } from '../commands/command-text.ts';
import type { Suggestion } from './suggestions.ts';

/** How an entry of the list looks. */
export function SuggestionRow({ suggestion }: { suggestion: Suggestion }): ReactElement {
  const t = useTranslations('composer');
  switch (suggestion.kind) {
    case 'command': {
      const { command } = suggestion;
      return <Row icon={<SquareSlash />} name={`/${command}`} about={t(commandText[command])} />;
    }
    case 'prompt': {
      const { name, title, description } = suggestion.prompt;
      return <Row icon={<MessageSquareText />} name={`/${name}`} about={description ?? title} />;
    }
    case 'resource': {
      const { name, title, uri } = suggestion.resource;
      return <Row icon={<FileText />} name={title ?? name} about={uri} />;
    }
    case 'template': {
      const { name, title, uriTemplate } = suggestion.template;
      return <Row icon={<Braces />} name={title ?? name} about={uriTemplate} />;
    }
  }
}

function Row(props: { icon: ReactNode; name: string; about: string | undefined }) {
  return (
    <>
      <span aria-hidden className="text-muted">
        {props.icon}
      </span>
      <bdi className="max-w-[60%] shrink-0 truncate font-medium">{props.name}</bdi>
      {props.about && <bdi className="min-w-0 truncate text-muted">{props.about}</bdi>}
    </>
  );
}
