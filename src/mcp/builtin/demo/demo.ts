import { setTimeout as wait } from 'node:timers/promises';
import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { CeriseError } from '#shared/errors/errors.ts';
import { newServer } from '../toolkit/new-server.ts';
import { readOnly, textResult } from '../toolkit/tool-result.ts';
import { registerData } from './demo-data.ts';
import { registerQuestions } from './demo-questions.ts';

/** The server `demo`: one tool for each kind of result a host must be able to show. */
export function createDemoServer(): McpServer {
  const server = newServer('demo', 'Demo', 'Shows what tool results can look like.');
  registerMedia(server);
  registerText(server);
  registerSlowTask(server);
  registerCite(server);
  registerData(server);
  registerQuestions(server);
  return server;
}

function registerMedia(server: McpServer): void {
  server.registerTool(
    'show_image',
    {
      title: 'Show an image',
      description: 'Returns a small PNG image of cherries.',
      annotations: readOnly,
    },
    async () => {
      const { cherryPicture } = await import('./demo-media.ts');
      const data = cherryPicture().toString('base64');
      return {
        content: [
          { type: 'text', text: 'Two cherries in front of an evening sky.' },
          { type: 'image', data, mimeType: 'image/png' },
        ],
      };
    },
  );
  server.registerTool(
    'play_sound',
    {
      title: 'Play a sound',
      description: 'Returns a short WAV sound of four rising notes.',
      annotations: readOnly,
    },
    async () => {
      const { chimeSound } = await import('./demo-media.ts');
      const data = chimeSound().toString('base64');
      return {
        content: [
          { type: 'text', text: 'Four rising notes.' },
          { type: 'audio', data, mimeType: 'audio/wav' },
        ],
      };
    },
  );
}

function registerText(server: McpServer): void {
  server.registerTool(
    'echo',
    {
      title: 'Echo',
      description: 'Returns the given message.',
      inputSchema: z.object({ message: z.string().max(1_000_000).describe('What to return') }),
      outputSchema: z.object({ message: z.string() }),
      annotations: readOnly,
    },
    ({ message }) => textResult(message, { message }),
  );
  server.registerTool(
    'large_result',
    {
      title: 'Large result',
      description: 'Returns a text of the given size, in numbered lines.',
      inputSchema: z.object({
        kilobytes: z.int().min(1).max(4096).default(200).describe('Size in KiB'),
      }),
      annotations: readOnly,
    },
    ({ kilobytes }) => {
      const count = kilobytes * 16;
      const lines = Array.from({ length: count }, (_, index) => numberedLine(index + 1, count));
      return textResult(lines.join(''));
    },
  );
  server.registerTool(
    'fail',
    {
      title: 'Fail',
      description: 'Always fails with the given message.',
      inputSchema: z.object({
        message: z
          .string()
          .min(1)
          .max(10_000)
          .default('This tool fails on purpose.')
          .describe('The error message'),
      }),
      annotations: readOnly,
    },
    ({ message }) => {
      throw new CeriseError('tool_failed', message);
    },
  );
}

/** Sixty-four characters, so that sixteen lines are one KiB. */
function numberedLine(number: number, count: number): string {
  return (
    `Line ${number} of ${count}: `.padEnd(63, 'the quick brown fox jumps over the lazy dog ') + '\n'
  );
}

function registerSlowTask(server: McpServer): void {
  server.registerTool(
    'slow_task',
    {
      title: 'Slow task',
      description: 'Runs for the given time and reports progress step by step. Can be cancelled.',
      inputSchema: z.object({
        seconds: z.number().min(0).max(600).default(5).describe('Total duration in seconds'),
        steps: z.int().min(1).max(1000).default(5).describe('Number of progress reports'),
      }),
      outputSchema: z.object({ steps: z.number(), seconds: z.number() }),
      annotations: readOnly,
    },
    async ({ seconds, steps }, { mcpReq }) => {
      for (let step = 1; step <= steps; step += 1) {
        await wait((seconds * 1000) / steps, undefined, { signal: mcpReq.signal });
        await reportProgress(mcpReq, step, steps);
      }
      return textResult(`Done: ${steps} steps in ${seconds} s.`, { steps, seconds });
    },
  );
}

async function reportProgress(
  request: ServerContext['mcpReq'],
  progress: number,
  total: number,
): Promise<void> {
  const progressToken = request._meta?.progressToken;
  if (progressToken === undefined) return;
  const message = `Step ${progress} of ${total}`;
  const params = { progressToken, progress, total, message };
  await request.notify({ method: 'notifications/progress', params });
}

function registerCite(server: McpServer): void {
  server.registerTool(
    'cite',
    {
      title: 'Cite sources',
      description: 'Returns made-up sources about a topic, as links and as structured results.',
      inputSchema: z.object({ topic: z.string().trim().min(1).max(200).describe('Any topic') }),
      outputSchema: z.object({
        results: z.array(z.object({ title: z.string(), url: z.string(), snippet: z.string() })),
      }),
      annotations: readOnly,
    },
    ({ topic }) => {
      const results = sources(topic);
      return {
        content: [
          { type: 'text', text: `Three example sources about ${topic}.` },
          ...results.map(({ title, url, snippet }) => ({
            type: 'resource_link' as const,
            uri: url,
            name: title,
            title,
            description: snippet,
            mimeType: 'text/html',
          })),
        ],
        structuredContent: { results },
      };
    },
  );
}

function sources(topic: string): { title: string; url: string; snippet: string }[] {
  const path = encodeURIComponent(topic.toWellFormed());
  return [
    {
      title: `An introduction to ${topic}`,
      url: `https://example.com/introduction/${path}`,
      snippet: `The origins of ${topic}, and why people care.`,
    },
    {
      title: `The history of ${topic}`,
      url: `https://example.org/history/${path}`,
      snippet: `The story of ${topic}, from the beginning to today.`,
    },
    {
      title: `Ten questions about ${topic}`,
      url: `https://example.com/questions/${path}`,
      snippet: `Short answers to common questions about ${topic}.`,
    },
  ];
}
