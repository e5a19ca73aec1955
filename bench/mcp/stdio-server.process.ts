import { createAnswers } from './answers.ts';
import { readLoad } from './load.ts';

// The echo server over stdio. As cheap as it can be, so that it never keeps its client waiting.

const answer = createAnswers(readLoad(process.argv.slice(2)));
let rest = '';
process.stdin.setEncoding('utf8').on('data', (chunk: string) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop() ?? '';
  let answers = '';
  for (const line of lines) {
    const text = line === '' ? undefined : answer(JSON.parse(line));
    if (text !== undefined) answers += `${text}\n`;
  }
  if (answers !== '') process.stdout.write(answers);
});
