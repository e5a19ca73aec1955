/**
 * Uses a server as a person does: `node use-server.mjs URL SIGN_IN_LINK [TOPIC]`. Waits until it is ready, takes its
 * page, signs in by the link of `cerise sign-in`, asks a question and prints the topic. With a topic, it reads that
 * one instead of asking. It imports nothing, so that it also runs where only Node is.
 */
const [url, link, known] = process.argv.slice(2);

const page = await fetch(`${url}/`);
if (!(await page.text()).includes('id="root"')) throw new Error('The page is not there.');
const signIn = await fetch(`${url}/sign-in?${new URL(link).searchParams}`, { redirect: 'manual' });
const cookie = signIn.headers.getSetCookie().map((each) => each.split(';')[0]);
if (cookie.length === 0) throw new Error(`The sign-in answered ${signIn.status} without a cookie.`);

const topic = known ?? (await call('POST', '/api/topics', {})).id;
if (!known) await call('POST', `/api/topics/${topic}/messages`, { text: 'What is 6*7?' });
for (;;) {
  const { messages } = await call('GET', `/api/topics/${topic}/messages`);
  const answer = messages.find(({ role }) => role === 'assistant');
  if (answer?.endedAt === undefined) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    continue;
  }
  const text = answer.blocks.map(({ content }) => content).join('\n');
  if (answer.status !== 'success' || !text.includes('42')) throw new Error(JSON.stringify(answer));
  break;
}
console.log(topic);

async function call(method, path, body) {
  const headers = { cookie: cookie.join('; '), 'content-type': 'application/json', origin: url };
  const json = body && JSON.stringify(body);
  const answer = await fetch(url + path, { method, headers, ...(json && { body: json }) });
  if (answer.ok) return answer.json();
  throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
}
