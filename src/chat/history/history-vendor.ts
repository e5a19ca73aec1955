import { fencedCode } from '#shared/text/fenced-code.ts';
import type { ToolBlock } from '#shared/vocabulary/block.ts';
import type { ModelPart } from '#shared/vocabulary/model.ts';

/**
 * What a model sees again of a tool that its vendor ran: code and what came out of it, as text. The
 * vendors take back other calls of their own only with what they sealed, and need none of them.
 */
export function vendorParts({ toolName, arguments: args, result }: ToolBlock): ModelPart[] {
  const code = codeIn(toolName, args);
  if (!code) return [];
  const output = (result?.content ?? []).flatMap((part) =>
    part.type === 'text' ? [part.text] : [],
  );
  return [code, ...output.map((text) => fencedCode(text))].map((text) => ({ type: 'text', text }));
}

function codeIn(toolName: string, args: ToolBlock['arguments']): string | undefined {
  const { code, command, file_text: written, language } = args;
  if (typeof code === 'string')
    return fencedCode(code, typeof language === 'string' ? language : 'python');
  // The command of an editor only says what is done with the text beside it.
  if (toolName.startsWith('bash') && typeof command === 'string')
    return fencedCode(command, 'bash');
  return typeof written === 'string' ? fencedCode(written) : undefined;
}
