import { isJsonObject } from '#shared/json.ts';

/** Whether a tool that the vendor runs itself is one that runs code. */
export function isCodeTool(toolName: string): boolean {
  return toolName === 'code_interpreter' || toolName.endsWith('code_execution');
}

/** The code in the input of such a tool; undefined when there is none to show. */
export function codeOf(
  toolName: string,
  input: Record<string, unknown>,
): { text: string; language?: string } | undefined {
  const { code, command, file_text: written, language } = input;
  if (typeof code === 'string') {
    const said = typeof language === 'string' ? language.toLowerCase() : 'python';
    return { text: code, ...(/^[\w+#-]{1,30}$/.test(said) && { language: said }) };
  }
  // The command of an editor only says what is done with the text beside it.
  if (toolName.startsWith('bash') && typeof command === 'string') {
    return { text: command, language: 'bash' };
  }
  return typeof written === 'string' ? { text: written } : undefined;
}

/**
 * What came out of it, in words. It is shown as a code block like the code itself: columns and line
 * breaks count in it, and Markdown would change them.
 */
export function outputOf(result: unknown): string {
  if (!isJsonObject(result)) return '';
  const { output, stdout, stderr, outputs } = result;
  const logs = (Array.isArray(outputs) ? outputs : []).map((each: unknown) =>
    isJsonObject(each) ? each['logs'] : undefined,
  );
  return [output, stdout, stderr, ...logs]
    .flatMap((text) => (typeof text === 'string' && text !== '' ? [text] : []))
    .join('\n');
}
