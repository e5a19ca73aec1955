import type { Page } from 'playwright-core';
import { type FakeOpenAi, textChunks } from '../fakes/fake-openai.ts';
import type { App } from './app.ts';
import { ask, send, type ShownMessage } from './page.ts';

/** The program with a model that says what it is told to. */
export interface ToldApp {
  app: App;
  fake: FakeOpenAi;
  /**
   * Asks anything; the answer is this text, in small pieces with `pace` milliseconds between them.
   * Resolves when it has ended.
   */
  say(page: Page, text: string, pace?: number): Promise<ShownMessage>;
  /** The same, but the answer stops after this text and does not end. */
  begin(page: Page, text: string): Promise<void>;
}

/** Makes the fake the default model of a program. */
export async function tellModel(app: App, fake: FakeOpenAi): Promise<ToldApp> {
  const body = { name: 'told', kind: 'openai-compatible', baseUrl: fake.baseUrl, apiKey: 'x' };
  await app.api('/providers', { method: 'POST', body });
  const settings = await app.api<object>('/settings');
  const withModel = { ...settings, defaultModel: 'told/fake-model' };
  await app.api('/settings', { method: 'PUT', body: withModel });
  const pieces = (text: string) => textChunks(text.match(/[\s\S]{1,30}/g) ?? []);
  return {
    app,
    fake,
    say(page, text, pace = 0) {
      fake.respond({ chunks: pieces(text), write: 'each', delay: pace });
      return ask(page, 'Go on.');
    },
    begin(page, text) {
      // The last two chunks end the answer.
      const data = pieces(text)
        .slice(0, -2)
        .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
      fake.respond({ raw: data.join(''), hang: true });
      return send(page, 'Go on.');
    },
  };
}
