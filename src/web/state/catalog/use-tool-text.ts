import { sentenceRef, textOf } from '#shared/errors/sentence.ts';
import { toolWords } from '#shared/messages/builtin-tool.ts';
import { useSentence } from '../../ui/notices/use-sentence.ts';
import { useCatalog } from './catalog.ts';

/** Says the title or description of a server's tools in the reader's language, where the server is a built-in one. */
export function useToolText(
  serverId: string | undefined,
): (tool: string, kind: 'title' | 'description', text: string) => string {
  const sentence = useSentence();
  const config = useCatalog(({ servers }) => servers.find(({ id }) => id === serverId)?.config);
  return (tool, kind, text) => {
    const words = toolWords(config, tool, kind, text);
    return sentence(textOf(words), sentenceRef(words));
  };
}
